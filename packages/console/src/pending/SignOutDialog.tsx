/** Asks for confirmation before signing out or switching the organization with unfinished work in the browser. */
import { Button, List, Stack, Text } from '@mantine/core';
import { Dialog } from '../ui/Dialog.tsx';
import '@mantine/core/styles/List.layer.css';
import { useFeatureText } from '../text/feature.ts';
import styles from './Pending.module.css';
import { texts } from './texts.ts';
import type { Unfinished } from './unfinished.ts';

interface Props {
  readonly close: () => void;
  readonly leave: () => void;
  readonly unfinished: Unfinished;
}

export function SignOutDialog({ close, leave, unfinished }: Props) {
  const featureText = useFeatureText(texts);
  const { changes, records, uploads, files } = unfinished;
  return (
    <Dialog onClose={close} title={featureText('leaveTitle')}>
      <Stack gap="lg">
        <Text size="md">{featureText('leaveAbout')}</Text>
        <List size="md">
          {changes > 0 && <List.Item>{featureText('leaveChanges', { count: changes })}</List.Item>}
          {records > 0 && <List.Item>{featureText('leaveRecords', { count: records })}</List.Item>}
          {uploads > 0 && <List.Item>{featureText('leaveUploads', { count: uploads })}</List.Item>}
          {files > 0 && <List.Item>{featureText('leaveFiles', { count: files })}</List.Item>}
        </List>
        <Text size="md">{featureText('leaveKept')}</Text>
        <div className={styles.buttons}>
          <Button
            variant="default"
            onClick={() => {
              close();
              leave();
            }}
          >
            {featureText('leave')}
          </Button>
          <Button data-autofocus onClick={close}>
            {featureText('stay')}
          </Button>
        </div>
      </Stack>
    </Dialog>
  );
}
