/**
 * How members are kept: the role and the status with the membership, the name and the address with the user, whom several
 * organizations share. A member has the id of the user. A service member has a user of its own, without an address.
 */

import { roles as builtInRoles } from '@trellis/schema/resources/grants.ts';
import { members } from '@trellis/schema/resources/members.ts';
import { builtInRoleIds } from '@trellis/schema/resources/roles.ts';
import { tokens } from '@trellis/schema/resources/tokens.ts';
import type { StoredRecord } from '@trellis/schema/validation/values.ts';
import { type Statement, type Step, step } from '../../database/batch.ts';
import { type Storage, tableColumns } from '../../pipeline/storage.ts';
import { madeForOrBy, revokeTokensStep } from './membership-tokens.ts';

/** SQL: the id of a member's role. The column `role_id` has it only for roles that are not built in. */
const roleId = `CASE m.role ${builtInRoles
  .map((role) => `WHEN '${role}' THEN '${builtInRoleIds[role]}'::uuid`)
  .join(' ')} ELSE m.role_id END`;

/** Members with what is known of their users, as one relation. */
const from = `(
    SELECT m.organization_id, m.id, m.version, m.created_at, m.updated_at, m.created_by, m.updated_by,
      ${roleId} AS role_id, m.status, u.name, u.email, u.has_mfa, m.responsible_user_id,
      CASE WHEN m.responsible_user_id IS NULL THEN 'PERSON' ELSE 'SERVICE' END AS kind,
      (SELECT max(t.last_used_at) FROM trellis.tokens t
       WHERE t.organization_id = m.organization_id AND t.user_id = m.user_id) AS last_seen_at
    FROM trellis.memberships m JOIN trellis.users u ON u.id = m.user_id
  ) r`;

/** Fields that are not as they stand in the table of memberships. */
const derived = ['name', 'email', 'kind', 'roleId', 'lastSeenAt', 'hasMfa'];

const insertUser: Statement = {
  name: 'insert_service_user',
  text: 'INSERT INTO trellis.users (id, name, service_of) VALUES ($1, $2, $3)',
};
const insert: Statement = {
  name: 'insert_service_members',
  text: `INSERT INTO trellis.memberships (organization_id, user_id, version, created_at, updated_at, created_by, updated_by, role, status,
      responsible_user_id)
    VALUES ($1, $2, 1, coalesce($3, now()), coalesce($3, now()), $4, $4, $5, $6, $7)`,
};
const update: Statement = {
  name: 'update_members',
  text: `UPDATE trellis.memberships SET version = $3, updated_at = $4, updated_by = $5, role = $6, status = $7,
      responsible_user_id = $8
    WHERE organization_id = $1 AND user_id = $2`,
};
/** Of a service member: the names of people are not for their organizations to change. */
const rename: Statement = {
  name: 'rename_service_member',
  text: 'UPDATE trellis.users SET name = $2, updated_at = now() WHERE id = $1 AND service_of = $3',
};
const remove: Statement = {
  name: 'delete_members',
  text: 'DELETE FROM trellis.memberships WHERE organization_id = $1 AND user_id = $2',
};
/** Tokens are records of their own, which are found no more. */
const removeTokenEntries: Statement = {
  name: 'delete_search_entries_of_tokens_of_member',
  text: `DELETE FROM trellis.search_records WHERE organization_id = $1 AND type = '${tokens.singular}'
    AND record_id IN (SELECT id FROM trellis.tokens WHERE organization_id = $1 AND ${madeForOrBy('$2')})`,
};

/** The column `role` of a membership for a role: the key of a built-in one, or the id. */
export function storedRole(roleUuid: string): string {
  return builtInRoles.find((role) => builtInRoleIds[role] === roleUuid) ?? roleUuid;
}

/** A new service member. */
export interface NewServiceMember {
  /** Uuid. */
  readonly id: string;
  readonly name: string;
  /** As it is stored: the key of a built-in role, or the id of another one. */
  readonly role: string;
  readonly status: string;
  /** Uuid of the person who answers for it. */
  readonly responsibleUserId: string;
  /** RFC 3339; null: now. */
  readonly createdAt: string | null;
  /** Uuid; null for an operator. */
  readonly createdBy: string | null;
}

/** The steps that make a service member: a user of its own, and a membership. */
export function serviceMemberSteps(organizationId: string, member: NewServiceMember): Step[] {
  const { id, name, role, status, responsibleUserId, createdAt, createdBy } = member;
  return [
    step(insertUser, [id, name, organizationId]),
    step(insert, [organizationId, id, createdAt, createdBy, role, status, responsibleUserId]),
  ];
}

/** Storage of members. What is created as a record is a service member; people become members as in `creation.ts`. */
export const memberStorage: Storage = {
  columns: tableColumns(members).map((column) =>
    derived.includes(column.field) ? { ...column, derived: true } : column,
  ),
  from: { working: from, published: from },
  insert: ({ organizationId, after: { id, createdAt, createdBy, values } }) =>
    serviceMemberSteps(organizationId, {
      ...{ id, createdAt, createdBy },
      name: String(values.name),
      role: storedRole(String(values.roleId)),
      status: String(values.status),
      responsibleUserId: String(values.responsibleUserId),
    }),
  update: ({ organizationId, before, after }) => [
    step(update, [
      ...keyOf(organizationId, after),
      String(after.version),
      after.updatedAt,
      after.updatedBy,
      storedRole(String(after.values.roleId)),
      String(after.values.status),
      after.values.responsibleUserId === null ? null : String(after.values.responsibleUserId),
    ]),
    ...(before?.values.name === after.values.name
      ? []
      : [step(rename, [after.id, String(after.values.name), organizationId])]),
  ],
  remove: (organizationId, record) => [
    step(remove, keyOf(organizationId, record)),
    step(removeTokenEntries, keyOf(organizationId, record)),
    revokeTokensStep(organizationId, record.id),
  ],
};

function keyOf(organizationId: string, { id }: Pick<StoredRecord, 'id'>): [string, string] {
  return [organizationId, id];
}
