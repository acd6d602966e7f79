/** Asks before changes are lost. */
import { Button, Stack, Text } from '@mantine/core';
import { useText } from '../text/text.ts';
import { Dialog } from '../ui/Dialog.tsx';
import styles from './RecordPage.module.css';

export function LeaveDialog({ stay, leave }: { readonly stay: () => void; readonly leave: () => void }) {
  const text = useText();
  return (
    <Dialog onClose={stay} title={text('leave.title')}>
      <Stack gap="lg">
        <Text size="md">{text('leave.about')}</Text>
        <div className={styles.buttons}>
          <Button variant="default" onClick={leave}>
            {text('leave.leave')}
          </Button>
          <Button data-autofocus onClick={stay}>
            {text('leave.stay')}
          </Button>
        </div>
      </Stack>
    </Dialog>
  );
}
