/** Asks why an article is sent back from review. */
import { Button, Group, Stack, Textarea } from '@mantine/core';
import { useState } from 'react';
import { useFeatureText } from '../../text/feature.ts';
import { useText } from '../../text/text.ts';
import { Dialog } from '../../ui/Dialog.tsx';
import { texts } from './texts.ts';

/** Characters of a note, as the declaration says. */
const mostCharacters = 500;

interface Props {
  readonly title: string;
  /** Whether the person submitted it, who needs no reason to take it back. */
  readonly isOwn: boolean;
  readonly isWaiting: boolean;
  readonly close: () => void;
  readonly send: (note: string | null) => void;
}

export function ReturnDialog({ title, isOwn, isWaiting, close, send }: Props) {
  const featureText = useFeatureText(texts);
  const text = useText();
  const [note, setNote] = useState('');
  const given = note.trim();
  return (
    <Dialog onClose={close} title={featureText('returnTitle', { title })}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          send(given === '' ? null : given);
        }}
      >
        <Stack gap="md">
          <Textarea
            label={featureText('returnNote')}
            description={featureText('returnAbout')}
            value={note}
            onChange={(event) => setNote(event.currentTarget.value)}
            maxLength={mostCharacters}
            autosize
            minRows={2}
            data-autofocus
            required={!isOwn}
            withAsterisk={false}
          />
          <Group justify="flex-end" gap={8}>
            <Button variant="default" onClick={close}>
              {text('cancel')}
            </Button>
            <Button type="submit" loading={isWaiting} disabled={given === '' && !isOwn}>
              {featureText('return')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}
