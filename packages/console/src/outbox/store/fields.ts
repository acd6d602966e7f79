/** Values of records by dotted names, as the declarations name fields: `versionData.title`. */
import { deepEqual } from '@trellis/schema/values/merge-patch.ts';
import { valueAt } from '@trellis/schema/values/paths.ts';
import { isPlainObject } from '@trellis/schema/values/plain-object.ts';

/** A record, or part of one. */
export type Values = Readonly<Record<string, unknown>>;

/** Whether two values are equal; absent equals null, as the API stores it. */
export function areEqual(left: unknown, right: unknown): boolean {
  return deepEqual(left ?? null, right ?? null);
}

/** The names of the fields in which two records differ. */
export function differingFields(from: Values, to: Values, fields: readonly string[]): string[] {
  return fields.filter((name) => !areEqual(valueAt(from, name), valueAt(to, name)));
}

/** The merge patch (RFC 7396) that sets the fields to a record's values; null clears a field. */
export function patchOf(values: Values, fields: readonly string[]): Record<string, unknown> {
  return nestValues(fields.map((name) => [name, valueAt(values, name)]));
}

/** The merge patch that sets these values, given by dotted names. */
export function nestValues(entries: Iterable<readonly [string, unknown]>): Record<string, unknown> {
  const patch: Record<string, unknown> = {};
  for (const [name, value] of entries) {
    const parts = name.split('.');
    const last = parts.pop() ?? name;
    let place = patch;
    for (const part of parts) {
      const inner: Record<string, unknown> = isPlainObject(place[part]) ? place[part] : {};
      place[part] = inner;
      place = inner;
    }
    place[last] = value ?? null;
  }
  return patch;
}

/** Dotted names of the fields in a patch. */
export function namesIn(patch: Values): string[] {
  return Object.entries(patch).flatMap(([name, value]) =>
    isPlainObject(value) ? Object.keys(value).map((inner) => `${name}.${inner}`) : [name],
  );
}
