/** Asks about the fields in which a pending change conflicts with somebody else's; everything else is merged. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Resource } from '@trellis/schema/resources/resource.ts';
import { useState } from 'react';
import type { ApiRecord } from '../api/api.ts';
import { usePersonName } from '../fields/Person.tsx';
import { useChanges } from '../outbox/edit/use-changes.ts';
import { amend, mergeChain } from '../outbox/merge/rebase.ts';
import { type Change, chainFrom, isMergeable } from '../outbox/store/change.ts';
import { findPlace } from '../resources/places.ts';
import { recordKeys } from '../resources/queries.ts';
import { useWorkspace } from '../session/workspace.ts';
import { useFeatureText } from '../text/feature.ts';
import { Loading } from '../ui/Loading.tsx';
import { FailureNotice, Notice } from '../ui/Notice.tsx';
import { ConflictChoices, ConflictDialog } from './ConflictDialog.tsx';
import { noteRecord } from './cache.ts';
import { texts } from './texts.ts';

interface Props {
  readonly change: Change;
  readonly close: () => void;
}

export function ChangeConflict({ change, close }: Props) {
  const { api } = useWorkspace();
  const resource = findPlace(change.request.path.replace(/^\/v1/, ''))?.resource;
  const theirs = useQuery({
    queryKey: [...(resource === undefined ? [] : recordKeys.record(resource, change.record)), change.key],
    queryFn: ({ signal }) => api.get<ApiRecord>(change.request.path, signal),
    staleTime: 0,
  });
  return (
    <ConflictDialog close={close}>
      <FailureNotice error={theirs.error} />
      {theirs.isPending && <Loading />}
      {theirs.data !== undefined && resource !== undefined && (
        <Conflicts change={change} resource={resource} theirs={theirs.data} close={close} />
      )}
    </ConflictDialog>
  );
}

interface ConflictsProps extends Props {
  readonly resource: Resource;
  readonly theirs: ApiRecord;
}

/** The conflict to decide. It does not change during the decision, even if the record does. */
interface Decision {
  readonly chain: readonly Change[];
  readonly theirs: ApiRecord;
  /** Whether further changes were made here during the decision, so that it was not saved. */
  readonly isRenewed: boolean;
}

function Conflicts({ change, resource, theirs: read, close }: ConflictsProps) {
  const { api } = useWorkspace();
  const featureText = useFeatureText(texts);
  const changes = useChanges();
  const queries = useQueryClient();
  const [decision, setDecision] = useState<Decision>(() => ({
    chain: chainFrom(change, changes.state().changes),
    theirs: read,
    isRenewed: false,
  }));
  const { chain, theirs, isRenewed } = decision;
  const name = usePersonName(typeof theirs.updatedBy === 'string' ? theirs.updatedBy : null);
  const { values, conflicts } = mergeChain(chain, resource, theirs);

  /** Takes what the change is by now. @returns whether there is something to decide */
  const renew = async (): Promise<boolean> => {
    const record = await api.get<ApiRecord>(change.request.path);
    const present = await changes.list(change.record);
    const first = present.find(({ sequence }) => sequence === change.sequence);
    if (first === undefined || !isMergeable(first)) return false;
    setDecision({ chain: chainFrom(first, present), theirs: record, isRenewed: true });
    return true;
  };
  const save = useMutation({
    mutationFn: async (chosen: ReadonlyMap<string, unknown>) => {
      const resolved = new Map([...values, ...chosen]);
      const merged = await changes.merge(chain, amend(chain, resolved, theirs), theirs);
      if (merged === false && (await renew())) return;
      noteRecord(queries, resource, theirs);
      close();
    },
  });
  return (
    <ConflictChoices
      // The new conflicts are still undecided.
      key={`${theirs.version} ${chain.map(({ key }) => key).join()}`}
      resource={resource}
      record={theirs}
      conflicts={conflicts}
      about={featureText('conflictAbout', { name })}
      isSaving={save.isPending}
      save={save.mutate}
      close={close}
    >
      {isRenewed && (
        <Notice kind="hint" icon="warning">
          {featureText('conflictMore')}
        </Notice>
      )}
      <FailureNotice error={save.error} />
    </ConflictChoices>
  );
}
