/** Repeated kills of the server while people, roles, clients and tokens change: the events and the tables tell the same. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { builtInRoleIds } from '@trellis/schema/resources/roles.ts';
import { decodeId, encodeId } from '@trellis/schema/values/ids.ts';
import pg from 'pg';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { createMember, createOrganization, createToken } from '../support/identities.ts';
import { KillableServer } from '../support/killable-server.ts';
import { chooseSeed, seededNumbers } from '../support/seed.ts';
import type { Json } from '../support/server.ts';
import { amount } from '../support/soak.ts';

const kills = amount(5, 200);
/** Processes of administration at the same time. */
const concurrency = 6;
let database: TestDatabase;
let admin: pg.Client;
let server: KillableServer;
let token: string;
let clientId: string;

before(async () => {
  database = await createTestDatabase();
  admin = new pg.Client({ connectionString: database.adminUrl });
  await admin.connect();
  const organization = await createOrganization(database.worker, 'administration');
  const owner = await createMember(database.worker, organization, 'OWNER');
  token = (await createToken(database.worker, organization, owner)).token;
  clientId = encodeId('client', organization.clientId);
  server = await KillableServer.create(database.urls.api);
});
after(async () => {
  await server.kill();
  await admin.end();
  await database.drop();
});

let acknowledged = 0;
/** Ids of records whose deletion had its response; uuids. */
const deleted = new Set<string>();
/** Ids of records whose creation had its response; uuids. */
const created = new Set<string>();

/** Repeats a call under its key until it gets a response, as clients do. @returns the response; null where there are as many as may be */
async function call(method: string, path: string, key: string, body?: object): Promise<Json | null> {
  for (;;) {
    const response = await callOnce(method, path, key, body);
    if (response !== undefined) return response;
    await sleep(5);
  }
}

/** @returns undefined if the server was killed before the response, or has not begun */
async function callOnce(
  method: string,
  path: string,
  key: string,
  body?: object,
): Promise<Json | null | undefined> {
  const response = await fetch(`${server.url}/v1${path}`, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      'idempotency-key': key,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  }).catch(() => null);
  // The connection may also end within the response.
  const text = await response?.text().catch(() => null);
  if (response === null || text == null) return undefined;
  if (response.ok) {
    acknowledged += 1;
    return text === '' ? {} : JSON.parse(text);
  }
  const { code } = JSON.parse(text);
  if (response.status === 503 || code === 'idempotency_in_progress') return undefined;
  assert.equal(code, 'quota_reached', text);
  return null;
}

/** What is done to one record of each kind: made, changed, and deleted for half of them. */
async function administer(name: string, keeps: boolean): Promise<void> {
  const kinds = [
    {
      path: '/roles',
      prefix: 'role',
      body: { key: name, name, grants: [{ resource: 'sites', action: 'read' }] },
      change: ['PATCH', '', { name: `${name} again` }],
    },
    {
      path: '/invitations',
      prefix: 'inv',
      body: { email: `${name}@example.com`, roleId: encodeId('role', builtInRoleIds.VIEWER) },
      change: ['POST', '/resend', undefined],
    },
    { path: '/clients', prefix: 'client', body: { name }, change: ['PATCH', '', { status: 'DISABLED' }] },
    {
      path: '/tokens',
      prefix: 'token',
      body: { name, clientId, scopes: ['sites:read'] },
      change: ['PATCH', '', { name: `${name} again` }],
    },
  ] as const;
  for (const { path, prefix, body, change } of kinds) {
    const made = await call('POST', path, `${name} ${path} create`.replaceAll(' ', '-'), body);
    if (made === null) continue;
    const uuid = decodeId(prefix, made.id) ?? '';
    created.add(uuid);
    const [method, action, changed] = change;
    assert.notEqual(
      await call(method, `${path}/${made.id}${action}`, `${name}${path}-change`, changed),
      null,
    );
    if (keeps) continue;
    // The first deletion of an invitation revokes it.
    if (prefix === 'inv' && (await call('DELETE', `${path}/${made.id}`, `${name}${path}-revoke`)) === null)
      continue;
    if ((await call('DELETE', `${path}/${made.id}`, `${name}${path}-delete`)) !== null) deleted.add(uuid);
  }
}

test(`kill -9 of the server ${kills} times under administration`, async (context) => {
  const random = seededNumbers(chooseSeed(context));
  await server.start();
  let over = false;
  const work = async (worker: number) => {
    for (let number = 0; !over; number += 1) await administer(`w${worker}-${number}`, number % 2 === 1);
  };
  const workers = Array.from({ length: concurrency }, (_, index) => work(index));
  try {
    for (let kill = 0; kill < kills; kill += 1) {
      const before = acknowledged;
      while (acknowledged < before + concurrency) await sleep(5);
      await sleep(random() * 100);
      await server.kill();
      await server.start();
    }
  } finally {
    // Otherwise a failure would leave the workers asking for ever.
    over = true;
  }
  await Promise.all(workers);
  await compareLogAndTables();
});

/** Compares what the events tell of each record with the row that there is. */
async function compareLogAndTables(): Promise<void> {
  const { rows: events } = await admin.query<{ id: string; type: string; version: number }>(
    `SELECT subject_id AS id, type, subject_version AS version FROM trellis.outbox
     WHERE subject_type IN ('role', 'invitation', 'client', 'token') ORDER BY subject_version`,
  );
  const { rows: stored } = await admin.query<{ id: string; version: number; status: string | null }>(
    `SELECT id, version, NULL AS status FROM trellis.roles WHERE NOT built_in
     UNION ALL SELECT id, version, status FROM trellis.invitations
     UNION ALL SELECT id, version, NULL FROM trellis.clients WHERE created_by IS NOT NULL
     UNION ALL SELECT id, version, NULL FROM trellis.tokens WHERE created_by IS NOT NULL AND revoked_at IS NULL`,
  );
  const records = new Map(stored.map((row) => [row.id, row]));
  const logged = new Map<string, { readonly type: string; readonly version: number }[]>();
  for (const { id, type, version } of events)
    logged.set(id, [...(logged.get(id) ?? []), { type: type.split('.')[1] ?? '', version }]);
  for (const [id, changes] of logged) {
    const shown = JSON.stringify({ id, changes, record: records.get(id) });
    assert.deepEqual(
      changes.map(({ version }) => version),
      changes.map((_, index) => index + 1),
      shown,
    );
    assert.equal(changes[0]?.type, 'created', shown);
    const last = changes.at(-1);
    const record = records.get(id);
    assert.equal(record === undefined, last?.type === 'deleted', shown);
    if (record !== undefined) assert.equal(record.version, last?.version, shown);
    if (record?.status != null) assert.equal(record.status === 'REVOKED', last?.type === 'revoked', shown);
  }
  assert.ok(created.size > 0 && deleted.size > 0);
  for (const id of records.keys()) assert.ok(logged.has(id), `no event tells of ${id}`);
  for (const id of created) assert.ok(logged.has(id), `${id} had its response, and no event tells of it`);
  for (const id of deleted) assert.ok(!records.has(id), `${id} was deleted, and is there`);
}
