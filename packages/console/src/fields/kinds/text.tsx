/** A text: of one line, of several, or the name of a time zone. */
import { Autocomplete, Textarea, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useState } from 'react';
import {
  type CellProps,
  type FilterProps,
  type InputProps,
  type Kind,
  textOf,
  useInputProps,
} from './kind.ts';

/** Characters above which a text gets several lines. */
const longLength = 600;
const timeZones = Intl.supportedValuesOf('timeZone');
/** Maximum number of suggestions. */
const suggested = 8;

/** Characters of a text that a cell may show; what was rejected because of its length may have a million. */
const longestShown = 300;

function Cell({ value }: CellProps) {
  return <>{String(value).slice(0, longestShown)}</>;
}

/** The keyboard of a telephone for texts of a format. */
const keyboards: Readonly<Record<string, 'email' | 'tel' | 'url' | 'numeric'>> = {
  'email-address': 'email',
  phone: 'tel',
  'http-url': 'url',
  'https-url': 'url',
  'domain-name': 'url',
  isbn13: 'numeric',
};

function Input(props: InputProps) {
  const shared = useInputProps(props);
  const { text, setText } = textOf(props);
  return (
    <TextInput
      {...shared}
      inputMode={keyboards[props.schema.format ?? ''] ?? 'text'}
      value={text}
      onChange={(event) => setText(event.currentTarget.value)}
    />
  );
}

export const text: Kind = { matches: () => true, Cell, Input };

function LongInput(props: InputProps) {
  const shared = useInputProps(props);
  const { text, setText } = textOf(props);
  const lines = lineEndsOf(text);
  return (
    <Textarea
      {...shared}
      autosize
      minRows={3}
      maxRows={24}
      // A text area knows one kind of line end only: a text with several kinds would be rewritten.
      readOnly={lines === 'mixed'}
      value={text}
      onChange={(event) => {
        const next = event.currentTarget.value;
        setText(lines === 'crlf' ? next.replaceAll(/\r?\n/g, '\r\n') : next);
      }}
    />
  );
}

/** How the lines of a text end. */
function lineEndsOf(text: string): 'lf' | 'crlf' | 'mixed' {
  if (!text.includes('\r')) return 'lf';
  return /\r(?!\n)|(?<!\r)\n/.test(text) ? 'mixed' : 'crlf';
}

export const longText: Kind = {
  matches: ({ maxLength = 0, format }) => maxLength > longLength && format === undefined,
  Cell,
  Input: LongInput,
};

function TimeZoneInput(props: InputProps) {
  const shared = useInputProps(props);
  const { text, setText } = textOf(props);
  return <Autocomplete {...shared} data={timeZones} limit={suggested} value={text} onChange={setText} />;
}

export const timeZone: Kind = { matches: ({ format }) => format === 'timezone', Cell, Input: TimeZoneInput };

interface TypedProps extends Pick<FilterProps, 'label' | 'value' | 'autoFocus' | 'onChange'> {
  readonly placeholder?: string;
  readonly type?: string;
  readonly inputMode?: 'numeric' | 'text';
}

/** A filter whose value is typed. The list follows when typing pauses. */
export function TypedFilter({ label, placeholder, value, autoFocus, onChange, type, inputMode }: TypedProps) {
  const [typed, setTyped] = useState(value);
  const [shown, setShown] = useState(value);
  // Another view, and "clear", change the value, too. Typed text is trimmed.
  if (shown !== value) {
    setShown(value);
    if (typed.trim() !== value) setTyped(value);
  }
  const settle = useDebouncedCallback(onChange, 300);
  return (
    <TextInput
      size="xs"
      aria-label={label}
      {...(placeholder === undefined ? {} : { placeholder })}
      {...(type === undefined ? {} : { type })}
      {...(inputMode === undefined ? {} : { inputMode })}
      autoFocus={autoFocus}
      value={typed}
      onChange={(event) => {
        setTyped(event.currentTarget.value);
        settle(event.currentTarget.value.trim());
      }}
    />
  );
}
