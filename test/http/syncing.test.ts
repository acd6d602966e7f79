/** The page about syncing from another system: its commands print what it says. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { runBlocks } from '../support/blocks.ts';
import { startTestServer, type TestServer } from '../support/server.ts';

let server: TestServer;
before(async () => {
  server = await startTestServer();
});
after(() => server.close());

test('the commands of docs/syncing.md print what it says', async () => {
  const page = fileURLToPath(new URL('../../docs/syncing.md', import.meta.url));
  const environment = { PATH: process.env.PATH, TRELLIS: server.url, TOKEN: server.token };
  assert.ok((await runBlocks(page, '/', environment)) >= 9);
});
