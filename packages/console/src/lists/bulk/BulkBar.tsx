/** What can be done with the selected records of a list, as the declaration of the resource offers it. */
import { Button, Menu } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { etagOf } from '@trellis/client/response.ts';
import { type Resource, statusOf } from '@trellis/schema/resources/resource.ts';
import { Suspense, useState } from 'react';
import { readFirst } from '../../api/pages.ts';
import { useStepUp } from '../../api/proof.ts';
import { editableFields } from '../../fields/draft.ts';
import { mostBulkRecords } from '../../outbox/bulk/bulk.ts';
import type { BulkAction } from '../../outbox/bulk/bulk-store.ts';
import { nestValues } from '../../outbox/store/fields.ts';
import { recordPathOf } from '../../resources/places.ts';
import { presentationOf } from '../../resources/presentation.ts';
import { listRecords } from '../../resources/queries.ts';
import { useIsKept } from '../../resources/use-is-kept.ts';
import { isOffered, useRefusal } from '../../session/missing-right.ts';
import { useWorkspace } from '../../session/workspace.ts';
import { useFeatureText } from '../../text/feature.ts';
import { useNames } from '../../text/names.ts';
import { Icon } from '../../ui/icons.tsx';
import { FailureNotice } from '../../ui/Notice.tsx';
import { RefusableButton } from '../../ui/Refusable.tsx';
import { showToast } from '../../ui/toasts/toasts.ts';
import type { Selection } from '../use-selection.ts';
import styles from './BulkBar.module.css';
import { BulkDialog, SetFieldDialog } from './BulkDialogs.tsx';
import { type Bulks, useBulks } from './bulk.ts';
import { texts } from './texts.ts';

interface Props {
  readonly resource: Resource;
  readonly parentId: string | null;
  /** Parameters of the list. */
  readonly query: Readonly<Record<string, string>>;
  readonly selection: Selection;
  /** Ids of the rows that somebody has deleted meanwhile. */
  readonly deleted: ReadonlySet<string>;
  /** Whether all that match are selected. */
  readonly isComplete: boolean;
}

type PendingAction =
  | { readonly kind: 'set' }
  | { readonly kind: 'delete' }
  | { readonly kind: 'move'; readonly status: string };

