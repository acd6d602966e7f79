/** Asks before a record is deleted, and says what keeps it from being deleted. */
import { Button, Modal, Stack, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Resource } from '@trellis/schema/resources/resource.ts';
import { StepUpCancelled, useStepUp } from '../account/StepUp.tsx';
import type { ApiRecord } from '../api/api.ts';
import { isProblem } from '../api/problem.ts';
import { useWorkspace } from '../app/workspace.ts';
import { FailureNotice, Notice } from '../parts/Notice.tsx';
import { RefusableButton } from '../parts/Refusable.tsx';
import { useRefusal } from '../rights/missing-right.ts';
import { useText } from '../text/text.ts';
import { useWriteKey } from './draft.ts';
import { recordPathOf } from './places.ts';
import { recordKeys } from './queries.ts';
import styles from './RecordPage.module.css';
import { titleOf } from './values.ts';

interface Props {
  readonly resource: Resource;
  readonly parentId: string | null;
  readonly record: ApiRecord;
  readonly close: () => void;
  readonly deleted: () => void;
}

export function DeleteDialog({ resource, parentId, record, close, deleted }: Props) {
  const { api } = useWorkspace();
  const queries = useQueryClient();
  const text = useText();
  const refusal = useRefusal();
  const withStepUp = useStepUp();
  const keyOf = useWriteKey();
  const remove = useMutation({
    mutationFn: () => {
      const path = `/v1${recordPathOf(resource, parentId, record.id)}`;
      const idempotencyKey = keyOf(`${path} ${record.version}`);
      return withStepUp(() =>
        api.write({ method: 'DELETE', path, ifVersion: record.version, idempotencyKey }),
      );
    },
    onSuccess: () => {
      deleted();
      queries.removeQueries({ queryKey: recordKeys.record(resource, record.id) });
      void queries.invalidateQueries({ queryKey: recordKeys.all(resource) });
    },
  });
  const inUse = isProblem(remove.error, 'in_use') ? remove.error : null;
  return (
    <Modal
      opened
      onClose={close}
      title={text('delete.title', { name: titleOf(resource, record) })}
      closeButtonProps={{ 'aria-label': text('close') }}
    >
      <Stack gap="lg">
        <Text size="md">{text('delete.about')}</Text>
        {inUse === null ? (
          <FailureNotice error={remove.error instanceof StepUpCancelled ? null : remove.error} />
        ) : (
          <Notice kind="failure" title={text('delete.inUse')}>
            {inUse.message}
          </Notice>
        )}
        <div className={styles.buttons}>
          <Button variant="default" data-autofocus onClick={close}>
            {text('cancel')}
          </Button>
          <RefusableButton
            refusal={refusal(resource, 'delete')}
            color="red.9"
            loading={remove.isPending}
            onClick={() => remove.mutate()}
          >
            {text('record.delete')}
          </RefusableButton>
        </div>
      </Stack>
    </Modal>
  );
}
