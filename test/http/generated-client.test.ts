/** Tests of the client generated from the OpenAPI document, against a running server. */
import { after, before, test } from 'node:test';
import { type GeneratedClient, generateClient } from '../support/generated-client.ts';
import { startTestServer, type TestServer } from '../support/server.ts';

let server: TestServer;
let client: GeneratedClient | undefined;

before(async () => {
  server = await startTestServer();
});
after(async () => {
  await client?.close();
  await server.close();
});

test('a client generated from the live document compiles, has every operation, and creates, reads, changes, lists, finds and deletes', async () => {
  const { text } = await server.call('GET', '/v1/openapi');
  client = await generateClient(text);
  const site = await server.call('POST', '/v1/sites', { body: { name: 'Blog', key: 'blog' } });
  await client.run({ url: server.url, token: server.token, siteId: site.json.id });
});
