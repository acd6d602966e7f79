/** What the console says before somebody publishes: articles without a text, and what goes live with issues; also from lists. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { encodeId } from '@trellis/schema/values/ids.ts';
import { TestArticles } from '../support/articles.ts';
import { startTestConsole, type TestConsole } from '../support/console.ts';
import { createMember } from '../support/identities.ts';
import { until } from '../support/until.ts';
import { create } from '../support/writes.ts';

let console: TestConsole;
let articles: TestArticles;

before(async () => {
  console = await startTestConsole();
  articles = await TestArticles.inNewSite(console.server, 'blog');
});
after(() => console.close());

const read = async (path: string) => (await console.server.call('GET', path)).json;

test('articles without a text are named before they are published, alone and in a list, and may be published', async () => {
  const empty = await articles.create({ versionData: { title: 'Hollow', body: ' ' } });
  await articles.create({ versionData: { title: 'Filled', body: 'Words.' } });
  const { page, open, checkAccessibility, checkFaults } = await console.openAs(console.server.ownerId);
  await open(empty.path.slice('/v1'.length));
  await page.getByRole('button', { name: 'Publish', exact: true }).click();
  const question = page.getByRole('dialog', { name: 'Publish “Hollow”?' });
  await question.getByRole('alert').getByText('It has no text yet.').waitFor();
  await checkAccessibility('publishing an article without a text');
  await question.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: 'Status: Draft' }).click();
  await page.getByRole('menuitem', { name: 'Schedule…' }).click();
  const schedule = page.getByRole('dialog', { name: 'Schedule “Hollow”' });
  await schedule.getByRole('alert').getByText('It has no text yet.').waitFor();
  await schedule.getByRole('button', { name: 'Cancel' }).click();

  await open(articles.path.slice('/v1'.length));
  await page.getByRole('checkbox', { name: 'Select all shown' }).check();
  await page.getByRole('button', { name: 'Change status' }).click();
  await page.getByRole('menuitem', { name: 'In review' }).click();
  await page.getByRole('dialog').getByText('Records that cannot change').waitFor();
  assert.equal(await page.getByRole('dialog').getByRole('alert').count(), 0);
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: 'Change status' }).click();
  await page.getByRole('menuitem', { name: 'Published' }).click();
  const several = page.getByRole('dialog', { name: 'Published: 2 records?' });
  await several.getByRole('alert').getByText('One article has no text yet: Hollow.').waitFor();
  await checkAccessibility('publishing several articles');
  await several.getByRole('button', { name: 'Published' }).click();
  await until(
    'it is published all the same',
    async () => (await read(empty.path)).versionData.status === 'PUBLISHED',
  );
  checkFaults();
});

test('issues of a list say what goes live with them; who may not read articles is told their number', async () => {
  const { server } = console;
  const approved = await articles.createWithStatus('APPROVED');
  const shown = await articles.createWithStatus('PUBLISHED');
  const magazine = await create(server, '/v1/magazines', { title: 'Waters' });
  const path = `/magazines/${magazine.id}/issues`;
  const status = 'IN_PRODUCTION';
  const contents = [approved, shown].map((one) => ({ articleId: one.split('/').at(-1) }));
  const tides = await create(server, `/v1${path}`, { number: '4', title: 'Tides', status, contents });
  await create(server, `/v1${path}`, { number: '5', title: 'Ebb', status });
  const { page, open, checkAccessibility, checkFaults } = await console.openAs(server.ownerId);
  await open(path);
  await page.getByRole('checkbox', { name: 'Select all shown' }).check();
  await page.getByRole('button', { name: 'Change status' }).click();
  await page.getByRole('menuitem', { name: 'Published' }).click();
  const several = page.getByRole('dialog', { name: 'Published: 2 records?' });
  await several.getByText('2 articles are in the issues.').waitFor();
  await several.getByText('1 is not published yet, and goes live now:').waitFor();
  assert.deepEqual(await several.getByRole('listitem').allInnerTexts(), ['A title']);
  await checkAccessibility('publishing several issues');
  await several.getByRole('button', { name: 'Cancel' }).click();

  const grants = [
    ...['magazines', 'issues'].map((resource) => ({ resource, action: 'read' })),
    ...['update', 'publish'].map((action) => ({ resource: 'issues', action })),
  ];
  const role = await create(server, '/v1/roles', { key: 'issues', name: 'Issues', grants });
  const blind = await createMember(server.database.worker, server.organization, 'VIEWER');
  await server.call('PATCH', `/v1/members/${encodeId('user', blind)}`, { body: { roleId: role.id } });
  const other = await console.openAs(blind);
  await other.open(`${path}/${tides.id}`);
  await other.page.getByRole('button', { name: 'Publish', exact: true }).click();
  const question = other.page.getByRole('dialog', { name: 'Publish “Tides”?' });
  await question.getByText('2 articles are in the issue.').waitFor();
  assert.equal(await question.getByRole('alert').count(), 0);
  for (const one of [{ checkFaults }, other]) one.checkFaults();
});
