/**
 * Why: a row's cells are texts in many forms, a body has values of exact types. Cells are split, mended and converted
 * here, by the schema of the field they go to; whether the result holds is then for the API's own rules to say.
 */
import { isPlainObject } from '../../../lib/plain-object.ts';
import type { JsonSchema } from '../../../pipeline/body-schemas.ts';
import type { Field } from '../../../resources/fields.ts';
import { flattenFields, type Resource } from '../../../resources/resource.ts';
import { convertValue, readFlag } from '../convert.ts';
import type { ItemCells, MappedRow } from './mapping.ts';
import {
  type Mended,
  mendCountry,
  mendInteger,
  mendIsbn,
  mendLanguage,
  mendPartialDate,
  mendWebAddress,
} from './mend-values.ts';
import { splitList, splitNames } from './split.ts';
import { isListOfObjects, membersOf, particularList } from './targets.ts';

/** A row in the API's terms, before names are resolved to ids. */
export interface BuiltRow {
  /** By dotted name of the field. */
  readonly values: Map<string, unknown>;
  /** Names that stand for other records, by the import's own target. */
  readonly names: ReadonlyMap<string, readonly string[]>;
  readonly mendings: string[];
  readonly faults: string[];
}

/** Brings what a row says into the forms of the fields. */
export function buildRow(resource: Resource, row: MappedRow): BuiltRow {
  const built: BuiltRow = { values: new Map(), names: readNames(resource, row), mendings: [], faults: [] };
  const fields = new Map(flattenFields(resource).filter(([, field]) => !field.readOnly));
  for (const [name, value] of mendRecord(resource, row.values, built)) {
    const field = fields.get(name);
    if (field === undefined) continue;
    const converted = convertField(name, field, value, built.mendings);
    if (converted !== undefined) built.values.set(name, converted);
  }
  for (const [name, groups] of row.members) {
    const field = fields.get(name);
    if (field === undefined || built.values.has(name)) continue;
    const items = groups
      .flatMap((group) => buildItems(name, field, group, built.mendings))
      .filter((item) => Object.keys(item).length > 0);
    if (isListOfObjects(field)) built.values.set(name, items);
    else if (items[0] !== undefined) built.values.set(name, items[0]);
  }
  return built;
}

/** Lists of names that an import resolves to ids. */
function readNames({ name: resource }: Resource, { values }: MappedRow): Map<string, readonly string[]> {
  // The tags of contacts and companies are texts and not records.
  if (resource !== 'articles') return new Map();
  return new Map(
    ['tags', 'categories'].flatMap((name): [string, string[]][] => {
      const value = values.get(name);
      const list = Array.isArray(value) ? value : typeof value === 'string' ? splitList(value) : [];
      return list.length === 0 ? [] : [[name, list.map(String)]];
    }),
  );
}

/** Mends what can only be seen in several cells together. */
function mendRecord(
  resource: Resource,
  given: ReadonlyMap<string, unknown>,
  { mendings, faults }: BuiltRow,
): ReadonlyMap<string, unknown> {
  const values = new Map(given);
  if (resource.name === 'books') {
    const text = (name: string) => {
      const value = values.get(name);
      return value === undefined || value === null ? undefined : String(value).trim();
    };
    if (text('isbn13') !== undefined || text('isbn10') !== undefined) {
      const isbn = mendIsbn(text('isbn13'), text('isbn10'));
      mendings.push(...isbn.mendings);
      if (isbn.fault !== null) faults.push(isbn.fault);
      values.set('isbn13', isbn.value);
    }
  }
  const fullName = values.get('fullName');
  if (
    resource.name === 'contacts' &&
    typeof fullName === 'string' &&
    !values.has('firstName') &&
    !values.has('lastName')
  ) {
    const [first, last] = splitFullName(fullName);
    values.set('firstName', first).set('lastName', last);
    if (first !== '' && last !== '') mendings.push('full names split into first and last name');
  }
  return values;
}

/** `Ada Lovelace` and `Lovelace, Ada`; the last word is the last name. */
function splitFullName(text: string): [string, string] {
  const [last = '', first] = text.split(',').map((part) => part.trim());
  if (first !== undefined) return [first, last];
  const words = text.trim().split(/\s+/);
  return words.length === 1 ? ['', words[0] ?? ''] : [words.slice(0, -1).join(' '), words.at(-1) ?? ''];
}

function convertField(name: string, field: Field, given: unknown, mendings: string[]): unknown {
  const schema = field.schema as JsonSchema;
  if (given === undefined || given === '') return undefined;
  if (given === null) return field.nullable ? null : undefined;
  if (schema.type === 'array') return convertList(name, field, given, mendings);
  if (schema.type === 'object')
    return isPlainObject(given) ? writableMembers(field, given) : (parseObject(given) ?? given);
  const value =
    typeof given === 'string' ? mendText(schema, given, mendings) : mendNumber(schema, given, mendings);
  if (value === undefined) return undefined;
  const converted = convertValue(field, value);
  if (converted.mended !== undefined) mendings.push(converted.mended);
  return converted.value;
}

