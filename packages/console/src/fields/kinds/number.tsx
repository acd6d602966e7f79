/** A number. */
import { NumberInput } from '@mantine/core';
import { useIntl } from 'react-intl';
import { type CellProps, type InputProps, type Kind, useInputProps } from './kind.ts';

function Cell({ value, field }: CellProps) {
  const { formatNumber } = useIntl();
  // Years have no separator.
  const useGrouping = field.kind !== 'integer' || Number(value) > 9_999;
  return <>{formatNumber(Number(value), { useGrouping })}</>;
}

function Input(props: InputProps) {
  const shared = useInputProps(props);
  return (
    <NumberInput
      {...shared}
      hideControls
      allowDecimal={props.schema.type === 'number'}
      value={typeof props.value === 'number' ? props.value : ''}
      onChange={(next) => props.onChange(typeof next === 'number' ? next : props.emptyValue)}
    />
  );
}

export const number: Kind = {
  matches: ({ type }) => type === 'integer' || type === 'number',
  Cell,
  Input,
};