export function BulkBar({ resource, parentId, query, selection, deleted, isComplete }: Props) {
  const featureText = useFeatureText(texts);
  const isKept = useIsKept();
  const names = useNames();
  const refusal = useRefusal();
  const bulks = useBulks();
  const [pendingAction, setPendingAction] = useState<PendingAction | null>(null);
  const matching = useMatching({ resource, parentId, query, selection });
  const records = [...selection.records.values()].filter(({ id }) => !deleted.has(id));
  const count = records.length;
  const BeforeDeletion = presentationOf(resource).beforeDeletion;
  const name = names.plural(resource);
  const status = statusOf(resource);
  const statuses = status === null ? [] : [...new Set(Object.values(status.transitions.allowed).flat())];
  const fields = editableFields(resource).filter(
    ([field]) => field !== status?.field && !Object.hasOwn(resource.unique, field),
  );
  const begun = useMutation({
    mutationFn: (given: Parameters<Bulks['start']>) => bulks.start(...given),
    onSuccess: selection.clear,
  });
  const start = (label: string, action: Omit<BulkAction, 'suffix'>, isConditional: boolean) => {
    setPendingAction(null);
    const targets = records.map(({ id, version }) => ({
      recordId: id,
      path: `/v1${recordPathOf(resource, parentId, id)}`,
      // Versions that the user has not seen are neither deleted nor published. A field is set in any version.
      ifMatch: isConditional ? etagOf(version) : null,
    }));
    begun.mutate([label, { suffix: '', ...action }, targets]);
  };
  return (
    <div className={styles.bar}>
      <span className={styles.count} role="status">
        {featureText('selected', { count })}
      </span>
      {!isComplete && (
        <Button size="xs" variant="default" loading={matching.isPending} onClick={() => matching.mutate()}>
          {featureText('selectMatching')}
        </Button>
      )}
      {isOffered(resource, 'update') && (
        <RefusableButton
          size="xs"
          variant="default"
          refusal={refusal(resource, 'update')}
          onClick={() => setPendingAction({ kind: 'set' })}
        >
          {featureText('setField')}
        </RefusableButton>
      )}
      {statuses.length > 0 && isOffered(resource, 'update') && (
        <Menu position="bottom-start" width={220}>
          <Menu.Target>
            <Button size="xs" variant="default" rightSection={<Icon name="chevronDown" size={14} />}>
              {featureText('move')}
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            {statuses.map((one) => {
              const isPublished = status?.transitions.published.includes(one) === true;
              const refused = refusal(resource, isPublished ? 'publish' : 'update');
              return (
                <Menu.Item
                  key={one}
                  disabled={refused !== null}
                  title={refused ?? undefined}
                  onClick={() => setPendingAction({ kind: 'move', status: one })}
                >
                  {names.value(one)}
                </Menu.Item>
              );
            })}
          </Menu.Dropdown>
        </Menu>
      )}
      {isOffered(resource, 'delete') && (
        <RefusableButton
          size="xs"
          variant="default"
          refusal={refusal(resource, 'delete')}
          onClick={() => setPendingAction({ kind: 'delete' })}
        >
          {featureText('delete')}
        </RefusableButton>
      )}
      <Button size="xs" variant="subtle" color="gray" onClick={selection.clear}>
        {featureText('clear')}
      </Button>
      <FailureNotice error={matching.error} />
      <FailureNotice error={begun.error} />
      {pendingAction?.kind === 'set' && (
        <SetFieldDialog
          fields={fields}
          parentId={parentId}
          count={count}
          close={() => setPendingAction(null)}
          apply={(field, to) =>
            start(
              featureText('value' in to ? 'labelSet' : 'labelEdit', { name, field: names.field(field) }),
              { method: 'PATCH', body: null, change: { resource: resource.name, field, to } },
              false,
            )
          }
        />
      )}
      {pendingAction?.kind === 'move' && status !== null && (
        <BulkDialog
          title={featureText('moveTitle', { status: names.value(pendingAction.status), count })}
          about={featureText('moveAbout')}
          action={names.value(pendingAction.status)}
          close={() => setPendingAction(null)}
          apply={() =>
            start(
              featureText('labelMove', { name, status: names.value(pendingAction.status) }),
              {
                method: 'PATCH',
                body: nestValues([[bodyFieldOf(resource, status.field), pendingAction.status]]),
              },
              true,
            )
          }
        />
      )}
      {pendingAction?.kind === 'delete' && (
        <BulkDialog
          isDangerous
          title={featureText('deleteTitle', { count })}
          about={featureText(isKept(resource) ? 'deleteAbout' : 'deleteForGoodAbout')}
          action={featureText('delete')}
          close={() => setPendingAction(null)}
          apply={() => start(featureText('labelDelete', { name }), { method: 'DELETE', body: null }, true)}
        >
          {BeforeDeletion !== undefined && (
            <Suspense>
              <BeforeDeletion records={records} />
            </Suspense>
          )}
        </BulkDialog>
      )}
    </div>
  );
}

/** The dotted name of the status in a body: that of a version is in the group of the version. */
function bodyFieldOf({ versions }: Resource, field: string): string {
  return versions === undefined || field.includes('.') ? field : `${versions.group}.${field}`;
}

/** Selects everything that matches the search and filters, loaded or not. */
function useMatching({ resource, parentId, query, selection }: Omit<Props, 'isComplete' | 'deleted'>) {
  const { api } = useWorkspace();
  const withStepUp = useStepUp();
  const featureText = useFeatureText(texts);
  return useMutation({
    mutationFn: () =>
      readFirst(mostBulkRecords, (cursor) =>
        withStepUp(() => listRecords(api, resource, parentId, { ...query, limit: '100' }, cursor)),
      ),
    onSuccess: ({ items, hasMore }) => {
      selection.replace(items);
      if (hasMore)
        showToast({ kind: 'failure', message: featureText('tooMany', { count: mostBulkRecords }) });
    },
  });
}
