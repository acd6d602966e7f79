/** The import that has created a record: given by a create, returned and filtered by, and never changed. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { resourcesInOrder } from '@trellis/importer/order.ts';
import { bodyOf, createOwnWorld, type World } from '../support/fixtures.ts';
import { startTestServer, type TestServer } from '../support/server.ts';

let server: TestServer;
let world: World;
before(async () => {
  server = await startTestServer();
  world = await createOwnWorld(server);
});
after(() => server.close());

for (const { name, path, parent, title } of resourcesInOrder) {
  test(`importId of ${name}: given once, filtered by, kept in the trash`, async () => {
    const below = `/v1${path.replace(/\{\w+\}/, world.ids.get(parent?.resource ?? '') ?? '')}`;
    const operation = server.server.operations.find(
      ({ operationId }) => operationId === `create${title.singular}`,
    );
    assert.ok(operation);
    const body = { ...bodyOf(operation, world.ids), importId: 'people.csv-1' };
    const { json: record, status, text } = await server.call('POST', below, { body });
    assert.deepEqual([status, record.importId], [201, 'people.csv-1'], text);
    const listed = async (id: string) =>
      (await server.call('GET', `${below}?importId=${id}`)).json.items.map((item: { id: string }) => item.id);
    assert.deepEqual(await listed('people.csv-1'), [record.id]);
    assert.deepEqual(await listed('people.csv-2'), []);
    const patched = await server.call('PATCH', `${below}/${record.id}`, { body: { importId: null } });
    assert.equal(patched.status, 422, patched.text);
    assert.match(patched.text, /importId/);
    assert.equal((await server.call('GET', `${below}/${world.ids.get(name)}`)).json.importId, null);

    assert.equal((await server.call('DELETE', `${below}/${record.id}`)).status, 204);
    assert.deepEqual(await listed('people.csv-1'), []);
    const [trashed] = (await server.call('GET', '/v1/trash?limit=1')).json.items;
    const restored = await server.call('POST', `/v1/trash/${trashed.id}/restore`);
    assert.ok(restored.status < 300, restored.text);
    assert.deepEqual(await listed('people.csv-1'), [record.id]);
    const long = await server.call('POST', below, { body: { ...body, importId: 'x'.repeat(65) } });
    assert.equal(long.status, 422);
  });
}
