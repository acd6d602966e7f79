/** Values within records and bodies, by dotted names such as `versionData.title` or `emails.0.address`, and by JSON pointers. */
import { isPlainObject } from './plain-object.ts';

/** The value at a dotted name; undefined when there is none. */
export function valueAt(body: unknown, name: string): unknown {
  return valueWithin(body, name.split('.'));
}

/** The value at a JSON pointer (RFC 6901); undefined when there is none. */
export function valueAtPointer(body: unknown, pointer: string): unknown {
  return valueWithin(body, segmentsOf(pointer));
}

/** The JSON pointer of a field. @param name dotted */
export function pointerOf(name: string): string {
  return `/${name.replaceAll('.', '/')}`;
}

/** The dotted name of the field at a JSON pointer. */
export function nameAt(pointer: string): string {
  return pointer.slice(1).replaceAll('/', '.');
}

/** The names and indexes in a JSON pointer. */
export function segmentsOf(pointer: string): string[] {
  const parts = pointer.split('/').slice(1);
  return parts.map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
}

function valueWithin(body: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((value, key) => {
    if (Array.isArray(value)) return value[Number(key)];
    return isPlainObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
  }, body);
}
