/** Plans an article for a time: a new one, one of the drafts without a date, or a given draft. It stays a draft. */
import '../../../ui/segmented-styles.ts';
import '../../../ui/input-styles.ts';
import { Button, Group, SegmentedControl, Select, Stack, TextInput } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { requestOf } from '@trellis/client/api-client.ts';
import type { Article } from '@trellis/client/generated/types.ts';
import { articles } from '@trellis/schema/resources/articles.ts';
import { toInstant } from '@trellis/schema/values/zones.ts';
import { useState } from 'react';
import { useIntl } from 'react-intl';
import type { ApiRecord } from '../../../api/api.ts';
import { isProblem } from '../../../api/problem.ts';
import { faultsAt } from '../../../fields/draft.ts';
import { useWrite } from '../../../records/use-write.ts';
import { recordPathOf } from '../../../resources/places.ts';
import { recordKeys } from '../../../resources/queries.ts';
import { titleOf } from '../../../resources/values.ts';
import { useFeatureText } from '../../../text/feature.ts';
import { useNames } from '../../../text/names.ts';
import { useText } from '../../../text/text.ts';
import { Dialog } from '../../../ui/Dialog.tsx';
import { FailureNotice } from '../../../ui/Notice.tsx';
import { faultsOf } from '../../../ui/problem-text.ts';
import shared from '../../../ui/shared.module.css';
import { showToast } from '../../../ui/toasts/toasts.ts';
import { texts as articleTexts } from '../texts.ts';
import { texts } from './texts.ts';
import type { BacklogEntry } from './use-entries.ts';

interface Props {
  readonly siteId: string;
  readonly zone: string;
  /** The proposed time on the clock of the site: `2027-03-20T09:00` */
  readonly time: string;
  /** The draft that is planned; null to choose one, or to make one. */
  readonly record: ApiRecord | null;
  /** The drafts to choose from. */
  readonly drafts: readonly BacklogEntry[];
  readonly mayCreate: boolean;
  readonly plan: (record: ApiRecord, at: Date) => void;
  readonly close: () => void;
}

export function PlanDialog({ siteId, zone, time, record, drafts, mayCreate, plan, close }: Props) {
  const featureText = useFeatureText(texts);
  const articleText = useFeatureText(articleTexts);
  const text = useText();
  const names = useNames();
  const navigate = useNavigate();
  const { formatDate } = useIntl();
  const [isNew, setIsNew] = useState(record === null && mayCreate);
  const [title, setTitle] = useState('');
  const [chosen, setChosen] = useState<string | null>(null);
  const [isChoiceMissing, setIsChoiceMissing] = useState(false);
  const [typed, setTyped] = useState(time);
  const at = toInstant(typed, zone);
  const hasPassed = at !== null && at.getTime() <= Date.now();
  const create = useWrite<Article>({
    written: { resource: articles },
    changes: [recordKeys.all(articles)],
    done: (created) => {
      const href = recordPathOf(articles, siteId, created.id);
      showToast({
        kind: 'done',
        message: featureText('planned', {
          title: created.versionData.title,
          date: formatDate(at ?? undefined, { dateStyle: 'full', timeStyle: 'short', timeZone: zone }),
        }),
        action: { label: featureText('open'), run: () => void navigate({ to: href }) },
      });
      close();
    },
  });
  const faults = faultsOf(create.failure, names);
  const submit = () => {
    if (at === null || hasPassed || create.isPending) return;
    if (isNew) {
      const body = { versionData: { title, scheduledFor: at.toISOString() } };
      return create.mutate(requestOf('createArticle', { path: { siteId }, body }));
    }
    const draft = record ?? drafts.find((entry) => entry.record.id === chosen)?.record;
    setIsChoiceMissing(draft === undefined);
    if (draft !== undefined) plan(draft, at);
  };
  return (
    <Dialog
      onClose={close}
      title={
        record === null
          ? featureText('plan')
          : featureText('planArticle', { title: titleOf(articles, record) })
      }
    >
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <Stack gap="md">
          {record === null && mayCreate && drafts.length > 0 && (
            <SegmentedControl
              aria-label={featureText('plan')}
              value={isNew ? 'new' : 'draft'}
              onChange={(value) => setIsNew(value === 'new')}
              data={[
                { value: 'new', label: featureText('planNew') },
                { value: 'draft', label: featureText('planDraft') },
              ]}
            />
          )}
          {isNew && (
            <TextInput
              label={names.field('title')}
              value={title}
              onChange={(event) => setTitle(event.currentTarget.value)}
              error={faultsAt(faults, '/versionData/title') ?? undefined}
              data-autofocus
            />
          )}
          {!isNew && record === null && (
            <Select
              label={featureText('draft')}
              data={drafts.map((draft) => ({ value: draft.record.id, label: draft.title }))}
              value={chosen}
              onChange={setChosen}
              error={isChoiceMissing && chosen === null ? featureText('chooseDraft') : undefined}
              nothingFoundMessage={featureText('noMatch')}
              searchable
              selectFirstOptionOnChange
            />
          )}
          <TextInput
            type="datetime-local"
            label={featureText('plannedFor')}
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
            error={
              hasPassed
                ? articleText('timePassed')
                : (faultsAt(faults, '/versionData/scheduledFor') ?? undefined)
            }
            data-autofocus={record === null ? undefined : true}
          />
          <p className={shared.about}>{featureText('planAbout')}</p>
          {!isProblem(create.failure, 'validation_failed') && <FailureNotice error={create.failure} />}
          <Group justify="flex-end" gap={8}>
            <Button variant="default" onClick={close}>
              {text('cancel')}
            </Button>
            <Button type="submit" loading={create.isPending} disabled={at === null || hasPassed}>
              {featureText('planSubmit')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}
