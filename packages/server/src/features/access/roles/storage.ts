/**
 * Storage of roles. Every organization has a row for each built-in role, so that members refer to all roles alike. The
 * permissions of built-in roles are not stored: they are the permission matrix of the release.
 */

import { roles as builtInRoles, type Role } from '@trellis/schema/resources/grants.ts';
import { builtInRoleIds, roles } from '@trellis/schema/resources/roles.ts';
import { listPermissions, rightsOf } from '@trellis/schema/rights/permissions.ts';
import { type Statement, type Step, step } from '../../../kernel/database/batch.ts';
import { textArray, uuidArray } from '../../../kernel/database/values.ts';
import { indexJobsStep } from '../../../kernel/identity/index-jobs.ts';
import { createTableStorage, type Storage } from '../../../kernel/pipeline/storage.ts';

const table = createTableStorage(roles);

/** SQL: the permissions of a role as JSON. */
const grants = `CASE r.key ${builtInRoles
  .map((role) => `WHEN '${role}' THEN '${JSON.stringify(listPermissions(rightsOf(role)))}'::json`)
  .join(' ')} ELSE r.grants END`;

/** Storage of roles: a row of a table. The permissions of built-in roles are read from the release. */
export const roleStorage: Storage = {
  ...table,
  columns: table.columns.map((column) => (column.field === 'grants' ? { ...column, sql: grants } : column)),
};

const names: Readonly<Record<Role, string>> = {
  OWNER: 'Owner',
  ADMIN: 'Administrator',
  EDITOR: 'Editor',
  AUTHOR: 'Author',
  VIEWER: 'Viewer',
};

const insertBuiltIn: Statement = {
  name: 'insert_built_in_roles',
  text: `INSERT INTO trellis.roles (organization_id, id, version, created_at, updated_at, key, name, grants, built_in)
    SELECT $1, r.id, 1, now(), now(), r.key, r.name, '[]', true
    FROM unnest($2::uuid[], $3::text[], $4::text[]) AS r (id, key, name)
    RETURNING key`,
};

/** The steps that give a new organization its built-in roles. */
export function builtInRoleSteps(organizationId: string): Step[] {
  const ids = builtInRoles.map((role) => builtInRoleIds[role]);
  return [
    step(insertBuiltIn, [
      organizationId,
      uuidArray(ids),
      textArray(builtInRoles),
      textArray(builtInRoles.map((role) => names[role])),
    ]),
    indexJobsStep(organizationId, roles.singular, ids),
  ];
}
