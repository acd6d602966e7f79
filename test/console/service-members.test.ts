/** Service members in the console: made with a person who is responsible for them, given a token, and named as such. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { encodeId } from '@trellis/schema/values/ids.ts';
import { startTestConsole, type TestConsole } from '../support/console.ts';
import { createMember, createToken } from '../support/identities.ts';
import { until } from '../support/until.ts';
import { create } from '../support/writes.ts';

let console: TestConsole;
before(async () => {
  console = await startTestConsole();
});
after(() => console.close());

test('a service member is made, gets a token, is named as such, and passes to somebody else', async () => {
  const { server } = console;
  const { worker } = server.database;
  const ana = await createMember(worker, server.organization, 'ADMIN');
  await worker.run('UPDATE trellis.users SET name = $2 WHERE id = $1', [ana, 'Ana Silva']);
  const { page, open, checkAccessibility, checkFaults } = await console.openAs(server.ownerId);
  await open('/members');
  await page.getByRole('button', { name: 'New service member' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('To add a person, invite them').waitFor();
  await dialog.getByRole('button', { name: 'Create service member' }).click();
  await dialog.locator('input[aria-invalid="true"]').first().waitFor();
  await checkAccessibility('new service member');
  await dialog.getByLabel('Name', { exact: true }).fill('Feed reader');
  await dialog.getByRole('button', { name: 'Create service member' }).click();
  const row = page.getByRole('listitem').filter({ hasText: 'Feed reader' });
  await row.getByText('Service member', { exact: true }).waitFor();
  await row.getByText('No sign-in').waitFor();
  await checkAccessibility('members');
  const { json } = await server.call('GET', '/v1/members?kind=SERVICE');
  const [service] = json.items;
  assert.equal(service.responsibleUserId, encodeId('user', server.ownerId));

  await open('/clients');
  const section = page.getByRole('region', { name: 'Test' });
  await section.getByRole('button', { name: 'New token' }).click();
  await dialog.getByLabel('Acts for').selectOption('The service member Feed reader');
  await dialog.getByLabel('Purpose').fill('Feeds');
  await dialog.getByRole('checkbox', { name: 'sites:write' }).click();
  await dialog.getByRole('button', { name: 'Create token' }).click();
  const secret = (await page.getByRole('dialog').locator('pre').textContent()) ?? '';
  await page.getByRole('button', { name: 'I have saved it' }).click();
  await section.getByText('for Feed reader (service member)').waitFor();
  const site = await server.call('POST', '/v1/sites', {
    token: secret,
    body: { name: 'Feeds', key: 'feeds' },
  });
  assert.equal(site.json.createdBy, service.id, site.text);

  await open('/members');
  await row.getByRole('button', { name: 'More about Feed reader' }).click();
  await page.getByRole('menuitem', { name: 'Name and responsible person' }).click();
  await dialog.getByRole('combobox', { name: 'Responsible person' }).click();
  const ofAna = page.getByRole('option', { name: 'Ana Silva' });
  await ofAna.waitFor();
  assert.equal(await page.getByRole('option', { name: 'Feed reader' }).count(), 0);
  await ofAna.click();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await row.getByText('Ana Silva is responsible').waitFor();
  await page.getByRole('button', { name: 'More about Ana Silva' }).click();
  await page.getByRole('menuitem', { name: 'Remove from the organization' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await page.getByRole('dialog').getByText('Responsible for service members').waitFor();
  checkFaults();
});

test('a token is shown as refused when who made it may do less than its role', async () => {
  const { server } = console;
  const { worker } = server.database;
  const bea = await createMember(worker, server.organization, 'ADMIN');
  await worker.run('UPDATE trellis.users SET name = $2 WHERE id = $1', [bea, 'Bea Costa']);
  const roles = (await server.call('GET', '/v1/roles')).json.items;
  const roleOf = (key: string) => roles.find((role: { key: string }) => role.key === key).id;
  const service = await create(server, '/v1/members', { name: 'Sync', roleId: roleOf('ADMIN') });
  const { token } = await createToken(worker, server.organization, bea);
  const made = await server.call('POST', '/v1/tokens', {
    token,
    body: {
      name: 'Nightly sync',
      clientId: encodeId('client', server.organization.clientId),
      userId: service.id,
      scopes: ['sites:read'],
    },
  });
  assert.equal(made.status, 201, made.text);
  const { page, open, checkAccessibility, checkFaults } = await console.openAs(server.ownerId);
  await open('/clients');
  const row = page.getByRole('listitem').filter({ hasText: 'Nightly sync' });
  await row.getByText('for Sync (service member)').waitFor();
  assert.equal(await row.getByText('Blocked').count(), 0);
  const use = () => server.call('GET', '/v1/sites', { token: made.json.secret });
  assert.equal((await use()).status, 200);

  const member = `/v1/members/${encodeId('user', bea)}`;
  const demoted = await server.call('PATCH', member, { body: { roleId: roleOf('EDITOR') } });
  assert.equal(demoted.status, 200, demoted.text);
  await open('/clients');
  await row.getByText('Blocked: Bea Costa, who created it, no longer has all rights of its role.').waitFor();
  await until('the token', async () => (await use()).status === 401);
  await checkAccessibility('a token that is refused');
  checkFaults();
});

test('the token of somebody else is not offered for replacement', async () => {
  const { server } = console;
  const made = await server.call('POST', '/v1/tokens', {
    body: {
      name: 'Of the owner',
      clientId: encodeId('client', server.organization.clientId),
      scopes: ['sites:read'],
    },
  });
  assert.equal(made.status, 201, made.text);
  const admin = await createMember(server.database.worker, server.organization, 'ADMIN');
  const { page, open, checkFaults } = await console.openAs(admin);
  await open('/clients');
  const menu = page.getByRole('button', { name: 'More about Of the owner' });
  await menu.click();
  await page.getByText('Only the person it acts for can replace it').waitFor();
  await until('the entry', async () => page.getByRole('menuitem', { name: 'Replace' }).isDisabled());
  checkFaults();
});
