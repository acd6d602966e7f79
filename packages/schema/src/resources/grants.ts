/**
 * Built-in roles, and the grants of each role for each resource: a matrix of role × action. The checks of the server and
 * the page about permissions are derived from them.
 */

/** Built-in roles of members, from the most rights to the fewest. */
export const roles = ['OWNER', 'ADMIN', 'EDITOR', 'AUTHOR', 'VIEWER'] as const;
export type Role = (typeof roles)[number];

/** The actions on a record: the columns of the permission matrix. */
export const actions = ['read', 'create', 'update', 'delete', 'publish'] as const;
export type Action = (typeof actions)[number];

/** The records that an action is granted on: `all`, or `own` for those that the user created. */
export type Grant = 'all' | 'own';

/** The actions of one role on a resource; an absent action is not allowed. */
export type RoleGrants = Readonly<Partial<Record<Action, Grant>>>;

/** The actions of each role on a resource. */
export type Grants = Readonly<Record<Role, RoleGrants>>;

const everything: RoleGrants = { read: 'all', create: 'all', update: 'all', delete: 'all', publish: 'all' };
const reading: RoleGrants = { read: 'all' };
const nothing: RoleGrants = {};

/** Content and CRM: editors may do everything, authors and viewers may read. */
export const contentGrants: Grants = {
  OWNER: everything,
  ADMIN: everything,
  EDITOR: everything,
  AUTHOR: reading,
  VIEWER: reading,
};

/** Articles and their files: authors also write, and change and delete what is theirs. */
export const authoredGrants: Grants = {
  ...contentGrants,
  AUTHOR: { read: 'all', create: 'all', update: 'own', delete: 'own' },
};

/** Every role may read. */
export const readGrants: Grants = {
  OWNER: reading,
  ADMIN: reading,
  EDITOR: reading,
  AUTHOR: reading,
  VIEWER: reading,
};

/** The organization itself: its owners alone. */
export const ownerGrants: Grants = {
  OWNER: { read: 'all', update: 'all' },
  ADMIN: nothing,
  EDITOR: nothing,
  AUTHOR: nothing,
  VIEWER: nothing,
};

/** Invitations are made, sent again and revoked, never changed. */
const inviting: RoleGrants = { read: 'all', create: 'all', delete: 'all' };

/** Invitations: administrators make them, other roles do not see them. */
export const invitationGrants: Grants = {
  OWNER: inviting,
  ADMIN: inviting,
  EDITOR: nothing,
  AUTHOR: nothing,
  VIEWER: nothing,
};

/** Everybody has views of their own; publishing one is sharing it. */
const ownViews: RoleGrants = { read: 'all', create: 'all', update: 'own', delete: 'own' };

/** Views: editors share theirs, administrators also change and delete the shared views of others. */
export const viewGrants: Grants = {
  OWNER: everything,
  ADMIN: everything,
  EDITOR: { ...ownViews, publish: 'all' },
  AUTHOR: ownViews,
  VIEWER: ownViews,
};

const managing: RoleGrants = { read: 'all', create: 'all', update: 'all', delete: 'all' };

/** Members: administrators manage them, and every member may see who the others are. Service members are created, people are invited. */
export const memberGrants: Grants = { ...readGrants, OWNER: managing, ADMIN: managing };

/** Roles, clients and tokens: administrators manage them, other roles do not see them. */
export const managementGrants: Grants = {
  OWNER: managing,
  ADMIN: managing,
  EDITOR: nothing,
  AUTHOR: nothing,
  VIEWER: nothing,
};

/** Administrators may do everything, other roles nothing. */
export const administrationGrants: Grants = {
  OWNER: everything,
  ADMIN: everything,
  EDITOR: nothing,
  AUTHOR: nothing,
  VIEWER: nothing,
};
