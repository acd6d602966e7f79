/**
 * The id prefix and path of visitors. Visitors are not a resource, because the API cannot write them; but events refer to
 * them by id and path as to records.
 */
import type { Resource } from './resource.ts';

export const visitors = {
  name: 'visitors',
  singular: 'visitor',
  idPrefix: 'vis',
  path: '/visitors',
  parent: null,
} as const satisfies Partial<Resource>;

/** Days of which visits are counted: today and those before. */
export const countedDays = 14;
