/** Why: a tree must stay a tree. No cycle and no more than eight levels, also when two editors move branches at once. */
import { createHash } from 'node:crypto';
import { type Statement, step } from '../database/flight.ts';
import { type Fault, Problem } from '../lib/problem.ts';
import { claimedCondition } from '../pipeline/idempotency.ts';
import type { Rules } from '../pipeline/model.ts';
import { limits } from '../resources/limits.ts';

/** Moves within one site's tree take turns: two that pass each other could close a cycle that neither sees. */
const lockTree: Statement = {
  name: 'lock_category_tree',
  text: `SELECT pg_advisory_xact_lock($1) WHERE ${claimedCondition}`,
};
const readAncestors: Statement = {
  name: 'category_ancestors',
  text: `WITH RECURSIVE above AS (
      SELECT c.id, c.parent_id, 1 AS level FROM trellis.categories c
      WHERE c.organization_id = $1 AND c.site_id = $2 AND c.id = $3
      UNION ALL
      SELECT c.id, c.parent_id, above.level + 1 FROM above
      JOIN trellis.categories c ON c.organization_id = $1 AND c.site_id = $2 AND c.id = above.parent_id
      WHERE above.level < ${limits.categoryDepth + 1}
    ) SELECT id FROM above`,
};
const readHeight: Statement = {
  name: 'category_height',
  text: `WITH RECURSIVE below AS (
      SELECT c.id, 0 AS level FROM trellis.categories c
      WHERE c.organization_id = $1 AND c.site_id = $2 AND c.parent_id = $3
      UNION ALL
      SELECT c.id, below.level + 1 FROM below
      JOIN trellis.categories c ON c.organization_id = $1 AND c.site_id = $2 AND c.parent_id = below.id
      WHERE below.level < ${limits.categoryDepth}
    ) SELECT coalesce(max(level) + 1, 0) FROM below`,
};

export const categoryRules: Rules = {
  slug: { field: 'slug', from: 'name', maxLength: 120 },
  gather({ organizationId, parentId: siteId, id }, input) {
    const above = input.values.parentId;
    if (typeof above !== 'string' || siteId === null) return [];
    const tree = createHash('sha256')
      .update(`${organizationId}\n${siteId}\ncategories`)
      .digest()
      .readBigInt64BE(0);
    return [
      step(lockTree, [tree.toString()]),
      step(readAncestors, [organizationId, siteId, above]),
      ...(id === null ? [] : [step(readHeight, [organizationId, siteId, id])]),
    ];
  },
  update(before, patch, merged, context) {
    // The rows of `gather`, when it asked for any: lock, ancestors of the new parent, height below this category.
    const [, ancestors, height] = context.gathered;
    if (typeof patch.parentId === 'string') {
      const isBelow = ancestors?.rows.some(([id]) => id === before.id) ?? false;
      if (isBelow) throw cycle();
      refuseDepth((ancestors?.rows.length ?? 0) + 1 + Number(height?.rows[0]?.[0] ?? 0));
    }
    return { values: merged, events: ['updated'] };
  },
  create(values, context) {
    const ancestors = context.gathered[1];
    if (typeof values.parentId === 'string') refuseDepth((ancestors?.rows.length ?? 0) + 1);
    return values;
  },
};

function refuseDepth(levels: number): void {
  if (levels <= limits.categoryDepth) return;
  throw invalid({
    pointer: '/parentId',
    code: 'too_deep',
    detail: `A category tree has at most ${limits.categoryDepth} levels.`,
  });
}

function cycle() {
  return invalid({ pointer: '/parentId', code: 'cycle', detail: 'A category cannot stand below itself.' });
}

function invalid(fault: Fault): Problem {
  return new Problem('validation_failed', undefined, { errors: [fault] });
}
