/**
 * Leaves invalid values out of a row, where that was chosen for their columns: only values of optional fields, so that the rest of the row
 * can be imported.
 */

import type { Resource } from '@trellis/schema/resources/resource.ts';
import type { JsonSchema } from '@trellis/schema/validation/body-schemas.ts';
import { valueAt } from '@trellis/schema/values/paths.ts';
import { isPlainObject } from '@trellis/schema/values/plain-object.ts';
import { nest } from './body.ts';
import type { BuiltRecord } from './build-record.ts';
import { importOf, isListOfObjects, listImportOf, writableFields } from './destinations.ts';
import type { Mapping } from './mapping.ts';
import { describeItem } from './merge-list.ts';
import type { SourceRow } from './source.ts';

/** A value that was left out. */
export interface OmittedValue {
  /** The first of the columns that it may come from. */
  readonly column: string;
  readonly value: string;
  readonly reason: string;
}

/** A reason, and the value that it is about. */
interface Fault {
  readonly reason: string;
  readonly name: string;
  /** The place in the value: index of an item, name of a member. */
  readonly rest: readonly string[];
}

/**
 * Leaves out the values that the reasons are about.
 * @returns null when one of them may not be left out; nothing was changed then
 */
export function leaveOut(
  resource: Resource,
  mapping: Mapping,
  row: SourceRow,
  { values }: BuiltRecord,
  reasons: readonly string[],
): readonly OmittedValue[] | null {
  const faults = reasons.map((reason) => locate(resource, reason));
  /** One for each value, of which there may be several faults. */
  const omitted = new Map<string, OmittedValue>();
  const body = nest(values);
  for (const fault of faults) {
    if (fault === null) return null;
    const { name, rest, reason } = fault;
    const columns = columnsFor(resource, mapping, row, [name, ...rest]);
    const [column] = columns;
    if (column === undefined) return null;
    if (!columns.every((one) => mapping.settingsOf(one).invalid === 'omit')) return null;
    const given =
      valueAt(body, [name, ...rest].join('.')) ?? valueAt(body, [name, ...rest.slice(0, 1)].join('.'));
    const most = rest.length === 0 ? mostItems(resource, name, given) : null;
    const lost = most === null || !Array.isArray(given) ? given : given.slice(most);
    const value = describeItem(lost ?? row.fields.get(column));
    const place = [column, name, ...rest.slice(0, 1)].join(' ');
    if (!omitted.has(place)) omitted.set(place, { column, value, reason: reason.replace(/^[^:]*: /, '') });
  }
  for (const [name, ofField] of Map.groupBy(
    faults.filter((fault) => fault !== null),
    (fault) => fault.name,
  )) {
    const kept = withoutFaults(
      resource,
      name,
      values.get(name),
      ofField.map(({ rest }) => rest),
    );
    if (kept === undefined) values.delete(name);
    else values.set(name, kept);
  }
  return [...omitted.values()];
}

/** The optional field that a reason is about, as in `emails.0.address: Must be …`; null for any other reason. */
function locate(resource: Resource, reason: string): Fault | null {
  const [, path] = /^([a-z]\w*(?:\.\w+)*): /i.exec(reason) ?? [];
  if (path === undefined) return null;
  const [name, field] =
    writableFields(resource).find(([one]) => path === one || path.startsWith(`${one}.`)) ?? [];
  if (name === undefined || field === undefined || field.required || name === 'externalId') return null;
  const rest = path === name ? [] : path.slice(name.length + 1).split('.');
  return { reason, name, rest };
}

/** The columns whose values are at a place of the record. */
function columnsFor(
  resource: Resource,
  mapping: Mapping,
  { fields }: Pick<SourceRow, 'fields'>,
  [name = '', ...rest]: readonly string[],
): readonly string[] {
  const members = rest.filter((part) => !/^\d+$/.test(part));
  const place = [name, ...members].join('.');
  const { computed = [], lookups = {} } = importOf(resource);
  const inputs = [
    ...computed.filter(({ to }) => to.includes(name)).map(({ from }) => from),
    ...Object.entries(lookups).flatMap(([input, { field }]) => (field === name ? [input] : [])),
  ];
  const isThere = (to: string | null) =>
    to !== null &&
    (to === place || to.startsWith(`${place}.`) || place.startsWith(`${to}.`) || inputs.includes(to));
  const found = [...fields.keys()].filter((column) => isThere(mapping.destinationOf(column)));
  // A member that no column has, such as the currency of a price, is missing in the values of others.
  return found.length > 0 || rest.length === 0 ? found : columnsFor(resource, mapping, { fields }, [name]);
}

/** How many items a list may have that has more; null for other values. */
function mostItems(resource: Resource, name: string, value: unknown): number | null {
  const [, field] = writableFields(resource).find(([one]) => one === name) ?? [];
  const most = (field?.schema as JsonSchema | undefined)?.maxItems;
  return Array.isArray(value) && typeof most === 'number' && value.length > most ? most : null;
}

/** A value without its faulty parts; undefined when nothing is left. */
function withoutFaults(
  resource: Resource,
  name: string,
  value: unknown,
  places: readonly (readonly string[])[],
): unknown {
  const [, field] = writableFields(resource).find(([one]) => one === name) ?? [];
  const schema = field?.schema as JsonSchema | undefined;
  if (field === undefined || schema === undefined) return undefined;
  if (places.some(({ length }) => length === 0)) {
    const most = mostItems(resource, name, value);
    return most === null || !Array.isArray(value) ? undefined : value.slice(0, most);
  }
  if (!Array.isArray(value)) {
    const members = places.map(([member = '']) => member);
    return isPlainObject(value) ? withoutMembers(value, members, schema.required ?? []) : undefined;
  }
  const needed = [...(schema.items?.required ?? []), listImportOf(resource, name)?.main ?? ''];
  const kept = value.flatMap((item: unknown, index) => {
    const members = places.filter(([at]) => at === String(index)).map(([, member = '']) => member);
    if (members.length === 0) return [item];
    const left =
      isListOfObjects(field) && isPlainObject(item) ? withoutMembers(item, members, needed) : undefined;
    return left === undefined ? [] : [left];
  });
  return kept.length === 0 ? undefined : kept;
}

/** An object without some members; undefined without one that it needs, or without any. */
function withoutMembers(
  item: Readonly<Record<string, unknown>>,
  members: readonly string[],
  needed: readonly string[],
): object | undefined {
  if (members.some((member) => member === '' || needed.includes(member))) return undefined;
  const kept = Object.entries(item).filter(([name]) => !members.includes(name));
  return kept.length === 0 ? undefined : Object.fromEntries(kept);
}
