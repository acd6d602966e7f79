/** Copies a text, and says that it has. */
import { Button } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { useText } from '../text/text.ts';
import { Icon } from './icons.tsx';

export function CopyButton({ value, label }: { readonly value: string; readonly label: string }) {
  const text = useText();
  const { copy, copied } = useClipboard({ timeout: 2_000 });
  return (
    <Button
      variant="default"
      leftSection={<Icon name={copied ? 'check' : 'copy'} />}
      onClick={() => copy(value)}
      aria-live="polite"
    >
      {copied ? text('copied') : label}
    </Button>
  );
}
