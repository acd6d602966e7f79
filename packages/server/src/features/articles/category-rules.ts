/** Rules of categories: the categories of a site form a tree of limited depth. */

import type { categories } from '@trellis/schema/resources/categories.ts';
import { limits } from '@trellis/schema/resources/limits.ts';
import { createHierarchy, type HierarchyReads } from '../../kernel/pipeline/hierarchy.ts';
import type { Rules } from '../../kernel/pipeline/model.ts';

const hierarchy = createHierarchy<typeof categories>({
  table: 'categories',
  field: 'parentId',
  depth: limits.categoryDepth,
  within: 'site_id',
  tooDeep: `A category tree has at most ${limits.categoryDepth} levels.`,
  cycle: 'A category cannot be below itself.',
});

export const categoryRules: Rules<typeof categories, HierarchyReads> = {
  reads: (target, input) => hierarchy.reads(target, input),
  create: (values, { rows }) => hierarchy.checkCreate(values, rows) ?? values,
  update: (before, patch, merged, { rows }) =>
    hierarchy.checkMove(before, patch, rows) ?? { values: merged, events: ['updated'] },
};
