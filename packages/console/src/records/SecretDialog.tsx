/** Shows the secret of a record that was just created. No later answer contains it. */
import { Button, Code, Modal, Stack } from '@mantine/core';
import { CopyButton } from '../parts/CopyButton.tsx';
import { Notice } from '../parts/Notice.tsx';
import { useText } from '../text/text.ts';
import styles from './RecordPage.module.css';

export function SecretDialog({ secret, close }: { readonly secret: string; readonly close: () => void }) {
  const text = useText();
  return (
    <Modal
      opened
      onClose={close}
      closeOnClickOutside={false}
      title={text('secret.title')}
      closeButtonProps={{ 'aria-label': text('close') }}
    >
      <Stack gap="md">
        <Notice kind="hint">{text('secret.about')}</Notice>
        <Code block>{secret}</Code>
        <div className={styles.buttons}>
          <CopyButton value={secret} label={text('secret.copy')} />
          <Button onClick={close}>{text('secret.kept')}</Button>
        </div>
      </Stack>
    </Modal>
  );
}
