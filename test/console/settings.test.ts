/** The settings and webhooks in the console: the organization, members, roles, tokens, and endpoints with their deliveries. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { builtInRoleIds } from '@trellis/schema/resources/roles.ts';
import { encodeId } from '@trellis/schema/values/ids.ts';
import { startTestConsole, type TestConsole } from '../support/console.ts';
import { createMember } from '../support/identities.ts';
import { until } from '../support/until.ts';

let console: TestConsole;

before(async () => {
  console = await startTestConsole();
});
after(() => console.close());

test('the organization is renamed and a module turned off, which the navigation tells at once', async () => {
  const { page, open, checkAccessibility, checkFaults } = await console.openAs(console.server.ownerId);
  await open('/settings');
  await page.waitForURL('**/console/organization');
  await page.getByLabel('Name', { exact: true }).fill('Harbour Press');
  await page.getByRole('checkbox', { name: 'Sandbox' }).click();
  await page.getByRole('checkbox', { name: 'Customers' }).click();
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved.').waitFor();
  await page.getByRole('button', { name: /Contacts.*turned off/ }).waitFor();
  const { json } = await console.server.call('GET', '/v1/organization');
  assert.equal(json.name, 'Harbour Press');
  assert.ok(!json.modules.includes('crm'));
  await checkAccessibility('organization');
  await page.getByRole('checkbox', { name: 'Customers' }).click();
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('link', { name: 'Contacts' }).waitFor();
  checkFaults();
});

