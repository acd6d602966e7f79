/** Kills of the server during restorations that are retried: each record comes back exactly once. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createKilledOrganization } from '../support/killed-organization.ts';
import { chooseSeed, seededNumbers } from '../support/seed.ts';
import { amount } from '../support/soak.ts';

const rounds = amount(6, 60);
/** Records that are restored at the same time. */
const together = 8;
const { database, admin, server, token, close } = await createKilledOrganization('restoring');
before(() => server.start());
after(close);

async function send(method: string, path: string, key: string, body?: object) {
  const response = await fetch(`${server.url}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      'idempotency-key': key,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, text, json: text === '' ? null : JSON.parse(text) };
}

/** Sends a request until there is a response; the server may be away, or have much to do just after its start. */
async function sendUntilDone(...request: Parameters<typeof send>): ReturnType<typeof send> {
  for (;;) {
    const response = await send(...request).catch(() => null);
    if (response !== null && response.json?.code !== 'idempotency_in_progress' && response.status < 500)
      return response;
    await sleep(20);
  }
}

const restore = (id: string) => sendUntilDone('POST', `/v1/trash/${id}/restore`, `restore-${id}`);

test(`kill -9 of the server in ${rounds} rounds of restorations`, async (context) => {
  const random = seededNumbers(chooseSeed(context));
  for (let round = 0; round < rounds; round += 1) {
    const ids: string[] = [];
    for (let number = 0; number < together; number += 1) {
      const name = `${round}-${number}`;
      const made = await sendUntilDone('POST', '/v1/books', `create-${name}`, { title: name });
      assert.equal(made.status, 201, made.text);
      ids.push(made.json.id);
      const deleted = await sendUntilDone('DELETE', `/v1/books/${made.json.id}`, `delete-${name}`);
      assert.equal(deleted.status, 204, deleted.text);
    }
    const restoring = Promise.all(ids.map(restore));
    await sleep(random() * 25);
    await server.kill();
    await server.start();
    for (const { status, text } of await restoring) assert.equal(status, 200, text);
  }
  const books = await admin.run('SELECT count(*), min(version), max(version) FROM trellis.books');
  assert.deepEqual(books, [[String(rounds * together), '3', '3']]);
  const counts = await database.worker.run(
    `SELECT type, count(*) FROM trellis.outbox WHERE type IN ('book.deleted', 'book.restored') GROUP BY type ORDER BY type`,
  );
  assert.deepEqual(counts, [
    ['book.deleted', String(rounds * together)],
    ['book.restored', String(rounds * together)],
  ]);
  assert.deepEqual(await admin.run('SELECT count(*) FROM trellis.trash'), [['0']]);
});
