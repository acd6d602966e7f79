/**
 * Why: what each role may do, in one table that can be read at a glance; the page docs/generated/permissions.md is
 * made from it.
 */
import type { Action } from '../resources/resource.ts';

export const roles = ['OWNER', 'ADMIN', 'EDITOR', 'AUTHOR', 'VIEWER'] as const;
export type Role = (typeof roles)[number];

/** `own`: only records that the user created. */
export type Grant = 'all' | 'own';

type Matrix = Readonly<Record<string, Readonly<Record<Role, Readonly<Partial<Record<Action, Grant>>>>>>>;

const everything = { read: 'all', create: 'all', update: 'all', delete: 'all', publish: 'all' } as const;
const reading = { read: 'all' } as const;
const erasing = { read: 'all', delete: 'all' } as const;

const content = {
  OWNER: everything,
  ADMIN: everything,
  EDITOR: everything,
  AUTHOR: reading,
  VIEWER: reading,
} as const;

export const permissions: Matrix = {
  sites: content,
  categories: content,
  tags: content,
  plants: content,
  // What is shown of the log follows what the user may read of each resource.
  events: { OWNER: reading, ADMIN: reading, EDITOR: reading, AUTHOR: reading, VIEWER: reading },
  'knowledge-files': content,
  books: content,
  magazines: content,
  issues: content,
  contacts: content,
  companies: content,
  // Erasing people's traces is a matter of privacy, and not of content.
  visitors: { OWNER: erasing, ADMIN: erasing, EDITOR: reading, AUTHOR: reading, VIEWER: reading },
  'webhook-endpoints': { OWNER: everything, ADMIN: everything, EDITOR: {}, AUTHOR: {}, VIEWER: {} },
  articles: { ...content, AUTHOR: { read: 'all', create: 'all', update: 'own', delete: 'own' } },
};

/** What the role may do with the action on the resource; null for nothing. */
export function grantOf(role: Role, resource: string, action: Action): Grant | null {
  return permissions[resource]?.[role][action] ?? null;
}

/** Tells a stored text from a role. */
export function isRole(value: string): value is Role {
  return roles.some((role) => role === value);
}
