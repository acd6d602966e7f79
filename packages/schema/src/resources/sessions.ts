/**
 * The id prefix and path of sessions. Sessions are not a resource, because people open them by signing in and nobody changes them;
 * but events refer to them by id and path as to records.
 */
import type { Resource } from './resource.ts';

export const sessions = {
  name: 'sessions',
  singular: 'session',
  idPrefix: 'ses',
  path: '/sessions',
  parent: null,
} as const satisfies Partial<Resource>;
