/** Conflicts of unique values: which value another record has, where it is in the body, and which record has it. */

import type { Fault } from '@trellis/schema/problem.ts';
import { resourceByName } from '@trellis/schema/resources/index.ts';
import type { Resource } from '@trellis/schema/resources/resource.ts';
import type { Values } from '@trellis/schema/validation/values.ts';
import { pointerOf } from '@trellis/schema/values/paths.ts';
import { type Row, type Statement, type Step, step } from '../../database/batch.ts';
import { textArray } from '../../database/values.ts';
import type { Model } from '../model.ts';
import { ownerColumn, type SideTable, sideTablesOf } from '../side-tables.ts';
import { columnName, selectList, selectWidth, type Target } from '../storage.ts';

/** A unique value that another record has. */
export interface UniqueConflict {
  /** The conflicting value, in a sentence: `Another record already has this isbn13.` */
  readonly detail: string;
  /** Finds the record that has it. */
  readonly step: Step;
  /** The value in conflict, from the row that `step` found, if it still exists. */
  locate(row: Row | undefined): ConflictLocation;
}

/** The place of the taken value in the body. */
interface ConflictLocation {
  /** Dotted name of the field; of several that are unique together, the last one. */
  readonly field: string;
  /** Each field at fault; for a field that was not given, the fault says how to resolve it. */
  readonly errors: readonly Fault[];
}

const isTaken = { code: 'conflict', detail: 'This value is already taken.' };

/**
 * Finds the taken value from the violated constraint; null if the constraint is none of the resource's unique
 * constraints.
 */
export function findUniqueConflict(
  model: Model,
  target: Target,
  values: Values,
  constraint: string,
): UniqueConflict | null {
  const { resource } = model;
  const single = Object.entries(resource.unique).find(([, name]) => name === constraint)?.[0];
  if (single !== undefined) {
    // An externalId is unique in the organization, everything else below the parent.
    return findByFields(model, target, values, [single], single === 'externalId');
  }
  const together = resource.uniqueTogether?.[constraint];
  if (together !== undefined) return findByFields(model, target, values, together, false);
  const side = sideTablesOf(resource).find(({ unique }) => unique?.constraint === constraint);
  return side === undefined ? null : findBySideTable(model, target, values, side);
}

function findByFields(
  model: Model,
  { organizationId, parentId }: Target,
  values: Values,
  fields: readonly string[],
  anywhere: boolean,
): UniqueConflict | null {
  const { resource, storage } = model;
  const columns = fields.flatMap(
    (field) => storage.columns.find((candidate) => candidate.field === field) ?? [],
  );
  const field = fields.at(-1);
  if (field === undefined || columns.length !== fields.length) return null;
  const parameters = [organizationId];
  const add = (value: string) => `$${parameters.push(value)}`;
  const absent = columns.map((column) => (values[column.field] ?? null) === null);
  const conditions = columns.map(({ field: name, sql }, index) =>
    absent[index] ? `${sql} IS NULL` : `${sql} = ${add(String(values[name]))}`,
  );
  if (resource.parent !== null && parentId !== null && !anywhere)
    conditions.push(`r.${resource.parent.column} = ${add(parentId)}`);
  const statement: Statement = {
    name: `conflict_${resource.name}_${columnName(field)}_${absent.map(Number).join('')}`,
    text: `SELECT ${selectList(resource, storage, 'narrow')} FROM ${storage.from.working}
      WHERE r.organization_id = $1 AND ${conditions.join(' AND ')}`,
  };
  const pointer = pointerOf(field);
  const missing = fields.filter((_, index) => absent[index]);
  const errors = missing.length === 0 ? [{ pointer, ...isTaken }] : faultsTogether(fields, missing);
  return {
    detail: describeTaken(resource, fields, missing),
    step: step(statement, parameters),
    locate: () => ({ field, errors }),
  };
}

/** Faults of fields with a joint unique constraint; `missing` are those that neither record has. */
function faultsTogether(fields: readonly string[], missing: readonly string[]): Fault[] {
  return fields.map((name) => ({
    pointer: pointerOf(name),
    code: 'conflict',
    detail: missing.includes(name)
      ? `Neither record has one: a ${labelOf(name)} tells them apart.`
      : 'Together with what is not given, this value is already taken.',
  }));
}

/** The conflicting value, in a sentence that also names the fields that both records leave empty. */
function describeTaken(
  { singular, parent }: Resource,
  fields: readonly string[],
  missing: readonly string[],
): string {
  const given = fields.filter((name) => !missing.includes(name)).map(labelOf);
  if (missing.length === 0) return `Another record already has this ${listOf(given, 'and')}.`;
  const within = parent === null ? '' : ` of this ${resourceByName(parent.resource).singular}`;
  const lacking = missing.map(labelOf);
  const has = given.length === 0 ? 'has' : `has this ${listOf(given, 'and')} and`;
  return `Another ${singular}${within} ${has} no ${listOf(lacking, 'and')} either. Give a ${listOf(lacking, 'or')} to tell them apart.`;
}

function labelOf(field: string): string {
  return field.split('.').at(-1) ?? field;
}

function listOf(words: readonly string[], conjunction: 'and' | 'or'): string {
  return words.join(', ').replace(/, ([^,]+)$/, ` ${conjunction} $1`);
}

function findBySideTable(
  model: Model,
  target: Target,
  values: Values,
  side: SideTable,
): UniqueConflict | null {
  if (side.unique === null) return null;
  const { resource, storage } = model;
  const entries = side.entries(values);
  const statement: Statement = {
    name: `conflict_${side.table}`,
    text: `SELECT ${selectList(resource, storage, 'narrow')}, s.${side.column} FROM ${storage.from.working}
      JOIN trellis.${side.table} s ON s.organization_id = r.organization_id AND s.${ownerColumn(resource)} = r.id
      WHERE r.organization_id = $1 AND s.${side.column} = ANY ($2::${side.type}[]) AND r.id <> $3 LIMIT 1`,
  };
  const { field } = side.unique;
  return {
    detail: 'Another record already has this value.',
    step: step(statement, [target.organizationId, textArray(entries.map(({ value }) => value)), target.id]),
    locate(row) {
      const found = row?.[selectWidth(storage)];
      const pointer = entries.find(({ value }) => value === found)?.pointer ?? `/${field}`;
      // Values of several fields may be in one table, as both ISSNs are.
      return { field: pointer.split('/')[1] ?? field, errors: [{ pointer, ...isTaken }] };
    },
  };
}
