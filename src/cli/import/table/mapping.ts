/**
 * Why: which column goes where is one decision, made before anything is sent, so that it can be shown, and kept for
 * every row; what a row leaves to say is gathered here by field.
 */
import { isPlainObject } from '../../../lib/plain-object.ts';
import type { Resource } from '../../../resources/resource.ts';
import type { TableRow } from './source.ts';
import { type Destination, Destinations, isListOfObjects } from './targets.ts';

/** Cells that together are one item of a list, or several when its main cell holds several. */
export interface ItemCells {
  readonly constants: Readonly<Record<string, string>>;
  readonly cells: ReadonlyMap<string, unknown>;
}

/** What a row says. */
export interface MappedRow {
  /** By name of the target: whole fields and the import's own. */
  readonly values: ReadonlyMap<string, unknown>;
  /** By field, then in order of the columns: cells of objects and of items of lists. */
  readonly members: ReadonlyMap<string, readonly ItemCells[]>;
}

/** One column in the preview and the report. */
export interface ColumnUse {
  readonly column: string;
  /** null when it goes nowhere. */
  readonly to: string | null;
  readonly rows: number;
  /** The first different values, shortened. */
  readonly samples: readonly string[];
}

const samplesShown = 3;
const longestSample = 24;
/** NDJSON may name as many columns as it likes; beyond these they are not listed. */
const mostColumnsListed = 1_000;
/** Deeper objects are one value. */
const deepestNesting = 4;

/** Members of records as the API returns them that are no input; a file of an export has them all. */
const returnedOnly = new Set([
  'id',
  'version',
  'createdAt',
  'updatedAt',
  'createdBy',
  'updatedBy',
  'resource',
]);

/** Maps rows of one source to fields of one resource, and keeps account of it. */
export class TableMapping {
  private readonly destinations: Destinations;
  private readonly rules: ReadonlyMap<string, string | null>;
  private readonly keyColumn: string | null;
  private readonly uses = new Map<string, { to: string | null; rows: number; samples: string[] }>();
  private readonly resolved = new Map<string, Destination | null>();

  /**
   * @param keyColumn the column whose value is the externalId, or null
   * @throws UsageError when a rule names no target
   */
  constructor(resource: Resource, rules: ReadonlyMap<string, string | null>, keyColumn: string | null) {
    this.rules =
      keyColumn === null || rules.has(keyColumn) ? rules : new Map([...rules, [keyColumn, 'externalId']]);
    this.keyColumn = keyColumn;
    this.destinations = new Destinations(resource, this.rules);
  }

  /** Whether a column goes anywhere. */
  knows(column: string): boolean {
    return this.find(column) !== null;
  }

  /** Gathers what a row says. @param isExported whether the row is a record as the API returned it */
  map({ fields }: Pick<TableRow, 'fields'>, isExported = false): MappedRow {
    const values = new Map<string, { rank: number; value: unknown }>();
    const members = new Map<
      string,
      Map<string, { constants: Record<string, string>; cells: Map<string, { rank: number; value: unknown }> }>
    >();
    const take = (column: string, value: unknown, depth: number) => {
      const destination = this.find(column);
      if (destination === null && isPlainObject(value) && depth < deepestNesting) {
        for (const [name, inner] of Object.entries(value)) take(`${column}.${name}`, inner, depth + 1);
        return;
      }
      if (isExported && destination === null) return;
      if (isExported && returnedOnly.has(column)) return;
      this.note(column, destination, value);
      if (destination === null) return;
      const { target, group, constants, rank } = destination;
      if (target.member === null || isWhole(value)) {
        const name = target.member === null ? target.name : target.field;
        if (rank < (values.get(name)?.rank ?? Number.POSITIVE_INFINITY)) values.set(name, { rank, value });
        return;
      }
      const groups = members.get(target.field) ?? new Map();
      members.set(target.field, groups);
      const key = target.declared !== null && isListOfObjects(target.declared) ? group : '';
      const item = groups.get(key) ?? { constants: {}, cells: new Map() };
      groups.set(key, item);
      Object.assign(item.constants, constants);
      if (rank < (item.cells.get(target.member)?.rank ?? Number.POSITIVE_INFINITY))
        item.cells.set(target.member, { rank, value });
    };
    for (const [column, value] of fields) take(column, value, 1);
    return {
      values: new Map([...values].map(([name, { value }]) => [name, value])),
      members: new Map(
        [...members].map(([field, groups]) => [
          field,
          [...groups.values()].map(({ constants, cells }) => ({
            constants,
            cells: new Map([...cells].map(([name, { value }]) => [name, value])),
          })),
        ]),
      ),
    };
  }

  /** What went where, in the order in which the columns came up. */
  columns(): ColumnUse[] {
    return [...this.uses].map(([column, use]) => ({ column, ...use }));
  }

  /** Columns named by `--map` or `--key` that no row had: most likely slips of the finger. */
  absentColumns(): string[] {
    const named = new Set([...this.rules.keys(), ...(this.keyColumn === null ? [] : [this.keyColumn])]);
    return [...named].filter((column) => !this.uses.has(column));
  }

  private find(column: string): Destination | null {
    const known = this.resolved.get(column);
    if (known !== undefined) return known;
    const found = this.destinations.find(column);
    if (this.resolved.size < mostColumnsListed) this.resolved.set(column, found);
    return found;
  }

  private note(column: string, destination: Destination | null, value: unknown): void {
    const use = this.uses.get(column) ?? {
      to: destination === null ? null : describe(destination),
      rows: 0,
      samples: [],
    };
    if (!this.uses.has(column) && this.uses.size >= mostColumnsListed) return;
    this.uses.set(column, use);
    use.rows += 1;
    if (use.samples.length >= samplesShown) return;
    const sample = shorten(value);
    if (!use.samples.includes(sample)) use.samples.push(sample);
  }
}

/** Whether a value is all of a list or object, though its column is called like its main member, as `phones` is. */
function isWhole(value: unknown): boolean {
  if (typeof value === 'string') return /^\s*\[\s*\{/.test(value);
  return (
    value === null ||
    isPlainObject(value) ||
    (Array.isArray(value) && (value.length === 0 || value.some((item) => isPlainObject(item))))
  );
}

function describe({ target, constants }: Destination): string {
  const more = Object.values(constants).join(', ');
  return more === '' ? target.name : `${target.name} (${more})`;
}

function shorten(value: unknown): string {
  const text = (typeof value === 'string' ? value.slice(0, 200) : (JSON.stringify(value) ?? ''))
    .trim()
    .replace(/\s+/g, ' ');
  const characters = Array.from(text);
  return characters.length > longestSample ? `${characters.slice(0, longestSample - 1).join('')}…` : text;
}
