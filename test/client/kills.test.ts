/** Tests of the client's writes while the server is killed: each happens once, and none is lost. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { ApiClient } from '@trellis/client/api-client.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { createMember, createOrganization, createToken } from '../support/identities.ts';
import { KillableServer } from '../support/killable-server.ts';
import { chooseSeed, seededNumbers } from '../support/seed.ts';
import { amount } from '../support/soak.ts';

const kills = amount(4, 40);
let database: TestDatabase;
let server: KillableServer;
let client: ApiClient;

before(async () => {
  database = await createTestDatabase();
  const organization = await createOrganization(database.worker, 'client');
  const owner = await createMember(database.worker, organization, 'OWNER');
  const { token } = await createToken(database.worker, organization, owner);
  server = await KillableServer.create(database.urls.api);
  client = new ApiClient({
    baseUrl: server.url,
    token,
    attempts: 10_000,
    wait: (ms) => sleep(Math.min(ms, 100)),
  });
});
after(async () => {
  await server.kill();
  await database.drop();
});

test(`every write happens once while the server is killed ${kills} times`, async (context) => {
  const random = seededNumbers(chooseSeed(context));
  await server.start();
  let isOver = false;
  let writes = 0;
  let replays = 0;
  const write = async (worker: number) => {
    const expected = new Map<string, { title: string; version: number }>();
    for (let round = 0; !isOver; round += 1) {
      const title = `Worker ${worker}, book ${round}`;
      const created = await client.call('createBook', { body: { title } });
      assert.ok(!expected.has(created.body.id), 'no two calls get the same record');
      const changed = await client.call('updateBook', {
        path: { id: created.body.id },
        body: { title: `${title}, changed` },
      });
      writes += 2;
      replays += Number(created.replayed) + Number(changed.replayed);
      assert.equal(changed.body.version, 2);
      expected.set(created.body.id, { title: `${title}, changed`, version: 2 });
    }
    return expected;
  };
  const workers = Array.from({ length: 6 }, (_, worker) => write(worker));
  // Their failures are reported below.
  for (const worker of workers) worker.catch(() => undefined);
  for (let kill = 0; kill < kills; kill += 1) {
    // However slow the machine is, every server does some work before it is killed.
    for (const done = writes; writes < done + 12; ) await sleep(5);
    await sleep(random() * 50);
    await server.kill();
    await server.start();
  }
  isOver = true;
  const expected = new Map((await Promise.all(workers)).flatMap((books) => [...books]));
  context.diagnostic(`${expected.size} books, ${replays} responses were lost and replayed`);
  assert.ok(expected.size > 4 * kills, 'too few writes');
  const stored = new Map<string, { title: string; version: number }>();
  for await (const { id, title, version } of client.iterate('listBooks', { query: { limit: 100 } })) {
    stored.set(id, { title, version });
  }
  assert.equal(stored.size, expected.size);
  for (const [id, book] of expected) assert.deepEqual(stored.get(id), book);
});
