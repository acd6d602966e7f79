/** Maps the columns of each row to destinations, and counts their use. */

import type { Resource } from '@trellis/schema/resources/resource.ts';
import { commonMembers, readOnlyPointers } from '@trellis/schema/validation/body-schemas.ts';
import { isDecimal } from '@trellis/schema/values/decimal.ts';
import { decodeId } from '@trellis/schema/values/ids.ts';
import { nameAt } from '@trellis/schema/values/paths.ts';
import { isPlainObject } from '@trellis/schema/values/plain-object.ts';
import { type Cell, type GatheredCells, gather, isGiven, slotOf } from './cells.ts';
import {
  type ColumnChoices,
  type ColumnMapping,
  type ColumnOptions,
  type ColumnSettings,
  checkChosenColumns,
  createColumnFinder,
  type FindColumn,
  mapValue,
  settingsOf,
} from './columns.ts';
import { type Conventions, decideConventions, kindOf, readCell } from './conventions.ts';
import { idInput, importOf, listImportOf } from './destinations.ts';
import { changeInput } from './existing.ts';
import { groupByHand, type MappedColumn } from './item-groups.ts';
import { isForeignKey } from './keys.ts';
import type { ListMode } from './merge-list.ts';
import { describeOptOut, isDeletionColumn, isOptOutStatus, looksLikeOptOut } from './opt-outs.ts';
import { shorten } from './report.ts';
import type { Source, SourceRow } from './source.ts';
import { splitList } from './tables/cells.ts';
import { findTableColumn, idHeading, type TableColumn } from './tables/columns.ts';

/** The mapped values of a row. */
export interface MappedRow extends GatheredCells {
  /** How the row changes the lists of a record that exists, by field or input; those that are absent are added to. */
  readonly modes: ReadonlyMap<string, ListMode>;
  /** Values that are left out because a person has to decide about their column. */
  readonly faults: readonly string[];
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

/** A cell, and what reading it has found. */
interface ReadCell {
  readonly cell: Cell;
  readonly repair: string | null;
  /** Why it cannot be used; null when it can. */
  readonly fault: string | null;
}

const samplesKept = 3;
/** NDJSON may have any number of columns; only this many are listed. */
const mostColumnsListed = 1_000;
/** Objects nested deeper than this are one value. */
const deepestNesting = 4;

/** A column with the name of the field is better. */
const rankOfForeignKey = 90;

/** Columns of every row of an export that neither a body has nor identify the record. */
const returnedOnly = new Set(['resource', ...commonMembers.filter((name) => name !== idInput)]);

/** The mapping of a source to a resource. @throws UsageError when a rule names no destination */
export function createMapping(
  resource: Resource,
  { isPosts, columns, table }: Source,
  choices: ColumnChoices,
): Mapping {
  const rules = new Map(choices.map.map(({ from, to }) => [from, to]));
  return new Mapping(resource, { rules, isPosts, columns, isText: table !== undefined }, choices);
}

/**
 * The mapping of a source to a resource, with what the values of its columns decide.
 * @throws UsageError when a rule names no destination
 */
export async function openMapping(
  resource: Resource,
  source: Source,
  choices: ColumnChoices,
): Promise<Mapping> {
  checkChosenColumns(source.name, source.columns, choices);
  const mapping = createMapping(resource, source, choices);
  mapping.conventions = await decideConventions(resource, source, choices, (column) =>
    mapping.mappingOf(column),
  );
  return mapping;
}

/** The mapping of one source to one resource. */
export class Mapping {
  /** How the values of the columns are read; of columns that are not in it, each value says all itself. */
  conventions: Conventions = new Map();
  private readonly resource: Resource;
  private readonly columns: readonly string[] | null;
  private readonly idPrefix: string;
  /** Columns of records that no body has, without the id. */
  private readonly returned: ReadonlySet<string>;
  /** The columns of a table for people, by their names; null: it is another table. */
  private readonly tableColumns: ReadonlyMap<string, TableColumn> | null;
  /** Whether all values are texts in the notation of a language, and not numbers of a workbook. */
  private readonly isText: boolean;
  /** The destination whose columns all count. */
  private readonly optOut: string | null;
  private readonly find: FindColumn;
  private readonly choices: ColumnChoices;
  private readonly isPosts: boolean;
  /** The mapping of a column with keys of another system. */
  private readonly foreignKey: ColumnMapping | null;
  private readonly rules: ReadonlyMap<string, string | null>;
  /** Columns with a rule or a setting that some row had. */
  private readonly seen = new Set<string>();
  private readonly uses = new Map<string, ColumnUse>();
  /** The groups that columns mapped by hand have in every row; null: they depend on the columns of the row. */
  private readonly groups: ReadonlyMap<string, string> | null;

