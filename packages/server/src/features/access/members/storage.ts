/**
 * Storage of members: role and status are in the membership, name and address in the user, who may belong to several
 * organizations. A member has the id of its user. A service member has a user of its own, without an address.
 */

import { roles as builtInRoles } from '@trellis/schema/resources/grants.ts';
import { members } from '@trellis/schema/resources/members.ts';
import { builtInRoleIds } from '@trellis/schema/resources/roles.ts';
import type { StoredRecord } from '@trellis/schema/validation/values.ts';
import { type Statement, step } from '../../../kernel/database/batch.ts';
import { type Storage, tableColumns } from '../../../kernel/pipeline/storage.ts';
import { revokeTokensStep } from './membership-tokens.ts';

/** SQL: the id of a member's role. The column `role_id` has it only for roles that are not built in. */
const roleId = `CASE m.role ${builtInRoles
  .map((role) => `WHEN '${role}' THEN '${builtInRoleIds[role]}'::uuid`)
  .join(' ')} ELSE m.role_id END`;

/** Members joined with their users, as one relation. */
const from = `(
    SELECT m.organization_id, m.id, m.version, m.created_at, m.updated_at, m.created_by, m.updated_by,
      ${roleId} AS role_id, m.status, u.name, u.email, u.has_mfa, m.responsible_user_id,
      CASE WHEN m.responsible_user_id IS NULL THEN 'PERSON' ELSE 'SERVICE' END AS kind,
      (SELECT max(t.last_used_at) FROM trellis.tokens t
       WHERE t.organization_id = $1 AND t.user_id = m.user_id) AS last_seen_at
    FROM trellis.memberships m JOIN trellis.users u ON u.id = m.user_id
  ) r`;

/** Fields that are not columns of the table of memberships. */
const derived = ['name', 'email', 'kind', 'roleId', 'lastSeenAt', 'hasMfa'];

const insertUser: Statement = {
  name: 'insert_service_user',
  text: 'INSERT INTO trellis.users (id, name, service_of) VALUES ($1, $2, $3)',
};
const insert: Statement = {
  name: 'insert_service_members',
  text: `INSERT INTO trellis.memberships (organization_id, user_id, version, created_at, updated_at, created_by, updated_by, role, status,
      responsible_user_id)
    VALUES ($1, $2, 1, $3, $3, $4, $4, $5, $6, $7)`,
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

/** The column `role` of a membership for a role: the key of a built-in one, or the id. */
export function storedRole(roleUuid: string): string {
  return builtInRoles.find((role) => builtInRoleIds[role] === roleUuid) ?? roleUuid;
}

/** Storage of members. What is created as a record is a service member; people become members as in `creation.ts`. */
export const memberStorage: Storage = {
  columns: tableColumns(members).map((column) =>
    derived.includes(column.field) ? { ...column, derived: true } : column,
  ),
  from: { working: from, published: from },
  insert: ({ organizationId, after: { id, createdAt, createdBy, values } }) => [
    step(insertUser, [id, String(values.name), organizationId]),
    step(insert, [
      ...[organizationId, id, createdAt, createdBy],
      ...[storedRole(String(values.roleId)), String(values.status), String(values.responsibleUserId)],
    ]),
  ],
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
    revokeTokensStep(organizationId, record.id),
  ],
};

function keyOf(organizationId: string, { id }: Pick<StoredRecord, 'id'>): [string, string] {
  return [organizationId, id];
}
