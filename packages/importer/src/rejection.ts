/** The report of a rejected row: its place, its record, and the values at fault. */

import type { Resource } from '@trellis/schema/resources/resource.ts';
import { valueAt } from '@trellis/schema/values/paths.ts';
import type { Body } from './api.ts';
import { nest } from './body.ts';
import { importOf } from './destinations.ts';
import type { RowRejected } from './errors.ts';
import type { Mapping } from './mapping.ts';
import { type Rejection, shorten } from './report.ts';
import type { SourceRow, UnreadableRow } from './source.ts';

const longestValue = 80;

/** A value of a row with the name of its destination. */
type GivenCell = readonly [destination: string, value: unknown];

/** Describes a row that was rejected. @param mapping it has mapped the row, if the row could be read */
export function describeRejection(
  resource: Resource,
  mapping: Mapping,
  row: SourceRow | UnreadableRow,
  { reasons, externalId, values }: RowRejected,
): Rejection {
  const { place } = row;
  if ('unreadable' in row) {
    return { place, externalId, reasons, record: null, values: reasons.map(() => null) };
  }
  const cells = listCells(mapping, row);
  const body = values === null ? {} : nest(values);
  return {
    place,
    externalId,
    reasons,
    record: nameRow(resource, cells, body),
    values: reasons.map((reason) => findValue(reason, cells, body)),
  };
}

/** What people know the record of a row by; null when the row has no text at all. */
export function nameRecord(
  resource: Resource,
  mapping: Mapping,
  row: SourceRow,
  values: ReadonlyMap<string, unknown>,
): string | null {
  return nameRow(resource, listCells(mapping, row), nest(values));
}

function listCells(mapping: Mapping, row: SourceRow): readonly GivenCell[] {
  return [...row.fields].flatMap(([column, value]): GivenCell[] => {
    const to = mapping.destinationOf(column);
    return to === null ? [] : [[to, value]];
  });
}

/** The name of a destination without the numbers of list items. */
export function withoutNumbers(path: string): string {
  return path.replace(/\.\d+(?=\.|$)/g, '');
}

/** What people know the row by: its key, and a title or name; null when it has no text at all. */
function nameRow(resource: Resource, cells: readonly GivenCell[], body: Body): string | null {
  const textOf = (name: string) => toText(valueAt(body, name) ?? cells.find(([to]) => to === name)?.[1]);
  const textsOf = (names: readonly string[]) => {
    const texts = names.map(textOf);
    return texts.every((text) => text !== null) ? texts.join(' ') : null;
  };
  const { identity = [], namesakes = [] } = importOf(resource);
  const titles = [resource.titleField, ...(resource.titleFallbacks ?? [])].map((name) => [name]);
  const title = [...titles, ...identity, ...namesakes].map(textsOf).find((text) => text !== null);
  const key = toText(cells.find(([to]) => to === 'externalId')?.[1]);
  const first = cells.map(([, value]) => (typeof value === 'string' ? toText(value) : null));
  const name = title ?? (key === null ? first.find((text) => text !== null) : undefined);
  const parts = [key, name].filter((text) => text != null);
  return parts.length === 0 ? null : shorten(parts.join(' · '), longestValue);
}

/** The value that a reason is about; null when there is none, or the reason says it. */
function findValue(reason: string, cells: readonly GivenCell[], body: Body): string | null {
  // Reasons begin with a field, as in `emails.0.address: Must be …`.
  const [, path] = /^([a-z]\w*(?:\.\w+)*): /i.exec(reason) ?? [];
  if (path === undefined) return null;
  const name = withoutNumbers(path);
  const near = cells.filter(([to]) => to === name || to.startsWith(`${name}.`) || name.startsWith(`${to}.`));
  // Of several columns that fill one list, which one has the item is not known.
  const given = toText(valueAt(body, path)) ?? (near.length === 1 ? toText(near[0]?.[1]) : null);
  return given === null || reason.includes(`"${given}"`) ? null : given;
}

/** A text, number or truth value in one short line; null for anything else. */
function toText(value: unknown): string | null {
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') return null;
  return shorten(String(value), longestValue) || null;
}
