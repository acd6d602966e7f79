/** The field for the words that pictures are found by. */
import { useDebouncedCallback } from '@mantine/hooks';
import { limits } from '@trellis/schema/resources/limits.ts';
import { useState } from 'react';
import { useFeatureText } from '../../../text/feature.ts';
import details from '../../../ui/details.module.css';
import { SearchInput } from '../../../ui/SearchInput.tsx';
import { texts } from './texts.ts';

interface Props {
  /** The words that are shown when the field appears. */
  readonly initial: string;
  readonly search: (words: string) => void;
  readonly isFirst?: boolean;
}

export function PictureSearch({ initial, search, isFirst = false }: Props) {
  const featureText = useFeatureText(texts);
  const [words, setWords] = useState(initial);
  const searchSoon = useDebouncedCallback(search, 250);
  return (
    <SearchInput
      className={details.search}
      label={featureText('search')}
      placeholder={featureText('searchPlaceholder')}
      isFirst={isFirst}
      value={words}
      onChange={(value) => {
        setWords(value);
        const typed = value.trim();
        if (typed === '' || typed.length >= limits.searchText.min) searchSoon(typed);
      }}
    />
  );
}
