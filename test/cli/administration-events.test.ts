/** Each change of administration is one transaction with its events; what changes nothing leaves none. */
import assert from 'node:assert/strict';
import { after, beforeEach, test } from 'node:test';
import { decodeId, newUuid } from '@trellis/schema/values/ids.ts';
import { AdministrationError } from '@trellis/server/features/access/checks.ts';
import {
  createBrowserClient,
  createClient,
  setClientOrigins,
  setClientStatus,
} from '@trellis/server/features/access/clients.ts';
import {
  createOrganization,
  setModules,
  setOrganizationStatus,
} from '@trellis/server/features/access/organizations.ts';
import { createServiceMember } from '@trellis/server/features/access/service-members.ts';
import { createToken, listTokens, revokeToken } from '@trellis/server/features/access/tokens.ts';
import { createUser, listUsers, removeUser, setRole } from '@trellis/server/features/access/users.ts';
import { startRelay } from '@trellis/server/kernel/events/relay.ts';
import pg from 'pg';
import { runIndexJobs } from '../support/indexing.ts';
import { recordRoundTrips } from '../support/round-trips.ts';
import { startTestServer } from '../support/server.ts';
import { until } from '../support/until.ts';

const server = await startTestServer();
const { worker } = server.database;
const admin = new pg.Client({ connectionString: server.database.adminUrl });
await admin.connect();
after(async () => {
  await admin.end();
  await server.close();
});
const roundTrips = recordRoundTrips(worker);
const organization = 'acme';
const email = 'ada@example.org';
const site = newUuid();

/** The types of what was appended since the last call, with what changed. */
async function appended(): Promise<string[]> {
  const { rows } = await admin.query<{ type: string; changed_fields: string[]; readers: string[] }>(
    `WITH gone AS (DELETE FROM trellis.outbox o USING trellis.organizations g
       WHERE g.id = o.organization_id AND g.key = $1 RETURNING o.*)
     SELECT type, changed_fields, readers FROM gone ORDER BY id`,
    [organization],
  );
  for (const { type, readers } of rows)
    assert.deepEqual(readers, type.startsWith('organization.') ? ['OWNER', 'ADMIN'] : null);
  return rows.map(({ type, changed_fields: changed }) =>
    (type.endsWith('.created') ? [type] : [type, ...changed]).join(' '),
  );
}

const member = (role: string) => createUser(worker, { email, organization, role });
const token = () =>
  createToken(worker, {
    organization,
    email,
    scopes: ['sites:read'],
    audiences: ['api'],
    expiresInSeconds: null,
    client: 'CLI',
  });
const browser = { name: 'Pages', organization, origins: ['https://a.example'] };

beforeEach(() => {
  roundTrips.length = 0;
});

/** Each action with the events of the first and of a second time. */
const actions: readonly [name: string, act: () => Promise<unknown>, first: string[], again: string[]][] = [
  [
    'create an organization',
    () => createOrganization(worker, { key: organization }),
    ['organization.created', 'client.created'],
    [],
  ],
  [
    'switch a module off',
    () => setModules(worker, organization, { enable: [], disable: ['sandbox'] }),
    ['organization.updated modules'],
    [],
  ],
  [
    'suspend it',
    () => setOrganizationStatus(worker, organization, 'SUSPENDED'),
    ['organization.updated status'],
    [],
  ],
  [
    'activate it',
    () => setOrganizationStatus(worker, organization, 'ACTIVE'),
    ['organization.updated status'],
    [],
  ],
  ['create a member', () => member('EDITOR'), ['member.created'], []],
  [
    'change a role',
    () => setRole(worker, { email, organization, role: 'AUTHOR' }),
    ['member.updated roleId'],
    [],
  ],
  [
    'create a client',
    () => createClient(worker, { name: 'App', organization, kind: 'SERVER' }),
    ['client.created'],
    [],
  ],
  ['create a client of pages', () => createBrowserClient(worker, site, browser), ['client.created'], []],
  [
    'change its origins',
    () => setClientOrigins(worker, { client: 'Pages', organization, origins: ['https://b.example'] }),
    ['client.updated origins'],
    [],
  ],
  [
    'disable a client',
    () => setClientStatus(worker, { client: 'App', organization, status: 'DISABLED' }),
    ['client.updated status'],
    [],
  ],
  ['create a token, and its client', token, ['client.created', 'token.created'], ['token.created']],
  [
    'revoke a token',
    async () => revokeToken(worker, (await listTokens(worker, organization)).at(-1)?.id ?? ''),
    ['token.deleted'],
    [],
  ],
  [
    'remove a member with a token',
    async () => {
      const is = (await listUsers(worker, organization)).length > 0;
      if (is) await removeUser(worker, { email, organization });
    },
    ['member.deleted', 'token.deleted'],
    [],
  ],
];

for (const [name, act, first, again] of actions) {
  test(`${name}: events of the first and of the second time`, async () => {
    await act();
    assert.deepEqual(await appended(), first);
    await act();
    assert.deepEqual(await appended(), again);
  });
}

