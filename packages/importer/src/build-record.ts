/** Converts the cells of a row to typed values by the schemas of their fields. The API's rules then check the values. */

import type { Field } from '@trellis/schema/resources/fields.ts';
import type { ListImport } from '@trellis/schema/resources/import.ts';
import type { Resource } from '@trellis/schema/resources/resource.ts';
import { type JsonSchema, withoutDerived } from '@trellis/schema/validation/body-schemas.ts';
import { isPlainObject } from '@trellis/schema/values/plain-object.ts';
import type { Body } from './api.ts';
import type { ItemCells } from './cells.ts';
import { computeInput } from './computed.ts';
import { convertValue, readOptOut, repairSlug, type ValueNames, valueNamesOf } from './convert.ts';
import { importOf, isListOfObjects, listImportOf, membersOf, writableFields } from './destinations.ts';
import { type LocalClock, readByClock, unknownClock } from './instants.ts';
import { tidyItems, tidyLabel } from './list-items.ts';
import type { MappedRow } from './mapping.ts';
import type { ListMode } from './merge-list.ts';
import type { Named } from './name-lookup.ts';
import { readList, splitText } from './split.ts';
import { readWrittenAmount } from './written-numbers.ts';

/** A row as fields of the API, before names are resolved to ids. */
export interface BuiltRecord {
  /** By dotted name of the field. */
  readonly values: Map<string, unknown>;
  /** Names of other records, by input. */
  readonly names: ReadonlyMap<string, readonly Named[]>;
  /** How the row changes the lists of a record that exists, by dotted name of the field; those that are absent are added to. */
  readonly modes: ReadonlyMap<string, ListMode>;
  readonly repairs: string[];
  readonly faults: string[];
}

/** How the cells of a field are read. */
interface Reading {
  readonly field: Field;
  readonly main: string | undefined;
  /** Whether the first item identifies the record, so that no two are equal. */
  readonly isDistinct: boolean;
  readonly split: ListImport['split'];
  /** Whether members that the API does not have are dropped instead of being faults. */
  readonly isLenient: boolean;
  /** German names of values. */
  readonly valueNames: ValueNames;
  /** Receives what was repaired. */
  readonly repairs: string[];
}

/**
 * Builds the values of a record.
 * @param isPosts whether lists are given as lists, so that names are not split
 * @param clock of dates without a zone
 * @param parentLanguage in which slugs are made where the row has none, BCP 47
 */
export function buildRecord(
  resource: Resource,
  row: MappedRow,
  isPosts: boolean,
  clock: LocalClock = unknownClock,
  parentLanguage: string | null = null,
): BuiltRecord {
  const repairs = [...row.repairs];
  const faults = [...row.faults];
  const names = readNames(resource, row, faults);
  const given = new Map(row.values);
  const valueNames = valueNamesOf(resource);
  const { optOut, computed = [] } = importOf(resource);
  if (optOut !== undefined && given.has(optOut)) given.set(optOut, readOptOut(given.get(optOut)));
  for (const input of computed) computeInput(input, given, { repairs, faults });
  const values = new Map<string, unknown>();
  for (const [name, field] of writableFields(resource)) {
    const { main, split: declared, identifiedByFirst } = listImportOf(resource, name) ?? {};
    const split = isPosts && declared === 'names' ? 'nowhere' : declared;
    const isDistinct = identifiedByFirst === true;
    const reading: Reading = { field, main, isDistinct, split, isLenient: isPosts, valueNames, repairs };
    const cell = given.get(name);
    const instant =
      field.kind === 'instant' && typeof cell === 'string' ? readByClock(clock, cell, repairs) : undefined;
    const language = mappedLanguage(resource, given) ?? parentLanguage;
    const converted = instant ?? readSlug(field, cell, language, repairs) ?? convertField(cell, reading);
    const value = converted === undefined ? buildMembers(row.members.get(name), reading) : converted;
    if (value !== undefined) values.set(name, value);
  }
  if (!isPosts) recognizeMarkup(resource, values, repairs);
  const lookups = Object.entries(importOf(resource).lookups ?? {});
  const modes = [...row.modes].map(([to, mode]) => {
    const [, lookup] = lookups.find(([input]) => input === to) ?? [];
    return [lookup?.field ?? to, mode] as const;
  });
  return { values, names, modes: new Map(modes), repairs, faults };
}

/** The first tag of a text in HTML, behind comments such as those of WordPress's blocks. */
const firstTag =
  /^(?:\s|<!--(?:[^-]|-(?!->))*-->)*<(?:p|h[1-6]|div|ul|ol|dl|table|blockquote|pre|figure|section|article)[\s>]/i;

/** Notes that a body that begins with an element of HTML is HTML, unless the row says what it is. Posts of site generators say it by the names of their files. */
function recognizeMarkup(resource: Resource, values: Map<string, unknown>, repairs: string[]): void {
  const { posts } = importOf(resource);
  if (posts === undefined || values.has(posts.bodyFormat)) return;
  const body = values.get(posts.body);
  if (typeof body !== 'string' || !firstTag.test(body)) return;
  values.set(posts.bodyFormat, 'HTML');
  repairs.push('bodies that begin with an element of HTML taken as HTML');
}

/**
 * The values with the members that items of a new record have when the row does not give them. They are not part of the row: the item of
 * a record that exists keeps its own.
 */
