/** Asks what images show, before they are put into a text: some people do not see them. */
import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useFeatureText } from '../../text/feature.ts';
import { useText } from '../../text/text.ts';
import { Dialog } from '../../ui/Dialog.tsx';
import { texts } from './texts.ts';
import type { PendingImage } from './use-uploads.tsx';

/** Characters of an alternative text, as the field of the file has. */
const maxCharacters = 1_000;

interface Props {
  readonly images: readonly PendingImage[];
  /** Gets the texts by the images' ids, or null if the images are not wanted after all. */
  readonly describe: (alternativeTexts: ReadonlyMap<string, string> | null) => void;
}

export function AlternativeTextDialog({ images, describe }: Props) {
  const featureText = useFeatureText(texts);
  const text = useText();
  const [typed, setTyped] = useState<ReadonlyMap<string, string>>(new Map());
  return (
    <Dialog onClose={() => describe(null)} title={featureText('alternativeTitle', { count: images.length })}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          describe(typed);
        }}
      >
        <Stack gap="md">
          <Text size="sm">{featureText('alternativeAbout')}</Text>
          {images.map(({ id, name }, index) => (
            <TextInput
              key={id}
              label={name}
              maxLength={maxCharacters}
              value={typed.get(id) ?? ''}
              onChange={({ currentTarget: { value } }) =>
                setTyped((others) => new Map(others).set(id, value))
              }
              {...(index === 0 ? { 'data-autofocus': true } : {})}
            />
          ))}
          <Group justify="flex-end" gap={8}>
            <Button variant="default" onClick={() => describe(null)}>
              {text('cancel')}
            </Button>
            <Button type="submit">{featureText('insert')}</Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}
