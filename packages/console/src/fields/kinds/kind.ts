/** The parts of a kind of field, and their props. */
import type { Field } from '@trellis/schema/resources/fields.ts';
import type { Filter, Resource } from '@trellis/schema/resources/resource.ts';
import type { ComponentType } from 'react';
import { useDuplicateHint } from '../DuplicateHints.tsx';
import type { ValueProps, ValueSchema } from '../value-schema.ts';

export interface CellProps {
  /** Neither null nor ''. */
  readonly value: unknown;
  readonly field: Field;
  /** The resource whose ids the value is. */
  readonly target: Resource | undefined;
  /** The parent of the record. */
  readonly parentId: string | null;
}

export interface InputProps extends Omit<ValueProps, 'target'> {
  readonly target: Resource | undefined;
  /** The input of a value within this one. */
  readonly Input: ComponentType<ValueProps>;
}

export interface FilterProps {
  /** The resource of the list, and the parent of its records. */
  readonly resource: Resource;
  readonly parentId: string | null;
  readonly label: string;
  readonly filter: Filter;
  /** In the API's notation; '' for none yet. */
  readonly value: string;
  /** Whether the person has just chosen the filter. */
  readonly autoFocus: boolean;
  readonly onChange: (value: string) => void;
}

export interface Kind {
  /** @param target the resource whose ids the value is */
  readonly matches: (schema: ValueSchema, target: Resource | undefined) => boolean;
  /** Shows the value in as few words as possible. */
  readonly Cell: ComponentType<CellProps>;
  readonly Input: ComponentType<InputProps>;
}

/** What the inputs of one line have in common. */
export function useInputProps(props: InputProps) {
  const { label, description, fault, required = false, disabled = false } = props;
  const duplicate = useDuplicateHint(props.pointer);
  return {
    label,
    description,
    // A hint about the current value is more useful than the server's message about the previous one.
    error: duplicate ?? fault ?? undefined,
    required,
    disabled,
    withAsterisk: required,
    inputWrapperOrder: ['label', 'input', 'description', 'error'] as const satisfies unknown[],
  };
}

/** The text of a value, and the handler for its changes. */
export function textOf({ value, onChange, emptyValue }: InputProps) {
  return {
    text: typeof value === 'string' ? value : '',
    setText: (next: string) => onChange(next === '' ? emptyValue : next),
  };
}
