/** A table for people: the columns that its records need, and a row for each record. */
import { valueAt } from '@trellis/schema/values/paths.ts';
import { isPlainObject } from '@trellis/schema/values/plain-object.ts';
import type { Body } from '../api.ts';
import { type CellContext, type TableCell, writeCell } from './cells.ts';
import { listTableColumns, type TableColumn } from './columns.ts';

/**
 * The columns of records: of lists as many items as a record has, and of their items the members that one has. The first item has a column
 * in any case, so that people can fill it.
 * @param fields dotted names of those that were chosen; the column of ids is added
 */
export function chooseColumns(
  context: CellContext,
  fields: readonly string[],
  records: readonly Body[],
): readonly TableColumn[] {
  const chosen = new Set([...fields, 'id']);
  const all = listTableColumns(context.resource, context.language).filter(({ field }) => chosen.has(field));
  const most = new Map<string, number>();
  for (const { field } of all) {
    const sizes = most.has(field) ? [] : records.map((record) => sizeOf(valueAt(record, field)));
    if (!most.has(field))
      most.set(
        field,
        sizes.reduce((size, other) => Math.max(size, other), 0),
      );
  }
  const firsts = new Set<string>();
  return all.filter((column) => {
    const { field, number } = column;
    if (number === null) return true;
    if (number > Math.max(1, most.get(field) ?? 0)) return false;
    const isFirst = !firsts.has(field);
    firsts.add(field);
    return isFirst || records.some((record) => cellOf(context, column, record).text !== '');
  });
}

/** The row of a record. */
export function makeRow(
  context: CellContext,
  columns: readonly TableColumn[],
  record: Body,
): readonly TableCell[] {
  return columns.map((column) => cellOf(context, column, record));
}

function sizeOf(value: unknown): number {
  return Array.isArray(value) ? value.length : 0;
}

function cellOf(context: CellContext, column: TableColumn, record: Body): TableCell {
  const { field, number, member } = column;
  const whole = valueAt(record, field);
  const item: unknown = number === null || !Array.isArray(whole) ? whole : whole[number - 1];
  if (member === null) return writeCell(context, column, item);
  return writeCell(context, column, isPlainObject(item) ? item[member] : null);
}

/** The ids in records by the name of their resource, of those columns whose values are ids. */
export function listReferences(
  columns: readonly TableColumn[],
  records: readonly Body[],
): ReadonlyMap<string, ReadonlySet<string>> {
  const found = new Map<string, Set<string>>();
  const noted = new Set<string>();
  for (const { field, member, reference } of columns) {
    const place = `${field} ${member}`;
    if (reference === null || noted.has(place)) continue;
    noted.add(place);
    const ids = found.get(reference) ?? new Set();
    found.set(reference, ids);
    for (const record of records)
      for (const item of [valueAt(record, field)].flat()) {
        const id: unknown = member === null ? item : isPlainObject(item) ? item[member] : null;
        if (typeof id === 'string') ids.add(id);
      }
  }
  return found;
}
