/** Rules of records that form a tree: no cycle and a limited depth, also when requests move branches concurrently. */

import type { Declared, FieldName } from '@trellis/schema/resources/stored-values.ts';
import { invalid } from '@trellis/schema/validation/faults.ts';
import type { Input } from '@trellis/schema/validation/input.ts';
import type { StoredRecord, Values } from '@trellis/schema/validation/values.ts';
import { type Statement, type Step, type StepResult, step } from '../database/batch.ts';
import type { ResultsOf } from '../database/reads.ts';
import { advisoryLock } from './locks.ts';
import { Refusal } from './refusal.ts';
import { columnName, type Target } from './storage.ts';

/** Records of one table that form a tree. */
export interface HierarchyDeclaration<D extends Declared> {
  readonly table: string;
  /** The field that refers to the parent. */
  readonly field: FieldName<D>;
  /** Maximum number of levels. */
  readonly depth: number;
  /** Column of the record that a tree belongs to, such as `site_id`; null for the organization. */
  readonly within: string | null;
  readonly tooDeep: string;
  readonly cycle: string;
}

/** The reads for a write that sets the parent. */
export type HierarchyReads = {
  /** Ids of the parent and of all its ancestors; the whole tree is locked first. */
  readonly ancestors?: readonly Step[];
  /** Number of levels below the record, when it is moved. */
  readonly height?: Step;
};

export interface Hierarchy {
  reads(target: Omit<Target, 'id'> & { readonly id: string | null }, input: Input): HierarchyReads;
  /** Refuses a new record that would be too deep (validation_failed). @returns null when it is allowed */
  checkCreate(values: Values, rows: ResultsOf<HierarchyReads>): Refusal | null;
  /** Refuses a move below itself, or of a branch that would be too deep (validation_failed). @returns null when allowed */
  checkMove(before: StoredRecord, patch: Values, rows: ResultsOf<HierarchyReads>): Refusal | null;
}

/** Makes the rules of a hierarchy of records with the declaration `D`. */
export function createHierarchy<D extends Declared>(declaration: HierarchyDeclaration<D>): Hierarchy {
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
  const refuse = (code: string, detail: string) =>
    new Refusal(invalid({ pointer: `/${field}`, code, detail }));
  const checkDepth = (levels: number) => (levels <= depth ? null : refuse('too_deep', declaration.tooDeep));
  const levelsAbove = (ancestors: StepResult | undefined) => ancestors?.rows.length ?? 0;
  return {
    reads({ organizationId, parentId, id }, input) {
      const above = input.values[field];
      if (typeof above !== 'string') return {};
      const tree = within === null ? [] : [parentId ?? ''];
      return {
        // Without the lock, two concurrent moves could make a cycle that neither of them sees.
        ancestors: [
          advisoryLock(organizationId, ...tree, table),
          step(readAncestors, [organizationId, above, ...tree]),
        ],
        ...(id === null ? {} : { height: step(readHeight, [organizationId, id, ...tree]) }),
      };
    },
    checkCreate(values, { ancestors }) {
      return typeof values[field] === 'string' ? checkDepth(levelsAbove(ancestors) + 1) : null;
    },
    checkMove(before, patch, { ancestors, height }) {
      if (typeof patch[field] !== 'string') return null;
      if (ancestors?.rows.some(([id]) => id === before.id)) return refuse('cycle', declaration.cycle);
      return checkDepth(levelsAbove(ancestors) + 1 + Number(height?.rows[0]?.[0] ?? 0));
    },
  };
}