export function withItemDefaults(
  resource: Resource,
  values: ReadonlyMap<string, unknown>,
): (readonly [name: string, value: unknown])[] {
  return [...values].map(([name, value]) => {
    const { defaults } = listImportOf(resource, name) ?? {};
    if (defaults === undefined || !Array.isArray(value)) return [name, value];
    return [name, value.map((item: unknown) => (isPlainObject(item) ? { ...defaults, ...item } : item))];
  });
}

/** The language that a row gives. */
function mappedLanguage(
  { languageField = '' }: Resource,
  given: ReadonlyMap<string, unknown>,
): string | null {
  const value = given.get(languageField);
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : null;
}

/** A text as a slug; undefined for other fields and values. */
function readSlug(
  { schema }: Field,
  cell: unknown,
  language: string | null,
  repairs: string[],
): string | undefined {
  const { format, maxLength } = schema as JsonSchema;
  if (format !== 'slug' || typeof cell !== 'string') return undefined;
  const { value, repair } = repairSlug(cell.trim(), Number(maxLength), language);
  if (repair !== undefined) repairs.push(repair);
  return value;
}

/** Lists of names of other records. */
function readNames(resource: Resource, { values }: MappedRow, faults: string[]): Map<string, Named[]> {
  const names = new Map<string, Named[]>();
  for (const input of Object.keys(importOf(resource).lookups ?? {})) {
    if (!values.has(input)) continue;
    const items = readList(values.get(input)).map(readName);
    if (items.every((item) => item !== null)) names.set(input, items);
    else {
      faults.push(`${input}: Must be a list of names.`);
    }
  }
  return names;
}

/** A name, or an object with one and perhaps a slug; null for anything else. */
function readName(item: unknown): Named | null {
  if (typeof item === 'string' || typeof item === 'number') return String(item);
  if (!isPlainObject(item)) return null;
  const { name, slug } = item;
  if (typeof name !== 'string') return null;
  return typeof slug === 'string' ? { name, slug } : name;
}

function convertField(given: unknown, reading: Reading): unknown {
  const { field, repairs, valueNames } = reading;
  const schema = field.schema as JsonSchema;
  if (given === undefined) return undefined;
  if (field.verbatim) return typeof given === 'number' ? String(given) : given;
  if (schema.type === 'array') return convertList(given, reading);
  if (given === null) return null;
  if (schema.type !== 'object') return convertValue(schema, given, repairs, valueNames);
  if (!isPlainObject(given)) return parseJson(given) ?? given;
  return reading.isLenient ? convertMembers(given, reading) : withoutDerived(schema, given);
}

/** The members that the API has of an object in front matter, whose values are all texts. */
function convertMembers(given: Body, { field, repairs, valueNames }: Reading): Body {
  const entries = Object.entries(membersOf(field)).flatMap(([name, schema]) => {
    const value = Object.hasOwn(given, name) ? given[name] : undefined;
    return value === undefined ? [] : [[name, convertValue(schema, value, repairs, valueNames)] as const];
  });
  return Object.fromEntries(entries);
}

function convertList(given: unknown, reading: Reading): unknown {
  const { field, main, isLenient, repairs, valueNames } = reading;
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
  return (Array.isArray(value) ? value : [value]).map((item: unknown) => {
    if (!isPlainObject(item)) return main === undefined ? item : { [main]: item };
    return isLenient
      ? convertMembers(item, reading)
      : (withoutDerived((field.schema as JsonSchema).items ?? {}, item) as Body);
  });
}

/** Builds a list, or an object, from the cells of its members; undefined without any. */
function buildMembers(groups: readonly ItemCells[] | undefined, reading: Reading): unknown {
  if (groups === undefined) return undefined;
  const items = groups
    .flatMap((group) => buildItems(group, reading))
    .filter((item) => Object.keys(item).length > 0);
  return isListOfObjects(reading.field) ? tidyItems(items, reading) : items[0];
}

/** Builds the items of a list, or the one object, from cells. */
function buildItems(
  { constants, cells }: ItemCells,
  { field, main, split, valueNames, repairs }: Reading,
): Record<string, unknown>[] {
  const members = membersOf(field);
  const mains = main === undefined ? [undefined] : readMains(cells.get(main), split);
  const partsOf = [...cells].map(
    ([member, cell]) => [member, member === main ? mains : divide(cell, mains.length)] as const,
  );
  return mains.map((_, index) => {
    const item: Record<string, unknown> = { ...constants };
    for (const [member, parts] of partsOf) {
      const part = parts[parts.length === 1 ? 0 : index];
      const value =
        part === null || part === ''
          ? undefined
          : convertValue(members[member] ?? {}, part, repairs, valueNames);
      if (value !== undefined && value !== '') item[member] = value;
    }
    return splitAmount(tidyLabel(item, index));
  });
}

/** The main member of each item. */
function readMains(cell: unknown, split: ListImport['split']): readonly unknown[] {
  if (typeof cell === 'string') return splitText(cell, split);
  return Array.isArray(cell) ? cell : [cell];
}

/** "Ada; Bo" beside "AUTHOR; EDITOR" are two items with one role each; a single role applies to both. */
function divide(cell: unknown, items: number): readonly unknown[] {
  const parts = typeof cell === 'string' && items > 1 ? cell.split(';') : [];
  return parts.length === items ? parts : [cell];
}

/** Splits `9.99 EUR` in the cell of the amount. */
function splitAmount(item: Record<string, unknown>): Record<string, unknown> {
  if (typeof item.amount !== 'string' || item.currency !== undefined) return item;
  const { amount, currency } = readWrittenAmount(item.amount, '.') ?? {};
  return amount == null || currency == null ? item : { ...item, amount, currency };
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
