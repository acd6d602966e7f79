/** Asks for confirmation of an action with consequences, and shows its failure. */
import { Button, Stack, Text } from '@mantine/core';
import { type ReactNode, useId } from 'react';
import { useText } from '../text/text.ts';
import styles from './ConfirmDialog.module.css';
import { Dialog } from './Dialog.tsx';
import shared from './shared.module.css';

interface Props {
  readonly title: string;
  readonly about?: string;
  /** What the button says. */
  readonly action: string;
  readonly isDangerous?: boolean;
  readonly isPending: boolean;
  /** Why it cannot be confirmed; by default it can. */
  readonly refusal?: string | null;
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
  refusal = null,
  confirm,
  close,
  children,
}: Props) {
  const text = useText();
  const reasonId = useId();
  return (
    <Dialog onClose={close} title={title}>
      <Stack gap="md">
        {about !== undefined && <Text size="md">{about}</Text>}
        {children}
        <div className={shared.end}>
          {refusal !== null && (
            <Text id={reasonId} size="sm" className={styles.reason ?? ''}>
              {refusal}
            </Text>
          )}
          <Button variant="default" data-autofocus onClick={close}>
            {text('cancel')}
          </Button>
          <Button
            {...(isDangerous ? { color: 'red.9' } : {})}
            // Reachable by keyboard, so that the reason is read.
            {...(refusal === null
              ? { onClick: confirm }
              : {
                  variant: 'default',
                  'data-disabled': true,
                  'aria-disabled': true,
                  'aria-describedby': reasonId,
                })}
            loading={isPending}
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
