/** Maps the columns of each row to destinations, and counts their use. */

import type { Resource } from '@trellis/schema/resources/resource.ts';
import { isPlainObject } from '@trellis/schema/values/plain-object.ts';
import { type ColumnMapping, type ColumnOptions, Columns } from './columns.ts';
import { isListOfObjects } from './destinations.ts';
import { shorten } from './report.ts';
import type { SourceRow } from './source.ts';

/** Cells that form one list item, or several when the main cell holds several. */
export interface ItemCells {
  readonly constants: Readonly<Record<string, string>>;
  /** By member. */
  readonly cells: ReadonlyMap<string, unknown>;
}

/** The mapped values of a row. */
export interface MappedRow {
  /** By name of the destination: whole fields and inputs. */
  readonly values: ReadonlyMap<string, unknown>;
  /** By field, in the order of the columns: cells of objects and of list items. */
  readonly members: ReadonlyMap<string, readonly ItemCells[]>;
  readonly repairs: readonly string[];
}

/** The use of a column, with or without a destination. */
export interface ColumnUse {
  readonly column: string;
  /** Null when it goes nowhere. */
  readonly to: string | null;
  readonly meaning: string;
  readonly rows: number;
  /** The first different values, shortened. */
  readonly samples: readonly string[];
}

/** A value with its destination. */
interface Cell {
  readonly column: string;
  readonly value: unknown;
  readonly mapping: ColumnMapping;
}

const samplesKept = 3;
/** NDJSON may have any number of columns; only this many are listed. */
const mostColumnsListed = 1_000;
/** Objects nested deeper than this are one value. */
const deepestNesting = 4;

/** Members of returned records that no body has. Every row of an export has them. */
const returnedOnly = new Set([
  'resource',
  'id',
  'version',
  'createdAt',
  'updatedAt',
  'createdBy',
  'updatedBy',
]);

/** The mapping of one source to one resource. */
export class Mapping {
  private readonly columns: Columns;
  private readonly rules: ReadonlyMap<string, string | null>;
  private readonly seen = new Set<string>();
  private readonly uses = new Map<
    string,
    { use: Omit<ColumnUse, 'rows' | 'samples'>; rows: number; samples: string[] }
  >();
  private readonly found = new Map<string, ColumnMapping | null>();

  /**
   * @param keyColumn the column whose value is the externalId, or null
   * @throws UsageError when a rule names no destination
   */
  constructor(resource: Resource, options: ColumnOptions, keyColumn: string | null) {
    const { rules } = options;
    this.rules =
      keyColumn === null || rules.has(keyColumn) ? rules : new Map([...rules, [keyColumn, 'externalId']]);
    this.columns = new Columns(resource, { ...options, rules: this.rules });
  }

  /** The name of a column's destination, such as `emails.address`; null when it has none. */
  destinationOf(column: string): string | null {
    return this.find(column)?.destination.name ?? null;
  }

  /** Maps the values of a row. @param isExported whether the row is a record as the API returned it */
  map({ fields }: Pick<SourceRow, 'fields'>, isExported: boolean): MappedRow {
    const best = new Map<string, Cell>();
    const take = (column: string, value: unknown, depth: number) => {
      const mapping = this.find(column);
      this.noteSeen(column);
      if (mapping === null && isPlainObject(value) && depth < deepestNesting) {
        for (const [name, inner] of Object.entries(value)) take(`${column}.${name}`, inner, depth + 1);
        return;
      }
      if (isExported && (mapping === null || returnedOnly.has(column))) return;
      if (mapping === null) {
        this.noteUnused(column, value);
        return;
      }
      if (!isGiven(mapping, value)) return;
      const slot = slotOf(mapping, value);
      const other = best.get(slot);
      if (other !== undefined && other.mapping.rank <= mapping.rank) {
        this.noteUnused(column, value);
        return;
      }
      if (other !== undefined) this.noteUnused(other.column, other.value);
      best.set(slot, { column, value, mapping });
    };
    for (const [column, value] of fields) take(column, value, 1);
    return this.gather([...best.values()]);
  }

