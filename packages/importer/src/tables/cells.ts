/**
 * The cells of a table for people: values as people write them in their language. Where an import would not read the same value back, the
 * cell has that of the API.
 */
import { describeValue } from '@trellis/schema/resources/english.ts';
import { sharedGermanNames } from '@trellis/schema/resources/german.ts';
import type { Resource } from '@trellis/schema/resources/resource.ts';
import type { JsonSchema } from '@trellis/schema/validation/body-schemas.ts';
import { isDecimal } from '@trellis/schema/values/decimal.ts';
import { isPlainObject } from '@trellis/schema/values/plain-object.ts';
import { convertValue, valueNamesOf } from '../convert.ts';
import type { TableColumn, TableLanguage } from './columns.ts';

/** A cell. Workbooks have the number where there is one, other tables the text. */
export interface TableCell {
  readonly text: string;
  /** For dates and instants, in days of spreadsheets; null for texts. */
  readonly number: number | null;
  readonly style: 'text' | 'number' | 'amount' | 'date' | 'instant';
}

const emptyCell: TableCell = { text: '', number: null, style: 'text' };

/** What cells depend on besides their values. */
export interface CellContext {
  readonly resource: Resource;
  readonly language: TableLanguage;
  /** What a record is called to which another one refers, by the name of its resource and its id. */
  readonly nameOf: (resource: string, id: string) => string;
}

/** The cell of a value. */
export function writeCell(context: CellContext, column: TableColumn, value: unknown): TableCell {
  const { schema, reference } = column;
  if (value === null || value === undefined) return emptyCell;
  if (Array.isArray(value)) {
    const items = value.map((item: unknown) => writeItem(context, schema.items ?? {}, reference, item));
    return textCell(joinList(items));
  }
  if (reference !== null) return textCell(context.nameOf(reference, String(value)));
  if (typeof value === 'number') return { text: String(value), number: value, style: 'number' };
  // Items have their defaults without saying so.
  if (column.number !== null && value === schema.default) return emptyCell;
  const text = String(value);
  if (schema.format === 'decimal') return writeAmount(text, context.language);
  if (schema.format === 'partial-date') return writeDate(context, schema, text);
  if (String(schema.format).endsWith('date-time'))
    return writeInstant(text, column.to !== null, context.language);
  return textCell(isPlainObject(value) ? JSON.stringify(value) : writeWord(context, schema, value));
}

function textCell(text: string): TableCell {
  return { ...emptyCell, text };
}

function writeItem(
  context: CellContext,
  schema: JsonSchema,
  reference: string | null,
  item: unknown,
): string {
  if (reference !== null) return context.nameOf(reference, String(item));
  return isPlainObject(item) ? JSON.stringify(item) : writeWord(context, schema, item);
}

/** The word for a value, if an import reads the value back. */
function writeWord(context: CellContext, schema: JsonSchema, value: unknown): string {
  const word = findWord(context, schema, value);
  return word !== null && isReadAs(context, schema, word, value) ? word : String(value);
}

function isReadAs({ resource }: CellContext, schema: JsonSchema, word: string, value: unknown): boolean {
  return convertValue(schema, word, [], valueNamesOf(resource)) === value;
}

function findWord({ resource, language }: CellContext, schema: JsonSchema, value: unknown): string | null {
  if (typeof value === 'boolean') return flags[language][value ? 0 : 1];
  if (typeof value !== 'string') return null;
  if (schema.enum !== undefined) return nameValue(resource, language, value);
  if (schema.format === 'country') return nameCode(language, 'region', value);
  if (schema.format === 'locale') return nameCode(language, 'language', value);
  return null;
}

const flags = { en: ['Yes', 'No'], de: ['Ja', 'Nein'] } as const;

/** What one of a fixed list of values is called. */
function nameValue(resource: Resource, language: TableLanguage, value: string): string {
  const german: Readonly<Record<string, string>> = {
    ...sharedGermanNames.values,
    ...resource.german?.values,
  };
  return (language === 'de' ? german[value] : undefined) ?? describeValue(value);
}

