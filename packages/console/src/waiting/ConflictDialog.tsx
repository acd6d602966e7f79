/** Asks about the fields that two people have changed differently; everything else is merged. */
import { Button, Modal, Stack, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Resource } from '@trellis/schema/resources/resource.ts';
import { isPlainObject } from '@trellis/schema/values/plain-object.ts';
import { useId, useState } from 'react';
import type { ApiRecord } from '../api/api.ts';
import { Cell } from '../fields/Cell.tsx';
import { usePersonName } from '../fields/Person.tsx';
import { useChanges } from '../outbox/edit/use-changes.ts';
import { placesOf, resolveConflicts, type Side } from '../outbox/merge/merge.ts';
import { amend, mergeChain } from '../outbox/merge/rebase.ts';
import { type Change, chainFrom, isMergeable } from '../outbox/store/change.ts';
import { nestValues } from '../outbox/store/fields.ts';
import { findPlace, parentIdOf } from '../resources/places.ts';
import { recordKeys } from '../resources/queries.ts';
import { useWorkspace } from '../session/workspace.ts';
import { useFeatureText } from '../text/feature.ts';
import { useNames } from '../text/names.ts';
import { useText } from '../text/text.ts';
import { Loading } from '../ui/Loading.tsx';
import { FailureNotice, Notice } from '../ui/Notice.tsx';
import { noteRecord } from './cache.ts';
import { texts } from './texts.ts';
import styles from './Waiting.module.css';

interface Props {
  readonly change: Change;
  readonly close: () => void;
}

export function ConflictDialog({ change, close }: Props) {
  const { api } = useWorkspace();
  const text = useText();
  const own = useFeatureText(texts);
  const resource = findPlace(change.request.path.replace(/^\/v1/, ''))?.resource;
  const theirs = useQuery({
    queryKey: [...(resource === undefined ? [] : recordKeys.record(resource, change.record)), change.key],
    queryFn: ({ signal }) => api.get<ApiRecord>(change.request.path, signal),
    staleTime: 0,
  });
  return (
    <Modal
      opened
      size="lg"
      onClose={close}
      title={own('conflictTitle')}
      closeButtonProps={{ 'aria-label': text('close') }}
    >
      <FailureNotice error={theirs.error} />
      {theirs.isPending && <Loading />}
      {theirs.data !== undefined && resource !== undefined && (
        <Conflicts change={change} resource={resource} theirs={theirs.data} close={close} />
      )}
    </Modal>
  );
}

interface ConflictsProps extends Props {
  readonly resource: Resource;
  readonly theirs: ApiRecord;
}

/** What is decided on. It stays as it is while somebody chooses, whatever is changed in the meantime. */
interface Decision {
  readonly chain: readonly Change[];
  readonly theirs: ApiRecord;
  /** Whether more was changed here while somebody chose, so that what was chosen was not saved. */
  readonly isRenewed: boolean;
}

function Conflicts({ change, resource, theirs: read, close }: ConflictsProps) {
  const { api } = useWorkspace();
  const text = useText();
  const own = useFeatureText(texts);
  const names = useNames();
  const changes = useChanges();
  const queries = useQueryClient();
  const [{ chain, theirs, isRenewed }, setDecision] = useState<Decision>(() => ({
    chain: chainFrom(change, changes.state().changes),
    theirs: read,
    isRenewed: false,
  }));
  const [chosen, setChosen] = useState<Readonly<Record<string, Side>>>({});
  const name = usePersonName(typeof theirs.updatedBy === 'string' ? theirs.updatedBy : null);
  const { values, conflicts } = mergeChain(chain, resource, theirs);

  /** Takes what the change is by now. @returns whether there is something to decide */
  const renew = async (): Promise<boolean> => {
    const record = await api.get<ApiRecord>(change.request.path);
    const present = await changes.list(change.record);
    const first = present.find(({ sequence }) => sequence === change.sequence);
    if (first === undefined || !isMergeable(first)) return false;
    setDecision({ chain: chainFrom(first, present), theirs: record, isRenewed: true });
    setChosen({});
    return true;
  };
  const save = useMutation({
    mutationFn: async () => {
      const resolved = new Map([...values, ...resolveConflicts(conflicts, chosen)]);
      const merged = await changes.merge(chain, amend(chain, resolved, theirs), theirs);
      if (merged === false && (await renew())) return;
      noteRecord(queries, resource, theirs);
      close();
    },
  });
  return (
    <Stack gap="lg">
      <Text size="sm">{own('conflictAbout', { name })}</Text>
      {isRenewed && (
        <Notice kind="hint" icon="warning">
          {own('conflictMore')}
        </Notice>
      )}
      {placesOf(conflicts).map(({ key, field, number, base, mine, theirs: other }) => {
        const label = names.field(field);
        return (
          <Choice
            key={key}
            label={number === null ? label : own('conflictPart', { field: label, number })}
            resource={resource}
            record={theirs}
            field={field}
            base={base}
            mine={mine}
            theirs={other}
            side={chosen[key] ?? 'mine'}
            choose={(side) => setChosen({ ...chosen, [key]: side })}
          />
        );
      })}
      <FailureNotice error={save.error} />
      <div className={styles.buttons}>
        <Button variant="default" onClick={close}>
          {text('cancel')}
        </Button>
        <Button loading={save.isPending} onClick={() => save.mutate()}>
          {own('save')}
        </Button>
      </div>
    </Stack>
  );
}

interface ChoiceProps {
  readonly label: string;
  readonly resource: Resource;
  /** For what its values refer to. */
  readonly record: ApiRecord;
  readonly field: string;
  readonly base: unknown;
  readonly mine: unknown;
  readonly theirs: unknown;
  readonly side: Side;
  readonly choose: (side: Side) => void;
}

function Choice({ label, side, choose, ...values }: ChoiceProps) {
  const own = useFeatureText(texts);
  const name = useId();
  return (
    <fieldset className={styles.conflict}>
      <legend className={styles.field}>{label}</legend>
      <div className={styles.choices}>
        {(['mine', 'theirs'] as const).map((one) => (
          <label key={one} className={styles.choice}>
            <input
              type="radio"
              name={name}
              checked={side === one}
              onChange={() => choose(one)}
              aria-label={`${label}: ${own(one)}`}
            />
            <span className={styles.side}>{own(one)}</span>
            <span className={styles.value}>
              <Value {...values} value={values[one]} />
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}

type ValueProps = Pick<ChoiceProps, 'resource' | 'record' | 'field'> & { readonly value: unknown };

/** A value as lists show it, but whole texts. */
function Value({ resource, record, field, value }: ValueProps) {
  const own = useFeatureText(texts);
  if (value === null || value === undefined || value === '') return <em>{own('empty')}</em>;
  if (typeof value === 'string' && value.length > 60) return <>{value}</>;
  if (Array.isArray(value) || isPlainObject(value)) return <>{JSON.stringify(value, null, 2)}</>;
  const shown = { ...nestValues([[field, value]]), id: record.id, version: record.version };
  return <Cell resource={resource} parentId={parentIdOf(resource, record)} column={field} record={shown} />;
}
