/** Changes of who may do what by other processes: told by NOTIFY, and seen within two seconds without. */
import assert from 'node:assert/strict';
import { after, before, type TestContext, test } from 'node:test';
import { encodeId } from '@trellis/schema/values/ids.ts';
import { findOrganization, setModules } from '@trellis/server/features/access/organizations.ts';
import { revokeToken } from '@trellis/server/features/access/tokens.ts';
import { changeUserStatus } from '@trellis/server/features/access/user-status.ts';
import { Listener } from '@trellis/server/kernel/database/listener.ts';
import { AccessNotifier, accessChannel } from '@trellis/server/kernel/identity/access-notifier.ts';
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

/** Stops the clock by which nodes forget what they have read. @returns moves it on */
function stopClock(context: TestContext): (milliseconds: number) => void {
  let now = performance.now();
  context.mock.method(performance, 'now', () => now);
  return (milliseconds) => {
    now += milliseconds;
  };
}

/** Makes a change, and waits until a node refuses to read. While its clock stands still, it does so only because it was told. */
async function expectRefused(
  from: TestNode,
  token: string,
  change: () => Promise<unknown>,
  path?: string,
): Promise<void> {
  assert.equal(await read(from, token, path), 200);
  await change();
  await until('reads are refused', async () => [401, 403].includes(await read(from, token, path)));
}

test('a token that is revoked beside a running server reads no more at once', async (context) => {
  stopClock(context);
  const { token } = await newToken();
  await expectRefused(node, token, () => revokeToken(database.worker, token));
});

test('so do a user who is disabled in the installation, and an organization whose module is switched off', async (context) => {
  stopClock(context);
  const userId = await createMember(database.worker, organization, 'EDITOR');
  const { token } = await createToken(database.worker, organization, userId);
  const [row] = await database.auth.run('SELECT email FROM trellis.users WHERE id = $1', [userId]);
  await expectRefused(node, token, () => changeUserStatus(database.auth, row?.[0] ?? '', 'DISABLED'));
  const owner = await newToken();
  const { key } = await findOrganization(database.worker, 'acme');
  const off = () => setModules(database.worker, key, { enable: [], disable: ['crm'] });
  await expectRefused(node, owner.token, off, '/v1/crm/companies');
  await setModules(database.worker, key, { enable: ['crm'], disable: [] });
});

test('what is changed by the API of one node is seen at once by another', async (context) => {
  stopClock(context);
  const administrator = await newToken();
  const victim = await newToken();
  const id = encodeId('token', victim.id);
  await expectRefused(other, victim.token, async () => {
    const ended = await fetch(`${node.url}/v1/tokens/${id}`, {
      method: 'DELETE',
      headers: { authorization: `Bearer ${administrator.token}`, 'idempotency-key': id },
    });
    assert.ok(ended.status < 300, await ended.text());
  });
});

test('without being told, a node refuses after two seconds all the same', async (context) => {
  const pass = stopClock(context);
  const { token } = await newToken();
  assert.equal(await read(deaf, token), 200);
  await revokeToken(database.worker, token);
  pass(1_999);
  assert.equal(await read(deaf, token), 200);
  pass(1);
  assert.equal(await read(deaf, token), 401);
});

test('a connection that is lost is opened again', async (context) => {
  const lost = await database.api.run(listening);
  assert.equal(lost.length, 2);
  await database.api.run(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'LISTEN%'`,
  );
  await until('other connections listen', async () => {
    const now = await database.api.run(listening);
    return now.length === 2 && now.every(([pid]) => lost.every(([old]) => old !== pid));
  });
  stopClock(context);
  const { token } = await newToken();
  await expectRefused(node, token, () => revokeToken(database.worker, token));
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