function nameCode(language: TableLanguage, type: 'region' | 'language', code: string): string | null {
  const names = new Intl.DisplayNames(language, { type, languageDisplay: 'standard', fallback: 'none' });
  try {
    return names.of(code) ?? null;
  } catch {
    return null;
  }
}

/** A decimal of three digits gets a fourth one, since `1.234` may be a thousand. */
function writeAmount(amount: string, language: TableLanguage): TableCell {
  const clear = /\.\d{3}$/.test(amount) ? `${amount}0` : amount;
  const text = language === 'de' ? clear.replace('.', ',') : clear;
  const number = Number(amount);
  const isExact = isDecimal(amount) && amount.replace('.', '').length <= 15;
  return { text, number: isExact ? number : null, style: 'amount' };
}

/** In German with the day first. English has no order that all understand. */
function writeDate(context: CellContext, schema: JsonSchema, date: string): TableCell {
  const german = date.split('-').reverse().join('.');
  const isGerman = context.language === 'de' && isReadAs(context, schema, german, date);
  const day = /^\d{4}-\d{2}-\d{2}$/.test(date) ? toDays(Date.parse(`${date}T00:00:00Z`)) : null;
  return { text: isGerman ? german : date, number: day, style: 'date' };
}

/**
 * An instant by the clock of the browser. Those that come back have their offset, and everything that is not zero.
 * @param comesBack whether imports read it
 */
function writeInstant(instant: string, comesBack: boolean, language: TableLanguage): TableCell {
  const time = Date.parse(instant);
  if (Number.isNaN(time)) return textCell(instant);
  const minutes = -new Date(time).getTimezoneOffset();
  const local = new Date(time + minutes * 60_000).toISOString();
  const date = local.slice(0, 10);
  if (comesBack) {
    const clock = local.slice(11, 23).replace(/(:00)?\.000$/, '');
    return textCell(`${date} ${clock} ${writeOffset(minutes)}`);
  }
  const shown = language === 'de' ? date.split('-').reverse().join('.') : date;
  const days = toDays(Math.floor(time / 60_000) * 60_000 + minutes * 60_000);
  return { text: `${shown} ${local.slice(11, 16)}`, number: days, style: 'instant' };
}

function writeOffset(minutes: number): string {
  const two = (number: number) => String(number).padStart(2, '0');
  const size = Math.abs(minutes);
  return `${minutes < 0 ? '-' : '+'}${two(Math.floor(size / 60))}:${two(size % 60)}`;
}

/** Days of spreadsheets, which count a 29 February 1900; null before 1 March of that year. @param time milliseconds since 1970 */
function toDays(time: number): number | null {
  const days = (time - Date.UTC(1899, 11, 30)) / 86_400_000;
  return days >= 61 ? days : null;
}

/** The texts of a list in one cell: between semicolons, and in quotation marks where they have some, as in CSV. */
export function joinList(items: readonly string[]): string {
  return items.map((item) => (/[;"\r\n]/.test(item) ? `"${item.replaceAll('"', '""')}"` : item)).join('; ');
}

/** The texts in a cell of {@link joinList}. */
export function splitList(cell: string): string[] {
  const parts = cell.match(/\s*(?:"(?:[^"]|"")*"(?=\s*(?:;|$))|[^;]+)/g) ?? [];
  return parts
    .map((part) => part.trim())
    .map((part) => (/^".*"$/s.test(part) ? part.slice(1, -1).replaceAll('""', '"') : part))
    .filter((part) => part !== '');
}

/** The name of a record that has its id behind it, where others have the same name: `Acme (com_…)`. */
export function nameWithId(name: string, id: string): string {
  return `${name} (${id})`;
}

/** The id in such a name; null without one. @param prefix of the ids of the resource */
export function idInName(text: string, prefix: string): string | null {
  const [, id = null] = /\(([a-z]+_[0-9a-z]{26})\)$/.exec(text.trim()) ?? [];
  return id?.startsWith(`${prefix}_`) === true ? id : null;
}
