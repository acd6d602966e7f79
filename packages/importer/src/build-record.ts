/**
 * Converts the cells of a row to typed values by the schemas of their fields. The API's rules then check the values.
 */

import type { Field } from '@trellis/schema/resources/fields.ts';
import type { ListImport } from '@trellis/schema/resources/import.ts';
import type { Resource } from '@trellis/schema/resources/resource.ts';
import type { JsonSchema } from '@trellis/schema/validation/body-schemas.ts';
import { isPlainObject } from '@trellis/schema/values/plain-object.ts';
import { computeInput } from './computed.ts';
import { convertValue } from './convert.ts';
import { importOf, isListOfObjects, listImportOf, membersOf, writableFields } from './destinations.ts';
import type { ItemCells, MappedRow } from './mapping.ts';
import { readList, splitText } from './split.ts';

/** A row as fields of the API, before names are resolved to ids. */
export interface BuiltRecord {
  /** By dotted name of the field. */
  readonly values: Map<string, unknown>;
  /** Names of other records, by input. */
  readonly names: ReadonlyMap<string, readonly string[]>;
  readonly repairs: string[];
  readonly faults: string[];
}

/** How a list of a field is read. */
interface ListForm {
  readonly main: string | undefined;
  readonly split: ListImport['split'];
  readonly defaults: Readonly<Record<string, string>>;
  /** Whether members that the API does not have are dropped instead of being faults. */
  readonly isLenient: boolean;
}

/** Builds the values of a record. @param isPosts whether lists are given as lists, so that names are not split */
export function buildRecord(resource: Resource, row: MappedRow, isPosts: boolean): BuiltRecord {
  const built: BuiltRecord = { values: new Map(), names: new Map(), repairs: [...row.repairs], faults: [] };
  const names = readNames(resource, row, built.faults);
  const given = new Map(row.values);
  for (const input of importOf(resource).computed ?? []) computeInput(input, given, built);
  const formOf = (name: string): ListForm => {
    const { main, split, defaults = {} } = listImportOf(resource, name) ?? {};
    return { main, split: isPosts && split === 'names' ? 'nowhere' : split, defaults, isLenient: isPosts };
  };
  for (const [name, field] of writableFields(resource)) {
    const value = convertField(field, given.get(name), formOf(name), built.repairs);
    if (value !== undefined) built.values.set(name, value);
    const groups = row.members.get(name);
    if (groups === undefined || built.values.has(name)) continue;
    const items = groups
      .flatMap((group) => buildItems(field, group, formOf(name), built.repairs))
      .filter((item) => Object.keys(item).length > 0);
    if (isListOfObjects(field)) built.values.set(name, items);
    else if (items[0] !== undefined) built.values.set(name, items[0]);
  }
  return { ...built, names };
}

/** Lists of names of other records. */
function readNames(resource: Resource, { values }: MappedRow, faults: string[]): Map<string, string[]> {
  const names = new Map<string, string[]>();
  for (const input of Object.keys(importOf(resource).lookups ?? {})) {
    if (!values.has(input)) continue;
    const items = readList(values.get(input)).map((item) => (isPlainObject(item) ? item.name : item));
    if (items.every((item) => typeof item === 'string' || typeof item === 'number')) {
      names.set(input, items.map(String));
    } else {
      faults.push(`${input}: Must be a list of names.`);
    }
  }
  return names;
}

function convertField(field: Field, given: unknown, form: ListForm, repairs: string[]): unknown {
  const schema = field.schema as JsonSchema;
  if (given === undefined) return undefined;
  if (field.verbatim) return typeof given === 'number' ? String(given) : given;
  if (schema.type === 'array') return convertList(field, given, form, repairs);
  if (given === null) return null;
  if (schema.type === 'object') {
    return isPlainObject(given) ? writableMembers(field, given) : (parseJson(given) ?? given);
  }
  return convertValue(schema, given, repairs);
}

function convertList(field: Field, given: unknown, form: ListForm, repairs: string[]): unknown {
  const parsed = parseJson(given);
  const value = Array.isArray(parsed) ? parsed : given;
  if (!isListOfObjects(field)) return readList(value);
  const { main, defaults } = form;
  if (value === null) return [];
  if (typeof value === 'string' && main !== undefined) {
    return buildItems(field, { constants: {}, cells: new Map([[main, value]]) }, form, repairs);
  }
  if (!Array.isArray(value) && !isPlainObject(value)) return value;
  return (Array.isArray(value) ? value : [value]).map((item: unknown) => {
    if (!isPlainObject(item)) return main === undefined ? item : { ...defaults, [main]: item };
    return { ...defaults, ...(form.isLenient ? knownMembers(field, item) : writableMembers(field, item)) };
  });
}

/** Drops the derived members of an object as the API returned it, which no body may have. */
function writableMembers(field: Field, item: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const schema = field.schema as JsonSchema;
  const properties = schema.items?.properties ?? schema.properties ?? {};
  return Object.fromEntries(Object.entries(item).filter(([name]) => properties[name]?.readOnly !== true));
}

function knownMembers(field: Field, item: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const members = membersOf(field);
  return Object.fromEntries(Object.entries(item).filter(([name]) => name in members));
}

/** Builds the items of a list, or the one object, from cells. */
function buildItems(
  field: Field,
  group: ItemCells,
  { main, split, defaults }: ListForm,
  repairs: string[],
): Record<string, unknown>[] {
  const members = membersOf(field);
  const mains = main === undefined ? [undefined] : readMains(group.cells.get(main), split);
  return mains.map((text, index) => {
    const item: Record<string, unknown> = { ...defaults, ...group.constants };
    for (const [member, cell] of group.cells) {
      const part = member === main ? text : partOf(cell, index, mains.length);
      const value =
        part === null || part === '' ? undefined : convertValue(members[member] ?? {}, part, repairs);
      if (value !== undefined && value !== '') item[member] = value;
    }
    return splitAmount(item);
  });
}

/** The main member of each item. */
function readMains(cell: unknown, split: ListImport['split']): readonly unknown[] {
  if (typeof cell === 'string') return splitText(cell, split);
  return Array.isArray(cell) ? cell : [cell];
}

/** "Ada; Bo" beside "AUTHOR; EDITOR" are two items with one role each; a single role applies to both. */
function partOf(cell: unknown, index: number, items: number): unknown {
  const parts = typeof cell === 'string' && items > 1 ? cell.split(';') : [];
  return parts.length === items ? parts[index] : cell;
}

/** Splits `9.99 EUR` in the cell of the amount. */
function splitAmount(item: Record<string, unknown>): Record<string, unknown> {
  if (typeof item.amount !== 'string' || item.currency !== undefined) return item;
  const [, before, amount, after] = /^([A-Z]{3})?\s*(\d[\d.]*)\s*([A-Z]{3})?$/.exec(item.amount.trim()) ?? [];
  const currency = before ?? after;
  return amount === undefined || currency === undefined ? item : { ...item, amount, currency };
}

/** The object or array that a text holds as JSON; undefined for any other text. */
function parseJson(value: unknown): object | undefined {
  if (typeof value !== 'string' || !/^\s*[[{]/.test(value)) return undefined;
  try {
    const parsed: unknown = JSON.parse(value);
    return typeof parsed === 'object' && parsed !== null ? parsed : undefined;
  } catch {
    return undefined;
  }
}