  /**
   * @param choices what a person has chosen for the columns
   * @throws UsageError when a rule names no destination
   */
  constructor(resource: Resource, options: ColumnOptions, choices: ColumnChoices) {
    const { rules, columns } = options;
    const { key: keyColumn } = choices;
    this.choices = choices;
    this.isPosts = options.isPosts;
    this.isText = options.isText ?? true;
    this.resource = resource;
    this.columns = columns;
    this.idPrefix = resource.idPrefix;
    this.returned = new Set(
      readOnlyPointers(resource)
        .map(nameAt)
        .filter((name) => name !== idInput),
    );
    const ofTable = (columns ?? []).flatMap((column) => findTableColumn(resource, column) ?? []);
    this.tableColumns =
      columns?.includes(idHeading) === true && !options.isPosts
        ? new Map(ofTable.map((column) => [column.heading, column]))
        : null;
    this.optOut = importOf(resource).optOut ?? null;
    this.rules =
      keyColumn === null || rules.has(keyColumn) ? rules : new Map([...rules, [keyColumn, 'externalId']]);
    this.find = createColumnFinder(resource, { ...options, rules: this.rules });
    const key = this.find('externalId');
    this.foreignKey = key && { ...key, rank: rankOfForeignKey };
    this.groups = columns && groupByHand(columns.flatMap((column) => this.mapColumn(column) ?? []));
  }

  /** The destinations that a column of the file has, also of those that add a member to their items. */
  destinations(): ReadonlySet<string> {
    const columns = this.columns ?? [...this.uses.values()].map(({ column }) => column);
    return new Set(columns.flatMap((column) => this.find(column)?.destination.name ?? []));
  }

  /** The mapping of a column; null when it has none. */
  mappingOf(column: string): ColumnMapping | null {
    return this.find(column);
  }

  /** The name of a column's destination, such as `emails.address`; null when it has none. */
  destinationOf(column: string): string | null {
    return this.find(column)?.destination.name ?? null;
  }

  /** What was chosen for a column. */
  settingsOf(column: string): ColumnSettings {
    return settingsOf(this.choices, column);
  }

  /** Maps the values of a row. @param isExported whether the row is a record as the API returned it */
  map({ fields }: Pick<SourceRow, 'fields'>, isExported: boolean): MappedRow {
    const found: Cell[] = [];
    const isOwn = this.isOwn(fields.get(idInput) ?? fields.get(idHeading));
    const take = (column: string, given: unknown, depth: number) => {
      const value = mapValue(this.settingsOf(column).values, given);
      const mapping = this.findFor(column, value);
      if (this.isChosen(column)) this.seen.add(column);
      if (mapping === null && isPlainObject(value) && depth < deepestNesting) {
        for (const [name, inner] of Object.entries(value)) take(`${column}.${name}`, inner, depth + 1);
        return;
      }
      const isChange = mapping?.destination.name === changeInput;
      if (isExported && (mapping === null || (returnedOnly.has(column) && !isChange))) return;
      if (isOwn && !this.rules.has(column) && this.isReturned(column) && !isChange) return;
      if (mapping === null) this.noteUnused(column, given);
      else found.push({ column, written: given, value, mapping });
    };
    for (const [column, value] of fields) take(column, value, 1);
    const best = this.chooseCells(this.withGroups(found));
    const read = [...best.values()].map((cell) =>
      isExported ? { cell, repair: null, fault: null } : (isOwn && this.readOwn(cell)) || this.read(cell),
    );
    const cells = read.flatMap(({ cell, fault }) => (fault === null ? [cell] : []));
    const { repairs, ...gathered } = gather(cells);
    const modes = cells.map(
      (cell) => [cell.mapping.destination.field, this.modeOf(cell, isExported)] as const,
    );
    return {
      ...gathered,
      repairs: [...repairs, ...read.flatMap(({ repair }) => repair ?? [])],
      modes: new Map(modes.sort((left, right) => byLoss(left[1], right[1]))),
      faults: [
        ...[...fields].flatMap(([column, value]) =>
          isEmptyValue(value) || !this.isOptOut(column) ? [] : [describeOptOut(column)],
        ),
        ...read.flatMap(({ fault }) => fault ?? []),
      ],
    };
  }

  /** Whether a column has what the API derives of a record. */
  private isReturned(column: string): boolean {
    return this.returned.has(column) || this.tableColumns?.get(column)?.to === null;
  }

  /** A cell of a table for people as it was written: nothing is split that was one value. Null where it says all itself, as in other tables. */
  private readOwn(cell: Cell): ReadCell | null {
    const { column, value, mapping } = cell;
    const ofTable = this.tableColumns?.get(column);
    if (ofTable?.to !== mapping.destination.name || typeof value !== 'string') return null;
    const { schema, number, member } = ofTable;
    const as = (known: unknown) => ({ cell: { ...cell, value: known }, repair: null, fault: null });
    if (schema.type === 'array') return as(splitList(value));
    if (schema.format === 'decimal') return !this.isText && isDecimal(value) ? as(value) : null;
    const { main } = listImportOf(this.resource, ofTable.field) ?? {};
    const isMain = number !== null && (member === main || mapping.destination.member === main);
    return isMain ? as([value]) : null;
  }

