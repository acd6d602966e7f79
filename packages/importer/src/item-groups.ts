/**
 * Which columns mapped by hand form one list item: `Strasse`, `PLZ` and `Ort` are one address, `Telefon 1`, `Art 1`, `Telefon 2` and
 * `Art 2` two phone numbers. There are several items only where columns are numbered or share a member.
 */
import { type ColumnMapping, numberedGroup } from './columns.ts';

/** A column with its destination, in the order of the file. */
export interface MappedColumn {
  readonly column: string;
  readonly mapping: ColumnMapping;
}

/** A list item of columns mapped by hand. */
interface Item {
  /** Columns by member. */
  readonly columns: Map<string, string>;
}

/** The groups of the columns whose mapping leaves them open, by column. */
export function groupByHand(columns: readonly MappedColumn[]): ReadonlyMap<string, string> {
  const groups = new Map<string, string>();
  const byField = Map.groupBy(columns, ({ mapping }) => mapping.destination.field);
  for (const ofField of byField.values()) {
    const open = ofField.filter(({ mapping }) => mapping.group === null);
    if (open.length === 0) continue;
    const known = membersByGroup(ofField);
    for (const [number, item] of itemsOf(open)) {
      const group = findGroup(number, item, known);
      for (const column of item.columns.values()) groups.set(column, group);
    }
  }
  return groups;
}

/** The items by number, from 1. */
function itemsOf(open: readonly MappedColumn[]): ReadonlyMap<number, Item> {
  const items = new Map<number, Item>();
  const isOne = formOneItem(open);
  for (const { column, mapping } of open) {
    const member = mapping.destination.member ?? '';
    let number = (isOne ? null : numberOf(column)) ?? 1;
    while (items.get(number)?.columns.has(member) === true) number += 1;
    const item = items.get(number) ?? { columns: new Map() };
    item.columns.set(member, column);
    items.set(number, item);
  }
  return items;
}

/** Whether no member has two columns, and no two columns have different numbers: then a number is only a part of a name. */
function formOneItem(open: readonly MappedColumn[]): boolean {
  const members = new Set(open.map(({ mapping }) => mapping.destination.member));
  const numbers = new Set(open.flatMap(({ column }) => numberOf(column) ?? []));
  return members.size === open.length && numbers.size <= 1;
}

/** The number in `Telefon 2` and `Phone 2 - Type`; null without one. */
function numberOf(column: string): number | null {
  const [, number = null] = /^\D+(\d{1,2})\D*$/.exec(column) ?? [];
  return number === null ? null : Number(number);
}

/** The members that each group has already: of the columns found by their names, or mapped with a number. */
function membersByGroup(columns: readonly MappedColumn[]): ReadonlyMap<string, ReadonlySet<string>> {
  const known = new Map<string, Set<string>>();
  for (const { mapping } of columns) {
    const { group, destination } = mapping;
    if (group === null) continue;
    known.set(group, (known.get(group) ?? new Set()).add(destination.member ?? ''));
  }
  return known;
}

/** The group of columns found by their names that lack the members of an item, or a group of its own. */
function findGroup(
  number: number,
  { columns }: Item,
  known: ReadonlyMap<string, ReadonlySet<string>>,
): string {
  const candidates = [numberedGroup(number), ...(number === 1 ? [''] : [])];
  const lacks = (members: ReadonlySet<string> | undefined) =>
    members !== undefined && [...columns.keys()].every((member) => !members.has(member));
  return candidates.find((group) => lacks(known.get(group))) ?? `by hand ${number}`;
}
