/** The parts of a value's schema that inputs depend on, and the props of an input. */
import type { Fault } from '../api/problem.ts';

export interface ValueSchema {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly format?: string;
  readonly maxLength?: number;
  readonly items?: ValueSchema;
  readonly properties?: Readonly<Record<string, ValueSchema>>;
  readonly required?: readonly string[];
  readonly anyOf?: readonly ValueSchema[];
  readonly description?: string;
  readonly examples?: readonly unknown[];
  readonly readOnly?: boolean;
  readonly 'x-reference'?: string;
  readonly 'x-picture'?: boolean;
}

export interface ValueProps {
  readonly schema: ValueSchema;
  readonly label: string;
  readonly description?: string;
  readonly value: unknown;
  readonly onChange: (value: unknown) => void;
  /** What is wrong with the value; null: nothing. */
  readonly fault: string | null;
  /** All faults of the request, for the members of the value. */
  readonly faults: readonly Fault[];
  readonly pointer: string;
  /** Name of the resource whose ids the value is. */
  readonly target?: string | undefined;
  /** The parent of the record, which records that it refers to may have to share. */
  readonly parentId: string | null;
  readonly isNullable: boolean;
  /** What an empty input means: null, or undefined for a member that is left out. */
  readonly emptyValue: null | undefined | '';
  /** Of a status: the allowed next values. */
  readonly allowed?: readonly string[] | undefined;
  readonly required?: boolean;
  readonly disabled?: boolean;
}

/** The schema of a value that may also be null, without the null. */
export function withoutNull(schema: ValueSchema): {
  readonly schema: ValueSchema;
  readonly isNullable: boolean;
} {
  const other = schema.anyOf?.find(({ type }) => type !== 'null');
  if (other === undefined) return { schema, isNullable: false };
  const isNullable = schema.anyOf?.some(({ type }) => type === 'null') ?? false;
  return { schema: { ...schema, ...other }, isNullable };
}
