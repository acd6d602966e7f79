/**
 * The destination of a column: by `--map`, else by the names that its resource declares, else by the name of a field, also in German.
 */
import { sharedGermanNames } from '@trellis/schema/resources/german.ts';
import type { Resource } from '@trellis/schema/resources/resource.ts';
import { nearestName } from '@trellis/schema/values/text.ts';
import {
  type Destination,
  declaredColumns,
  findDestination,
  isListOfObjects,
  lastPart,
  listDestinations,
} from './destinations.ts';
import { UsageError } from './errors.ts';
import { changeColumns, changeInput } from './existing.ts';
import type { Separator } from './separators.ts';
import { findTableColumn, idHeading, type TableColumn } from './tables/columns.ts';
import type { DateOrder } from './written-dates.ts';

/** `COLUMN=FIELD` as given by the user; `to` null skips the column. */
export interface MapRule {
  readonly from: string;
  readonly to: string | null;
}

/** What a person has chosen for the values of a column. A member that is absent is as for all columns, or else as described. */
export interface ColumnSettings {
  /** What the items of a row do to the list of a record that exists; by default they are added. */
  readonly lists?: 'add' | 'replace';
  /** What an invalid value does to its row: it is rejected, as by default, or imported without the value. */
  readonly invalid?: 'reject' | 'omit';
  /** What separates the values of a cell; by default what the whole column decides, like the other members. */
  readonly separator?: Separator;
  /** The order of day and month in dates such as 03/04/2027. */
  readonly dates?: DateOrder;
  /** The decimal sign of amounts such as 1.234. */
  readonly decimal?: 'point' | 'comma';
  /** What values of the column stand for, by the value as the file has it: another value, or null for none. */
  readonly values?: Readonly<Record<string, string | null>>;
}

/** What a person has chosen for the columns of an import. */
export interface ColumnChoices {
  readonly map: readonly MapRule[];
  /** The column that identifies records; null to derive what does. */
  readonly key: string | null;
  /** For columns without a setting of their own. */
  readonly allColumns: ColumnSettings;
  /** By column. */
  readonly columnSettings: Readonly<Record<string, ColumnSettings>>;
}

/** The choices at the beginning: everything is derived from the names of the columns. */
export const noChoices: ColumnChoices = { map: [], key: null, allColumns: {}, columnSettings: {} };

/** The settings of a column. */
export function settingsOf({ allColumns, columnSettings }: ColumnChoices, column: string): ColumnSettings {
  return Object.hasOwn(columnSettings, column) ? { ...allColumns, ...columnSettings[column] } : allColumns;
}

/** A value as its column maps it: another one, or undefined where it is left out. */
export function mapValue(
  values: Readonly<Record<string, string | null>> | undefined,
  value: unknown,
): unknown {
  if (values === undefined || typeof value !== 'string' || !Object.hasOwn(values, value.trim())) return value;
  return values[value.trim()] ?? undefined;
}

/**
 * Checks that the columns for which something was chosen are in the file, since a misspelt one would do nothing.
 * @param columns of the file; null when each row has its own
 * @throws UsageError with the nearest name
 */
export function checkChosenColumns(
  name: string,
  columns: readonly string[] | null,
  choices: ColumnChoices,
): void {
  if (columns === null) return;
  const chosen = [
    ...Object.entries(choices.columnSettings).flatMap(([column, settings]) =>
      Object.keys(settings).map((option) => ({ option, column })),
    ),
    ...(choices.key === null ? [] : [{ option: 'key', column: choices.key }]),
  ];
  const absent = chosen.find(({ column }) => !columns.includes(column));
  if (absent === undefined) return;
  const nearest = nearestName(absent.column, columns);
  const hint =
    nearest === null ? `There are: ${columns.slice(0, 20).join(', ')}.` : `Did you mean "${nearest}"?`;
  throw new UsageError(`--${absent.option}: there is no column "${absent.column}" in ${name}. ${hint}`);
}

