/** Asks before a record is deleted, and says what keeps it from being deleted. */
import { Button, Modal, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { etagOf } from '@trellis/client/response.ts';
import { isKeptWhenDeleted, type Resource } from '@trellis/schema/resources/resource.ts';
import { useRef } from 'react';
import type { ApiRecord } from '../api/api.ts';
import { isProblem } from '../api/problem.ts';
import { StepUpCancelled, useStepUp } from '../api/proof.ts';
import { useWaiting } from '../outbox/edit/use-changes.ts';
import { recordPathOf } from '../resources/places.ts';
import { titleOf } from '../resources/values.ts';
import { useRefusal } from '../session/missing-right.ts';
import { useFeatureText } from '../text/feature.ts';
import { useText } from '../text/text.ts';
import { FailureNotice, Notice } from '../ui/Notice.tsx';
import { RefusableButton } from '../ui/Refusable.tsx';
import { texts } from '../waiting/texts.ts';
import { useSubmitAndWait } from '../waiting/use-submit-and-wait.ts';
import styles from './RecordPage.module.css';
import { texts as recordTexts } from './texts.ts';

interface Props {
  readonly resource: Resource;
  readonly parentId: string | null;
  readonly record: ApiRecord;
  readonly close: () => void;
  readonly deleted: () => void;
}

export function DeleteDialog({ resource, parentId, record, close, deleted }: Props) {
  // Whoever has closed this dialog is still asked for a fresh proof.
  const change = useSubmitAndWait(({ code }) => code === 'insufficient_user_authentication');
  const cancellation = useRef(new AbortController());
  const cancel = () => {
    cancellation.current.abort();
    close();
  };
  const { obstacle } = useWaiting();
  const text = useText();
  const featureText = useFeatureText(texts);
  const recordText = useFeatureText(recordTexts);
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
              ifMatch: etagOf(record.version),
            },
          },
          cancellation.current.signal,
        ),
      ),
  });
  const inUse = isProblem(remove.error, 'in_use') ? remove.error : null;
  return (
    <Modal
      opened
      onClose={cancel}
      title={text('delete.title', { name: titleOf(resource, record) })}
      closeButtonProps={{ 'aria-label': text('close') }}
    >
      <Stack gap="lg">
        <Text size="md">
          {isKeptWhenDeleted(resource) ? recordText('keptInTrash') : text('delete.about')}
        </Text>
        {inUse === null ? (
          <FailureNotice error={remove.error instanceof StepUpCancelled ? null : remove.error} />
        ) : (
          <Notice kind="failure" title={text('delete.inUse')}>
            {inUse.message}
          </Notice>
        )}
        {remove.isPending && obstacle !== null && (
          <Notice kind="hint" icon="clock">
            {featureText('keptDeletion')}
          </Notice>
        )}
        <div className={styles.buttons}>
          <Button variant="default" data-autofocus onClick={cancel}>
            {text('cancel')}
          </Button>
          <RefusableButton
            refusal={refusal(resource, 'delete')}
            color="red.9"
            loading={remove.isPending}
            onClick={() =>
              remove.mutate(undefined, {
                // A deletion that was given up, in another tab for example, has deleted nothing.
                onSuccess: ({ kind }) => (kind === 'done' ? deleted() : close()),
              })
            }
          >
            {text('record.delete')}
          </RefusableButton>
        </div>
      </Stack>
    </Modal>
  );
}
