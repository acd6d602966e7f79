/** The progress of bulk changes, on every page, with their failures. */
import { Button, Progress } from '@mantine/core';
import '@mantine/core/styles/Progress.layer.css';
import type { BulkProgress } from '../../outbox/bulk/bulk.ts';
import { useFeatureText } from '../../text/feature.ts';
import { saveFile, toCsv } from '../../ui/download.ts';
import styles from './BulkPanel.module.css';
import { useBulkProgress, useBulks } from './bulk.ts';
import { texts } from './texts.ts';

export function BulkPanel() {
  const featureText = useFeatureText(texts);
  const bulks = useBulkProgress();
  return (
    <section className={styles.panel} aria-label={featureText('panel')}>
      {bulks.map((bulk) => (
        <Entry key={bulk.id} bulk={bulk} />
      ))}
    </section>
  );
}

function Entry({ bulk }: { readonly bulk: BulkProgress }) {
  const featureText = useFeatureText(texts);
  const bulks = useBulks();
  const { id, label, total, done, failed, waiting, undoable, isPaused } = bulk;
  const isFinished = waiting === 0;
  const download = async () => {
    const rows = (await bulks.failures(id)).map(({ recordId, failure }) => [
      recordId,
      failure?.code ?? '',
      failure?.reasons.join(' ') ?? '',
    ]);
    const csv = toCsv([['id', 'code', 'reason'], ...rows]);
    saveFile(new Blob([csv], { type: 'text/csv;charset=utf-8' }), 'not-changed.csv');
  };
  return (
    <div className={styles.entry}>
      <div className={styles.label}>{label}</div>
      <Progress
        size="sm"
        value={((done + failed) / Math.max(total, 1)) * 100}
        aria-label={label}
        color={failed > 0 ? 'orange.7' : 'leaf'}
      />
      <div className={styles.numbers} role="status">
        {isFinished && `${featureText('finished')} · `}
        {!isFinished && isPaused && `${featureText('paused')} · `}
        {featureText('progress', { done, total })}
        {failed > 0 && <span className={styles.failed}> · {featureText('failed', { count: failed })}</span>}
      </div>
      <div className={styles.buttons}>
        {!isFinished && (
          <Button size="xs" variant="default" onClick={() => void bulks[isPaused ? 'resume' : 'pause'](id)}>
            {featureText(isPaused ? 'resume' : 'pause')}
          </Button>
        )}
        {isFinished && undoable > 0 && (
          <Button
            size="xs"
            variant="default"
            onClick={() => void bulks.undo(id, featureText('labelUndo', { label }))}
          >
            {undoable === done ? featureText('undo') : featureText('undoSome', { count: undoable })}
          </Button>
        )}
        {failed > 0 && (
          <Button size="xs" variant="default" onClick={() => void download()}>
            {featureText('download')}
          </Button>
        )}
        {failed > 0 && isFinished && (
          <Button size="xs" variant="default" onClick={() => void bulks.retry(id)}>
            {featureText('retry')}
          </Button>
        )}
        {(isFinished || isPaused) && (
          <Button size="xs" variant="default" onClick={() => void bulks.remove(id)}>
            {featureText(isFinished ? 'close' : 'cancel')}
          </Button>
        )}
      </div>
    </div>
  );
}
