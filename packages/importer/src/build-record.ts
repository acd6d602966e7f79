/** Converts the cells of a row to typed values by the schemas of their fields. The API's rules then check the values. */

import type { Field } from '@trellis/schema/resources/fields.ts';
import type { ListImport } from '@trellis/schema/resources/import.ts';
import type { Resource } from '@trellis/schema/resources/resource.ts';
import type { JsonSchema } from '@trellis/schema/validation/body-schemas.ts';
import { isPlainObject } from '@trellis/schema/values/plain-object.ts';
import type { Body } from './api.ts';
import { computeInput } from './computed.ts';
import { convertValue, type ValueNames, valueNamesOf } from './convert.ts';
import {
  importOf,
  isListOfObjects,
  listImportOf,
  membersOf,
  withoutDerived,
  writableFields,
} from './destinations.ts';
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

/** How the cells of a field are read. */
interface Reading {
  readonly field: Field;
  readonly main: string | undefined;
  readonly split: ListImport['split'];
  readonly defaults: Readonly<Record<string, string>>;
  /** Whether members that the API does not have are dropped instead of being faults. */
  readonly isLenient: boolean;
  /** German names of values. */
  readonly valueNames: ValueNames;
  /** Receives what was repaired. */
  readonly repairs: string[];
}

/** Builds the values of a record. @param isPosts whether lists are given as lists, so that names are not split */
export function buildRecord(resource: Resource, row: MappedRow, isPosts: boolean): BuiltRecord {
  const repairs = [...row.repairs];
  const faults: string[] = [];
  const names = readNames(resource, row, faults);
  const given = new Map(row.values);
  const valueNames = valueNamesOf(resource);
  for (const input of importOf(resource).computed ?? []) computeInput(input, given, { repairs, faults });
  const values = new Map<string, unknown>();
  for (const [name, field] of writableFields(resource)) {
    const { main, split: declared, defaults = {} } = listImportOf(resource, name) ?? {};
    const split = isPosts && declared === 'names' ? 'nowhere' : declared;
    const reading: Reading = { field, main, split, defaults, isLenient: isPosts, valueNames, repairs };
    const converted = convertField(given.get(name), reading);
    const value = converted === undefined ? buildMembers(row.members.get(name), reading) : converted;
    if (value !== undefined) values.set(name, value);
  }
  return { values, names, repairs, faults };
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

function convertField(given: unknown, reading: Reading): unknown {
  const { field, repairs, valueNames } = reading;
  const schema = field.schema as JsonSchema;
  if (given === undefined) return undefined;
  if (field.verbatim) return typeof given === 'number' ? String(given) : given;
  if (schema.type === 'array') return convertList(given, reading);
  if (given === null) return null;
  if (schema.type !== 'object') return convertValue(schema, given, repairs, valueNames);
  return isPlainObject(given) ? withoutDerived(schema, given) : (parseJson(given) ?? given);
}

function convertList(given: unknown, reading: Reading): unknown {
  const { field, main, defaults, isLenient, repairs, valueNames } = reading;
  const parsed = parseJson(given);
  const value = Array.isArray(parsed) ? parsed : given;
  if (!isListOfObjects(field)) {
    const { items } = field.schema as JsonSchema;
    const read = readList(value);
    return items?.enum === undefined
      ? read
      : read.map((item) => convertValue(items, item, repairs, valueNames));
  }
  if (value === null) return [];
  if (typeof value === 'string' && main !== undefined) {
    return buildItems({ constants: {}, cells: new Map([[main, value]]) }, reading);
  }
  if (!Array.isArray(value) && !isPlainObject(value)) return value;
  const members = membersOf(field);
  return (Array.isArray(value) ? value : [value]).map((item: unknown) => {
    if (!isPlainObject(item)) return main === undefined ? item : { ...defaults, [main]: item };
    const kept = isLenient
      ? Object.fromEntries(Object.entries(item).filter(([name]) => name in members))
      : (withoutDerived((field.schema as JsonSchema).items ?? {}, item) as Body);
    return { ...defaults, ...kept };
  });
}

/** Builds a list, or an object, from the cells of its members; undefined without any. */
function buildMembers(groups: readonly ItemCells[] | undefined, reading: Reading): unknown {
  if (groups === undefined) return undefined;
  const items = groups
    .flatMap((group) => buildItems(group, reading))
    .filter((item) => Object.keys(item).length > 0);
  return isListOfObjects(reading.field) ? items : items[0];
}

/** Builds the items of a list, or the one object, from cells. */
function buildItems(
  { constants, cells }: ItemCells,
  { field, main, split, defaults, valueNames, repairs }: Reading,
): Record<string, unknown>[] {
  const members = membersOf(field);
  const mains = main === undefined ? [undefined] : readMains(cells.get(main), split);
  return mains.map((text, index) => {
    const item: Record<string, unknown> = { ...defaults, ...constants };
    for (const [member, cell] of cells) {
      const part = member === main ? text : partOf(cell, index, mains.length);
      const value =
        part === null || part === ''
          ? undefined
          : convertValue(members[member] ?? {}, part, repairs, valueNames);
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
