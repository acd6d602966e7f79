/**
 * Why: a row that stands for a record that exists changes what differs and nothing else. A status is different: what
 * readers see changes only when that was asked for, and only by the moves that the resource declares.
 */
import { applyMergePatch, deepEqual } from '../../../lib/merge-patch.ts';
import { isPlainObject } from '../../../lib/plain-object.ts';
import type { JsonSchema } from '../../../pipeline/body-schemas.ts';
import { versionMoves } from '../../../resources/articles.ts';
import type { Moves } from '../../../resources/fields.ts';
import { flattenFields, type Resource } from '../../../resources/resource.ts';
import { nest, valueAt } from '../body.ts';
import type { Decision, ImportRow } from '../targets.ts';

/** A row that is ready to be written. */
export interface TableImportRow extends ImportRow {
  /** The status that the row gives; null when it gives none. */
  readonly status: string | null;
}

export interface DecisionOptions {
  /** Whether records that exist are changed at all. */
  readonly update: boolean;
  /** Whether records are moved to the status that their row gives. */
  readonly statuses: boolean;
}

/** The field that moves between statuses, and how; null when the resource has none. */
export function statusOf(resource: Resource): { name: string; moves: Moves } | null {
  if (resource.name === 'articles') {
    const allowed = Object.fromEntries(
      Object.entries(versionMoves).map(([from, to]) => [from, Object.keys(to)]),
    );
    return { name: 'versionData.status', moves: { initial: ['DRAFT'], allowed, published: ['PUBLISHED'] } };
  }
  for (const [name, { moves }] of flattenFields(resource)) if (moves !== null) return { name, moves };
  return null;
}

/** What a record lacks to be what its row says. */
export function decide(
  resource: Resource,
  record: Readonly<Record<string, unknown>>,
  row: TableImportRow,
  { update, statuses }: DecisionOptions,
): Decision {
  const status = statusOf(resource);
  const changes = findChanges(resource, record, row.body, status?.name ?? null);
  if (Object.keys(changes).length > 0) {
    return update
      ? { kind: 'patch', body: changes }
      : { kind: 'settled', mending: 'there already, and different: left as it is (--no-update)' };
  }
  const current = status === null ? '' : String(valueAt(record, status.name));
  if (status === null || row.status === null || row.status === current) return { kind: 'settled' };
  if (!statuses) {
    return {
      kind: 'settled',
      mending: `status ${row.status} of the row not carried out (--statuses does so)`,
    };
  }
  const next = findMove(status.moves.allowed, current, row.status);
  if (next === null)
    return { kind: 'settled', mending: `status left at ${current}: no move leads to ${row.status}` };
  return { kind: 'patch', body: nest([[status.name, next]]) };
}

/** The wanted values that differ, by field; the externalId is what the record was found by. */
function findChanges(
  resource: Resource,
  record: Readonly<Record<string, unknown>>,
  wanted: Readonly<Record<string, unknown>>,
  statusName: string | null,
): Record<string, unknown> {
  const changed = flattenFields(resource).flatMap(([name, field]): [string, unknown][] => {
    const value = valueAt(wanted, name);
    if (value === undefined || name === 'externalId' || name === statusName) return [];
    const before = writablePart(field.schema as JsonSchema, valueAt(record, name) ?? null);
    return isUnchanged(before, value) ? [] : [[name, value]];
  });
  return nest(changed);
}

/** Whether a PATCH with the value would leave what was before: of an object a member that is null is one that is absent. */
function isUnchanged(before: unknown, value: unknown): boolean {
  if (!isPlainObject(before) || !isPlainObject(value)) return deepEqual(value, before);
  return deepEqual(withoutNulls(applyMergePatch(before, value)), withoutNulls(before));
}

function withoutNulls(value: unknown): unknown {
  if (!isPlainObject(value)) return value;
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== null));
}

/** A value without the members that are derived. */
function writablePart(schema: JsonSchema, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => writablePart(schema.items ?? {}, item));
  if (!isPlainObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).filter(([name]) => schema.properties?.[name]?.readOnly !== true),
  );
}

/** The first step of a shortest way from one status to another; null when there is none. */
function findMove(allowed: Moves['allowed'], from: string, to: string): string | null {
  const seen = new Set([from]);
  let ways = (allowed[from] ?? []).map((status) => ({ first: status, at: status }));
  while (ways.length > 0) {
    const found = ways.find(({ at }) => at === to);
    if (found !== undefined) return found.first;
    for (const { at } of ways) seen.add(at);
    ways = ways.flatMap(({ first, at }) =>
      (allowed[at] ?? []).filter((status) => !seen.has(status)).map((status) => ({ first, at: status })),
    );
  }
  return null;
}
