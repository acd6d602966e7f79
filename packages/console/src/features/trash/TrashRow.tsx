/** A deleted record in the trash. */
import { Box, Button, Checkbox } from '@mantine/core';
import { useRouter } from '@tanstack/react-router';
import { requestOf } from '@trellis/client/api-client.ts';
import type { TrashEntry } from '@trellis/client/generated/types.ts';
import { useState } from 'react';
import { usePersonName } from '../../fields/Person.tsx';
import { useBulks } from '../../outbox/bulk/use-bulks.ts';
import { texts as recordTexts } from '../../records/texts.ts';
import { useWrite } from '../../records/use-write.ts';
import { resourceByName } from '../../resources/declared.ts';
import { recordPathOf } from '../../resources/places.ts';
import { presentationOf } from '../../resources/presentation.ts';
import { useFeatureText } from '../../text/feature.ts';
import { useNames } from '../../text/names.ts';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import { Icon } from '../../ui/icons.tsx';
import { Moment } from '../../ui/Moment.tsx';
import { FailureNotice } from '../../ui/Notice.tsx';
import shared from '../../ui/shared.module.css';
import { showToast } from '../../ui/toasts/toasts.ts';
import styles from './Trash.module.css';
import { texts } from './texts.ts';

const dayMs = 86_400_000;

interface Props {
  readonly entry: TrashEntry;
  readonly isSelected: boolean;
  readonly select: (isSelected: boolean) => void;
  /** The ids of what was deleted together with it, if it is the first of them; otherwise null. */
  readonly deletion: readonly string[] | null;
  readonly selectDeletion: (ids: readonly string[]) => void;
  /** Why it could not be restored with others; null: it was not tried, or it was tried alone. */
  readonly failure: unknown;
}

export function TrashRow({ entry, isSelected, select, deletion, selectDeletion, failure }: Props) {
  const featureText = useFeatureText(texts);
  const recordText = useFeatureText(recordTexts);
  const names = useNames();
  const router = useRouter();
  const bulks = useBulks();
  const [isConfirming, setIsConfirming] = useState(false);
  const { id, title, parentId, deletedBy, deletedAt, purgeAt } = entry;
  const resource = resourceByName(entry.resource);
  const person = usePersonName(deletedBy);
  const name = title === '' ? names.singular(resource) : title;
  const daysLeft = (Date.parse(purgeAt) - Date.now()) / dayMs;
  const days = daysLeft < 1 ? 0 : Math.round(daysLeft);
  // A restored record appears in lists, searches and counts.
  const restore = useWrite({
    changes: [['v1']],
    done: () => {
      void bulks.forgetRestorations([id]);
      showToast({
        kind: 'done',
        message: recordText('restored', { name }),
        action: {
          label: recordText('open'),
          run: () => void router.navigate({ to: recordPathOf(resource, parentId, id) }),
        },
      });
    },
  });
  const purge = useWrite({
    changes: [['v1', 'trash']],
    done: () => {
      setIsConfirming(false);
      void bulks.forgetRestorations([id]);
      showToast({ kind: 'done', message: featureText('purged', { name }) });
    },
  });
  return (
    <li className={shared.row}>
      <Checkbox
        size="xs"
        aria-label={recordText('select', { name })}
        checked={isSelected}
        onChange={({ currentTarget }) => select(currentTarget.checked)}
      />
      <span className={shared.icon}>
        <Icon name={presentationOf(resource).icon ?? 'list'} />
      </span>
      <div className={shared.main}>
        <span className={shared.name}>{name}</span>
        <span className={shared.note}>
          {names.singular(resource)} · {featureText('deletedBy', { name: person })} ·{' '}
          <Moment value={deletedAt} />
          {deletion !== null && (
            <>
              {' · '}
              <button type="button" className={shared.textButton} onClick={() => selectDeletion(deletion)}>
                {featureText('selectDeletion', { count: deletion.length })}
              </button>
            </>
          )}
        </span>
      </div>
      <span className={`${shared.fact} ${shared.fact} ${styles.left}`}>
        {featureText('daysLeft', { days })}
      </span>
      <div className={`${shared.group} ${shared.group} ${styles.actions}`}>
        <Button
          size="xs"
          variant="default"
          aria-label={featureText('restoreNamed', { name })}
          loading={restore.isPending}
          onClick={() => restore.mutate(requestOf('restoreFromTrash', { path: { id } }))}
        >
          {featureText('restore')}
        </Button>
        <Button
          size="xs"
          variant="default"
          className={shared.danger ?? ''}
          aria-label={featureText('purgeNamed', { name })}
          onClick={() => setIsConfirming(true)}
        >
          {featureText('purge')}
        </Button>
      </div>
      {(restore.failure ?? failure) !== null && (
        <Box flex="1 0 100%">
          <FailureNotice error={restore.failure ?? failure} />
        </Box>
      )}
      {isConfirming && (
        <ConfirmDialog
          title={featureText('purgeTitle', { name })}
          about={featureText('purgeAbout')}
          action={featureText('purge')}
          isDangerous
          isPending={purge.isPending}
          confirm={() => purge.mutate(requestOf('purgeFromTrash', { path: { id } }))}
          close={() => setIsConfirming(false)}
        >
          <FailureNotice error={purge.failure} />
        </ConfirmDialog>
      )}
    </li>
  );
}
