/** The input of one value, by the schema of its declaration: a field, or a member of an object in a field. */
import { Autocomplete, Checkbox, NumberInput, Select, TagsInput, Textarea, TextInput } from '@mantine/core';
import { isPlainObject } from '@trellis/schema/values/plain-object.ts';
import { resourceByName, targetOfReference } from '../resources/declared.ts';
import { useNames } from '../text/names.ts';
import { useDuplicateHint } from './DuplicateHints.tsx';
import { ListEditor, ObjectEditor } from './ListEditor.tsx';
import { MultipleSelect } from './MultipleSelect.tsx';
import { RecordSelect } from './RecordSelect.tsx';
import { SelectBelowParents } from './SelectBelowParents.tsx';
import type { ValueProps, ValueSchema } from './value-schema.ts';

/** Characters above which a text gets several lines. */
const longText = 600;

const timeZones = Intl.supportedValuesOf('timeZone');
/** How many of them are offered at once. */
const suggested = 8;

export function ValueEditor(props: ValueProps) {
  const { schema, label, description, value, onChange, fault, required = false, disabled = false } = props;
  const names = useNames();
  const duplicate = useDuplicateHint(props.pointer);
  const shared = {
    label,
    description,
    // What is found about the present value says more than what the server said about the one before.
    error: duplicate ?? fault ?? undefined,
    required,
    disabled,
    withAsterisk: required,
    inputWrapperOrder: ['label', 'input', 'description', 'error'] as const satisfies unknown[],
  };
  const text = typeof value === 'string' ? value : '';
  const setText = (next: string) => onChange(next === '' ? props.emptyValue : next);
  const target = targetOfReference(props.target);
  if (schema.type === 'array') {
    const list = Array.isArray(value) ? value : [];
    if (target !== undefined) return <MultipleSelect {...props} target={target} value={list} />;
    if (schema.items?.type === 'object')
      return <ListEditor {...props} value={list} item={schema.items} Editor={ValueEditor} />;
    return (
      <TagsInput
        {...shared}
        {...(schema.items?.enum === undefined ? {} : { data: schema.items.enum.map(String) })}
        value={list.map(String)}
        onChange={onChange}
        acceptValueOnBlur
      />
    );
  }
  if (target !== undefined) {
    const select = {
      resource: target,
      label,
      ...(description === undefined ? {} : { description }),
      error: fault ?? undefined,
      required,
      disabled,
      clearable: props.isNullable,
      value: typeof value === 'string' ? value : null,
      onChange: (id: string | null) => onChange(id ?? (props.emptyValue === undefined ? undefined : null)),
    };
    if (target.parent === null) return <RecordSelect {...select} parentId={null} />;
    const parent = resourceByName(target.parent.resource);
    // The record of this form may be below another resource than what it refers to.
    if (props.parentId?.startsWith(`${parent.idPrefix}_`) !== true)
      return <SelectBelowParents {...select} parent={parent.name} />;
    return <RecordSelect {...select} parentId={props.parentId} />;
  }
  if (schema.type === 'object' && schema.properties !== undefined)
    return <ObjectEditor {...props} value={isPlainObject(value) ? value : {}} Editor={ValueEditor} />;
  if (schema.type === 'boolean') {
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
  if (schema.type === 'integer' || schema.type === 'number') {
    return (
      <NumberInput
        {...shared}
        hideControls
        allowDecimal={schema.type === 'number'}
        value={typeof value === 'number' ? value : ''}
        onChange={(next) => onChange(typeof next === 'number' ? next : props.emptyValue)}
      />
    );
  }
  if (schema.enum !== undefined) {
    const values = props.allowed ?? schema.enum.map(String);
    return (
      <Select
        {...shared}
        data={values.map((one) => ({ value: one, label: names.value(one) }))}
        allowDeselect={false}
        clearable={props.isNullable}
        value={text === '' ? null : text}
        onChange={(next) => onChange(next ?? props.emptyValue)}
      />
    );
  }
  if (schema.format?.endsWith('date-time') === true) {
    return (
      <TextInput
        {...shared}
        type="datetime-local"
        value={toLocal(text)}
        onChange={(event) => {
          const next = event.currentTarget.value;
          onChange(next === '' ? props.emptyValue : new Date(next).toISOString());
        }}
      />
    );
  }
  if (schema.format === 'timezone') {
    return <Autocomplete {...shared} data={timeZones} limit={suggested} value={text} onChange={setText} />;
  }
  if (isLong(schema)) {
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
  return <TextInput {...shared} value={text} onChange={(event) => setText(event.currentTarget.value)} />;
}

function isLong({ maxLength = 0, format }: ValueSchema): boolean {
  return maxLength > longText && format === undefined;
}

/** How the lines of a text end. */
function lineEndsOf(text: string): 'lf' | 'crlf' | 'mixed' {
  if (!text.includes('\r')) return 'lf';
  return /\r(?!\n)|(?<!\r)\n/.test(text) ? 'mixed' : 'crlf';
}

/** An instant in the form of `datetime-local`, in the time zone of the browser. */
function toLocal(instant: string): string {
  if (instant === '') return '';
  const date = new Date(instant);
  const shifted = new Date(date.getTime() - date.getTimezoneOffset() * 60_000);
  return shifted.toISOString().slice(0, 16);
}
