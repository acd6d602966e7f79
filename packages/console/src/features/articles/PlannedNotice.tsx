/** For when a text is planned that is not scheduled, such as one that was taken back to correct it; it is scheduled for that time in one step. */

import { Button, Group } from '@mantine/core';
import type { Resource } from '@trellis/schema/resources/resource.ts';
import { valueAt } from '@trellis/schema/values/paths.ts';
import { useState } from 'react';
import { parentIdOf, recordPathOf } from '../../resources/places.ts';
import { titleOf } from '../../resources/values.ts';
import { useRefusal } from '../../session/missing-right.ts';
import { useWorkspace } from '../../session/workspace.ts';
import { useFeatureText } from '../../text/feature.ts';
import { Notice } from '../../ui/Notice.tsx';
import { statusOfArticle } from './moves.ts';
import { illustratedOf, readPictures } from './pictures-in-text.ts';
import { ScheduleDialog } from './ScheduleDialog.tsx';
import { texts } from './texts.ts';
import { unsavedReason } from './unsaved-reason.ts';
import type { ArticleEditing } from './use-article.ts';
import { usePendingRequest } from './use-pending-request.ts';
import { useSiteTime } from './use-site-time.ts';

interface Props {
  readonly resource: Resource;
  readonly article: ArticleEditing;
}

export function PlannedNotice({ resource, article }: Props) {
  const { record, sync } = article;
  const { api } = useWorkspace();
  const featureText = useFeatureText(texts);
  const refusal = useRefusal();
  const { isWaiting, failure, run } = usePendingRequest();
  const [isTimeOpen, setIsTimeOpen] = useState(false);
  const status = statusOfArticle(record);
  const at = valueAt(record, 'versionData.scheduledFor');
  const until = valueAt(record, 'versionData.unpublishAt');
  const isPlanned =
    ['DRAFT', 'IN_REVIEW', 'APPROVED'].includes(status) &&
    typeof at === 'string' &&
    Date.parse(at) > Date.now();
  const siteId = parentIdOf(resource, record);
  const tell = useSiteTime(isPlanned ? siteId : null);
  if (!isPlanned) return null;
  const maySchedule =
    status !== 'IN_REVIEW' && refusal(resource, 'update') === null && refusal(resource, 'publish') === null;
  const unsaved = unsavedReason(article);
  const readShown = () => illustratedOf(article.edited.collect());
  const send = async (scheduledFor: string, unpublishAt: unknown) => {
    const body = { versionData: { status: 'SCHEDULED', scheduledFor, unpublishAt: unpublishAt ?? null } };
    const path = `/v1${recordPathOf(resource, siteId, record.id)}`;
    await sync.send({ method: 'PATCH', path, body }, titleOf(resource, record));
    setIsTimeOpen(false);
  };
  const schedule = async () => {
    const isEnded = typeof until === 'string' && until <= at;
    const hasHidden = await readPictures(api, readShown()).then(
      ({ hidden }) => hidden.length > 0,
      () => true,
    );
    if (isEnded || hasHidden) setIsTimeOpen(true);
    else await send(at, until);
  };
  return (
    <Notice kind="hint" icon="calendar">
      <Group justify="space-between" gap="6px 12px">
        <span>
          {featureText('plannedFor', { date: tell(at) })}
          {maySchedule && unsaved !== null && ` ${featureText(unsaved)}`}
        </span>
        {maySchedule && (
          <Button
            variant="default"
            size="compact-sm"
            loading={isWaiting}
            disabled={unsaved !== null}
            onClick={() => void run(schedule)}
          >
            {featureText('scheduleAgain')}
          </Button>
        )}
      </Group>
      {failure}
      {isTimeOpen && (
        <ScheduleDialog
          resource={resource}
          record={record}
          parentId={siteId}
          shown={readShown()}
          isWaiting={isWaiting}
          close={() => setIsTimeOpen(false)}
          schedule={(scheduledFor, unpublishAt) => void run(() => send(scheduledFor, unpublishAt))}
        />
      )}
    </Notice>
  );
}
