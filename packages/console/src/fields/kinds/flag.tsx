/** Yes or no. */
import { Checkbox, NativeSelect } from '@mantine/core';
import { useText } from '../../text/text.ts';
import type { CellProps, FilterProps, InputProps, Kind } from './kind.ts';

function Cell({ value }: CellProps) {
  const text = useText();
  return <>{text(value === true ? 'yes' : 'no')}</>;
}

function Input({ label, description, fault, value, onChange, disabled = false }: InputProps) {
  return (
    <Checkbox
      label={label}
      description={description}
      error={fault ?? undefined}
      disabled={disabled}
      checked={value === true}
      onChange={(event) => onChange(event.currentTarget.checked)}
    />
  );
}

export const flag: Kind = { matches: ({ type }) => type === 'boolean', Cell, Input };

export function FlagFilter({ label, value, autoFocus, onChange }: FilterProps) {
  const text = useText();
  return (
    <NativeSelect
      size="xs"
      aria-label={label}
      autoFocus={autoFocus}
      value={value}
      data={[
        { value: 'true', label: text('yes') },
        { value: 'false', label: text('no') },
      ]}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
