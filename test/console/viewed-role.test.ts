/** The console seen as another role: its pages and actions, marked, and nothing that changes anything. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { encodeId } from '@trellis/schema/values/ids.ts';
import { startTestConsole, type TestConsole } from '../support/console.ts';
import { createMember } from '../support/identities.ts';
import { create } from '../support/writes.ts';

let console: TestConsole;
before(async () => {
  console = await startTestConsole();
});
after(() => console.close());

test('an owner sees the console as an author, and nothing is written until it ends', async () => {
  const { server } = console;
  const book = await create(server, '/v1/books', { title: 'The Castle' });
  const { page, open, checkAccessibility, checkFaults } = await console.openAs(server.ownerId);
  const writes: string[] = [];
  page.on('request', (request) => {
    if (request.method() !== 'GET' && request.url().includes('/v1/')) writes.push(request.url());
  });
  for (const name of ['First', 'Second']) await create(server, '/v1/crm/companies', { name });
  await open('/crm/companies');
  await page.getByRole('checkbox', { name: 'Select all shown' }).check();
  await page.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  const bulk = page.getByRole('region', { name: 'Bulk changes' });
  await bulk.getByText('Done · 2 of 2').waitFor();
  writes.length = 0;
  await page.getByRole('link', { name: 'Settings' }).click();
  await page.getByRole('link', { name: 'Roles' }).click();
  await page.getByRole('link', { name: 'Author' }).click();
  await page.getByRole('button', { name: 'See as this role' }).click();
  const mark = page.getByText('You see the console as the role Author');
  await mark.waitFor();
  await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
  await checkAccessibility('home as an author');
  // Undoing is writing, too.
  assert.equal(await bulk.count(), 0);
  const navigation = page.getByRole('navigation', { name: 'Main' });
  await navigation.getByRole('link', { name: 'Books' }).click();
  await page.getByRole('row', { name: /The Castle/ }).waitFor();
  await mark.waitFor();
  // An author may not create books; may create articles, but not now.
  await checkRefusal('New book', 'The role Author cannot');
  await page
    .getByRole('row', { name: /The Castle/ })
    .getByRole('link')
    .click();
  await page.getByRole('heading', { level: 1, name: 'The Castle' }).waitFor();
  assert.equal(new URL(page.url()).pathname, `/console/books/${book.id}`);
  await checkRefusal('Save', 'The role Author cannot');
  await create(server, '/v1/sites', { name: 'Blog', key: 'blog' });
  await navigation.getByRole('link', { name: 'Articles' }).click();
  await page.getByRole('heading', { level: 1, name: 'Articles' }).waitFor();
  await checkRefusal('New article', 'The role Author may do this.');
  assert.deepEqual(writes, []);

  await page.getByRole('button', { name: 'Back to my role' }).click();
  await mark.waitFor({ state: 'detached' });
  await bulk.waitFor();
  await navigation.getByRole('link', { name: 'Books' }).click();
  await page.getByRole('button', { name: 'New book' }).click();
  await page.getByRole('textbox', { name: 'Title', exact: true }).waitFor();
  checkFaults();

  async function checkRefusal(name: string, reason: string): Promise<void> {
    const button = page.getByRole('button', { name });
    await button.first().waitFor();
    assert.equal(await button.first().getAttribute('aria-disabled'), 'true', name);
    await button.first().focus();
    await page.getByText(reason).first().waitFor();
  }
});

test('a role that may not read sites finds articles and the calendar locked, seen as and in fact', async () => {
  const { server } = console;
  await create(server, '/v1/sites', { name: 'Diary', key: 'diary' });
  const grants = [{ resource: 'articles', action: 'read' }];
  const role = await create(server, '/v1/roles', { name: 'Intern', key: 'intern', grants });
  const reason = 'The role Intern cannot read Sites, which these records belong to.';
  const member = await createMember(server.database.worker, server.organization, 'VIEWER');
  const changed = await server.call('PATCH', `/v1/members/${encodeId('user', member)}`, {
    body: { roleId: role.id },
  });
  assert.equal(changed.status, 200, changed.text);
  const seen = await console.openAs(server.ownerId);
  await seen.open('/roles');
  await seen.page.getByRole('link', { name: 'Intern' }).click();
  await seen.page.getByText('Of no use without the right to read Sites').first().waitFor();
  await seen.checkAccessibility('a role without sites');
  await seen.page.getByRole('button', { name: 'See as this role' }).click();
  await seen.page.getByText('You see the console as the role Intern').waitFor();
  const own = await console.openAs(member);
  for (const { page, checkFaults } of [seen, own]) {
    const navigation = page.getByRole('navigation', { name: 'Main' });
    for (const name of ['Articles', 'Calendar'])
      await navigation.getByRole('button', { name: new RegExp(`^${name}.*${reason}`) }).waitFor();
    for (const path of ['/sites/-/articles', '/calendar']) {
      // By address and without loading the page anew, which would end seeing as the role.
      await page.evaluate(`history.pushState(null, '', '/console${path}')`);
      await page.getByRole('heading', { name: 'You do not have access to this' }).waitFor();
      await page.getByRole('main').getByText(reason).waitFor();
    }
    checkFaults();
  }
});

test('in German, and what the role may not read is not there', async () => {
  const { page, open, checkAccessibility } = await console.openAs(console.server.ownerId, {
    locale: 'de-DE',
  });
  await open('/roles');
  await page.getByRole('link', { name: 'Redakteur' }).click();
  await page.getByRole('button', { name: 'Als diese Rolle sehen' }).click();
  await page.getByText('Sie sehen die Konsole als Rolle Redakteur').waitFor();
  await open('/roles');
  // Loading the page anew ends it.
  await page.getByRole('link', { name: 'Redakteur' }).click();
  await page.getByRole('button', { name: 'Als diese Rolle sehen' }).click();
  await page.getByRole('link', { name: 'Einstellungen' }).click();
  await page.getByRole('link', { name: 'Rollen' }).click();
  await page.getByText('Die Rolle Redakteur darf diese Einträge nicht lesen.', { exact: true }).waitFor();
  await checkAccessibility('roles as an editor');
});
