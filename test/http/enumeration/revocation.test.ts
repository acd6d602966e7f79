/**
 * Tests of revoked rights: they are refused on the next write, and on reads within two seconds, the maximum age of
 * their state.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { grantOf } from '@trellis/schema/rights/permissions.ts';
import type { Operation } from '@trellis/server/kernel/http/operation.ts';
import { isWrite } from '@trellis/server/kernel/http/operation.ts';
import { attempt, createOtherWorld, freshIds, type World } from '../../support/fixtures.ts';
import { createToken } from '../../support/identities.ts';
import { changesNothing, expectProblem, isSuccess } from '../../support/refusals.ts';
import { startTestServer } from '../../support/server.ts';
import { casesFor } from '../../support/soak.ts';
import { TenantTables } from '../../support/tenant-tables.ts';

/** How old the state behind a read may be, in ms, and a little for the clocks. */
const readStateMs = 2_100;

interface Revocation {
  readonly what: string;
  /** Run as superuser; $1 is the organization, $2 the user. */
  readonly sql: string;
  readonly status: number;
  readonly code: string;
  /** Whether the operation is refused after it. */
  readonly concerns: (operation: Operation) => boolean;
  /** Whether the operation finds the record of the world no more after it. */
  readonly hides?: (operation: Operation) => boolean;
}

const everything = () => true;
const inOrganization = 'WHERE organization_id = $1 AND $2::uuid IS NOT NULL';
const revocations: readonly Revocation[] = [
  { what: 'a revoked token', sql: `UPDATE trellis.tokens SET revoked_at = now() ${inOrganization}` },
  {
    what: 'an expired token',
    sql: `UPDATE trellis.tokens SET expires_at = now() - interval '1 second' ${inOrganization}`,
  },
  {
    what: 'a token moved to the sandbox',
    sql: `UPDATE trellis.tokens SET resources = '{sandbox}' ${inOrganization}`,
  },
  { what: 'a disabled client', sql: `UPDATE trellis.clients SET status = 'DISABLED' ${inOrganization}` },
  {
    what: 'a disabled user',
    sql: `UPDATE trellis.users SET status = 'DISABLED' WHERE id = $2 AND $1::uuid IS NOT NULL`,
  },
  {
    what: 'a disabled member',
    sql: `UPDATE trellis.memberships SET status = 'DISABLED' WHERE organization_id = $1 AND user_id = $2`,
  },
  {
    what: 'a removed member',
    sql: 'DELETE FROM trellis.memberships WHERE organization_id = $1 AND $2 IN (user_id, responsible_user_id)',
  },
].map((given) => ({ ...given, status: 401, code: 'token_invalid', concerns: everything }));
const restrictions: readonly Revocation[] = [
  {
    what: 'a suspended organization',
    sql: `UPDATE trellis.organizations SET status = 'SUSPENDED' WHERE id = $1 AND $2::uuid IS NOT NULL`,
    status: 403,
    code: 'organization_suspended',
    concerns: everything,
  },
  {
    what: 'all modules switched off',
    sql: `UPDATE trellis.organizations SET modules = '{}' WHERE id = $1 AND $2::uuid IS NOT NULL`,
    status: 403,
    code: 'module_disabled',
    concerns: ({ requirement }) => requirement.module !== null,
  },
  {
    what: 'a token without scopes',
    sql: `UPDATE trellis.tokens SET scopes = '{}' ${inOrganization}`,
    status: 403,
    code: 'insufficient_scope',
    concerns: ({ requirement }) => requirement.scopes.length > 0,
  },
  {
    what: 'a member who may only read',
    sql: `UPDATE trellis.memberships SET role = 'VIEWER' WHERE organization_id = $1 AND user_id = $2`,
    status: 403,
    code: 'permission_denied',
    // Settings, such as roles and webhook endpoints, cannot even be read by viewers.
    concerns: ({ requirement: { permission } }) =>
      permission !== null && grantOf('VIEWER', permission.resource, permission.action) === null,
    // It is the session of somebody else, which only those see who may remove members.
    hides: ({ operationId }) => operationId === 'getSession',
  },
];

const server = await startTestServer();
const tables = await TenantTables.open(server.database);
/** Revocations, each with an organization of its own and the operations that it is tried on. */
const cases: {
  readonly revocation: Revocation;
  readonly world: World;
  readonly writes: readonly Operation[];
  readonly reads: readonly Operation[];
}[] = [];
before(async () => {
  const { operations } = server.server;
  for (const [index, revocation] of [...revocations, ...restrictions].entries()) {
    const concerned = operations.filter(revocation.concerns);
    const others = operations.filter((operation) => !revocation.concerns(operation));
    const writes = casesFor(index, concerned.filter(isWrite));
    const reads = [concerned, others].flatMap((some) =>
      casesFor(
        index,
        some.filter((operation) => !isWrite(operation)),
      ),
    );
    cases.push({ revocation, world: await createOtherWorld(server), writes, reads });
  }
});
after(async () => {
  await tables.close();
  await server.close();
});

test('every revoked right is refused on the next write, and on reads within two seconds', async (context) => {
  for (const { revocation, world, writes, reads } of cases) {
    assert.ok(writes.length > 0 && reads.length > 0, revocation.what);
    await context.test(`${revocation.what}: the next write`, async () => {
      // Until now the server has cached the token as valid, with all rights.
      for (const operation of reads) assert.ok(isSuccess(await attempt(world, operation)));
      const fresh = new Map<Operation, ReadonlyMap<string, string>>();
      for (const operation of writes) fresh.set(operation, await freshIds(world, operation));
      const [owner] = await tables.run('SELECT user_id FROM trellis.tokens WHERE organization_id = $1', [
        world.organization.id,
      ]);
      await tables.run(revocation.sql, [world.organization.id, owner?.user_id]);
      await changesNothing(tables, async () => {
        for (const operation of writes) {
          const refused = await attempt(world, operation, { ids: fresh.get(operation) ?? world.ids });
          expectProblem(refused, revocation.status, revocation.code, operation.operationId);
        }
      });
    });
  }
  await sleep(readStateMs);
  for (const { revocation, world, reads } of cases) {
    await context.test(`${revocation.what}: reads`, async () => {
      for (const operation of reads) {
        const response = await attempt(world, operation);
        if (revocation.concerns(operation)) {
          expectProblem(response, revocation.status, revocation.code, operation.operationId);
        } else if (revocation.hides?.(operation)) {
          expectProblem(response, 404, 'not_found', operation.operationId);
        } else {
          assert.ok(isSuccess(response), `${operation.operationId}: ${response.text}`);
        }
      }
    });
  }
});

test('a restored right works on the next write', async () => {
  const world = await createOtherWorld(server);
  const { id } = world.organization;
  const [operation] = server.server.operations.filter(isWrite);
  assert.ok(operation);
  await tables.run(`UPDATE trellis.organizations SET status = 'SUSPENDED' WHERE id = $1`, [id]);
  expectProblem(await attempt(world, operation), 403, 'organization_suspended');
  await tables.run(`UPDATE trellis.organizations SET status = 'ACTIVE' WHERE id = $1`, [id]);
  assert.ok(isSuccess(await attempt(world, operation)));
});

test('a token is refused if its user is not a member of its organization', async () => {
  const world = await createOtherWorld(server);
  const { token } = await createToken(server.database.worker, world.organization, server.ownerId);
  for (const operation of server.server.operations) {
    expectProblem(await attempt(world, operation, { token }), 401, 'token_invalid', operation.operationId);
  }
});
