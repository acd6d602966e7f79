/** What can be done with the selected records of a list, as the declaration of the resource offers it. */
import { Box, Button, Menu } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { etagOf } from '@trellis/client/response.ts';
import { type Resource, statusOf } from '@trellis/schema/resources/resource.ts';
import { Suspense, useEffect, useRef, useState } from 'react';
import { readFirst } from '../../api/pages.ts';
import { useStepUp } from '../../api/proof.ts';
import { editableFields } from '../../fields/draft.ts';
import { mostBulkRecords } from '../../outbox/bulk/bulk.ts';
import type { BulkAction } from '../../outbox/bulk/bulk-store.ts';
import { type Bulks, useBulks } from '../../outbox/bulk/use-bulks.ts';
import { nestValues } from '../../outbox/store/fields.ts';
import { nextStatuses } from '../../records/publishing.ts';
import { recordPathOf } from '../../resources/places.ts';
import { presentationOf } from '../../resources/presentation.ts';
import { listRecords } from '../../resources/queries.ts';
import { useGoesToTrash } from '../../resources/use-goes-to-trash.ts';
import { isOffered, useRefusal } from '../../session/missing-right.ts';
import { useWorkspace } from '../../session/workspace.ts';
import { useFeatureText } from '../../text/feature.ts';
import { useNames } from '../../text/names.ts';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import { GuardedButton } from '../../ui/GuardedButton.tsx';
import { Icon } from '../../ui/icons.tsx';
import { MenuNote } from '../../ui/MenuNote.tsx';
import { FailureNotice, Notice } from '../../ui/Notice.tsx';
import shared from '../../ui/shared.module.css';
import type { Selection } from '../use-selection.ts';
import styles from './BulkBar.module.css';
import { SetFieldDialog } from './SetFieldDialog.tsx';
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
  const goesToTrash = useGoesToTrash();
  const names = useNames();
  const refusal = useRefusal();
  const bulks = useBulks();
  const [pendingAction, setPendingAction] = useState<PendingAction | null>(null);
  const [moveRefusal, setMoveRefusal] = useState<string | null>(null);
  const matching = useMatching({ resource, parentId, query, selection });
  const records = [...selection.records.values()].filter(({ id }) => !deleted.has(id));
  const count = records.length;
  const { beforeDeletion: BeforeDeletion, beforePublication: BeforePublication } = presentationOf(resource);
  const name = names.plural(resource);
  const status = statusOf(resource);
  const statuses = status === null ? [] : [...new Set(Object.values(status.transitions.allowed).flat())];
  const next = new Set(records.flatMap((record) => nextStatuses(resource, record)));
  const possible = statuses.filter((one) => next.has(one));
  const refusalOfMove = (to: string) =>
    refusal(resource, status?.transitions.published.includes(to) === true ? 'publish' : 'update');
  const offered = possible.filter((one) => refusalOfMove(one) === null);
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
  // What would be done meanwhile would be done to a part of what was asked for.
  if (matching.isPending) {
    return (
      <div className={`${shared.frame} ${shared.group} ${styles.bar}`}>
        <Box component="span" className={shared.label} me={8}>
          {featureText('selecting', { count: matching.found })}
        </Box>
        <Button size="xs" variant="default" onClick={matching.stop}>
          {featureText('stopSelecting')}
        </Button>
      </div>
    );
  }
  // Whoever deselects a row means those that are left.
  const isCut = matching.isCut && selection.records.size === mostBulkRecords;
  const rest = isCut && <Notice kind="hint">{featureText('rest', { count: mostBulkRecords })}</Notice>;
  return (
    <div className={`${shared.frame} ${shared.group} ${styles.bar}`}>
      <Box component="span" className={shared.label} me={8} role="status">
        {featureText('selected', { count })}
        {isCut && ` · ${featureText('moreMatch')}`}
      </Box>
      {!isComplete && !isCut && (
        <Button size="xs" variant="default" onClick={matching.start}>
          {featureText('selectMatching')}
        </Button>
      )}
      {isOffered(resource, 'update') && (
        <GuardedButton
          size="xs"
          variant="default"
          refusal={refusal(resource, 'update')}
          onClick={() => setPendingAction({ kind: 'set' })}
        >
          {featureText('setField')}
        </GuardedButton>
      )}
      {statuses.length > 0 && isOffered(resource, 'update') && (
        <Menu position="bottom-start" width={260}>
          <Menu.Target>
            <Button size="xs" variant="default" rightSection={<Icon name="chevronDown" size={14} />}>
              {featureText('move')}
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            {offered.map((one) => (
              <Menu.Item key={one} onClick={() => setPendingAction({ kind: 'move', status: one })}>
                {names.value(one)}
              </Menu.Item>
            ))}
            <MenuNote
              sentences={[
                ...new Set(possible.flatMap((one) => refusalOfMove(one) ?? [])),
                ...(possible.length < statuses.length ? [featureText('noOther')] : []),
              ]}
            />
          </Menu.Dropdown>
        </Menu>
      )}
      {isOffered(resource, 'delete') && (
        <GuardedButton
          size="xs"
          variant="default"
          refusal={refusal(resource, 'delete')}
          onClick={() => setPendingAction({ kind: 'delete' })}
        >
          {featureText('delete')}
        </GuardedButton>
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
              { method: 'PATCH', body: null, change: { resource: resource.name, fields: [field], to } },
              false,
            )
          }
        >
          {rest}
        </SetFieldDialog>
      )}
      {pendingAction?.kind === 'move' && status !== null && (
        <ConfirmDialog
          title={featureText('moveTitle', { status: names.value(pendingAction.status), count })}
          about={featureText('moveAbout')}
          action={names.value(pendingAction.status)}
          isPending={false}
          refusal={moveRefusal}
          close={() => setPendingAction(null)}
          confirm={() =>
            start(
              featureText('labelMove', { name, status: names.value(pendingAction.status) }),
              {
                method: 'PATCH',
                body: nestValues([[bodyFieldOf(resource, status.field), pendingAction.status]]),
              },
              true,
            )
          }
        >
          {rest}
          {BeforePublication !== undefined && status.transitions.published.includes(pendingAction.status) && (
            <Suspense>
              <BeforePublication parentId={parentId} records={records} refuse={setMoveRefusal} />
            </Suspense>
          )}
        </ConfirmDialog>
      )}
      {pendingAction?.kind === 'delete' && (
        <ConfirmDialog
          isDangerous
          title={featureText('deleteTitle', { count })}
          about={featureText(goesToTrash(resource) ? 'deleteAbout' : 'deleteForGoodAbout')}
          action={featureText('delete')}
          isPending={false}
          close={() => setPendingAction(null)}
          confirm={() => start(featureText('labelDelete', { name }), { method: 'DELETE', body: null }, true)}
        >
          {rest}
          {BeforeDeletion !== undefined && (
            <Suspense>
              <BeforeDeletion records={records} />
            </Suspense>
          )}
        </ConfirmDialog>
      )}
    </div>
  );
}

