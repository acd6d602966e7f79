/** Asks before somebody signs out, or goes to another organization, while changes wait. */
import { Button, Modal, Stack, Text } from '@mantine/core';
import { useFeatureText } from '../text/feature.ts';
import { useText } from '../text/text.ts';
import { useWaiting } from './changes.ts';
import { texts } from './texts.ts';
import styles from './Waiting.module.css';

export function SignOutDialog({ close, leave }: { readonly close: () => void; readonly leave: () => void }) {
  const text = useText();
  const own = useFeatureText(texts);
  const { changes } = useWaiting();
  return (
    <Modal
      opened
      onClose={close}
      title={own('leaveTitle')}
      closeButtonProps={{ 'aria-label': text('close') }}
    >
      <Stack gap="lg">
        <Text size="md">{own('leaveAbout', { count: changes.length })}</Text>
        <div className={styles.buttons}>
          <Button
            variant="default"
            onClick={() => {
              close();
              leave();
            }}
          >
            {own('leave')}
          </Button>
          <Button data-autofocus onClick={close}>
            {own('stay')}
          </Button>
        </div>
      </Stack>
    </Modal>
  );
}
