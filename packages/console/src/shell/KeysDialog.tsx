/** The list of keys. Those without Ctrl can be switched off, for people who speak to their computer (WCAG 2.1.4). */
import '../ui/input-styles.ts';
import { Modal, Stack, Switch } from '@mantine/core';
import { type TextId, useText } from '../text/text.ts';
import { modKey, storeSingleKeys } from '../ui/keys.ts';
import styles from './KeysDialog.module.css';

const keys: readonly { readonly keys: string; readonly label: TextId }[] = [
  { keys: `${modKey}K`, label: 'keys.palette' },
  { keys: '?', label: 'keys.help' },
  { keys: '/', label: 'keys.search' },
  { keys: 'N', label: 'keys.new' },
  { keys: 'J K', label: 'keys.rows' },
  { keys: 'X', label: 'keys.mark' },
  { keys: '← ↑ ↓ →', label: 'keys.select' },
  { keys: 'Alt ← →', label: 'keys.columns' },
  { keys: 'F2', label: 'keys.edit' },
  { keys: `${modKey}S`, label: 'keys.save' },
  { keys: 'Esc', label: 'keys.close' },
];

interface Props {
  readonly opened: boolean;
  readonly close: () => void;
  readonly singleKeys: boolean;
  readonly setSingleKeys: (on: boolean) => void;
}

export function KeysDialog({ opened, close, singleKeys, setSingleKeys }: Props) {
  const text = useText();
  return (
    <Modal
      opened={opened}
      onClose={close}
      title={text('keys.title')}
      closeButtonProps={{ 'aria-label': text('close') }}
    >
      <Stack gap="md">
        <dl className={styles.keys}>
          {keys.map(({ keys: combination, label }) => (
            <div key={label} className={styles.row}>
              <dt>{text(label)}</dt>
              <dd>
                <kbd className={styles.key}>{combination}</kbd>
              </dd>
            </div>
          ))}
        </dl>
        <Switch
          label={text('keys.single')}
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
