/**
 * Counts and names the records that refer to a record and prevent its deletion, for the error message. The statements are built
 * from the declarations.
 */

import { resources } from '@trellis/schema/resources/index.ts';
import { members } from '@trellis/schema/resources/members.ts';
import { flattenFields, type Resource, statusOf } from '@trellis/schema/resources/resource.ts';
import type { StoredRecord } from '@trellis/schema/validation/values.ts';
import { type Statement, type Step, step } from '../../database/batch.ts';
import { defineRow, flag, nullable, text } from '../../database/row.ts';
import { ownerColumn, sideTablesOf } from '../side-tables.ts';
import { columnName } from '../storage.ts';

/** A counting statement, and whether its second parameter is the record's parent. */
interface UsageCount {
  readonly statement: Statement;
  readonly needsParent: boolean;
}

const known = new WeakMap<Resource, readonly UsageCount[]>();

/**
 * The steps that count the records which refer to a record. They return rows of (name of a resource, count), ordered by
 * name.
 */
export function usageSteps(
  resource: Resource,
  organizationId: string,
  { id, parentId }: Pick<StoredRecord, 'id' | 'parentId'>,
): Step[] {
  const counts = known.get(resource) ?? makeCounts(resource);
  known.set(resource, counts);
  return counts.map(({ statement, needsParent }) =>
    step(statement, [organizationId, id, ...(needsParent ? [parentId] : [])]),
  );
}

function makeCounts(target: Resource): UsageCount[] {
  const names = resources.map(({ name }) => name).sort();
  return names.flatMap((name): UsageCount[] => {
    const referring = resources.find((resource) => resource.name === name);
    const selects = referring === undefined ? [] : selectReferring(referring, target);
    if (selects.length === 0) return [];
    const sql = `SELECT '${name}', count(*) FROM (${selects.map(({ ids }) => ids).join(' UNION ')}) u`;
    const statement = { name: `usage_${target.name}_${name}`, text: sql };
    return [{ statement, needsParent: sql.includes('$3') }];
  });
}

/** One way in which records of a resource refer to another record. */
export interface Referring {
  /** A query for the ids of the records. */
  readonly ids: string;
  /** A condition on such a record (`r`): readers see that it does. NULL where records of the resource are not published. */
  readonly seen: string;
  /** Whether the reference prevents a concurrent deletion of the other record. */
  readonly preventsDeletion: boolean;
}

/** A statement that names records, and the form of its rows. */
export function namingStatement(
  resource: Resource,
  name: string,
  selects: readonly Referring[],
  most: number,
) {
  const titles = [resource.titleField, ...(resource.titleFallbacks ?? [])];
  const union = (some: readonly Referring[]) => some.map(({ ids }) => ids).join(' UNION ');
  const preventing = selects.filter(({ preventsDeletion }) => preventsDeletion);
  const row = defineRow({
    id: text('r.id'),
    parentId: nullable(text(resource.parent === null ? 'NULL' : `r.${resource.parent.column}`)),
    title: text(`coalesce(${titles.map((title) => `r.${columnName(title)}`).join(', ')}, '')`),
    isPublished: nullable(flag(selects.map(({ seen }) => seen).join(' OR '))),
    preventsDeletion: flag(preventing.length === selects.length ? 'true' : `r.id IN (${union(preventing)})`),
  });
  const statement: Statement = {
    name,
    text: `SELECT ${row.list} FROM trellis.${resource.table} r
      WHERE r.organization_id = $1 AND r.id IN (${union(selects)})
      ORDER BY r.updated_at DESC, r.id DESC LIMIT ${most}`,
  };
  return { resource, row, statement };
}

/** Records of one kind that an error names. */
const mostNamed = 10;

type Naming = ReturnType<typeof namingStatement>;
const naming = new WeakMap<Resource, readonly Naming[]>();

/** For each resource whose records refer to a record: how the first of them are found, those changed last first. */
export function namingSteps(
  target: Resource,
  organizationId: string,
  { id, parentId }: Pick<StoredRecord, 'id' | 'parentId'>,
): readonly (Naming & { readonly step: Step })[] {
  const made = naming.get(target) ?? makeNaming(target);
  naming.set(target, made);
  return made.map((one) => {
    const { statement } = one;
    const parameters = [organizationId, id, ...(statement.text.includes('$3') ? [parentId] : [])];
    return { ...one, step: step(statement, parameters) };
  });
}

function makeNaming(target: Resource): Naming[] {
  return resources.flatMap((resource) => {
    const selects = selectReferring(resource, target);
    const name = `users_of_${target.name}_${resource.name}`;
    // The name of a member is stored with the user.
    return selects.length === 0 || resource.name === members.name
      ? []
      : [namingStatement(resource, name, selects, mostNamed)];
  });
}

/**
 * The references of a resource's records to a record ($2) of an organization ($1): its children, and records with its id in a field or a
 * side table. If both have the same parent, it is $3.
 */
export function selectReferring(resource: Resource, target: Resource): Referring[] {
  const { parent, versions } = resource;
  const seen = seenCondition(resource);
  const select = (table: string, id: string, column: string, sameParent: boolean): Referring => {
    // If both have the same parent, the parent comes first in the index.
    const within = sameParent && parent !== null ? ` AND ${parent.column} = $3` : '';
    const ids = `SELECT DISTINCT ${id} FROM trellis.${table} WHERE organization_id = $1${within} AND ${column} = $2`;
    return { ids, seen, preventsDeletion: true };
  };
  const below = parent?.resource === target.name ? [select(resource.table, 'id', parent.column, false)] : [];
  const fields = flattenFields(resource).flatMap(([name, { kind, reference }]) => {
    // An id in a list is found in the side table of the list.
    if (kind !== 'uuid' || reference?.resource !== target.name || reference.among !== null) return [];
    if (!reference.blocksDeletion) return [];
    const column = columnName(name);
    if (versions === undefined || !name.startsWith(`${versions.group}.`))
      return [select(resource.table, 'id', column, reference.sameParent)];
    const ofVersions = select(versions.table, ownerColumn(resource), column, reference.sameParent);
    return [{ ...ofVersions, seen: seenInVersion(resource, versions.table, `${column} = $2`) }];
  });
  const sides = sideTablesOf(resource).flatMap(({ table, column, sameParent, target: named }) =>
    named !== target.name || resource.sideTables?.[table]?.onDelete === 'remove'
      ? []
      : [select(table, ownerColumn(resource), column, sameParent)],
  );
  return [...below, ...fields, ...sides];
}

/** The condition on a record (`r`) that readers see it. */
function seenCondition(resource: Resource): string {
  if (resource.versions !== undefined) return 'r.published_version IS NOT NULL';
  const status = statusOf(resource);
  const published = status?.transitions.published ?? [];
  if (status === null || published.length === 0) return 'NULL::boolean';
  return `r.${columnName(status.field)} IN (${published.map((one) => `'${one}'`).join(', ')})`;
}

/** The condition on a record (`r`) that a table has a row of its published version for which another condition is true. */
export function seenInVersion(resource: Resource, table: string, condition: string): string {
  const within =
    resource.parent === null ? '' : ` AND ${resource.parent.column} = r.${resource.parent.column}`;
  return `EXISTS (SELECT FROM trellis.${table} WHERE organization_id = $1${within}
    AND ${ownerColumn(resource)} = r.id AND number = r.published_version AND ${condition})`;
}
