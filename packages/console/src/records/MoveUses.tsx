/**
 * Offers to redirect the references that prevent a deletion to another record, and to delete the record afterwards: one bulk change, which
 * can be undone.
 */
import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { etagOf } from '@trellis/client/response.ts';
import type { Resource } from '@trellis/schema/resources/resource.ts';
import { useState } from 'react';
import type { ApiRecord } from '../api/api.ts';
import { readFirst } from '../api/pages.ts';
import { useStepUp } from '../api/proof.ts';
import { RecordSelect } from '../fields/RecordSelect.tsx';
import { useRecordName } from '../fields/ReferenceName.tsx';
import { mostBulkRecords } from '../outbox/bulk/bulk.ts';
import type { BulkTarget } from '../outbox/bulk/bulk-store.ts';
import { useBulks } from '../outbox/bulk/use-bulks.ts';
import { collectionPath, recordPathOf } from '../resources/places.ts';
import type { InUse } from '../resources/presentation.ts';
import { listRecords } from '../resources/queries.ts';
import { titleOf } from '../resources/values.ts';
import { useRefusal } from '../session/missing-right.ts';
import { useWorkspace } from '../session/workspace.ts';
import { useFeatureText } from '../text/feature.ts';
import { useNames } from '../text/names.ts';
import { useText } from '../text/text.ts';
import { FailureNotice } from '../ui/Notice.tsx';
import { describeError } from '../ui/problem-text.ts';
import { showToast } from '../ui/toasts/toasts.ts';
import styles from './RecordPage.module.css';
import { countedUses } from './ReferringRecords.tsx';
import { replaceableUse } from './replaceable-uses.ts';
import { texts } from './texts.ts';

interface Props {
  readonly inUse: InUse;
  /** Resource of the referenced record. */
  readonly resource: Resource;
  readonly parentId: string | null;
  readonly record: ApiRecord;
}

export function MoveUses({ inUse, resource, parentId, record }: Props) {
  const names = useNames();
  const text = useText();
  const featureText = useFeatureText(texts);
  const { api } = useWorkspace();
  const withStepUp = useStepUp();
  const navigate = useNavigate();
  const bulks = useBulks();
  const refusal = useRefusal();
  const [other, setOther] = useState<string | null>(null);
  const otherName = useRecordName(resource, parentId, other);
  const counted = countedUses(inUse);
  const uses = counted.flatMap(({ user }) => replaceableUse(user, resource) ?? []);
  const move = useMutation({
    mutationFn: async (by: string) => {
      const targets = new Map<string, BulkTarget>();
      for (const { user, fields, filters } of uses) {
        const above = user.parent === null ? null : parentId;
        for (const filter of filters) {
          const query = { [filter]: record.id, limit: '100', fields: user.titleField };
          const { items } = await readFirst(mostBulkRecords, (cursor) =>
            withStepUp(() => listRecords(api, user, above, query, cursor)),
          );
          for (const { id } of items)
            targets.set(id, {
              recordId: id,
              path: `/v1${recordPathOf(user, above, id)}`,
              ifMatch: null,
              change: { resource: user.name, fields, to: { replace: record.id, by } },
            });
        }
      }
      const deletion: BulkTarget = {
        recordId: record.id,
        path: `/v1${recordPathOf(resource, parentId, record.id)}`,
        ifMatch: etagOf(record.version),
        method: 'DELETE',
        turn: 1,
      };
      // References beyond the limit of a bulk change remain, and so does the record.
      return [...[...targets.values()].slice(0, mostBulkRecords - 1), deletion];
    },
    onSuccess: async (targets) => {
      const label = featureText('replacedBy', { name: titleOf(resource, record), other: otherName });
      // The deletion removes the record, so its page closes; the list shows the progress.
      await navigate({ to: collectionPath(resource, parentId), ignoreBlocker: true });
      await bulks
        .start(label, { method: 'PATCH', suffix: '', body: null }, targets)
        .catch((error: unknown) =>
          showToast({ kind: 'failure', message: describeError(error, text, names) }),
        );
    },
  });
  const isOffered =
    uses.length > 0 &&
    uses.length === counted.length &&
    uses.every(({ user }) => refusal(user, 'update') === null);
  if (!isOffered) return null;
  const count = counted.reduce((sum, one) => sum + one.count, 0);
  return (
    <>
      <div className={styles.move}>
        <RecordSelect
          resource={resource}
          parentId={parentId}
          except={record.id}
          label={featureText('moveThem', { name: names.noun(resource) })}
          value={other}
          onChange={setOther}
          disabled={move.isPending}
        />
        <Button
          color="red.9"
          disabled={other === null}
          loading={move.isPending}
          onClick={() => {
            if (other !== null) move.mutate(other);
          }}
        >
          {featureText('moveAndDelete', { count })}
        </Button>
      </div>
      <FailureNotice error={move.error} />
    </>
  );
}
