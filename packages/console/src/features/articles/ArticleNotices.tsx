/** What somebody must know before typing into an article. */

import { Button, Group } from '@mantine/core';
import { frozenStatuses } from '@trellis/schema/resources/article-transitions.ts';
import type { Resource } from '@trellis/schema/resources/resource.ts';
import { valueAt } from '@trellis/schema/values/paths.ts';
import { usePendingChanges } from '../../outbox/edit/use-changes.ts';
import { texts as pendingTexts } from '../../pending/texts.ts';
import { parentIdOf, recordPathOf } from '../../resources/places.ts';
import { useFeatureText } from '../../text/feature.ts';
import { Moment } from '../../ui/Moment.tsx';
import { Notice } from '../../ui/Notice.tsx';
import shared from '../../ui/shared.module.css';
import styles from './ArticleEditor.module.css';
import { statusOfArticle } from './moves.ts';
import { PlannedNotice } from './PlannedNotice.tsx';
import { SentBack } from './SentBack.tsx';
import { texts } from './texts.ts';
import type { ArticleEditing } from './use-article.ts';
import type { Lock } from './use-lock.ts';
import { usePendingRequest } from './use-pending-request.ts';
import type { FailedUpload } from './use-uploads.tsx';

interface Props {
  readonly resource: Resource;
  readonly article: ArticleEditing;
  readonly lock: Lock | null;
  readonly uploads: readonly FailedUpload[];
  /** Number of pictures in the text that cannot be found. */
  readonly missingPictures: number;
}

export function ArticleNotices({ resource, article, lock, uploads, missingPictures }: Props) {
  const featureText = useFeatureText(texts);
  const ownPending = useFeatureText(pendingTexts);
  const { changes, obstacle } = usePendingChanges();
  const { record, sync } = article;
  const isDeleting = changes.some(
    (change) => change.record === record.id && change.request.method === 'DELETE' && change.refusal === null,
  );
  const { isWaiting, failure, run } = usePendingRequest();
  const published = record.publishedVersionNumber;
  const working = valueAt(record, 'versionData.versionNumber');
  const draftHint = frozenStatuses.includes(statusOfArticle(record))
    ? typeof published === 'number'
      ? featureText('opensDraft', { number: published })
      : featureText('opensDraftUnseen')
    : typeof published === 'number' && typeof working === 'number'
      ? featureText('besideDraft', { number: published, draft: working })
      : null;
  const { scheduleError } = record;
  const returnedAt = valueAt(record, 'versionData.returnedAt');
  const returnNote = valueAt(record, 'versionData.returnNote');
  // Once it is submitted again, the list of versions says it of the version that was sent back.
  const isReturned = statusOfArticle(record) === 'DRAFT' && typeof returnedAt === 'string';
  const takeBack = () => {
    const path = `/v1${recordPathOf(resource, parentIdOf(resource, record), record.id)}`;
    const body = { versionData: { status: 'DRAFT' } };
    void run(() => sync.send({ method: 'PATCH', path, body }, featureText('move.DRAFT')));
  };
  return (
    <div className={styles.notices}>
      {isDeleting && obstacle !== null && (
        <Notice kind="hint" icon="clock">
          {ownPending('keptDeletion')}
        </Notice>
      )}
      {isReturned && (
        <Notice kind="hint" icon="pencil">
          <SentBack by={valueAt(record, 'versionData.returnedBy')} />
          {typeof returnNote === 'string' && ` ${featureText('quoted', { text: returnNote })}`}{' '}
          <Moment value={returnedAt} />
        </Notice>
      )}
      {lock !== null && (
        <Notice kind="hint" icon={lock.isScheduled ? 'clock' : 'lock'}>
          <Group justify="space-between" gap="6px 12px">
            <span>{lock.reason}</span>
            {lock.isScheduled && (
              <Button variant="default" size="compact-sm" loading={isWaiting} onClick={takeBack}>
                {featureText('backToDraft')}
              </Button>
            )}
          </Group>
        </Notice>
      )}
      <PlannedNotice resource={resource} article={article} />
      {failure !== null && (
        <Notice kind="failure" title={featureText('moveFailed')}>
          {failure}
        </Notice>
      )}
      {typeof scheduleError === 'string' && (
        <Notice kind="failure" title={featureText('scheduleFailed')}>
          {scheduleError}
        </Notice>
      )}
      {missingPictures > 0 && (
        <Notice kind="failure">
          {[
            featureText('missingPictures', { count: missingPictures }),
            ...(typeof published === 'number' ? [featureText('missingGap')] : []),
            featureText('missingMarked', { count: missingPictures }),
          ].join(' ')}
        </Notice>
      )}
      {lock === null && draftHint !== null && <p className={shared.about}>{draftHint}</p>}
      {uploads.map(({ id, name, reason }) => (
        <Notice key={id} kind="failure" title={featureText('uploadFailed', { name })}>
          {reason}
        </Notice>
      ))}
    </div>
  );
}
