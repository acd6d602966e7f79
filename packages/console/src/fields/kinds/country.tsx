/** A country, shown and chosen by its name. */
import { useIntl } from 'react-intl';
import { CountrySelect } from '../CountrySelect.tsx';
import { type CellProps, type InputProps, type Kind, textOf, useInputProps } from './kind.ts';

function Cell({ value }: CellProps) {
  const { formatDisplayName } = useIntl();
  return <>{formatDisplayName(String(value), { type: 'region' }) ?? String(value)}</>;
}

function Input(props: InputProps) {
  const shared = useInputProps(props);
  const { text } = textOf(props);
  return (
    <CountrySelect
      {...shared}
      clearable={props.isNullable}
      value={text === '' ? null : text}
      onChange={(next) => props.onChange(next ?? props.emptyValue)}
    />
  );
}

export const country: Kind = { matches: ({ format }) => format === 'country', Cell, Input };