/** Mends a text by the type and form that it shall have; undefined when it was dropped. */
function mendText(schema: JsonSchema, given: string, mendings: string[]): string | undefined {
  if (schema['x-max-bytes'] !== undefined) return given;
  const mend = schema.type === 'integer' ? mendInteger : menders[String(schema.format)];
  const text = given.trim();
  if (mend === undefined) return text;
  const { value, mended } = mend(text);
  if (mended !== undefined) mendings.push(mended);
  return value;
}

const menders: Readonly<Record<string, (text: string) => Mended>> = {
  'partial-date': mendPartialDate,
  locale: mendLanguage,
  country: mendCountry,
  'http-url': mendWebAddress,
};

/** NDJSON has years as numbers. */
function mendNumber(schema: JsonSchema, given: unknown, mendings: string[]): unknown {
  return schema.format === 'partial-date' && typeof given === 'number'
    ? mendText(schema, String(given), mendings)
    : given;
}

function convertList(name: string, field: Field, given: unknown, mendings: string[]): unknown {
  const value =
    typeof given === 'string' && given.trim().startsWith('[') ? (parseArray(given) ?? given) : given;
  if (!isListOfObjects(field)) return typeof value === 'string' ? splitList(value) : value;
  const list = particularList(name);
  if (typeof value === 'string') {
    return list === undefined
      ? value
      : buildItems(name, field, { constants: {}, cells: new Map([[list.main, value]]) }, mendings);
  }
  if (!Array.isArray(value)) return value;
  return value.map((item: unknown) => {
    if (isPlainObject(item))
      return writableMembers(field, { ...(item.role === undefined ? list?.defaults : {}), ...item });
    return list === undefined ? item : { ...list.defaults, [list.main]: item };
  });
}

/** An object as the API returned it has derived members, which no body may have. */
function writableMembers(field: Field, item: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const schema = field.schema as JsonSchema;
  const properties = schema.items?.properties ?? schema.properties ?? {};
  return Object.fromEntries(Object.entries(item).filter(([name]) => properties[name]?.readOnly !== true));
}

/** The items of a list, or the one object, that cells make. */
function buildItems(
  name: string,
  field: Field,
  group: ItemCells,
  mendings: string[],
): Record<string, unknown>[] {
  const members = membersOf(field);
  const list = isListOfObjects(field) ? particularList(name) : undefined;
  const cells = new Map(group.cells);
  const main = list === undefined ? undefined : cells.get(list.main);
  const mains: readonly unknown[] = splitMain(name, list?.split, main);
  return mains.map((text, index) => {
    const item: Record<string, unknown> = { ...list?.defaults, ...group.constants };
    for (const [member, cell] of cells) {
      // "Ada; Bo" beside "AUTHOR; EDITOR" are two items with a role each; a single role is that of both.
      const parts =
        member !== list?.main && typeof cell === 'string' && mains.length > 1 ? cell.split(';') : [cell];
      const part = member === list?.main ? text : parts.length === mains.length ? parts[index] : cell;
      const value = convertMember(members[member] ?? {}, part, mendings);
      if (value !== undefined) item[member] = value;
    }
    return splitAmount(item);
  });
}

/** One value for each item. */
function splitMain(
  name: string,
  split: ((text: string) => string[]) | undefined,
  main: unknown,
): readonly unknown[] {
  if (split === undefined) return [main];
  if (typeof main === 'string') return splitCell(name, split, main);
  return Array.isArray(main) ? main : [main];
}

/** Authors are not only in lists that are called so. */
function splitCell(name: string, split: (text: string) => string[], text: string): string[] {
  return name.endsWith('authors') ? splitNames(text) : split(text);
}

/** `9.99 EUR` in the cell for the amount. */
function splitAmount(item: Record<string, unknown>): Record<string, unknown> {
  if (typeof item.amount !== 'string' || item.currency !== undefined) return item;
  const [, before, amount, after] = /^([A-Z]{3})?\s*(\d[\d.]*)\s*([A-Z]{3})?$/.exec(item.amount.trim()) ?? [];
  const currency = before ?? after;
  return amount === undefined || currency === undefined ? item : { ...item, amount, currency };
}

function convertMember(schema: JsonSchema, value: unknown, mendings: string[]): unknown {
  if (value === null || value === undefined || value === '') return undefined;
  if (schema.type === 'string' && typeof value === 'number') return String(value);
  if (typeof value !== 'string') return value;
  const text = mendText(schema, value, mendings);
  if (text === undefined || text === '') return undefined;
  if (schema.type === 'boolean') return readFlag(text) ?? text;
  if (schema.type === 'integer') return /^-?\d{1,15}$/.test(text) ? Number(text) : text;
  return schema.enum === undefined ? text : text.toUpperCase().replace(/[ -]+/g, '_');
}

function parseArray(text: string): unknown[] | undefined {
  const value = parseObject(text);
  return Array.isArray(value) ? value : undefined;
}

function parseObject(value: unknown): object | undefined {
  if (typeof value !== 'string' || !/^\s*[[{]/.test(value)) return undefined;
  try {
    const parsed: unknown = JSON.parse(value);
    return typeof parsed === 'object' && parsed !== null ? parsed : undefined;
  } catch {
    return undefined;
  }
}
