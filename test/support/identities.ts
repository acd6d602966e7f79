/** Creates organizations, members and tokens in any combination, as an operator would. */

import { modules } from '@trellis/schema/resources/resource.ts';
import type { Role } from '@trellis/schema/rights/permissions.ts';
import { allScopes } from '@trellis/schema/rights/scopes.ts';
import { newUuid } from '@trellis/schema/values/ids.ts';
import { builtInRoleSteps } from '@trellis/server/features/access/roles/storage.ts';
import type { Database } from '@trellis/server/kernel/database/database.ts';
import { textArray } from '@trellis/server/kernel/database/values.ts';
import type { Audience } from '@trellis/server/kernel/identity/actor.ts';
import { hashToken, makeToken } from '@trellis/server/kernel/identity/tokens.ts';

export interface TestOrganization {
  readonly id: string;
  readonly clientId: string;
}

export interface TestToken {
  readonly token: string;
  readonly id: string;
  readonly userId: string;
}

/** An active organization with all modules, a client of the kind SERVER and one for the console. */
export async function createOrganization(worker: Database, key: string): Promise<TestOrganization> {
  const id = newUuid();
  const clientId = newUuid();
  await worker.run('INSERT INTO trellis.organizations (id, key, name, modules) VALUES ($1, $2, $2, $3)', [
    id,
    key,
    textArray(modules),
  ]);
  await worker.executeInBackground(builtInRoleSteps(id));
  await worker.run(
    `INSERT INTO trellis.clients (organization_id, id, name, kind) VALUES ($1, $2, 'Test', 'SERVER'), ($1, $3, 'Console', 'CONSOLE')`,
    [id, clientId, newUuid()],
  );
  return { id, clientId };
}

/** A new user with a role in the organization. */
export async function createMember(
  worker: Database,
  organization: TestOrganization,
  role: Role,
): Promise<string> {
  const userId = newUuid();
  await worker.run(`INSERT INTO trellis.users (id, email, email_normalized, name) VALUES ($1, $2, $2, $3)`, [
    userId,
    `${userId}@example.com`,
    role,
  ]);
  await joinOrganization(worker, organization.id, userId, role);
  return userId;
}

/** Makes a user a member of an organization (uuids). */
export async function joinOrganization(
  worker: Database,
  organizationId: string,
  userId: string,
  role: Role,
): Promise<void> {
  await worker.run('INSERT INTO trellis.memberships (organization_id, user_id, role) VALUES ($1, $2, $3)', [
    organizationId,
    userId,
    role,
  ]);
}

/** A token of a member; all scopes for the tenant API unless said otherwise. */
export async function createToken(
  worker: Database,
  organization: TestOrganization,
  userId: string,
  options: { scopes?: readonly string[]; audiences?: readonly Audience[] } = {},
): Promise<TestToken> {
  const token = makeToken(organization.id);
  const id = newUuid();
  await worker.run(
    `INSERT INTO trellis.tokens (organization_id, id, user_id, client_id, secret_hash, resources, scopes)
     VALUES ($1, $2, $3, $4, decode($5, 'hex'), $6, $7)`,
    [
      organization.id,
      id,
      userId,
      organization.clientId,
      hashToken(token),
      textArray(options.audiences ?? ['api']),
      textArray(options.scopes ?? allScopes),
    ],
  );
  return { token, id, userId };
}
