/** Tests of clients that five generators of others make from the live OpenAPI document, against a running server. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, test } from 'node:test';
import { clientNames, type GeneratedClients, generateClients } from '../support/generate-clients.ts';
import { startTestServer, type TestServer } from '../support/server.ts';

let server: TestServer;
let clients: GeneratedClients | undefined;

before(async () => {
  server = await startTestServer();
  const { text } = await server.call('GET', '/v1/openapi');
  clients = await generateClients(text);
});
after(async () => {
  await clients?.close();
  await server.close();
});

function made(): GeneratedClients {
  assert.ok(clients);
  return clients;
}

/** Bytes that are no text in any encoding, among them what forms and lines are divided by. */
const contents: readonly Uint8Array<ArrayBuffer>[] = [
  new Uint8Array([...randomBytes(300_000), 0xff, 0xfe, 0, 13, 10, 45, 45]),
  new TextEncoder().encode('{}'),
  new Uint8Array(0),
];

for (const name of clientNames) {
  test(`${name}: the generated client creates, reads, lists, changes, uploads and downloads, and gets problems`, async () => {
    const client = (await made().connect(name))(server.url, server.token);
    const file = await client.create(`${name} one`);
    const other = await client.create(`${name} two`);
    assert.deepEqual([file.name, other.name], [`${name} one`, `${name} two`]);
    assert.equal((await client.read(file.id)).name, `${name} one`);

    const listed: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await client.list(1, cursor);
      assert.equal(page.items.length, 1);
      listed.push(...page.items.map(({ id }) => id));
      cursor = page.pageInfo.nextCursor ?? undefined;
    } while (cursor !== undefined);
    const { json } = await server.call('GET', '/v1/knowledge-files?limit=100');
    assert.deepEqual(
      listed,
      json.items.map(({ id }: { id: string }) => id),
    );
    assert.deepEqual(listed.filter((id) => id === file.id || id === other.id).length, 2);

    const visible = await client.listVisible(['PRIVATE', 'ORGANIZATION']);
    assert.equal(visible.items.length, listed.length);

    assert.equal((await client.rename(file.id, `${name} renamed`)).name, `${name} renamed`);
    assert.equal((await client.read(file.id)).name, `${name} renamed`);

    for (const [index, content] of contents.entries()) {
      const uploaded = await client.upload(file.id, new File([content], `${index}.bin`));
      assert.equal(uploaded.id, file.id);
      const stored = await fetch(`${server.url}/v1/knowledge-files/${file.id}/content`, {
        headers: { authorization: `Bearer ${server.token}` },
      });
      assert.deepEqual(new Uint8Array(await stored.arrayBuffer()), content);
      const downloaded = await client.download(file.id);
      assert.deepEqual(new Uint8Array(await downloaded.arrayBuffer()), content);
    }

    assert.equal(await client.readProblem('kf_01h455vb4pex5vsknk084sn02q'), 'not_found');
    await assert.rejects(client.read('kf_01h455vb4pex5vsknk084sn02q'));
  });
}

test('the generated types have every operation, and a program compiles that works with articles', async () => {
  const site = await server.call('POST', '/v1/sites', { body: { name: 'Blog', key: 'blog' } });
  await made().run({ url: server.url, token: server.token, siteId: site.json.id });
});