test('a change that fails leaves neither row nor event', async () => {
  await assert.rejects(
    createBrowserClient(worker, site, { ...browser, name: 'x'.repeat(121) }),
    AdministrationError,
  );
  const twice = { ...browser, name: 'No origins' };
  await admin.query(
    `ALTER TABLE trellis.publishable_key_origins ADD CONSTRAINT test_none CHECK (origin <> 'https://c.example')`,
  );
  await assert.rejects(createBrowserClient(worker, site, { ...twice, origins: ['https://c.example'] }), {
    code: '23514',
  });
  assert.deepEqual(await appended(), []);
  const { rowCount } = await admin.query(`SELECT FROM trellis.clients WHERE name = 'No origins'`);
  assert.equal(rowCount, 0);
});

test('each change is one transaction of two round trips', async () => {
  await member('EDITOR');
  assert.equal(roundTrips.length, 2);
  assert.deepEqual(roundTrips[1], ['append_event', 'administration_insert_membership', 'put_index_jobs']);
  assert.deepEqual(await appended(), ['member.created']);
});

test('a member who is removed is found no more, and neither is a token of theirs', async () => {
  const wanted = { email: 'mary@example.org', organization };
  const { id } = await createUser(worker, { ...wanted, role: 'EDITOR' });
  await createToken(worker, {
    ...wanted,
    scopes: ['sites:read'],
    audiences: ['api'],
    expiresInSeconds: null,
    client: 'CLI',
  });
  const found = async () => {
    await runIndexJobs(server.database);
    const { rows } = await admin.query<{ type: string }>(
      `SELECT type FROM trellis.search_records WHERE record_id = $1
         OR record_id IN (SELECT id FROM trellis.tokens WHERE user_id = $1) ORDER BY type`,
      [decodeId('user', id)],
    );
    return rows.map(({ type }) => type);
  };
  assert.deepEqual(await found(), ['member', 'token']);
  await removeUser(worker, wanted);
  assert.deepEqual(await found(), []);
  await appended();
});

test('the last owner can be neither demoted nor removed', async () => {
  const owner = { email: 'olive@example.org', organization };
  await createUser(worker, { ...owner, role: 'OWNER' });
  await createUser(worker, { email: 'other@example.org', organization, role: 'ADMIN' });
  await appended();
  for (const attempt of [() => setRole(worker, { ...owner, role: 'ADMIN' }), () => removeUser(worker, owner)])
    await assert.rejects(attempt, /last active owner/);
  assert.deepEqual(await appended(), []);
  await setRole(worker, { email: 'other@example.org', organization, role: 'OWNER' });
  await removeUser(worker, owner);
  assert.deepEqual(await appended(), ['member.updated roleId', 'member.deleted']);
});

test('twenty at once create one member, client and service member', async () => {
  const other = 'grace@example.org';
  const twenty = <T>(create: () => Promise<T>) => Promise.all(Array.from({ length: 20 }, create));
  await twenty(() => createUser(worker, { email: other, organization, role: 'VIEWER' }));
  assert.deepEqual(await appended(), ['member.created']);
  await twenty(() => createClient(worker, { name: 'Once', organization, kind: 'SERVER' }));
  assert.deepEqual(await appended(), ['client.created']);
  const service = { name: 'Once', organization, role: 'VIEWER', responsible: other };
  const made = await twenty(() => createServiceMember(worker, service));
  assert.equal(new Set(made.map(({ id }) => id)).size, 1);
  assert.deepEqual(await appended(), ['member.created']);
});

test('twenty at once remove one member, and suspend one organization once', async () => {
  const wanted = { email: 'hal@example.org', organization };
  await createUser(worker, { ...wanted, role: 'VIEWER' });
  await appended();
  const removed = await Promise.allSettled(Array.from({ length: 20 }, () => removeUser(worker, wanted)));
  for (const result of removed)
    if (result.status === 'rejected') assert.match(String(result.reason), /is not a member/);
  assert.deepEqual(await appended(), ['member.deleted']);
  await Promise.all(
    Array.from({ length: 20 }, () => setOrganizationStatus(worker, organization, 'SUSPENDED')),
  );
  assert.deepEqual(await appended(), ['organization.updated status']);
  await setOrganizationStatus(worker, organization, 'ACTIVE');
  await appended();
});

test('events of commands are in the feed', async () => {
  await admin.query(`UPDATE trellis.organizations SET key = 'mine' WHERE id = $1`, [server.organization.id]);
  await setModules(worker, 'mine', { enable: [], disable: ['sandbox'] });
  await createClient(worker, { name: 'App', organization: 'mine', kind: 'SERVER' });
  const relay = startRelay({ database: worker, fanOut: () => [], log: () => undefined });
  try {
    await until('the events are in the log', async () => {
      const { rowCount } = await admin.query('SELECT FROM trellis.events WHERE organization_id = $1', [
        server.organization.id,
      ]);
      return rowCount === 2;
    });
  } finally {
    await relay.stop();
  }
  const { json } = await server.call('GET', '/v1/events?from=earliest');
  assert.deepEqual(
    json.items.map(({ type }: { type: string }) => type),
    ['organization.updated', 'client.created'],
  );
});
