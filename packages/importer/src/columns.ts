/**
 * The destination of a column: by `--map`, else by the names that its resource declares, else by the name of a field.
 */
import type { Resource } from '@trellis/schema/resources/resource.ts';
import {
  type Destination,
  declaredColumns,
  findDestination,
  isListOfObjects,
  lastPart,
  listDestinations,
  listImportOf,
} from './destinations.ts';
import { UsageError } from './errors.ts';

/** `COLUMN=FIELD` as given by the user; `to` null skips the column. */
export interface MapRule {
  readonly from: string;
  readonly to: string | null;
}

/** What determines the destinations of columns, as chosen by a person. */
export interface ColumnChoices {
  readonly map: readonly MapRule[];
  /** The column that identifies records; null to derive what does. */
  readonly key: string | null;
}

/** The mapping of a column. */
export interface ColumnMapping {
  readonly destination: Destination;
  /** Columns of one group form one list item: the cells `street` and `city` are one address. */
  readonly group: string;
  /** Members that the column adds to its list item. */
  readonly constants: Readonly<Record<string, string>>;
  /** Of several columns with one destination, the one with the lowest rank that has a value is used. */
  readonly rank: number;
  /** What to report when the value is used; null when the column has the name of the destination. */
  readonly repair: string | null;
}

/** What determines the mapping. */
export interface ColumnOptions {
  /** From column to destination; null skips the column. */
  readonly rules: ReadonlyMap<string, string | null>;
  readonly isPosts: boolean;
  /** Groups whose members are treated as columns. */
  readonly wrappers: readonly string[];
}

const rankOfFieldName = 50;
const rankOfFallback = 100;

/** Parses `COLUMN=FIELD`. @throws UsageError for other text */
export function readMapRule(text: string): MapRule {
  const at = text.lastIndexOf('=');
  const from = text.slice(0, at).trim();
  if (at < 0 || from === '') {
    throw new UsageError(`--map takes FROM=TO, for example --map headline=title, not "${text}".`);
  }
  return { from, to: text.slice(at + 1).trim() || null };
}

/** The columns that a resource understands. */
export class Columns {
  private readonly resource: Resource;
  private readonly destinations: readonly Destination[];
  private readonly wrappers: readonly string[];
  private readonly byRule: ReadonlyMap<string, ColumnMapping | null>;
  private readonly byName = new Map<string, ColumnMapping>();

  /** @throws UsageError for a rule with an unknown destination */
  constructor(resource: Resource, { rules, isPosts, wrappers }: ColumnOptions) {
    this.resource = resource;
    this.destinations = listDestinations(resource, isPosts);
    this.wrappers = wrappers;
    this.nameFields();
    this.nameDeclaredColumns(isPosts);
    this.byRule = new Map(
      [...rules].map(([column, to]) => [column, to === null ? null : this.readRule(column, to)]),
    );
  }

  /** The mapping of a column; null when it has no destination. */
  find(column: string): ColumnMapping | null {
    const ruled = this.byRule.get(column);
    return ruled === undefined ? this.findByName(column) : ruled;
  }

  private nameFields(): void {
    const plain = { group: '', constants: {}, rank: rankOfFieldName, repair: null };
    for (const destination of this.destinations) {
      this.byName.set(simplify(destination.name), { destination, ...plain });
      // Fields of a group such as `versionData` are also known by their last name.
      const last = simplify(lastPart(destination.field));
      if (destination.member === null && !this.byName.has(last)) {
        this.byName.set(last, { destination, ...plain });
      }
    }
  }

  private nameDeclaredColumns(isPosts: boolean): void {
    for (const { to, names, constants = {}, fallbacks = {} } of declaredColumns(this.resource, isPosts)) {
      const destination = findDestination(this.destinations, to);
      const group = Object.values(constants).join(' ');
      const add = (name: string, rank: number, repair: string | null) =>
        this.byName.set(simplify(name), { destination, group, constants, rank, repair });
      for (const [index, name] of names.entries()) add(name, index, null);
      for (const [index, [name, repair]] of Object.entries(fallbacks).entries()) {
        add(name, rankOfFallback + index, repair);
      }
    }
  }

  private findByName(column: string): ColumnMapping | null {
    const wrapper = this.wrappers.find((name) => column.startsWith(`${name}.`));
    const name = simplify(wrapper === undefined ? column : column.slice(wrapper.length + 1));
    const direct = this.byName.get(name);
    if (direct !== undefined) return direct;
    // "E-mail 2 address" and "Phone 1" are further items of a list.
    const [, before = '', number = '', after = ''] = /^(\D+)(\d{1,2})(\D*)$/.exec(name) ?? [];
    const numbered = this.byName.get(before + after);
    if (number === '' || numbered === undefined || numbered.destination.declared === null) return null;
    if (!isListOfObjects(numbered.destination.declared)) return null;
    return { ...numbered, group: `${numbered.group} ${Number(number)}` };
  }

  private readRule(column: string, to: string): ColumnMapping {
    const [, list = '', number, member = ''] = /^(.+)\.(\d{1,2})\.(\w+)$/.exec(to) ?? [];
    const destination = findDestination(this.destinations, number === undefined ? to : `${list}.${member}`);
    // Two columns mapped to emails.address are two addresses.
    const isMain =
      destination.member !== null &&
      listImportOf(this.resource, destination.field)?.main === destination.member;
    const group = number === undefined ? (isMain ? `column ${column}` : '') : ` ${Number(number)}`;
    const inferred = this.findByName(column);
    const constants = inferred?.destination === destination ? inferred.constants : {};
    return { destination, group, constants, rank: 0, repair: null };
  }
}

/** `First_Name`, `first name` and `firstName` are equal. Names in parentheses come from a reader and are kept. */
function simplify(name: string): string {
  if (name.startsWith('(')) return name;
  return name
    .normalize('NFKC')
    .toLowerCase()
    .replace(/\(s\)/g, 's')
    .replace(/[^\p{L}\p{N}]/gu, '');
}
