/**
 * References between the items of a batch: `"$0"` in a place of an id is the id of the record of the first item. In any other place it is
 * a text.
 */
import { innerReferences } from '../validation/values.ts';
import { isPlainObject } from '../values/plain-object.ts';
import type { Field } from './fields.ts';
import { flattenFields, type Resource } from './resource.ts';

const itemReference = /^\$(0|[1-9]\d?)$/;

/** The index of the item that a text refers to; null for any other value. */
export function itemOf(value: unknown): number | null {
  const index = typeof value === 'string' ? itemReference.exec(value)?.[1] : undefined;
  return index === undefined ? null : Number(index);
}

/** A body with each value in the place of an id replaced, by its JSON pointer. What has another form than a body stays as it is. */
export function mapIds(
  resource: Resource,
  body: unknown,
  map: (value: unknown, pointer: string) => unknown,
): unknown {
  if (!isPlainObject(body)) return body;
  return flattenFields(resource).reduce((changed, [name, field]) => {
    const path = name.split('.');
    const pointer = `/${path.join('/')}`;
    return changeAt(changed, path, (value) => mapField(field, value, pointer, map));
  }, body);
}

function mapField(
  field: Field,
  value: unknown,
  pointer: string,
  map: (value: unknown, pointer: string) => unknown,
): unknown {
  if (field.reference !== null)
    return Array.isArray(value)
      ? value.map((id, index) => map(id, `${pointer}/${index}`))
      : map(value, pointer);
  const inner = innerReferences(field);
  if (inner.length === 0 || !Array.isArray(value)) return value;
  return value.map((item, index) =>
    inner.reduce(
      (changed, { key }) => changeAt(changed, [key], (id) => map(id, `${pointer}/${index}/${key}`)),
      item,
    ),
  );
}

/** The value with a change of what it has at a path; itself if it has nothing there. */
function changeAt<T>(value: T, path: readonly string[], change: (value: unknown) => unknown): T {
  const [key = '', ...rest] = path;
  if (!isPlainObject(value) || !Object.hasOwn(value, key)) return value;
  const before = value[key];
  const after = rest.length === 0 ? change(before) : changeAt(before, rest, change);
  return after === before ? value : { ...value, [key]: after };
}
