/** Changes of who may do what by other processes: told by NOTIFY, and seen within two seconds without. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { encodeId } from '@trellis/schema/values/ids.ts';
import { findOrganization, setModules } from '@trellis/server/administration/organizations.ts';
import { revokeToken } from '@trellis/server/administration/tokens.ts';
import { changeUserStatus } from '@trellis/server/administration/user-status.ts';
import { Listener } from '@trellis/server/database/listener.ts';
import { AccessNotifier, accessChannel } from '@trellis/server/identity/access-notifier.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import {
  createMember,
  createOrganization,
  createToken,
  type TestOrganization,
} from '../support/identities.ts';
import { startNode, type TestNode } from '../support/nodes.ts';
import { until } from '../support/until.ts';

let database: TestDatabase;
let organization: TestOrganization;
let ownerId: string;
/** A node that is told, another one, and one that is told nothing. */
let node: TestNode;
let other: TestNode;
let deaf: TestNode;
before(async () => {
  database = await createTestDatabase();
  organization = await createOrganization(database.worker, 'acme');
  ownerId = await createMember(database.worker, organization, 'OWNER');
  node = await startNode(database, { listenerUrl: database.urls.api });
  other = await startNode(database, { listenerUrl: database.urls.api });
  deaf = await startNode(database, { listenerUrl: 'postgres://nobody@127.0.0.1:1/nothing' });
  await untilListening(2);
});
after(async () => {
  for (const one of [node, other, deaf]) await one.close();
  await database.drop();
});

const listening = `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'LISTEN%'`;

async function untilListening(count: number): Promise<void> {
  await until('the nodes listen', async () => (await database.api.run(listening)).length === count);
}

async function read(from: TestNode, token: string, path = '/v1/sites'): Promise<number> {
  const response = await fetch(`${from.url}${path}`, { headers: { authorization: `Bearer ${token}` } });
  await response.arrayBuffer();
  return response.status;
}

async function newToken() {
  return createToken(database.worker, organization, ownerId);
}

/** How long reads go on as before after a change, in ms. */
async function lag(
  from: TestNode,
  token: string,
  change: () => Promise<unknown>,
  path?: string,
): Promise<number> {
  // What is read first is remembered for two seconds from here.
  assert.equal(await read(from, token, path), 200);
  const began = performance.now();
  await change();
  await until('reads are refused', async () => (await read(from, token, path)) !== 200);
  return performance.now() - began;
}

test('a token that is revoked beside a running server reads no more at once', async () => {
  const { token } = await newToken();
  const took = await lag(node, token, () => revokeToken(database.worker, token));
  assert.ok(took < 1_800, `${took} ms`);
});

test('so do a user who is disabled in the installation, and an organization whose module is switched off', async () => {
  const userId = await createMember(database.worker, organization, 'EDITOR');
  const { token } = await createToken(database.worker, organization, userId);
  const [row] = await database.auth.run('SELECT email FROM trellis.users WHERE id = $1', [userId]);
  const disabled = await lag(node, token, () => changeUserStatus(database.auth, row?.[0] ?? '', 'DISABLED'));
  assert.ok(disabled < 1_800, `${disabled} ms`);
  const owner = await newToken();
  const { key } = await findOrganization(database.worker, 'acme');
  const off = () => setModules(database.worker, key, { enable: [], disable: ['crm'] });
  const switched = await lag(node, owner.token, off, '/v1/crm/companies');
  assert.ok(switched < 1_800, `${switched} ms`);
  await setModules(database.worker, key, { enable: ['crm'], disable: [] });
});

test('what is changed by the API of one node is seen at once by another', async () => {
  const administrator = await newToken();
  const victim = await newToken();
  const id = encodeId('token', victim.id);
  const took = await lag(other, victim.token, async () => {
    const ended = await fetch(`${node.url}/v1/tokens/${id}`, {
      method: 'DELETE',
      headers: { authorization: `Bearer ${administrator.token}`, 'idempotency-key': id },
    });
    assert.ok(ended.status < 300, await ended.text());
  });
  assert.ok(took < 1_800, `${took} ms`);
});

test('without being told, a node refuses within two seconds all the same', async () => {
  const { token } = await newToken();
  const took = await lag(deaf, token, () => revokeToken(database.worker, token));
  assert.ok(took > 500 && took < 4_000, `${took} ms`);
});

test('a connection that is lost is opened again', async () => {
  const lost = await database.api.run(listening);
  assert.equal(lost.length, 2);
  await database.api.run(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'LISTEN%'`,
  );
  await until('other connections listen', async () => {
    const now = await database.api.run(listening);
    return now.length === 2 && now.every(([pid]) => lost.every(([old]) => old !== pid));
  });
  const { token } = await newToken();
  const took = await lag(node, token, () => revokeToken(database.worker, token));
  assert.ok(took < 1_800, `${took} ms`);
});

test('changes in a row are told together', async () => {
  let heard = 0;
  const listener = new Listener(database.urls.api, accessChannel, () => {
    heard += 1;
  });
  try {
    await untilListening(3);
    const notifier = new AccessNotifier(database.api);
    for (let index = 0; index < 1_000; index += 1) notifier.notify(organization.id);
    await notifier.finish();
    notifier.notify(organization.id);
    await notifier.finish();
    await until('both were heard', async () => heard >= 2);
    assert.equal(heard, 2);
  } finally {
    await listener.close();
  }
});
