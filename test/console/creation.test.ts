/** Where records are made that a form alone cannot make: what is shown once is shown, and files get their content. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Statement, step } from '@trellis/server/kernel/database/batch.ts';
import { startTestConsole, type TestConsole } from '../support/console.ts';
import { createMember, createOrganization } from '../support/identities.ts';
import { until } from '../support/until.ts';

const deleteClient: Statement = {
  name: 'test_delete_client',
  text: 'DELETE FROM trellis.clients WHERE organization_id = $1 AND id = $2',
};

let console: TestConsole;

before(async () => {
  console = await startTestConsole();
});
after(() => console.close());

test('an invitation that is begun in the palette shows its link', async () => {
  const { page, open, checkAccessibility, checkFaults } = await console.openAs(console.server.ownerId);
  await open('/');
  await page.getByRole('navigation', { name: 'Main' }).waitFor();
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox').fill('Invite a colleague');
  await page.getByRole('option', { name: 'Invite a colleague' }).click();
  await page.waitForURL('**/console/invitations/new');
  const dialog = page.getByRole('dialog', { name: 'Invite a member' });
  await dialog.getByLabel('Email').fill('new.person@example.com');
  await dialog.getByRole('button', { name: 'Invite' }).click();
  const link = page.getByRole('dialog', { name: 'new.person@example.com is invited' });
  assert.match((await link.locator('pre').textContent()) ?? '', /\/console\/invitation#/);
  await checkAccessibility('link of an invitation');
  await link.getByRole('button', { name: 'Done' }).click();
  await page.waitForURL((url) => url.pathname === '/console/invitations');
  await page.getByText('new.person@example.com').waitFor();
  checkFaults();
});

test('a first token asks for the client that it belongs to, and shows its secret', async () => {
  const { server } = console;
  const { api, worker } = server.database;
  const organization = await createOrganization(worker, 'without-clients');
  await api.execute({ organizationId: organization.id, userId: null }, [
    step(deleteClient, [organization.id, organization.clientId]),
  ]);
  const owner = await createMember(worker, organization, 'OWNER');
  const { page, open, checkAccessibility, checkFaults } = await console.openAs(owner);
  await open('/tokens/new');
  const client = page.getByRole('dialog', { name: 'New client' });
  await client.getByText('A token belongs to a client').waitFor();
  await checkAccessibility('client of a new token');
  await client.getByLabel('Name').fill('Nightly import');
  await client.getByRole('button', { name: 'Create client' }).click();
  const token = page.getByRole('dialog', { name: 'New token' });
  await token.getByLabel('Purpose').fill('Build');
  await token.getByRole('checkbox', { name: 'articles:read' }).click();
  await token.getByRole('button', { name: 'Create token' }).click();
  const secret = (await page.getByRole('dialog').locator('pre').textContent()) ?? '';
  const { json: me } = await server.call('GET', '/v1/me', { token: secret });
  assert.deepEqual(me.scopes, ['articles:read']);
  await page.getByRole('button', { name: 'I have saved it' }).click();
  await page.waitForURL((url) => url.pathname === '/console/tokens');
  await page.getByRole('region', { name: 'Nightly import' }).getByText('Build').waitFor();
  checkFaults();
});

test('a new knowledge file is chosen from the disk', async () => {
  const { server } = console;
  const { page, open, checkAccessibility, checkFaults } = await console.openAs(server.ownerId);
  await open('/knowledge-files/new');
  await page.locator(':focus').filter({ hasText: 'choose files' }).waitFor();
  await checkAccessibility('new file');
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'New knowledge file' }).first().click();
  const file = { name: 'third.txt', mimeType: 'text/plain', buffer: Buffer.from('The third text') };
  await (await chooser).setFiles([file]);
  await page.getByRole('region', { name: 'Uploads' }).getByRole('link', { name: 'third.txt' }).waitFor();
  const { json } = await server.call('GET', '/v1/knowledge-files');
  assert.deepEqual(
    json.items.map(({ name, sizeBytes }: { name: string; sizeBytes: number }) => [name, sizeBytes]),
    [['third.txt', file.buffer.length]],
  );
  checkFaults();
});

test('a new record that is not sent yet is in its form again after a reload, and is made once', async () => {
  const { server } = console;
  const { page, open } = await console.openAs(server.ownerId);
  let isReached = false;
  await page.route('**/v1/books', (route) =>
    isReached || route.request().method() !== 'POST' ? route.fallback() : route.fulfill({ status: 503 }),
  );
  await open('/books/new');
  await page.getByRole('textbox', { name: 'Title', exact: true }).fill('Sanditon');
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  await page.waitForURL(/[?]change=/);
  await page.reload();
  await page.locator('input[value="Sanditon"]').waitFor();
  isReached = true;
  await until('it is made', async () => (await server.call('GET', '/v1/books')).json.items.length === 1);
});
