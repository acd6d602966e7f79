/** The history of a record: the old and new values of each change, with buttons to restore them. */
import { Box } from '@mantine/core';
import { useInfiniteQuery, useMutation } from '@tanstack/react-query';
import type { Change, FieldChange, History } from '@trellis/client/generated/types.ts';
import { etagOf } from '@trellis/client/response.ts';
import { flattenFields, type Resource, statusOf } from '@trellis/schema/resources/resource.ts';
import { useState } from 'react';
import type { ApiRecord } from '../api/api.ts';
import { byCursor } from '../api/pages.ts';
import { Cell } from '../fields/Cell.tsx';
import { Person } from '../fields/Person.tsx';
import { isSeenByReaders } from '../outbox/edit/readers.ts';
import { differingFields, nestValues, patchOf } from '../outbox/store/fields.ts';
import { useSubmitAndWait } from '../pending/use-submit-and-wait.ts';
import { parentIdOf, recordPathOf } from '../resources/places.ts';
import { recordKeys } from '../resources/queries.ts';
import { titleOf } from '../resources/values.ts';
import { useRefusal } from '../session/missing-right.ts';
import { useWorkspace } from '../session/workspace.ts';
import { useFeatureText } from '../text/feature.ts';
import { useNames } from '../text/names.ts';
import { ConfirmDialog } from '../ui/ConfirmDialog.tsx';
import { Loading } from '../ui/Loading.tsx';
import { Moment } from '../ui/Moment.tsx';
import { MoreButton } from '../ui/MoreButton.tsx';
import { FailureNotice } from '../ui/Notice.tsx';
import shared from '../ui/shared.module.css';
import { texts } from './history-texts.ts';
import styles from './RecordSide.module.css';
import { useUndo } from './use-undo.ts';

interface Props {
  readonly resource: Resource;
  readonly record: ApiRecord;
}

/** A restoration: these fields, with their values at a version. */
interface Wanted {
  readonly version: number;
  readonly fields: readonly string[];
  /** Whether all fields are restored. */
  readonly isAll: boolean;
}

export function RecordHistory({ resource, record }: Props) {
  const { api } = useWorkspace();
  const historyText = useFeatureText(texts);
  const refusal = useRefusal();
  const [wanted, setWanted] = useState<Wanted | null>(null);
  const path = `/v1${recordPathOf(resource, parentIdOf(resource, record), record.id)}/history`;
  const history = useInfiniteQuery({
    queryKey: [...recordKeys.record(resource, record.id), 'history', record.version],
    queryFn: ({ pageParam: cursor, signal }) =>
      api.get<History>(`${path}?${new URLSearchParams(cursor === undefined ? {} : { cursor })}`, signal),
    ...byCursor,
  });
  const changes = history.data?.pages.flatMap(({ items }) => items) ?? [];
  const restorable = refusal(resource, 'update') === null ? restorableFields(resource) : [];
  return (
    <>
      <FailureNotice error={history.error} />
      {history.isPending && <Loading />}
      <ol className={`${shared.list} ${shared.stack}`}>
        {changes.map((change) => (
          <ChangeEntry
            key={change.version}
            resource={resource}
            record={record}
            change={change}
            restorable={restorable}
            restore={setWanted}
          />
        ))}
      </ol>
      <MoreButton list={history} label={historyText('older')} size="xs" />
      {wanted !== null && (
        <RestoreDialog resource={resource} record={record} wanted={wanted} close={() => setWanted(null)} />
      )}
    </>
  );
}

/** The fields that a PATCH can set to any value; a status follows its transitions instead. */
function restorableFields(resource: Resource): readonly string[] {
  const status = statusOf(resource)?.field;
  return flattenFields(resource).flatMap(([name, { readOnly }]) =>
    readOnly || name === status ? [] : [name],
  );
}

interface EntryProps extends Props {
  readonly change: Change;
  readonly restorable: readonly string[];
  readonly restore: (wanted: Wanted) => void;
}

