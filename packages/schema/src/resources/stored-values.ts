/**
 * The types of a record's values in stored form, derived from the declaration: by the dotted names of the fields, with ids as uuids. Code
 * that names a field which is not declared does not compile.
 */

import type { Field, FieldGroup } from './fields.ts';
import type { Static } from './type.ts';

/** The part of a declaration that the types depend on. */
export interface Declared {
  readonly fields: Readonly<Record<string, Field | FieldGroup>>;
}

/** The dotted names of all fields: `title`, `versionData.title`. */
export type FieldName<R extends Declared> = NameIn<R['fields']>;

type NameIn<F> = {
  [K in keyof F & string]: F[K] extends { readonly group: true; readonly fields: infer G }
    ? `${K}.${keyof G & string}`
    : K;
}[keyof F & string];

type FieldAt<F, N> = N extends keyof F
  ? F[N]
  : N extends `${infer G}.${infer M}`
    ? G extends keyof F
      ? F[G] extends { readonly group: true; readonly fields: infer I }
        ? M extends keyof I
          ? I[M]
          : never
        : never
      : never
    : never;

/** Stored objects have all their members: those that a body leaves out have their default or null. */
type Completed<T> = T extends readonly (infer I)[]
  ? readonly Completed<I>[]
  : T extends object
    ? { readonly [K in keyof T]-?: Exclude<T[K], undefined> }
    : T;

/** The stored value of a field. */
export type StoredValue<F> =
  F extends Field<infer S, infer N> ? Completed<Static<S>> | (N extends true ? null : never) : never;

/**
 * All values of a record. A field that is neither nullable nor has a default is null in a new record until its rules have given it
 * a value, such as a slug.
 */
export type ValuesOf<R extends Declared> = {
  readonly [N in FieldName<R>]: StoredValue<FieldAt<R['fields'], N>>;
};

/** The values that a body gives or a rule changes; null clears. */
export type PatchOf<R extends Declared> = {
  readonly [N in FieldName<R>]?: StoredValue<FieldAt<R['fields'], N>> | null;
};

/** The names of the given values: all of a record's, or those that a body gives. */
export function namesOf<V extends object>(values: V): (keyof V & string)[] {
  return Object.keys(values) as (keyof V & string)[];
}

/** The values with some of them changed. */
export function withChanges<V extends object>(values: V, changes: NoInfer<Partial<V>>): V {
  return { ...values, ...changes };
}
