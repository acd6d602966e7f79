/**
 * Writes on a prepared Citus cluster (see support/citus.ts) that come in the shard and through the coordinator at the same time, as those of nodes
 * of which only some reach the server: the rules that hold on one way hold between both.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { newUuid } from '@trellis/schema/values/ids.ts';
import type { ShardRouter } from '@trellis/server/database/shard-router.ts';
import { withoutCitus } from '../support/citus.ts';
import { startTestServer, type TestResponse, type TestServer } from '../support/server.ts';
import { until } from '../support/until.ts';

describe('writes on both ways', { skip: withoutCitus }, () => {
  let server: TestServer;
  /** How many writes took each way. */
  const taken = { shard: 0, coordinator: 0 };

  before(async () => {
    server = await startTestServer({ distributed: true });
    const { api, routes } = server.database;
    assert.ok(routes);
    await until('the server of the organization is known', () => routes.knows(server.organization.id));
    let count = 0;
    const alternating: ShardRouter = {
      knows: (id) => routes.knows(id),
      requireEnabled: (ids) => routes.requireEnabled(ids),
      read: (scope, steps, send) => routes.read(scope, steps, send),
      readAll: (steps) => routes.readAll(steps),
      find: (id) => {
        count += 1;
        if (count % 2 === 0) {
          taken.coordinator += 1;
          return null;
        }
        taken.shard += 1;
        return routes.find(id);
      },
    };
    api.routeToShards(alternating);
  });
  after(() => server?.close());

  /** Sends a request until it is carried out: 409 means that the same one is running. */
  async function sendUntilDone(
    method: string,
    path: string,
    body: object,
    key: string,
  ): Promise<TestResponse> {
    for (;;) {
      const response = await server.call(method, path, { body, key });
      if (response.json.code !== 'idempotency_in_progress') return response;
    }
  }
  const together = <T>(count: number, work: (index: number) => Promise<T>) =>
    Promise.all(Array.from({ length: count }, (_, index) => work(index)));

  test('one key is one record, however often it is sent', async () => {
    for (let round = 0; round < 15; round += 1) {
      const key = newUuid();
      const responses = await together(4, () =>
        sendUntilDone('POST', '/v1/books', { title: `Book ${round}` }, key),
      );
      assert.deepEqual([...new Set(responses.map(({ status }) => status))], [201]);
      assert.equal(new Set(responses.map(({ json }) => json.id)).size, 1);
    }
    const { json } = await server.call('GET', '/v1/books?limit=100');
    assert.equal(json.items.length, 15);
  });

  test('of edits of one version, one is carried out', async () => {
    const { json: book } = await server.call('POST', '/v1/books', { body: { title: 'First' } });
    for (let version = 1; version <= 10; version += 1) {
      const responses = await together(4, (index) =>
        server.call('PATCH', `/v1/books/${book.id}`, {
          body: { title: `Edit ${version} ${index}` },
          headers: { 'if-match': `"${version}"` },
        }),
      );
      assert.deepEqual(responses.map(({ status }) => status).sort(), [200, 412, 412, 412]);
    }
  });

  test('a name in the URL belongs to one record', async () => {
    const { json: site } = await server.call('POST', '/v1/sites', { body: { name: 'Both', key: 'both' } });
    const created = await together(8, () =>
      server.call('POST', `/v1/sites/${site.id}/articles`, {
        body: { articleData: {}, versionData: { title: 'The same title' } },
      }),
    );
    assert.deepEqual([...new Set(created.map(({ status }) => status))], [201]);
    assert.equal(new Set(created.map(({ json }) => json.articleData.slug)).size, 8);
  });

  test('both ways were taken', () => {
    assert.ok(taken.shard > 40 && taken.coordinator > 40, JSON.stringify(taken));
  });
});