/** The dotted name of the status in a body: that of a version is in the group of the version. */
function bodyFieldOf({ versions }: Resource, field: string): string {
  return versions === undefined || field.includes('.') ? field : `${versions.group}.${field}`;
}

/** Selects everything that matches the search and filters, loaded or not, up to what a bulk change has. */
function useMatching({ resource, parentId, query, selection }: Omit<Props, 'isComplete' | 'deleted'>) {
  const { api } = useWorkspace();
  const withStepUp = useStepUp();
  const [found, setFound] = useState(0);
  const reading = useRef(new AbortController());
  const select = useMutation({
    mutationFn: ({ signal }: AbortController) => {
      const read = (cursor: string | undefined) =>
        withStepUp(() => listRecords(api, resource, parentId, { ...query, limit: '100' }, cursor, signal));
      return readFirst(mostBulkRecords, read, setFound);
    },
    onSuccess: ({ items }, { signal }) => {
      if (!signal.aborted) selection.replace(items);
    },
  });
  // Another list has another selection.
  useEffect(() => () => reading.current.abort(), []);
  return {
    isPending: select.isPending,
    found,
    /** Whether more match than are selected. */
    isCut: select.data?.hasMore === true,
    error: reading.current.signal.aborted ? null : select.error,
    start: () => {
      reading.current = new AbortController();
      setFound(0);
      select.mutate(reading.current);
    },
    /** What was selected before stays so. */
    stop: () => {
      reading.current.abort();
      select.reset();
    },
  };
}
