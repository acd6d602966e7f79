/**
 * Why: visitors are no resource, since nobody writes them through the API; but they have ids and an address like records,
 * by which events tell of them.
 */
import type { Resource } from './resource.ts';

export const visitors = {
  name: 'visitors',
  singular: 'visitor',
  idPrefix: 'vis',
  path: '/visitors',
  parent: null,
} as const satisfies Partial<Resource>;
