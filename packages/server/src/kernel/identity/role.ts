/** The role of a member, built-in or custom, read with the rest of the current state. */

import { builtInRoleIds } from '@trellis/schema/resources/roles.ts';
import {
  isRole,
  type Permission,
  type Rights,
  type Role,
  rightsFrom,
  rightsOf,
} from '@trellis/schema/rights/permissions.ts';
import type { Column } from '../database/row.ts';
import { BoundedMap } from '../lib/bounded-map.ts';

/** A role and its permissions. */
export interface MemberRole {
  /** Uuid. */
  readonly id: string;
  /** The key of the role, for messages. */
  readonly key: string;
  /** Which built-in role it is; null for a role that the organization made. */
  readonly builtIn: Role | null;
  readonly rights: Rights;
}

/** Rights by the stored text of the permissions, which is read with every request. */
const parsed = new BoundedMap<string, Rights>(1_000);

/**
 * The role of a membership.
 * @param stored the column `role` of the membership: the key of a built-in role, or the id of another one
 * @param key of a role that is not built in
 * @param grants of a role that is not built in: its permissions as JSON
 * @returns null where there is no membership, or no such role
 */
export function readRole(
  stored: string | null | undefined,
  key: string | null | undefined,
  grants: string | null | undefined,
): MemberRole | null {
  if (!stored) return null;
  if (isRole(stored)) {
    return { id: builtInRoleIds[stored], key: stored, builtIn: stored, rights: rightsOf(stored) };
  }
  if (!key || !grants) return null;
  return { id: stored, key, builtIn: null, rights: parseRights(grants) };
}

/**
 * The role of a membership as a column.
 * @param membership its row, in SQL
 * @param role the row of `roles` that is joined to it by its `role_id`, for roles that are not built in
 */
export function roleColumn(membership = 'm', role = 'r'): Column<MemberRole | null> {
  return {
    // As text, since DISTINCT compares no json.
    sql: `${membership}.role, ${role}.key, ${role}.grants::text`,
    width: 3,
    read: (row, place) => readRole(row[place], row[place + 1], row[place + 2]),
  };
}

function parseRights(grants: string): Rights {
  const known = parsed.get(grants);
  if (known !== undefined) return known;
  const rights = rightsFrom(JSON.parse(grants) as Permission[]);
  parsed.set(grants, rights);
  return rights;
}
