/** Maps the columns of each row to destinations, and counts their use. */

import type { Resource } from '@trellis/schema/resources/resource.ts';
import { commonMembers } from '@trellis/schema/validation/body-schemas.ts';
import { isPlainObject } from '@trellis/schema/values/plain-object.ts';
import {
  type ColumnChoices,
  type ColumnMapping,
  type ColumnOptions,
  createColumnFinder,
  type FindColumn,
} from './columns.ts';
import { isListOfObjects } from './destinations.ts';
import { groupByHand, type MappedColumn } from './item-groups.ts';
import { shorten } from './report.ts';
import type { Source, SourceRow } from './source.ts';

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
  rows: number;
  /** The first different values, shortened. */
  readonly samples: string[];
}

/** A value with its destination. */
interface Cell extends MappedColumn {
  readonly value: unknown;
}

const samplesKept = 3;
/** NDJSON may have any number of columns; only this many are listed. */
const mostColumnsListed = 1_000;
/** Objects nested deeper than this are one value. */
const deepestNesting = 4;

/** Columns of every row of an export that no body has. */
const returnedOnly = new Set(['resource', ...commonMembers]);

/** The mapping of a source to a resource. @throws UsageError when a rule names no destination */
export function createMapping(
  resource: Resource,
  { isPosts, columns }: Source,
  { map, key }: ColumnChoices,
): Mapping {
  const rules = new Map(map.map(({ from, to }) => [from, to]));
  return new Mapping(resource, { rules, isPosts }, key, columns);
}

/** The mapping of one source to one resource. */
export class Mapping {
  private readonly find: FindColumn;
  private readonly rules: ReadonlyMap<string, string | null>;
  /** Columns with a rule that some row had. */
  private readonly seen = new Set<string>();
  private readonly uses = new Map<string, ColumnUse>();
  /** The groups that columns mapped by hand have in every row; null: they depend on the columns of the row. */
  private readonly groups: ReadonlyMap<string, string> | null;

  /**
   * @param keyColumn the column whose value is the externalId, or null
   * @param columns of every row, also of one where some have no value; null: each row has its own
   * @throws UsageError when a rule names no destination
   */
  constructor(
    resource: Resource,
    options: ColumnOptions,
    keyColumn: string | null,
    columns: readonly string[] | null,
  ) {
    const { rules } = options;
    this.rules =
      keyColumn === null || rules.has(keyColumn) ? rules : new Map([...rules, [keyColumn, 'externalId']]);
    this.find = createColumnFinder(resource, { ...options, rules: this.rules });
    this.groups = columns && groupByHand(columns.flatMap((column) => this.mapColumn(column) ?? []));
  }

  /** The name of a column's destination, such as `emails.address`; null when it has none. */
  destinationOf(column: string): string | null {
    return this.find(column)?.destination.name ?? null;
  }

  /** Maps the values of a row. @param isExported whether the row is a record as the API returned it */
  map({ fields }: Pick<SourceRow, 'fields'>, isExported: boolean): MappedRow {
    const found: Cell[] = [];
    const take = (column: string, value: unknown, depth: number) => {
      const mapping = this.find(column);
      if (this.rules.has(column)) this.seen.add(column);
      if (mapping === null && isPlainObject(value) && depth < deepestNesting) {
        for (const [name, inner] of Object.entries(value)) take(`${column}.${name}`, inner, depth + 1);
        return;
      }
      if (isExported && (mapping === null || returnedOnly.has(column))) return;
      if (mapping === null) this.noteUnused(column, value);
      else found.push({ column, value, mapping });
    };
    for (const [column, value] of fields) take(column, value, 1);
    const best = new Map<string, Cell>();
    for (const cell of this.withGroups(found)) {
      const { column, value, mapping } = cell;
      if (!isGiven(mapping, value)) continue;
      const slot = slotOf(mapping, value);
      const other = best.get(slot);
      if (other !== undefined && other.mapping.rank <= mapping.rank) {
        this.noteUnused(column, value);
        continue;
      }
      if (other !== undefined) this.noteUnused(other.column, other.value);
      best.set(slot, cell);
    }
    const cells = [...best.values()];
    for (const { column, value, mapping } of cells) this.note(column, mapping, value);
    return gather(cells);
  }

