/** A choice that understands what is typed into it, also when nothing is chosen from its list. */
import { type ComboboxData, Select, type SelectProps } from '@mantine/core';
import { useState } from 'react';
import { useText } from '../text/text.ts';
import { findOptions, type Option, readOption } from './written.ts';

interface Props extends Omit<SelectProps, 'data' | 'filter' | 'searchable' | 'onChange' | 'value'> {
  readonly value: string | null;
  readonly onChange: (value: string | null) => void;
  readonly options: readonly Option[];
  /** Options for a typed text, by default those with it in their label. */
  readonly find?: (options: readonly Option[], typed: string) => readonly Option[];
  /** Reads what is no value or word of an option. */
  readonly read?: (typed: string) => string | null;
  /** Names a value that is no option. */
  readonly nameOf?: (value: string) => string;
}

export function OptionSelect({ options, find = findOptions, read, nameOf, ...props }: Props) {
  const text = useText();
  const { value, error, onChange } = props;
  const [unclear, setUnclear] = useState<string | null>(null);
  const data: ComboboxData =
    value === null || options.some((option) => option.value === value)
      ? options
      : [...options, { value, label: nameOf?.(value) ?? value }];
  return (
    <Select
      {...props}
      searchable
      selectFirstOptionOnChange
      data={data}
      filter={(input) => [...find(input.options as readonly Option[], input.search)]}
      error={unclear === null ? error : text('form.unclear', { typed: unclear })}
      onChange={(next) => {
        setUnclear(null);
        onChange(next);
      }}
      onBlur={({ currentTarget }) => {
        const typed = currentTarget.value.trim();
        const present = data.find(
          (option) => typeof option === 'object' && 'value' in option && option.value === value,
        );
        if (typed === '' || (typeof present === 'object' && 'label' in present && present.label === typed))
          return;
        const meant = readOption(options, typed) ?? read?.(typed) ?? null;
        setUnclear(meant === null ? typed : null);
        if (meant !== null && meant !== value) onChange(meant);
      }}
    />
  );
}