  /** A cell as its column is read. */
  private read(cell: Cell): ReadCell {
    const { column, value, mapping } = cell;
    const reading = this.conventions.get(column);
    const kind = reading === undefined || typeof value !== 'string' ? null : kindOf(this.resource, mapping);
    if (reading === undefined || kind === null || typeof value !== 'string')
      return { cell, repair: null, fault: null };
    const { value: known, ...found } = readCell(kind, reading, mapping.destination.name, value);
    return { cell: { ...cell, value: known }, ...found };
  }

  /** The cell of each slot: the best one, with what others add to it. */
  private chooseCells(found: readonly Cell[]): Map<string, Cell> {
    const best = new Map<string, Cell>();
    const unused = new Set<Cell>();
    const given = found.filter(({ mapping, value }) => isGiven(mapping, value));
    const [continuing = [], own = []] = [true, false].map((continues) =>
      given.filter(({ mapping }) => (mapping.joinedBy !== null) === continues),
    );
    for (const cell of [...own, ...continuing]) {
      const { mapping, value } = cell;
      const slot = slotOf(mapping, value);
      const other = best.get(slot);
      if (other === undefined) best.set(slot, cell);
      else if (mapping.destination.name === this.optOut) {
        best.set(slot, { ...other, value: [other.value, value].flat() });
      } else if (mapping.joinedBy !== null) {
        best.set(slot, { ...other, value: `${other.value}${mapping.joinedBy}${value}` });
      } else if (other.mapping.rank <= mapping.rank) unused.add(cell);
      else {
        unused.add(other);
        best.set(slot, cell);
      }
    }
    const leftOut = found.filter(({ written, value }) => written !== undefined && value === undefined);
    for (const cell of [...given, ...leftOut]) {
      if (unused.has(cell)) this.noteUnused(cell.column, cell.written);
      else this.note(cell.column, cell.mapping, cell.written);
    }
    return best;
  }

  /** The use of all columns, in the order in which they appeared. */
  list(): readonly ColumnUse[] {
    return [...this.uses.values()];
  }

  /** Columns that a person has chosen something for and no row had, probably typos. */
  absentColumns(): string[] {
    const chosen = new Set([...this.rules.keys(), ...Object.keys(this.choices.columnSettings)]);
    return [...chosen].filter((column) => !this.seen.has(column));
  }

  /** How a cell changes a list. Posts and records of an export have whole lists, unless that was chosen otherwise. */
  private modeOf({ column, value }: Cell, isExported: boolean): ListMode {
    const isWholeList = this.isPosts || isExported;
    const chosen = this.settingsOf(column).lists ?? (isWholeList ? 'replace' : 'add');
    if (isWholeList && chosen === 'replace') return 'whole';
    return value === null ? 'replace' : chosen;
  }

  /**
   * The mapping of a column for a value. A column that is called `id` in another system has keys of that system, not ids. Those that
   * no other system has identify the record; numbers that begin at 1 anywhere do not.
   */
  private findFor(column: string, value: unknown): ColumnMapping | null {
    const mapping = this.find(column);
    const isOptOut = mapping === null && this.optOut !== null && !this.rules.has(column);
    if (isOptOut && isOptOutStatus(column, value)) return this.find(this.optOut);
    if (mapping?.destination.name !== idInput || this.rules.has(column)) return mapping;
    if (this.isOwn(value)) return mapping;
    return !this.isPosts && isForeignKey(value) ? this.foreignKey : null;
  }

  /** Whether a value is an id of the resource, so that its row is one of an export. */
  private isOwn(value: unknown): boolean {
    return typeof value === 'string' && decodeId(this.idPrefix, value.trim()) !== null;
  }

  /** Whether a column that nothing is known about looks like one of people who do not want to be contacted. */
  isOptOut(column: string): boolean {
    return (
      this.optOut !== null && !this.isDecided(column) && this.find(column) === null && looksLikeOptOut(column)
    );
  }

  /** Whether a person has chosen what becomes of a column. */
  isDecided(column: string): boolean {
    return this.rules.has(column);
  }

  private isChosen(column: string): boolean {
    return this.rules.has(column) || Object.hasOwn(this.choices.columnSettings, column);
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

  /** Columns that were skipped on purpose, those that a reader derived, and those of deleted rows are not reported. */
  private noteUnused(column: string, value: unknown): void {
    if (this.isDecided(column) || column.startsWith('(') || isDeletionColumn(column)) return;
    this.note(column, null, value);
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

const modesByLoss: readonly ListMode[] = ['add', 'replace', 'whole'];

/** Of several columns that fill one list, the one that removes most decides. */
function byLoss(left: ListMode, right: ListMode): number {
  return modesByLoss.indexOf(left) - modesByLoss.indexOf(right);
}

function isEmptyValue(value: unknown): boolean {
  return value === undefined || value === null || value === '';
}
