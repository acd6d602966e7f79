/** A dialog with a text that no later response contains: a secret, or the link of an invitation. */
import { Button, Stack, Text } from '@mantine/core';
import { CopyButton } from './CopyButton.tsx';
import { Dialog } from './Dialog.tsx';
import { Notice } from './Notice.tsx';
import shared from './shared.module.css';

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
        <pre className={shared.codeBlock}>{shown}</pre>
        <div className={shared.end}>
          <CopyButton value={shown} label={copyLabel} />
          <Button onClick={close}>{doneLabel}</Button>
        </div>
      </Stack>
    </Dialog>
  );
}
