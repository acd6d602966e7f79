/** The progress of bulk changes, on every page, with their failures. */
import { Button, Group, Progress } from '@mantine/core';
import '@mantine/core/styles/Progress.layer.css';
import { useLocation } from '@tanstack/react-router';
import { useState } from 'react';
import type { BulkProgress } from '../../outbox/bulk/bulk.ts';
import { useBulkProgress, useBulks } from '../../outbox/bulk/use-bulks.ts';
import { useWorkspace } from '../../session/workspace.ts';
import { useFeatureText } from '../../text/feature.ts';
import { byteOrderMark, toCsv } from '../../ui/csv.ts';
import { saveFile } from '../../ui/download.ts';
import shared from '../../ui/shared.module.css';
import styles from './BulkPanel.module.css';
import { texts } from './texts.ts';

export function BulkPanel() {
  const featureText = useFeatureText(texts);
  const bulks = useBulkProgress();
  const { viewedRole } = useWorkspace();
  const path = useLocation().pathname;
  const ids = bulks.map(({ id }) => id).join();
  // Where the panel is open, and of which changes: it opens for a new one, and is out of the way on other pages.
  const [opened, setOpened] = useState({ path, ids });
  if (ids !== opened.ids) setOpened({ path: isAdded(ids, opened.ids) ? path : opened.path, ids });
  // It changes records, which the page says that nothing does.
  if (viewedRole !== null) return null;
  if (path !== opened.path) {
    return (
      <section className={styles.small} aria-label={featureText('panel')}>
        <Button size="xs" variant="default" onClick={() => setOpened({ path, ids })}>
          <Summary bulks={bulks} />
        </Button>
      </section>
    );
  }
  return (
    <section className={styles.panel} aria-label={featureText('panel')}>
      {bulks.map((bulk) => (
        <Entry key={bulk.id} bulk={bulk} />
      ))}
    </section>
  );
}

function isAdded(ids: string, before: string): boolean {
  return ids.split(',').some((id) => !before.split(',').includes(id));
}

/** How far all of them are together. */
function Summary({ bulks }: { readonly bulks: readonly BulkProgress[] }) {
  const featureText = useFeatureText(texts);
  const sum = (name: 'done' | 'total' | 'failed' | 'waiting') =>
    bulks.reduce((count, bulk) => count + bulk[name], 0);
  const failed = sum('failed');
  return (
    <>
      {sum('waiting') === 0 && `${featureText('finished')} · `}
      {featureText('progress', { done: sum('done'), total: sum('total') })}
      {failed > 0 && <span className={shared.danger}> · {featureText('failed', { count: failed })}</span>}
    </>
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
    saveFile(new Blob([byteOrderMark, csv], { type: 'text/csv;charset=utf-8' }), 'not-changed.csv');
  };
  return (
    <div className={`${shared.stack} ${styles.entry}`}>
      <div className={shared.label}>{label}</div>
      <Progress
        size="sm"
        value={((done + failed) / Math.max(total, 1)) * 100}
        aria-label={label}
        color={failed > 0 ? 'orange.7' : 'leaf'}
      />
      <div className={shared.small} role="status">
        {isFinished && `${featureText('finished')} · `}
        {!isFinished && isPaused && `${featureText('paused')} · `}
        {featureText('progress', { done, total })}
        {failed > 0 && <span className={shared.danger}> · {featureText('failed', { count: failed })}</span>}
      </div>
      <Group gap={6}>
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
      </Group>
    </div>
  );
}
