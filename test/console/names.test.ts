/** Names instead of ids: wherever a record is named by another one, pages say what it is called. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestConsole, type TestConsole } from '../support/console.ts';
import { createMember, createToken } from '../support/identities.ts';
import { until } from '../support/until.ts';
import { create } from '../support/writes.ts';

let console: TestConsole;
before(async () => {
  console = await startTestConsole();
});
after(() => console.close());

test('a conflict about the contents of an issue names the articles', async () => {
  const { server } = console;
  const { worker } = server.database;
  const site = await create(server, '/v1/sites', { name: 'Coast', key: 'coast' });
  const article = await create(server, `/v1/sites/${site.id}/articles`, {
    versionData: { title: 'The sea' },
  });
  const magazine = await create(server, '/v1/magazines', { title: 'Waters' });
  const issues = `/magazines/${magazine.id}/issues`;
  const contents = [{ articleId: article.id }];
  const issue = await create(server, `/v1${issues}`, { title: 'Tides', contents });
  const { token } = await createToken(
    worker,
    server.organization,
    await createMember(worker, server.organization, 'EDITOR'),
  );
  const { page, open, checkAccessibility, checkFaults } = await console.openAs(server.ownerId);
  await open(`${issues}/${issue.id}`);
  await page.getByRole('button', { name: 'The sea Draft', exact: true }).click();
  await page.getByRole('textbox', { name: 'Section' }).fill('Mine');
  const theirs = { contents: [{ articleId: article.id, section: 'Theirs' }] };
  await server.call('PATCH', `/v1${issues}/${issue.id}`, { token, body: theirs });
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('button', { name: 'Resolve the conflict' }).click();
  const dialog = page.getByRole('dialog');
  await dialog
    .getByRole('definition')
    .filter({ hasText: /^Theirs$/ })
    .waitFor();
  await dialog.getByRole('link', { name: 'The sea' }).nth(1).waitFor();
  assert.doesNotMatch(await dialog.innerText(), /art_/);
  await checkAccessibility('conflict with names');
  checkFaults();
});

test('a name that is still read is no id, and neither is that of a record that cannot be read', async () => {
  const { server } = console;
  const company = await create(server, '/v1/crm/companies', { name: 'Harbour Ltd' });
  const companies = [{ companyId: company.id }];
  const contact = await create(server, '/v1/crm/contacts', { firstName: 'Ada', companies });
  const { page, open, checkFaults } = await console.openAs(server.ownerId);
  const gate = Promise.withResolvers<void>();
  const title = `**/v1/crm/companies/${company.id}?**`;
  await page.route(title, async (route) => {
    await gate.promise;
    await route.continue();
  });
  await open(`/crm/contacts/${contact.id}?edit=yes`);
  const input = page.getByRole('combobox', { name: 'Company' });
  await input.waitFor();
  assert.equal(await input.inputValue(), '…');
  gate.resolve();
  await until('the name', async () => (await input.inputValue()) === 'Harbour Ltd');
  await page.unroute(title);
  const problem = { type: 'about:blank', title: 'Forbidden', status: 403, code: 'permission_denied' };
  await page.route(title, (route) =>
    route.fulfill({ status: 403, contentType: 'application/problem+json', json: problem }),
  );
  await page.reload();
  const kind = `Company …${String(company.id).slice(-6)}`;
  await until('its kind', async () => (await input.inputValue()) === kind);
  checkFaults();
});
