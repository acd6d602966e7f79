/** Several texts, or several of some values. */
import { TagsInput } from '@mantine/core';
import { useState } from 'react';
import { type CellProps, type InputProps, type Kind, useInputProps } from './kind.ts';

function Cell({ value }: CellProps) {
  if (!Array.isArray(value) || value.length === 0) return null;
  return <>{value.length > 1 ? `${value[0]} +${value.length - 1}` : String(value[0])}</>;
}

function Input(props: InputProps) {
  const shared = useInputProps(props);
  const { items } = props.schema;
  const [isOpen, setIsOpen] = useState(false);
  return (
    <TagsInput
      {...shared}
      {...(items?.enum === undefined ? {} : { data: items.enum.map(String) })}
      value={Array.isArray(props.value) ? props.value.map(String) : []}
      onChange={props.onChange}
      acceptValueOnBlur
      dropdownOpened={isOpen}
      // An open list would lie over the button that comes next; typing opens it again.
      onOptionSubmit={() => setIsOpen(false)}
      onDropdownOpen={() => setIsOpen(true)}
      onDropdownClose={() => setIsOpen(false)}
    />
  );
}

export const texts: Kind = { matches: ({ type }) => type === 'array', Cell, Input };
