/**
 * The step `checkReferences`: checks that the ids in a body name records that the caller sees. Foreign, absent and
 * hidden records give the same error. Foreign keys that contain the organization detect records that are deleted
 * between this check and the commit.
 */

import { type Fault, Problem } from '@trellis/schema/problem.ts';
import { resourceByName } from '@trellis/schema/resources/index.ts';
import { referenceFault } from '@trellis/schema/validation/input.ts';
import type { ReferenceUse } from '@trellis/schema/validation/values.ts';
import { type Statement, type Step, type StepResult, step } from '../../../database/batch.ts';
import { uuidArray } from '../../../database/values.ts';
import type { ReferenceCheck, WriteRequest } from '../plan.ts';

const findUsers: Statement = {
  name: 'find_users',
  text: `SELECT m.user_id FROM trellis.memberships m JOIN trellis.users u ON u.id = m.user_id AND u.status = 'ACTIVE'
    WHERE m.organization_id = $1 AND m.user_id = ANY ($2) AND m.status = 'ACTIVE'`,
};

const statements = new Map<string, Statement>();

/** Declares the reads that find the records a body refers to. */
export function planReferences(
  organizationId: string,
  parentId: string | null,
  references: readonly ReferenceUse[],
): ReferenceCheck {
  const uses = Map.groupBy(references, ({ resource, sameParent }) =>
    sameParent ? `${resource} below the same parent` : resource,
  );
  const reads = [...uses].map(([name, group]) => [name, findStep(organizationId, parentId, group)] as const);
  return { reads: Object.fromEntries(reads), uses };
}

/** @throws Problem reference_not_found, with the pointer of every id that names no visible record */
export function checkReferences(
  { plan: { references } }: WriteRequest,
  found: Readonly<Record<string, StepResult>> | undefined,
): void {
  if (references === undefined) return;
  const faults = [...references.uses].flatMap(([name, uses]): Fault[] => {
    const ids = new Set(found?.[name]?.rows.map(([id]) => id));
    return uses.flatMap(({ id, pointer }) => (ids.has(id) ? [] : [referenceFault(pointer)]));
  });
  if (faults.length > 0) throw new Problem('reference_not_found', undefined, { errors: faults });
}

function findStep(organizationId: string, parentId: string | null, group: readonly ReferenceUse[]): Step {
  const first = group[0];
  const ids = uuidArray([...new Set(group.map(({ id }) => id))]);
  if (first === undefined || first.resource === 'users') return step(findUsers, [organizationId, ids]);
  const within = first.sameParent && parentId !== null;
  return step(
    findStatement(first.resource, within),
    within ? [organizationId, ids, parentId] : [organizationId, ids],
  );
}

function findStatement(resourceName: string, within: boolean): Statement {
  const name = `find_${resourceName}${within ? '_within' : ''}`;
  const known = statements.get(name);
  if (known !== undefined) return known;
  const { table, parent } = resourceByName(resourceName);
  const condition = within && parent !== null ? ` AND ${parent.column} = $3` : '';
  const made = {
    name,
    text: `SELECT id FROM trellis.${table} WHERE organization_id = $1 AND id = ANY ($2)${condition}`,
  };
  statements.set(name, made);
  return made;
}