function ChangeEntry({ resource, record, change, restorable, restore }: EntryProps) {
  const historyText = useFeatureText(texts);
  const names = useNames();
  const { signedIn } = useWorkspace();
  const { version, action, changedAt, changedBy, fields } = change;
  const isPresent = version === record.version;
  return (
    <li className={styles.event}>
      <span>{names.value(action.toUpperCase())}</span>{' '}
      <span className={shared.small}>
        <Moment value={changedAt} />
      </span>
      <span className={shared.note}>
        {changedBy === signedIn.user.id
          ? historyText('byYou')
          : changedBy !== null && <Person id={changedBy} />}
      </span>
      {fields.map((field) => (
        <Box key={field.field} mt={4}>
          <span className={shared.small}>{names.field(field.field)}</span>
          <Replaced resource={resource} record={record} change={field} />
          {restorable.includes(field.field) && (
            <button
              type="button"
              className={shared.textButton}
              aria-label={historyText('restoreOf', { field: names.field(field.field) })}
              onClick={() => restore({ version: version - 1, fields: [field.field], isAll: false })}
            >
              {historyText('restore')}
            </button>
          )}
        </Box>
      ))}
      {!isPresent && action !== 'deleted' && restorable.length > 0 && (
        <button
          type="button"
          className={shared.textButton}
          onClick={() => restore({ version, fields: restorable, isAll: true })}
        >
          {historyText('restoreAllOf', { version })}
        </button>
      )}
    </li>
  );
}

/** Maximum number of displayed characters of a long text. */
const shownCharacters = 160;

/** The old and the new value; for long texts, their difference. */
function Replaced({
  resource,
  record,
  change: { field, before, after, offset },
}: Props & { readonly change: FieldChange }) {
  const historyText = useFeatureText(texts);
  const show = (value: unknown) => {
    if (value === null || value === '' || (Array.isArray(value) && value.length === 0))
      return offset === null ? historyText('empty') : '';
    if (typeof value === 'string' && (offset !== null || value.length > shownCharacters)) {
      const part = value.length > shownCharacters ? `${value.slice(0, shownCharacters)}…` : value;
      return offset === null ? part : `… ${part} …`;
    }
    const shown = { ...record, ...nestValues([[field, value]]) };
    return <Cell resource={resource} parentId={parentIdOf(resource, record)} column={field} record={shown} />;
  };
  return (
    <span className={styles.values}>
      <del>{show(before)}</del> <span aria-hidden="true">→</span> <ins>{show(after)}</ins>
    </span>
  );
}

interface DialogProps extends Props {
  readonly wanted: Wanted;
  readonly close: () => void;
}

/** Confirms a restoration, and submits it as an ordinary change. */
function RestoreDialog({ resource, record, wanted, close }: DialogProps) {
  const { api } = useWorkspace();
  const historyText = useFeatureText(texts);
  const names = useNames();
  const submit = useSubmitAndWait();
  const offerUndo = useUndo();
  const { version, fields, isAll } = wanted;
  const path = `/v1${recordPathOf(resource, parentIdOf(resource, record), record.id)}`;
  const restore = useMutation({
    mutationFn: async () => {
      const then = await api.get<ApiRecord>(`${path}/history/${version}`);
      const differing = differingFields(record, then, fields);
      if (differing.length === 0) return;
      const patch = patchOf(then, differing);
      const outcome = await submit({
        record: record.id,
        label: titleOf(resource, record) || names.singular(resource),
        request: { method: 'PATCH', path, body: patch, ifMatch: etagOf(record.version) },
        base: patchOf(record, differing),
      });
      if (outcome.kind === 'done' && outcome.record !== null)
        offerUndo({ resource, path, patch, before: record, after: outcome.record }, historyText('restored'));
    },
    onSuccess: close,
  });
  const isSeen = isSeenByReaders(resource, fields, record);
  const title = isAll
    ? historyText('restoreAllTitle', { version })
    : historyText('restoreTitle', { field: names.field(fields[0] ?? '') });
  return (
    <ConfirmDialog
      title={title}
      about={historyText(isSeen ? 'restoreSeen' : 'restoreAbout')}
      action={historyText('restore')}
      isPending={restore.isPending}
      confirm={() => restore.mutate()}
      close={close}
    >
      <FailureNotice error={restore.error} />
    </ConfirmDialog>
  );
}
