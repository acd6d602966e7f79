/** Asks about the fields in which a pending change conflicts with somebody else's; everything else is merged. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { ApiRecord } from '../api/api.ts';
import { usePersonName } from '../fields/Person.tsx';
import { useChanges } from '../outbox/edit/use-changes.ts';
import { amend, mergeChange } from '../outbox/merge/rebase.ts';
import type { Change } from '../outbox/store/change.ts';
import { isConflict } from '../outbox/store/refusal.ts';
import { findPlace } from '../resources/places.ts';
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
  const { api, signedIn } = useWorkspace();
  const featureText = useFeatureText(texts);
  const changes = useChanges();
  const queries = useQueryClient();
  // Whether more was changed here while somebody chose, so that what was chosen was not saved.
  const [isRenewed, setIsRenewed] = useState(false);
  // What is decided on stays as it is while somebody chooses, whatever is changed in the meantime.
  const planned = useQuery({
    queryKey: ['conflict', change.key],
    queryFn: async ({ signal }) => {
      const { path } = change.request;
      const resource = findPlace(path.replace(/^\/v1/, ''))?.resource;
      if (resource === undefined) return null;
      const theirs = await api.get<ApiRecord>(path, signal);
      const present = (await changes.list(change.record)).find(
        ({ sequence }) => sequence === change.sequence,
      );
      if (present === undefined || !isConflict(present)) return null;
      return { change: present, ...mergeChange(present, resource, theirs), theirs, resource };
    },
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
  const plan = planned.data;
  const isDecided = plan === null;
  useEffect(() => {
    if (isDecided) close();
  }, [isDecided, close]);
  const name = usePersonName(typeof plan?.theirs.updatedBy === 'string' ? plan.theirs.updatedBy : null);
  const save = useMutation({
    mutationFn: async (chosen: ReadonlyMap<string, unknown>) => {
      if (!plan) return;
      const { resource, theirs, values } = plan;
      const amended = amend(plan.change, new Map([...values, ...chosen]), theirs);
      const merged = await changes.merge(plan.change, amended, theirs);
      noteRecord(queries, resource, theirs);
      if (merged !== false) return close();
      await planned.refetch({ throwOnError: true });
      setIsRenewed(true);
    },
  });
  return (
    <ConflictDialog close={close}>
      <FailureNotice error={planned.error} />
      {planned.isPending && <Loading />}
      {plan && (
        <ConflictChoices
          // Nothing is chosen yet of what there is to decide anew.
          key={`${plan.theirs.version} ${plan.change.key}`}
          resource={plan.resource}
          record={plan.theirs}
          conflicts={plan.conflicts}
          about={featureText('conflictAbout', {
            name,
            own: String(plan.theirs.updatedBy === signedIn.user.id),
          })}
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
      )}
    </ConflictDialog>
  );
}
