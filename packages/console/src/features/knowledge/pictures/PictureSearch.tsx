/** The field for the words that pictures are found by. */
import { CloseButton, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { limits } from '@trellis/schema/resources/limits.ts';
import { useState } from 'react';
import { useFeatureText } from '../../../text/feature.ts';
import { useText } from '../../../text/text.ts';
import { Icon } from '../../../ui/icons.tsx';
import styles from './Pictures.module.css';
import { texts } from './texts.ts';

interface Props {
  /** The words that are shown when the field appears. */
  readonly initial: string;
  readonly search: (words: string) => void;
  readonly autoFocus?: boolean;
}

export function PictureSearch({ initial, search, autoFocus = false }: Props) {
  const featureText = useFeatureText(texts);
  const text = useText();
  const [words, setWords] = useState(initial);
  const searchSoon = useDebouncedCallback(search, 250);
  const length = words.trim().length;
  const isTooShort = length > 0 && length < limits.searchText.min;
  return (
    <TextInput
      className={styles.search ?? ''}
      type="search"
      size="xs"
      aria-label={featureText('search')}
      placeholder={featureText('searchPlaceholder')}
      leftSection={<Icon name="search" size={14} />}
      {...(autoFocus ? { 'data-autofocus': true } : {})}
      rightSection={
        words !== '' && (
          <CloseButton
            size="sm"
            aria-label={text('list.clearSearch')}
            onClick={() => {
              setWords('');
              searchSoon('');
            }}
          />
        )
      }
      value={words}
      onChange={({ currentTarget: { value } }) => {
        setWords(value);
        const typed = value.trim();
        if (typed === '' || typed.length >= limits.searchText.min) searchSoon(typed);
      }}
      error={isTooShort ? text('list.tooShort', { count: limits.searchText.min }) : undefined}
    />
  );
}