/** The mapping of a column. */
export interface ColumnMapping {
  readonly destination: Destination;
  /**
   * Columns of one group form one list item: the cells `street` and `city` are one address. Null for one mapped by hand, whose item
   * depends on the columns beside it.
   */
  readonly group: string | null;
  /** Members that the column adds to its list item. */
  readonly constants: Readonly<Record<string, string>>;
  /** Of several columns with one destination, the one with the lowest rank that has a value is used. */
  readonly rank: number;
  /** What to report when the value is used; null when the column has the name of the destination. */
  readonly repair: string | null;
  /** The value continues that of other columns, behind this text; null for a value of its own. */
  readonly joinedBy: string | null;
}

/** What determines the mapping. */
export interface ColumnOptions {
  /** From column to destination; null skips the column. */
  readonly rules: ReadonlyMap<string, string | null>;
  readonly isPosts: boolean;
  /** All columns of the file; null when each row has its own. */
  readonly columns: readonly string[] | null;
  /** Whether all values are texts in the notation of a language, as by default, and not numbers of a workbook. */
  readonly isText?: boolean;
}

const rankOfFieldName = 50;
const rankOfFallback = 100;
/** NDJSON may have any number of columns; the mapping of only this many is remembered. */
const mostColumnsRemembered = 1_000;
/** The groups of Zola and Hugo for other fields than their own: `extra.mood` is also found as `mood`. */
const groupsOfPosts = /^(extra|params|taxonomies)\./;

/** Parses `COLUMN=FIELD`. @throws UsageError for other text */
export function readMapRule(text: string): MapRule {
  const at = text.lastIndexOf('=');
  const from = text.slice(0, at).trim();
  if (at < 0 || from === '') {
    throw new UsageError(`--map takes FROM=TO, for example --map headline=title, not "${text}".`);
  }
  return { from, to: text.slice(at + 1).trim() || null };
}

/** The mapping of a column; null when it has no destination. */
export type FindColumn = (column: string) => ColumnMapping | null;

/** Finds the columns that a resource understands. @throws UsageError for a rule with an unknown destination */
export function createColumnFinder(
  resource: Resource,
  { rules, isPosts, columns }: Omit<ColumnOptions, 'isText'>,
): FindColumn {
  const destinations = listDestinations(resource, isPosts);
  const byName = nameColumns(resource, destinations, isPosts, new Set((columns ?? []).map(simplify)));
  // A table of ours has ids, and names its columns like no other one.
  const hasIds = !isPosts && columns?.includes(idHeading) === true;
  const findByName = (column: string) => {
    const ofTable = hasIds ? findTableColumn(resource, column) : null;
    if (ofTable !== null && ofTable.to !== null) return toTableMapping(destinations, ofTable.to, ofTable);
    return findNamed(byName, simplify(isPosts ? column.replace(groupsOfPosts, '') : column));
  };
  const known = new Map<string, ColumnMapping | null>();
  for (const [column, to] of rules) {
    const mapping = to === null ? null : readRule(destinations, to);
    const inferred = findByName(column);
    const isInferred = mapping !== null && inferred?.destination === mapping.destination;
    known.set(column, isInferred ? { ...inferred, rank: mapping.rank, group: mapping.group } : mapping);
  }
  return (column) => {
    const remembered = known.get(column);
    if (remembered !== undefined) return remembered;
    const found = findByName(column);
    if (known.size < mostColumnsRemembered) known.set(column, found);
    return found;
  };
}

