/** A dialog with a text that no later response contains: a secret, or the link of an invitation. */
import { Button, Code, Group, Stack, Text } from '@mantine/core';
import { CopyButton } from './CopyButton.tsx';
import { Dialog } from './Dialog.tsx';
import { Notice } from './Notice.tsx';

interface Props {
  readonly shown: string;
  readonly title: string;
  /** What it is for. */
  readonly about?: string;
  /** That it is shown once. */
  readonly hint: string;
  readonly copyLabel: string;
  readonly doneLabel: string;
  readonly close: () => void;
}

export function ShownOnce({ shown, title, about, hint, copyLabel, doneLabel, close }: Props) {
  return (
    <Dialog onClose={close} closeOnClickOutside={false} title={title}>
      <Stack gap="md">
        {about !== undefined && <Text size="md">{about}</Text>}
        <Notice kind="hint">{hint}</Notice>
        <Code block>{shown}</Code>
        <Group justify="flex-end" gap="xs">
          <CopyButton value={shown} label={copyLabel} />
          <Button onClick={close}>{doneLabel}</Button>
        </Group>
      </Stack>
    </Dialog>
  );
}
