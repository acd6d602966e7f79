/** The list of keys. Those without Ctrl can be switched off, for people who speak to their computer (WCAG 2.1.4). */
import '../ui/input-styles.ts';
import { Box, Group, Modal, Stack, Switch } from '@mantine/core';
import { useFeatureText } from '../text/feature.ts';
import { useText } from '../text/text.ts';
import { modKey, storeSingleKeys } from '../ui/keys.ts';
import shared from '../ui/shared.module.css';
import { texts } from './keys-texts.ts';

const keys: readonly { readonly keys: string; readonly label: keyof typeof texts }[] = [
  { keys: `${modKey}K`, label: 'palette' },
  { keys: '?', label: 'help' },
  { keys: '/', label: 'search' },
  { keys: 'N', label: 'new' },
  { keys: 'J K', label: 'rows' },
  { keys: 'X', label: 'mark' },
  { keys: '← ↑ ↓ →', label: 'select' },
  { keys: 'Alt ← →', label: 'columns' },
  { keys: 'F2', label: 'edit' },
  { keys: `${modKey}S`, label: 'save' },
  { keys: 'Esc', label: 'close' },
];

interface Props {
  readonly opened: boolean;
  readonly close: () => void;
  readonly singleKeys: boolean;
  readonly setSingleKeys: (on: boolean) => void;
}

export function KeysDialog({ opened, close, singleKeys, setSingleKeys }: Props) {
  const text = useText();
  const keysText = useFeatureText(texts);
  return (
    <Modal
      opened={opened}
      onClose={close}
      title={text('keys.title')}
      closeButtonProps={{ 'aria-label': text('close') }}
    >
      <Stack gap="md">
        <dl className={shared.list}>
          {keys.map(({ keys: combination, label }) => (
            <Group key={label} justify="space-between" wrap="nowrap" mih={34}>
              <dt>{keysText(label)}</dt>
              <Box component="dd" m={0} flex="none">
                <kbd className={shared.key}>{combination}</kbd>
              </Box>
            </Group>
          ))}
        </dl>
        <Switch
          label={keysText('single')}
          checked={singleKeys}
          onChange={(event) => {
            const on = event.currentTarget.checked;
            storeSingleKeys(on);
            setSingleKeys(on);
          }}
        />
      </Stack>
    </Modal>
  );
}
