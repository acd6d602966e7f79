/** Confirms leaving a page with unsaved changes. */
import { Button, Group, Stack, Text } from '@mantine/core';
import { useFeatureText } from '../text/feature.ts';
import { Dialog } from '../ui/Dialog.tsx';
import { texts } from './texts.ts';

export function LeaveDialog({ stay, leave }: { readonly stay: () => void; readonly leave: () => void }) {
  const recordText = useFeatureText(texts);
  return (
    <Dialog onClose={stay} title={recordText('leaveTitle')}>
      <Stack gap="lg">
        <Text size="md">{recordText('leaveAbout')}</Text>
        <Group justify="flex-end" gap={8}>
          <Button variant="default" onClick={leave}>
            {recordText('leave')}
          </Button>
          <Button data-autofocus onClick={stay}>
            {recordText('stay')}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}
