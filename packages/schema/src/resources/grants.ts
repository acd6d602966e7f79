/**
 * Built-in roles, and the grants that declarations give them: a matrix of role × action for each resource. A page of the
 * documentation and the checks of the server are made from them.
 */

/** Built-in roles of members, from the most rights to the fewest. */
export const roles = ['OWNER', 'ADMIN', 'EDITOR', 'AUTHOR', 'VIEWER'] as const;
export type Role = (typeof roles)[number];

/** What can be done to a record; the columns of the permission matrix. */
export const actions = ['read', 'create', 'update', 'delete', 'publish', 'override'] as const;
export type Action = (typeof actions)[number];

/** On which records: `all`, or the `own` ones, which the user created. */
export type Grant = 'all' | 'own';

/** What one role may do with a resource; an action that is absent is not allowed. */
export type RoleGrants = Readonly<Partial<Record<Action, Grant>>>;

/** What each role may do with a resource. */
export type Grants = Readonly<Record<Role, RoleGrants>>;

const everything: RoleGrants = { read: 'all', create: 'all', update: 'all', delete: 'all', publish: 'all' };
const reading: RoleGrants = { read: 'all' };
const nothing: RoleGrants = {};

/** Content and CRM: editors do everything, authors and viewers read. */
export const contentGrants: Grants = {
  OWNER: everything,
  ADMIN: everything,
  EDITOR: everything,
  AUTHOR: reading,
  VIEWER: reading,
};

/** Everybody reads. */
export const readGrants: Grants = {
  OWNER: reading,
  ADMIN: reading,
  EDITOR: reading,
  AUTHOR: reading,
  VIEWER: reading,
};

/** Administrators do everything, others nothing. */
export const administrationGrants: Grants = {
  OWNER: everything,
  ADMIN: everything,
  EDITOR: nothing,
  AUTHOR: nothing,
  VIEWER: nothing,
};
