/** Declared actions in the console, where a response is lost. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { encodeId } from '@trellis/schema/values/ids.ts';
import { startTestConsole, type TestConsole } from '../support/console.ts';
import { startTestRelay } from '../support/relay.ts';
import { until } from '../support/until.ts';

let console: TestConsole;

before(async () => {
  console = await startTestConsole();
});
after(() => console.close());

test('a token whose replacement got no response is replaced once, also when the page shows what came of it', async (context) => {
  const { server } = console;
  const relay = startTestRelay(server.database);
  context.after(() => relay.stop());
  const body = {
    name: 'Lost',
    clientId: encodeId('client', server.organization.clientId),
    scopes: ['sites:read'],
  };
  assert.equal((await server.call('POST', '/v1/tokens', { body })).status, 201);
  const { page, open, checkFaults } = await console.openAs(server.ownerId);
  await open('/clients');
  const rows = page.getByRole('listitem').filter({ hasText: 'Lost' });
  await rows.getByRole('button', { name: 'More about Lost' }).click();
  await page.getByRole('menuitem', { name: 'Replace' }).click();
  const dialog = page.getByRole('dialog', { name: 'Replace Lost?' });
  const sent: (string | undefined)[][] = [];
  let isLost = true;
  await page.route('**/v1/tokens/*/rotate', async (route) => {
    const { 'idempotency-key': key, 'if-match': version } = route.request().headers();
    sent.push([key, version]);
    const response = await route.fetch();
    await (isLost ? route.fulfill({ status: 503, body: '' }) : route.fulfill({ response }));
  });
  await dialog.getByRole('button', { name: 'Replace' }).click();
  await dialog.getByRole('alert').waitFor();
  isLost = false;
  // The page learns of the version that the lost response had made.
  await until('both tokens', async () => (await rows.count()) === 2);
  await dialog.getByRole('button', { name: 'Replace' }).click();
  const secret =
    (await page.getByRole('dialog', { name: 'Secret of Lost' }).locator('pre').textContent()) ?? '';
  assert.equal((await server.call('GET', '/v1/me', { token: secret })).status, 200);
  assert.equal(new Set(sent.map((one) => one.join(' '))).size, 1);
  const { json } = await server.call('GET', '/v1/tokens?limit=100');
  assert.equal(json.items.filter(({ name }: { name: string }) => name === 'Lost').length, 2);
  await page.getByRole('button', { name: 'I have saved it' }).click();
  checkFaults();
});
