/**
 * Creates the organizations of the sequences. Every sequence runs in two new organizations, so they are created many at a
 * time.
 */

import { modules } from '@trellis/schema/resources/resource.ts';
import type { Role } from '@trellis/schema/rights/permissions.ts';
import { allScopes } from '@trellis/schema/rights/scopes.ts';
import { encodeId, newUuid } from '@trellis/schema/values/ids.ts';
import { builtInRoleSteps } from '@trellis/server/features/access/roles/storage.ts';
import type { Database } from '@trellis/server/kernel/database/database.ts';
import { textArray } from '@trellis/server/kernel/database/values.ts';
import { hashToken, makeToken } from '@trellis/server/kernel/identity/tokens.ts';

/** A member with a token. */
export interface User {
  readonly name: string;
  /** The id as the API shows it: `user_…`. */
  readonly id: string;
  readonly role: Role;
  readonly scopes: ReadonlySet<string>;
  readonly token: string;
}

/** An organization with its members. */
export interface Organization {
  readonly name: string;
  readonly uuid: string;
  readonly clientUuid: string;
  /** The country of phone numbers without one at first; ISO 3166-1. */
  readonly country: string | null;
  readonly users: readonly User[];
  /** A member whose account is disabled; references to it are refused. */
  readonly disabledUserId: string;
}

/** The scopes that the token of the limited member lacks. */
const missingScopes = ['articles:publish', 'books:read', 'crm.companies:write'];
const members: readonly (readonly [name: string, role: Role, scopes: readonly string[]])[] = [
  ['owner', 'OWNER', allScopes],
  ['editor', 'EDITOR', allScopes],
  ['author', 'AUTHOR', allScopes],
  ['viewer', 'VIEWER', allScopes],
  ['limited', 'EDITOR', allScopes.filter((scope) => !missingScopes.includes(scope))],
  ['admin', 'ADMIN', allScopes],
];

/** Creates pairs of organizations; of each pair the first is in Germany and the second has no country. */
export async function createPairs(worker: Database, count: number): Promise<[Organization, Organization][]> {
  const made = Array.from({ length: count }, (): [Organization, Organization] => [
    describe('first', 'DE'),
    describe('second', null),
  ]);
  const all = made.flat();
  const column = (values: readonly (string | null)[]) => textArray(values.map((value) => value ?? ''));
  await worker.run(
    `INSERT INTO trellis.organizations (id, key, name, modules, default_country)
     SELECT o.id::uuid, o.id, 'Model', $2, nullif(o.country, '') FROM unnest($1::text[], $3::text[]) o (id, country)`,
    [column(all.map(({ uuid }) => uuid)), textArray(modules), column(all.map(({ country }) => country))],
  );
  await worker.executeInBackground(all.flatMap(({ uuid }) => builtInRoleSteps(uuid)));
  await worker.run(
    `INSERT INTO trellis.clients (organization_id, id, name, kind)
     SELECT c.organization::uuid, c.id::uuid, 'Model', 'SERVER' FROM unnest($1::text[], $2::text[]) c (organization, id)`,
    [column(all.map(({ uuid }) => uuid)), column(all.map(({ clientUuid }) => clientUuid))],
  );
  const disabled = all.map(({ uuid, clientUuid, disabledUserId }) => ({
    uuid,
    clientUuid,
    id: disabledUserId,
    role: 'EDITOR',
    status: 'DISABLED',
  }));
  const active = all.flatMap(({ uuid, clientUuid, users }) =>
    users.map((user) => ({ uuid, clientUuid, ...user, status: 'ACTIVE' })),
  );
  const everyone = [...active, ...disabled];
  const userUuids = column(everyone.map(({ id }) => uuidOf.get(id) ?? ''));
  await worker.run(
    `INSERT INTO trellis.users (id, email, email_normalized, name, status)
     SELECT u.id::uuid, u.id || '@example.com', u.id || '@example.com', 'Model', u.status
     FROM unnest($1::text[], $2::text[]) u (id, status)`,
    [userUuids, column(everyone.map(({ status }) => status))],
  );
  await worker.run(
    `INSERT INTO trellis.memberships (organization_id, user_id, role)
     SELECT m.organization::uuid, m.id::uuid, m.role FROM unnest($1::text[], $2::text[], $3::text[]) m (organization, id, role)`,
    [column(everyone.map(({ uuid }) => uuid)), userUuids, column(everyone.map(({ role }) => role))],
  );
  await worker.run(
    `INSERT INTO trellis.tokens (organization_id, id, user_id, client_id, secret_hash, resources, scopes)
     SELECT t.organization::uuid, t.id::uuid, t.member::uuid, t.client::uuid, decode(t.hash, 'hex'), '{api}',
       string_to_array(t.scopes, ' ')
     FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[])
       t (organization, id, member, client, hash, scopes)`,
    [
      column(active.map(({ uuid }) => uuid)),
      column(active.map(() => newUuid())),
      column(active.map(({ id }) => uuidOf.get(id) ?? '')),
      column(active.map(({ clientUuid }) => clientUuid)),
      column(active.map(({ token }) => hashToken(token))),
      column(active.map(({ scopes }) => [...scopes].join(' '))),
    ],
  );
  return made;
}

const uuidOf = new Map<string, string>();

function describe(name: string, country: string | null): Organization {
  const uuid = newUuid();
  const users = members.map(([member, role, scopes]): User => {
    return { name: member, id: newUserId(), role, scopes: new Set(scopes), token: makeToken(uuid) };
  });
  return { name, uuid, clientUuid: newUuid(), country, users, disabledUserId: newUserId() };
}

function newUserId(): string {
  const uuid = newUuid();
  const id = encodeId('user', uuid);
  uuidOf.set(id, uuid);
  return id;
}
