/**
 * Why: an id in a body is a claim. It is checked in the transaction of the write; foreign, absent and invisible records
 * give one and the same answer. Foreign keys with the organization in them catch what slips in between.
 */

import { type Fault, Problem } from '@trellis/schema/problem.ts';
import { resourceByName } from '@trellis/schema/resources/index.ts';
import { type ReferenceUse, referenceFault } from '@trellis/schema/validation/input.ts';
import { type Statement, type Step, type StepResult, step } from '../database/flight.ts';
import { uuidArray } from '../database/values.ts';

const findUsers: Statement = {
  name: 'find_users',
  text: `SELECT m.user_id FROM trellis.memberships m JOIN trellis.users u ON u.id = m.user_id AND u.status = 'ACTIVE'
    WHERE m.organization_id = $1 AND m.user_id = ANY ($2)`,
};

const statements = new Map<string, Statement>();

/** One step for each kind of record referred to. */
export interface ReferenceCheck {
  readonly steps: readonly Step[];
  /** @throws Problem reference_not_found, with the pointer of every id that names nothing */
  judge(results: readonly StepResult[]): void;
}

/** Prepares the check of all references of one body. */
export function checkReferences(
  organizationId: string,
  parentId: string | null,
  uses: readonly ReferenceUse[],
): ReferenceCheck {
  const groups = new Map<string, ReferenceUse[]>();
  for (const use of uses) {
    const key = `${use.resource} ${use.sameParent}`;
    groups.set(key, [...(groups.get(key) ?? []), use]);
  }
  const steps = [...groups.values()].map((group) => findStep(organizationId, parentId, group));
  return {
    steps,
    judge(results) {
      const faults: Fault[] = [];
      [...groups.values()].forEach((group, index) => {
        const found = new Set(results[index]?.rows.map(([id]) => id));
        for (const { id, pointer } of group) if (!found.has(id)) faults.push(referenceFault(pointer));
      });
      if (faults.length > 0) throw new Problem('reference_not_found', undefined, { errors: faults });
    },
  };
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
