/** Why: categories of a site form a tree, of at most eight levels. */

import { limits } from '@trellis/schema/resources/limits.ts';
import type { Rules } from '../../pipeline/model.ts';
import { createHierarchy } from '../hierarchy.ts';

const hierarchy = createHierarchy({
  table: 'categories',
  field: 'parentId',
  depth: limits.categoryDepth,
  within: 'site_id',
  tooDeep: `A category tree has at most ${limits.categoryDepth} levels.`,
  cycle: 'A category cannot stand below itself.',
});

export const categoryRules: Rules = {
  slug: { field: 'slug', from: 'name', maxLength: 120 },
  gather: (target, input) => hierarchy.gather(target, input),
  create(values, context) {
    hierarchy.checkCreate(values, context);
    return values;
  },
  update(before, patch, merged, context) {
    hierarchy.checkMove(before, patch, context);
    return { values: merged, events: ['updated'] };
  },
};