/** The mappings by simplified name: of the fields, and of the columns that the resource declares. */
function nameColumns(
  resource: Resource,
  destinations: readonly Destination[],
  isPosts: boolean,
  beside: ReadonlySet<string>,
): Map<string, ColumnMapping> {
  const byName = new Map<string, ColumnMapping>();
  for (const destination of destinations) {
    const mapping = toMapping(destination);
    byName.set(simplify(destination.name), mapping);
    // Fields of a group such as `versionData` are also known by their last name.
    const last = simplify(lastPart(destination.field));
    if (destination.member === null && !byName.has(last)) byName.set(last, mapping);
  }
  const german = new Map(Object.entries({ ...sharedGermanNames.fields, ...resource.german?.fields }));
  for (const destination of destinations.filter(({ member }) => member === null)) {
    const name = simplify(german.get(lastPart(destination.field)) ?? '');
    if (name !== '' && !byName.has(name)) byName.set(name, toMapping(destination));
  }
  const change = byName.get(simplify(changeInput));
  for (const name of change === undefined ? [] : changeColumns.map(simplify)) {
    if (change !== undefined && !byName.has(name)) byName.set(name, change);
  }
  for (const declared of declaredColumns(resource, isPosts)) {
    const { to, names, constants = {}, fallbacks = {}, item = '', joinedBy = null, unless = [] } = declared;
    if (unless.some((name) => beside.has(simplify(name)))) continue;
    const destination = findDestination(destinations, to);
    const group = [...Object.values(constants), item].join(' ').trim();
    const mapping = { destination, group, constants, repair: null, joinedBy };
    for (const [rank, name] of names.entries()) byName.set(simplify(name), { ...mapping, rank });
    for (const [index, [name, repair]] of Object.entries(fallbacks).entries()) {
      byName.set(simplify(name), { ...mapping, rank: rankOfFallback + index, repair });
    }
  }
  return byName;
}

/** The mapping of a column that has the name of a field. */
function toMapping(destination: Destination): ColumnMapping {
  return { destination, group: '', constants: {}, rank: rankOfFieldName, repair: null, joinedBy: null };
}

/** The mapping of a column of a table for people. */
function toTableMapping(
  destinations: readonly Destination[],
  to: string,
  { number }: TableColumn,
): ColumnMapping {
  const mapping = toMapping(findDestination(destinations, to));
  return { ...mapping, group: number === null ? '' : numberedGroup(number), rank: 0 };
}

/** Also "E-mail 2 address" and "Phone 1", which are further items of a list. */
function findNamed(byName: ReadonlyMap<string, ColumnMapping>, name: string): ColumnMapping | null {
  const direct = byName.get(name);
  if (direct !== undefined) return direct;
  const [, before = '', number = '', after = ''] = /^(\D+)(\d{1,2})(\D*)$/.exec(name) ?? [];
  const numbered = number === '' ? undefined : byName.get(before + after);
  const declared = numbered?.destination.declared ?? null;
  if (numbered === undefined || declared === null || !isListOfObjects(declared)) return null;
  return { ...numbered, group: `${numbered.group ?? ''}${numberedGroup(Number(number))}` };
}

function readRule(destinations: readonly Destination[], to: string): ColumnMapping {
  const [, list = '', number, member = ''] = /^(.+)\.(\d{1,2})\.(\w+)$/.exec(to) ?? [];
  const destination = findDestination(destinations, number === undefined ? to : `${list}.${member}`);
  const { member: ofItem, declared } = destination;
  const isOfItem = ofItem !== null && declared !== null && isListOfObjects(declared);
  const group = number === undefined ? (isOfItem ? null : '') : numberedGroup(Number(number));
  return { destination, group, constants: {}, rank: 0, repair: null, joinedBy: null };
}

/** Longer names of columns stay as they are: no destination is called so, and normalization sorts long runs of marks in quadratic time. */
const longestName = 1_000;

/** `First_Name`, `first name` and `firstName` are equal. Names in parentheses come from a reader and are kept. */
export function simplify(name: string): string {
  if (name.startsWith('(') || name.length > longestName) return name;
  return name
    .normalize('NFKC')
    .toLowerCase()
    .replace(/\(s\)/g, 's')
    .replace(/[^\p{L}\p{N}]/gu, '');
}

/** The group of the columns with a number. */
export function numberedGroup(number: number): string {
  return ` ${number}`;
}