  /** The use of all columns, in the order in which they appeared. */
  list(): readonly ColumnUse[] {
    return [...this.uses.values()];
  }

  /** Columns named by `--map` or `--key` that no row had, probably typos. */
  absentColumns(): string[] {
    return [...this.rules.keys()].filter((column) => !this.seen.has(column));
  }

  private mapColumn(column: string): MappedColumn | null {
    const mapping = this.find(column);
    return mapping && { column, mapping };
  }

  /** The cells with the groups of those that were mapped by hand. */
  private withGroups(cells: readonly Cell[]): readonly Cell[] {
    if (cells.every(({ mapping }) => mapping.group !== null)) return cells;
    const groups = this.groups ?? groupByHand(cells);
    return cells.map((cell) => {
      const group = groups.get(cell.column);
      return group === undefined ? cell : { ...cell, mapping: { ...cell.mapping, group } };
    });
  }

  /** Columns that were skipped on purpose, and those that a reader derived, are not reported. */
  private noteUnused(column: string, value: unknown): void {
    if (!this.rules.has(column) && !column.startsWith('(')) this.note(column, null, value);
  }

  private note(column: string, mapping: ColumnMapping | null, value: unknown): void {
    const name = mapping?.destination.name ?? null;
    const key = JSON.stringify([column, name]);
    let use = this.uses.get(key);
    if (use === undefined) {
      if (this.uses.size >= mostColumnsListed) return;
      const constants = Object.values(mapping?.constants ?? {}).join(', ');
      const to = constants === '' ? name : `${name} (${constants})`;
      use = { column, to, meaning: mapping?.destination.description ?? '', rows: 0, samples: [] };
      this.uses.set(key, use);
    }
    use.rows += 1;
    if (use.samples.length >= samplesKept) return;
    const sample = shorten(value);
    if (!use.samples.includes(sample)) use.samples.push(sample);
  }
}

/** Separates the cells of whole fields from those of objects and list items. */
function gather(cells: readonly Cell[]): MappedRow {
  const isForField = ({ mapping, value }: Cell) => fillsField(mapping, value);
  const members = Map.groupBy(
    cells.filter((cell) => !isForField(cell)),
    ({ mapping }) => mapping.destination.field,
  );
  return {
    values: new Map(cells.filter(isForField).map(({ mapping, value }) => [mapping.destination.field, value])),
    members: new Map([...members].map(([field, parts]) => [field, gatherItems(parts)])),
    repairs: cells.flatMap(({ mapping: { repair } }) => (repair === null ? [] : [repair])),
  };
}

function gatherItems(cells: readonly Cell[]): ItemCells[] {
  const groups = Map.groupBy(cells, ({ mapping }) => groupOf(mapping));
  return [...groups.values()].map((group) => ({
    constants: Object.assign({}, ...group.map(({ mapping }) => mapping.constants)),
    cells: new Map(group.map(({ mapping, value }) => [mapping.destination.member ?? '', value])),
  }));
}

/** Whether a value is given. Null counts where it clears the field. */
function isGiven({ destination }: ColumnMapping, value: unknown): boolean {
  if (value === null) return destination.isClearable;
  return value !== undefined && (value !== '' || destination.declared?.verbatim === true);
}

/** Identifies what only one column of a row can fill. */
function slotOf(mapping: ColumnMapping, value: unknown): string {
  const { field, member } = mapping.destination;
  return fillsField(mapping, value) ? field : JSON.stringify([field, groupOf(mapping), member]);
}

/** Whether a value is that of a field, and not of a member of an object or list item. */
function fillsField({ destination }: ColumnMapping, value: unknown): boolean {
  return destination.member === null || isWhole(value);
}

/** The columns of an object are one group; those of a list one for each item. */
function groupOf({ destination: { declared }, group }: ColumnMapping): string {
  return declared !== null && isListOfObjects(declared) ? (group ?? '') : '';
}

/** Whether a value is a whole list or object although its column has the name of its main member, such as `phones`. */
function isWhole(value: unknown): boolean {
  if (typeof value === 'string') return /^\s*\[\s*\{/.test(value);
  return (
    value === null ||
    isPlainObject(value) ||
    (Array.isArray(value) && (value.length === 0 || value.some((item) => isPlainObject(item))))
  );
}
