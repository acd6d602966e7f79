/** An instant, in the time zone of the browser. */
import { TextInput } from '@mantine/core';
import { Moment } from '../../ui/Moment.tsx';
import { type CellProps, type InputProps, type Kind, textOf, useInputProps } from './kind.ts';

function Cell({ value }: CellProps) {
  return <Moment value={String(value)} />;
}

function Input(props: InputProps) {
  const shared = useInputProps(props);
  const { text } = textOf(props);
  return (
    <TextInput
      {...shared}
      type="datetime-local"
      value={toLocal(text)}
      onChange={(event) => {
        const next = event.currentTarget.value;
        props.onChange(next === '' ? props.emptyValue : new Date(next).toISOString());
      }}
    />
  );
}

/** An instant in the form of `datetime-local`, in the time zone of the browser. */
function toLocal(instant: string): string {
  if (instant === '') return '';
  const date = new Date(instant);
  const shifted = new Date(date.getTime() - date.getTimezoneOffset() * 60_000);
  return shifted.toISOString().slice(0, 16);
}

export const instant: Kind = {
  matches: ({ format }) => format?.endsWith('date-time') === true,
  Cell,
  Input,
};
