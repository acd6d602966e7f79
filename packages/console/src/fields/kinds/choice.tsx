/** One of several values. A status is shown in the colour of its meaning. */
import { Select } from '@mantine/core';
import { canHave } from '../../resources/values.ts';
import { useNames } from '../../text/names.ts';
import { SeveralFilter, valuesOf } from '../SeveralFilter.tsx';
import { Status } from '../Status.tsx';
import {
  type CellProps,
  type FilterProps,
  type InputProps,
  type Kind,
  textOf,
  useInputProps,
} from './kind.ts';

function Cell({ value, field }: CellProps) {
  const names = useNames();
  return field.isStatus ? <Status value={String(value)} /> : names.value(String(value));
}

function Input(props: InputProps) {
  const names = useNames();
  const shared = useInputProps(props);
  const { text } = textOf(props);
  const values = props.allowed ?? props.schema.enum?.map(String) ?? [];
  return (
    <Select
      {...shared}
      data={values.map((one) => ({ value: one, label: names.value(one) }))}
      allowDeselect={false}
      clearable={props.isNullable}
      value={text === '' ? null : text}
      onChange={(next) => props.onChange(next ?? props.emptyValue)}
    />
  );
}

export const choice: Kind = { matches: (schema) => schema.enum !== undefined, Cell, Input };

/** Several of the values of a filter. */
export function ChoiceFilter({ resource, filter, ...props }: FilterProps) {
  const names = useNames();
  const chosen = valuesOf(props.value);
  // An address may have what is not offered.
  const isOffered = (field: string, one: string) => chosen.includes(one) || canHave(resource, field, one);
  const values =
    filter.kind === 'choice' ? (filter.values ?? []).filter((one) => isOffered(filter.field, one)) : [];
  return <SeveralFilter {...props} data={values.map((one) => ({ value: one, label: names.value(one) }))} />;
}