test('a member gets another role, is suspended and is removed; the last owner stays, and the page says why', async () => {
  const { server } = console;
  const member = await createMember(server.database.worker, server.organization, 'EDITOR');
  await server.database.worker.run('UPDATE trellis.users SET name = $2 WHERE id = $1', [member, 'Ana Silva']);
  const { page, open, checkAccessibility, checkFaults } = await console.openAs(server.ownerId);
  await open('/members');
  await page.getByRole('combobox', { name: 'Role of Ana Silva' }).click();
  await page.getByRole('option', { name: 'Author' }).click();
  await until('the role', async () => {
    const { json } = await server.call('GET', `/v1/members/${encodeId('user', member)}`);
    return json.roleId === encodeId('role', builtInRoleIds.AUTHOR);
  });
  await checkAccessibility('members');
  await page
    .getByRole('listitem')
    .filter({ hasText: 'Ana Silva' })
    .getByText(/Joined (now|\d+ (seconds?|minutes?) ago)/)
    .waitFor();
  const menu = page.getByRole('button', { name: 'More about Ana Silva' });
  const status = async () =>
    (await server.call('GET', `/v1/members/${encodeId('user', member)}`)).json.status;
  const question = page.getByRole('dialog', { name: 'Suspend access of Ana Silva?' });
  await menu.click();
  await page.getByRole('menuitem', { name: 'Suspend access' }).click();
  await question.waitFor();
  await checkAccessibility('suspension');
  await question.getByRole('button', { name: 'Cancel' }).click();
  await question.waitFor({ state: 'detached' });
  assert.equal(await status(), 'ACTIVE');
  await menu.click();
  await page.getByRole('menuitem', { name: 'Suspend access' }).click();
  await question.getByRole('button', { name: 'Suspend access' }).click();
  await question.waitFor({ state: 'detached' });
  assert.equal(await status(), 'DISABLED');
  await menu.click();
  await page.getByRole('menuitem', { name: 'Restore access' }).click();
  await until('access again', async () => (await status()) === 'ACTIVE');
  await menu.click();
  await page.getByRole('menuitem', { name: 'Remove from the organization' }).click();
  await checkAccessibility('removal');
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await page.getByText('Ana Silva', { exact: true }).waitFor({ state: 'detached' });
  await page.getByRole('listitem').filter({ hasText: '(you)' }).getByRole('button').last().click();
  await page.getByRole('menuitem', { name: 'Remove from the organization' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await page.getByRole('dialog').getByText('An organization needs an owner').waitFor();
  checkFaults();
});

test('a role is copied from a built-in one and changed in the matrix', async () => {
  const { page, open, checkAccessibility, checkFaults } = await console.openAs(console.server.ownerId);
  await open('/roles');
  await page.getByRole('link', { name: 'Viewer' }).click();
  await page.getByRole('region', { name: 'Rights of the role Viewer' }).waitFor();
  await checkAccessibility('built-in role');
  await page.getByRole('button', { name: 'Copy as new role' }).click();
  await page.getByLabel('Name', { exact: true }).fill('Newsroom');
  await page.getByLabel('Key').fill('Newsroom!');
  await page.getByLabel('Articles: Update').selectOption('Own');
  await page.getByLabel('Books: Read').selectOption('No');
  // What has no status is not published; publishing a view is sharing it.
  const published = page.getByRole('combobox', { name: /: Publish$/ });
  const labels = await published.evaluateAll((all) => all.map((one) => one.getAttribute('aria-label')));
  assert.deepEqual(labels, [
    'Knowledge files: Publish',
    'Articles: Publish',
    'Books: Publish',
    'Issues: Publish',
    'Views: Publish',
  ]);
  await page.getByRole('button', { name: 'Create role' }).click();
  await page.locator('input[aria-invalid="true"]').waitFor();
  await page.getByLabel('Key').fill('newsroom');
  await page.getByRole('button', { name: 'Create role' }).click();
  await page.getByRole('link', { name: 'Newsroom' }).waitFor();
  await page.waitForURL(/roles\/role_/);
  const { json } = await console.server.call('GET', '/v1/roles?search=newsroom');
  const grants: { resource: string; action: string; own?: boolean }[] = json.items[0].grants;
  assert.equal(grants.find((one) => one.resource === 'articles' && one.action === 'update')?.own, true);
  assert.ok(!grants.some(({ resource }) => resource === 'books' || resource === 'webhook-endpoints'));
  await checkAccessibility('role');
  checkFaults();
});

test('a right on articles includes reading the sites, and without that there is none', async () => {
  const { page, open, checkFaults } = await console.openAs(console.server.ownerId);
  await open('/roles/new');
  await page.getByLabel('Name', { exact: true }).fill('Interns');
  await page.getByText('Includes the right to read Sites').first().waitFor();
  await page.getByText('Includes the right to read Magazines').waitFor();
  const right = (name: string) => page.getByRole('combobox', { name, exact: true });
  await right('Issues: Read').selectOption('All');
  await right('Tags: Create').selectOption('All');
  await right('Articles: Update').selectOption('Own');
  await right('Magazines: Read').selectOption('No');
  await page.getByRole('button', { name: 'Create role' }).click();
  await page.waitForURL(/roles\/role_/);
  const { json } = await console.server.call('GET', '/v1/roles?search=interns');
  const grants: { resource: string; action: string; own?: boolean }[] = json.items[0].grants;
  assert.deepEqual(grants.map(({ resource, action, own }) => [resource, action, own === true]).sort(), [
    ['articles', 'read', false],
    ['articles', 'update', true],
    ['sites', 'read', false],
    ['tags', 'create', false],
    ['tags', 'read', false],
  ]);
  checkFaults();
});

test('a token is made, shown once, replaced and revoked', async () => {
  const { server } = console;
  const { page, open, checkAccessibility, checkFaults } = await console.openAs(server.ownerId);
  await open('/clients');
  await page.getByRole('button', { name: 'New client' }).click();
  await page.getByRole('dialog').getByLabel('Name').fill('Website');
  await page.getByRole('button', { name: 'Create client' }).click();
  const section = page.getByRole('region', { name: 'Website' });
  await section.getByRole('button', { name: 'New token' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Create token' }).click();
  await dialog.locator('input[aria-invalid="true"]').first().waitFor();
  await checkAccessibility('new token');
  await dialog.getByLabel('Purpose').fill('Build');
  // What the rules of tokens reject is not sent.
  let sent = 0;
  page.on('request', (request) => {
    if (request.method() === 'POST' && new URL(request.url()).pathname === '/v1/tokens') sent += 1;
  });
  await dialog.getByRole('button', { name: 'Create token' }).click();
  await dialog.getByText('Name at least one scope.').waitFor();
  await dialog.getByRole('checkbox', { name: 'books:read' }).click();
  await dialog.getByLabel('Filter scopes').fill('read article');
  await page.keyboard.press('Enter');
  await dialog.getByRole('checkbox', { name: 'articles:read' }).click();
  assert.equal(await dialog.getByRole('checkbox', { name: 'books:read' }).count(), 0);
  await dialog.getByText('2 scopes').waitFor();
  assert.equal(sent, 0);
  await dialog.getByRole('button', { name: 'Create token' }).click();
  const made = page.getByRole('dialog', { name: 'Secret of Build' });
  const secret = (await made.locator('pre').textContent()) ?? '';
  const { json: me } = await server.call('GET', '/v1/me', { token: secret });
  assert.deepEqual([...me.scopes].sort(), ['articles:read', 'books:read']);
  await page.getByRole('button', { name: 'I have saved it' }).click();
  await checkAccessibility('clients and tokens');
  assert.ok(!(await page.content()).includes(secret));

  await section.getByRole('button', { name: 'More about Build' }).click();
  await page.getByRole('menuitem', { name: 'Replace' }).click();
  await page.getByLabel('Keep the old one for').selectOption('not at all');
  await page.getByRole('dialog').getByRole('button', { name: 'Replace' }).click();
  const next = (await page.getByRole('dialog').locator('pre').textContent()) ?? '';
  assert.notEqual(next, secret);
  await page.getByRole('button', { name: 'I have saved it' }).click();
  assert.equal((await server.call('GET', '/v1/me', { token: next })).status, 200);
  await section
    .getByRole('listitem')
    .filter({ hasText: next.slice(0, 12) })
    .getByRole('button', { name: 'More about Build' })
    .click();
  await page.getByRole('menuitem', { name: 'Revoke' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
  await section.getByText(next.slice(0, 12)).waitFor({ state: 'detached' });
  await until(
    'the refusal',
    async () => (await server.call('GET', '/v1/me', { token: next })).status === 401,
  );
  checkFaults();
});

test('somebody without the right sees the members, and why nothing can be changed', async () => {
  const { server } = console;
  const viewer = await createMember(server.database.worker, server.organization, 'VIEWER');
  const { page, open, checkAccessibility, checkFaults } = await console.openAs(viewer);
  await open('/settings');
  await page.waitForURL('**/console/members');
  const role = page.getByRole('combobox', { name: /^Role of / }).first();
  await role.waitFor();
  assert.ok(await role.isDisabled());
  await checkAccessibility('members for a viewer');
  await open('/tokens');
  await page.getByText('The role Viewer cannot read these records.').first().waitFor();
  await open('/organization');
  await page.getByRole('heading', { name: 'You do not have access to this' }).waitFor();
  await checkAccessibility('organization for a viewer');
  checkFaults();
});
