/** Asks for confirmation of an action with consequences, and shows its failure. */
import { Button, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useText } from '../text/text.ts';
import styles from './ConfirmDialog.module.css';
import { Dialog } from './Dialog.tsx';

interface Props {
  readonly title: string;
  readonly about: string;
  /** What the button says. */
  readonly action: string;
  readonly isDangerous?: boolean;
  readonly isPending: boolean;
  readonly confirm: () => void;
  readonly close: () => void;
  readonly children?: ReactNode;
}

export function ConfirmDialog({
  title,
  about,
  action,
  isDangerous = false,
  isPending,
  confirm,
  close,
  children,
}: Props) {
  const text = useText();
  return (
    <Dialog onClose={close} title={title}>
      <Stack gap="md">
        <Text size="md">{about}</Text>
        {children}
        <div className={styles.end}>
          <Button variant="default" data-autofocus onClick={close}>
            {text('cancel')}
          </Button>
          <Button
            {...(isDangerous ? { color: 'red.9' } : {})}
            loading={isPending}
            onClick={confirm}
            // A key that is held has asked the question, and must not confirm it.
            onKeyDown={(event) => {
              if (event.repeat) event.preventDefault();
            }}
          >
            {action}
          </Button>
        </div>
      </Stack>
    </Dialog>
  );
}
