/**
 * Why: a tree must stay a tree: no cycle, and no more levels than anybody can survey, also when two people move branches at
 * once.
 */

import { invalid } from '@trellis/schema/validation/faults.ts';
import type { Input } from '@trellis/schema/validation/input.ts';
import type { StoredRecord, Values } from '@trellis/schema/validation/values.ts';
import { type Statement, type Step, type StepResult, step } from '../database/flight.ts';
import { takeTurn } from '../pipeline/locks.ts';
import type { RuleContext } from '../pipeline/model.ts';
import { columnName, type Target } from '../pipeline/storage.ts';

/** Records of one table that stand above each other. */
export interface HierarchyDeclaration {
  readonly table: string;
  /** The field that names the record above. */
  readonly field: string;
  /** Most levels. */
  readonly depth: number;
  /** Column of the record that a whole tree belongs to, such as `site_id`; null for the organization. */
  readonly within: string | null;
  readonly tooDeep: string;
  readonly cycle: string;
}

export interface Hierarchy {
  /** Rows to read when the record above is given: to be the last of a rule's `gather`. */
  gather(target: Omit<Target, 'id'> & { readonly id: string | null }, input: Input): Step[];
  /** @throws Problem validation_failed when a new record would stand too deep */
  checkCreate(values: Values, context: Pick<RuleContext, 'gathered'>): void;
  /** @throws Problem validation_failed when a moved record would stand below itself, or its branch too deep */
  checkMove(before: StoredRecord, patch: Values, context: Pick<RuleContext, 'gathered'>): void;
}

/** Makes the rules of a hierarchy. */
export function createHierarchy(declaration: HierarchyDeclaration): Hierarchy {
  const { table, field, depth, within } = declaration;
  const column = columnName(field);
  const chosen = `c.organization_id = $1${within === null ? '' : ` AND c.${within} = $3`}`;
  const readAncestors: Statement = {
    name: `${table}_above`,
    text: `WITH RECURSIVE above AS (
        SELECT c.id, c.${column}, 1 AS level FROM trellis.${table} c WHERE ${chosen} AND c.id = $2
        UNION ALL
        SELECT c.id, c.${column}, above.level + 1 FROM above
        JOIN trellis.${table} c ON ${chosen} AND c.id = above.${column}
        WHERE above.level <= ${depth}
      ) SELECT id FROM above`,
  };
  const readHeight: Statement = {
    name: `${table}_below`,
    text: `WITH RECURSIVE below AS (
        SELECT c.id, 1 AS level FROM trellis.${table} c WHERE ${chosen} AND c.${column} = $2
        UNION ALL
        SELECT c.id, below.level + 1 FROM below
        JOIN trellis.${table} c ON ${chosen} AND c.${column} = below.id
        WHERE below.level <= ${depth}
      ) SELECT coalesce(max(level), 0) FROM below`,
  };
  const refuseDepth = (levels: number) => {
    if (levels <= depth) return;
    throw invalid({ pointer: `/${field}`, code: 'too_deep', detail: declaration.tooDeep });
  };
  const levelsAbove = (ancestors: StepResult | undefined) => ancestors?.rows.length ?? 0;
  return {
    gather({ organizationId, parentId, id }, input) {
      const above = input.values[field];
      if (typeof above !== 'string') return [];
      const tree = within === null ? [] : [parentId ?? ''];
      return [
        // Two moves that pass each other could close a cycle that neither sees.
        takeTurn(organizationId, ...tree, table),
        step(readAncestors, [organizationId, above, ...tree]),
        ...(id === null ? [] : [step(readHeight, [organizationId, id, ...tree])]),
      ];
    },
    checkCreate(values, { gathered }) {
      if (typeof values[field] === 'string') refuseDepth(levelsAbove(gathered.at(-1)) + 1);
    },
    checkMove(before, patch, { gathered }) {
      if (typeof patch[field] !== 'string') return;
      const [ancestors, height] = gathered.slice(-2);
      if (ancestors?.rows.some(([id]) => id === before.id)) {
        throw invalid({ pointer: `/${field}`, code: 'cycle', detail: declaration.cycle });
      }
      refuseDepth(levelsAbove(ancestors) + 1 + Number(height?.rows[0]?.[0] ?? 0));
    },
  };
}
