/** An amount or a date, read and shown as people write it in the language of the page. */
import { TextInput } from '@mantine/core';
import { formats } from '@trellis/schema/validation/formats.ts';
import { useState } from 'react';
import { useIntl } from 'react-intl';
import { readAmount, readDate, writeAmount, writeDate } from '../written.ts';
import { type CellProps, type InputProps, type Kind, textOf, useInputProps } from './kind.ts';

interface Notation {
  readonly format: string;
  /** The keyboard of a telephone. */
  readonly inputMode: 'decimal' | 'text';
  /** The value that a typed text means; the text where it means none. */
  readonly read: (typed: string) => string;
  readonly write: (value: string, locale: string) => string;
}

function kindOfNotation({ format, inputMode, read, write }: Notation): Kind {
  function Cell({ value }: CellProps) {
    const { locale } = useIntl();
    return <>{write(String(value), locale)}</>;
  }
  function Input(props: InputProps) {
    const { locale } = useIntl();
    const shared = useInputProps(props);
    const { text, setText } = textOf(props);
    const [typed, setTyped] = useState({ text: '', means: '' });
    return (
      <TextInput
        {...shared}
        inputMode={inputMode}
        value={typed.means === text ? typed.text : write(text, locale)}
        onChange={({ currentTarget: { value } }) => {
          setTyped({ text: value, means: read(value) });
          setText(read(value));
        }}
        // What is not understood stays as it was typed.
        onBlur={() => {
          if (formats[format]?.accepts(text) === true) setTyped({ text: write(text, locale), means: text });
        }}
      />
    );
  }
  return { matches: (schema) => schema.format === format, Cell, Input };
}

export const amount = kindOfNotation({
  format: 'decimal',
  inputMode: 'decimal',
  read: readAmount,
  write: writeAmount,
});

export const partialDate = kindOfNotation({
  format: 'partial-date',
  inputMode: 'text',
  read: readDate,
  write: writeDate,
});
