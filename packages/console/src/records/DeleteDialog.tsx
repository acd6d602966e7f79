/** Confirms the deletion of a record, and lists the references that prevent it. */
import { Button, Group, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { etagOf } from '@trellis/client/response.ts';
import { flattenFields, type Resource } from '@trellis/schema/resources/resource.ts';
import { Suspense, useRef, useState } from 'react';
import { useIntl } from 'react-intl';
import type { ApiRecord } from '../api/api.ts';
import { isProblem } from '../api/problem.ts';
import { StepUpCancelled, useStepUp } from '../api/proof.ts';
import { usePersonName } from '../fields/Person.tsx';
import { usePendingChanges } from '../outbox/edit/use-changes.ts';
import { differingFields } from '../outbox/store/fields.ts';
import { texts } from '../pending/texts.ts';
import { useSubmitAndWait } from '../pending/use-submit-and-wait.ts';
import { recordPathOf } from '../resources/places.ts';
import { type InUse, presentationOf } from '../resources/presentation.ts';
import { readRecord } from '../resources/queries.ts';
import { useGoesToTrash } from '../resources/use-goes-to-trash.ts';
import { titleOf } from '../resources/values.ts';
import { useRefusal } from '../session/missing-right.ts';
import { useWorkspace } from '../session/workspace.ts';
import { useFeatureText } from '../text/feature.ts';
import { useNames } from '../text/names.ts';
import { useText } from '../text/text.ts';
import { Dialog } from '../ui/Dialog.tsx';
import { GuardedButton } from '../ui/GuardedButton.tsx';
import { FailureNotice, Notice } from '../ui/Notice.tsx';
import { MoveUses } from './MoveUses.tsx';
import { ReferringRecords } from './ReferringRecords.tsx';
import { texts as recordTexts } from './texts.ts';

interface Props {
  readonly resource: Resource;
  readonly parentId: string | null;
  readonly record: ApiRecord;
  readonly close: () => void;
  readonly deleted: () => void;
}

export function DeleteDialog({ resource, parentId, record, close, deleted }: Props) {
  // After this dialog has closed, a request for a fresh proof of identity still opens its own dialog.
  const change = useSubmitAndWait(({ code }) => code === 'insufficient_user_authentication');
  const cancellation = useRef(new AbortController());
  const cancel = () => {
    cancellation.current.abort();
    close();
  };
  const { obstacle, changes } = usePendingChanges();
  const { api, signedIn } = useWorkspace();
  const names = useNames();
  const { formatList } = useIntl();
  const [seen, setSeen] = useState(record);
  const [ownChanges] = useState(() => changes.filter((one) => one.record === record.id).length);
  const [latest, setLatest] = useState(record);
  const present = latest.version > record.version ? latest : record;
  const isByOneself = present.updatedBy === signedIn.user.id;
  // The user has seen the edits of this page, so saving them after the dialog opened is no concurrent change.
  const isSavedHere = isByOneself && present.version <= seen.version + Math.max(1, ownChanges);
  const all = flattenFields(resource).map(([field]) => field);
  const changed = isSavedHere ? [] : differingFields(seen, present, all);
  const isChanged = changed.length > 0;
  const name = usePersonName(typeof present.updatedBy === 'string' ? present.updatedBy : null);
  const text = useText();
  const featureText = useFeatureText(texts);
  const recordText = useFeatureText(recordTexts);
  const goesToTrash = useGoesToTrash();
  const refusal = useRefusal();
  const withStepUp = useStepUp();
  const remove = useMutation({
    mutationFn: () =>
      withStepUp(() =>
        change(
          {
            record: record.id,
            label: titleOf(resource, record),
            request: {
              method: 'DELETE',
              path: `/v1${recordPathOf(resource, parentId, record.id)}`,
              body: null,
              ifMatch: etagOf(present.version),
            },
          },
          cancellation.current.signal,
        ),
      ),
    onError: async (error) => {
      if (!isProblem(error, 'version_mismatch')) return;
      setLatest(await readRecord(api, resource, parentId, record.id).catch(() => latest));
    },
  });
  const BeforeDeletion = presentationOf(resource).beforeDeletion;
  const [known, noteInUse] = useState<InUse | null>(null);
  const refused = isProblem(remove.error, 'in_use') ? remove.error : null;
  const inUse = refused ?? known;
  return (
    <Dialog onClose={cancel} title={recordText('deleteTitle', { name: titleOf(resource, record) })}>
      <Stack gap="lg">
        {inUse === null && (
          <Text size="md">{goesToTrash(resource) ? recordText('keptInTrash') : recordText('notUndone')}</Text>
        )}
        {BeforeDeletion !== undefined && (
          <Suspense>
            <BeforeDeletion records={[record]} noteInUse={noteInUse} />
          </Suspense>
        )}
        {isChanged && (
          <Notice kind="hint" icon="users">
            {recordText('changedMeanwhile', {
              name,
              own: String(isByOneself),
              fields: formatList(changed.map(names.field)),
            })}
          </Notice>
        )}
        {inUse === null ? (
          <FailureNotice error={isChanged || remove.error instanceof StepUpCancelled ? null : remove.error} />
        ) : (
          <>
            <Notice kind="failure" title={recordText('inUse')}>
              {refused === null ? inUse.message : names.problem(refused)}
              <ReferringRecords inUse={inUse} resource={resource} parentId={parentId} recordId={record.id} />
            </Notice>
            <MoveUses inUse={inUse} resource={resource} parentId={parentId} record={present} />
          </>
        )}
        {remove.isPending && obstacle !== null && (
          <Notice kind="hint" icon="clock">
            {featureText('keptDeletion')}
          </Notice>
        )}
        <Group justify="flex-end" gap={8}>
          <Button variant="default" data-autofocus onClick={cancel}>
            {text('cancel')}
          </Button>
          <GuardedButton
            // Remounts the button for each version, so that a click started before a concurrent change was displayed is ignored.
            key={present.version}
            refusal={refusal(resource, 'delete') ?? known?.message ?? null}
            color="red.9"
            loading={remove.isPending}
            onClick={() => {
              setSeen(present);
              remove.mutate(undefined, {
                // A discarded deletion, in another tab for example, has deleted nothing.
                onSuccess: ({ kind }) => (kind === 'done' ? deleted() : close()),
              });
            }}
          >
            {isChanged ? recordText('deleteChanged') : text('record.delete')}
          </GuardedButton>
        </Group>
      </Stack>
    </Dialog>
  );
}