  /** The use of all columns, in the order in which they appeared. */
  list(): ColumnUse[] {
    return [...this.uses.values()].map(({ use, rows, samples }) => ({ ...use, rows, samples }));
  }

  /** Columns named by `--map` or `--key` that no row had, probably typos. */
  absentColumns(): string[] {
    return [...this.rules.keys()].filter((column) => !this.seen.has(column));
  }

  private gather(cells: readonly Cell[]): MappedRow {
    const values = new Map<string, unknown>();
    const members = new Map<
      string,
      Map<string, { constants: Record<string, string>; cells: Map<string, unknown> }>
    >();
    for (const { column, value, mapping } of cells) {
      const { destination, constants } = mapping;
      this.note(column, destination.name, mapping, value);
      if (destination.member === null || isWhole(value)) {
        values.set(destination.member === null ? destination.name : destination.field, value);
        continue;
      }
      const groups = members.get(destination.field) ?? new Map();
      members.set(destination.field, groups);
      const group = groupOf(mapping);
      const item = groups.get(group) ?? { constants: {}, cells: new Map() };
      groups.set(group, item);
      Object.assign(item.constants, constants);
      item.cells.set(destination.member, value);
    }
    return {
      values,
      members: new Map([...members].map(([field, groups]) => [field, [...groups.values()]])),
      repairs: cells.flatMap(({ mapping: { repair } }) => (repair === null ? [] : [repair])),
    };
  }

  private find(column: string): ColumnMapping | null {
    const known = this.found.get(column);
    if (known !== undefined) return known;
    const found = this.columns.find(column);
    if (this.found.size < mostColumnsListed) this.found.set(column, found);
    return found;
  }

  private noteSeen(column: string): void {
    if (this.rules.has(column)) this.seen.add(column);
  }

  /** Columns that were skipped on purpose, and those that a reader derived, are not reported. */
  private noteUnused(column: string, value: unknown): void {
    if (!this.rules.has(column) && !column.startsWith('(')) this.note(column, null, null, value);
  }

  private note(column: string, to: string | null, mapping: ColumnMapping | null, value: unknown): void {
    const key = JSON.stringify([column, to]);
    const known = this.uses.get(key);
    if (known === undefined && this.uses.size >= mostColumnsListed) return;
    const more = Object.values(mapping?.constants ?? {}).join(', ');
    const entry = known ?? {
      use: {
        column,
        to: to === null || more === '' ? to : `${to} (${more})`,
        meaning: mapping?.destination.description ?? '',
      },
      rows: 0,
      samples: [],
    };
    this.uses.set(key, entry);
    entry.rows += 1;
    if (entry.samples.length >= samplesKept) return;
    const sample = shorten(value);
    if (!entry.samples.includes(sample)) entry.samples.push(sample);
  }
}

/** Whether a value is given. Null counts where it clears the field. */
function isGiven({ destination }: ColumnMapping, value: unknown): boolean {
  if (value === null) return destination.isClearable;
  return value !== undefined && (value !== '' || destination.declared?.verbatim === true);
}

/** Identifies what only one column of a row can fill. */
function slotOf(mapping: ColumnMapping, value: unknown): string {
  const { destination } = mapping;
  if (destination.member === null) return destination.name;
  if (isWhole(value)) return destination.field;
  return JSON.stringify([destination.field, groupOf(mapping), destination.member]);
}

/** The columns of an object are one group; those of a list one for each item. */
function groupOf({ destination: { declared }, group }: ColumnMapping): string {
  return declared !== null && isListOfObjects(declared) ? group : '';
}

/**
 * Whether a value is a whole list or object although its column has the name of its main member, such as `phones`.
 */
function isWhole(value: unknown): boolean {
  if (typeof value === 'string') return /^\s*\[\s*\{/.test(value);
  return (
    value === null ||
    isPlainObject(value) ||
    (Array.isArray(value) && (value.length === 0 || value.some((item) => isPlainObject(item))))
  );
}
