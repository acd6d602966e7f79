/** A field for the words to search for on a page, with a button that empties it. */
import { CloseButton, TextInput } from '@mantine/core';
import { limits } from '@trellis/schema/resources/limits.ts';
import type { Ref } from 'react';
import { useText } from '../text/text.ts';
import { Icon } from './icons.tsx';

interface Props {
  readonly label: string;
  /** The label, if it is not given. */
  readonly placeholder?: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly className?: string | undefined;
  readonly ref?: Ref<HTMLInputElement>;
  /** Whether it has the focus in the dialog that it is in. */
  readonly isFirst?: boolean;
}

export function SearchInput(props: Props) {
  const { label, placeholder = label, value, onChange, className = '', ref, isFirst = false } = props;
  const text = useText();
  const { min } = limits.searchText;
  const isTooShort = value !== '' && value.trim().length < min;
  return (
    <TextInput
      {...(ref === undefined ? {} : { ref })}
      className={className}
      type="search"
      size="xs"
      aria-label={label}
      placeholder={placeholder}
      {...(isFirst ? { 'data-autofocus': true } : {})}
      leftSection={<Icon name="search" size={14} />}
      rightSection={
        value !== '' && (
          <CloseButton size="sm" aria-label={text('list.clearSearch')} onClick={() => onChange('')} />
        )
      }
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      error={isTooShort ? text('list.tooShort', { count: min }) : undefined}
    />
  );
}
