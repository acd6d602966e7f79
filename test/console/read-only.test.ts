/** What somebody may read and not change: whole values as text that can be read, and the reason once. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { startTestConsole, type TestConsole } from '../support/console.ts';
import { createMember } from '../support/identities.ts';
import { create } from '../support/writes.ts';

let console: TestConsole;
let viewer: string;

before(async () => {
  console = await startTestConsole();
  const { database, organization } = console.server;
  viewer = await createMember(database.worker, organization, 'VIEWER');
});
after(() => console.close());

/** The value beside a name on the page. */
const readValue = (page: Page, name: string) =>
  page
    .locator('dl > div')
    .filter({ has: page.locator('> dt', { hasText: new RegExp(`^${name}$`) }) })
    .locator('> dd')
    .first();

test('an issue that one may only read shows its values as text, with its articles as links', async () => {
  const { server } = console;
  const site = await create(server, '/v1/sites', { name: 'Coast', key: 'coast' });
  const article = await create(server, `/v1/sites/${site.id}/articles`, {
    versionData: { title: 'The sea' },
  });
  const magazine = await create(server, '/v1/magazines', { title: 'Waters' });
  const issues = `/magazines/${magazine.id}/issues`;
  const contents = [{ articleId: article.id, section: 'Essays' }];
  const body = { title: 'Tides', year: 1926, accessStatus: 'OPEN', contents };
  const issue = await create(server, `/v1${issues}`, body);
  const { page, open, checkAccessibility, checkFaults } = await console.openAs(viewer);
  await open(`${issues}/${issue.id}`);
  await readValue(page, 'Title').getByText('Tides').waitFor();
  const main = page.locator('main form');
  assert.equal(await readValue(page, 'Year').innerText(), '1926');
  assert.equal(await readValue(page, 'Access status').innerText(), 'Open');
  const entry = readValue(page, 'Contents').getByRole('listitem');
  assert.equal(
    await entry.getByRole('link', { name: 'The sea' }).getAttribute('href'),
    `/console/sites/${site.id}/articles/${article.id}`,
  );
  await entry.getByText('Essays').waitFor();
  assert.equal(await main.getByText('The role Viewer cannot change these records.').count(), 1);
  assert.equal(await main.locator('input, textarea, select').count(), 0);
  // What is empty is left out.
  assert.equal(await page.getByText('Page count').count(), 0);
  await checkAccessibility('issue to read');
  checkFaults();
});

test('an article that one may only read shows its details as text', async () => {
  const { server } = console;
  const site = await create(server, '/v1/sites', { name: 'Inland', key: 'inland' });
  const tag = await create(server, `/v1/sites/${site.id}/tags`, { name: 'Rivers' });
  const article = await create(server, `/v1/sites/${site.id}/articles`, {
    versionData: { title: 'The river', body: 'text', seo: { title: 'Rivers of the world' } },
    articleData: { slug: 'the-river', tagIds: [tag.id] },
  });
  const { page, open, checkAccessibility, checkFaults } = await console.openAs(viewer);
  await open(`/sites/${site.id}/articles/${article.id}`);
  const details = page.getByRole('complementary', { name: 'Details' });
  await readValue(page, 'Tags').getByRole('link', { name: 'Rivers' }).waitFor();
  assert.equal(await readValue(page, 'Slug').innerText(), 'the-river');
  await readValue(page, 'SEO').getByText('Rivers of the world').waitFor();
  assert.equal(await details.locator('input, textarea, select').count(), 0);
  assert.equal(
    await page.getByText('The role Viewer cannot change these records.').filter({ visible: true }).count(),
    1,
  );
  await checkAccessibility('article to read');
  checkFaults();
});

test('what is locked elsewhere is not faded', async () => {
  const { page, open, checkFaults } = await console.openAs(viewer);
  await open('/members');
  const role = page.getByRole('combobox').first();
  await role.waitFor();
  const styleOf = (element: string) =>
    page.evaluate<string[]>(
      `Object.values((({ color, opacity }) => ({ color, opacity }))(getComputedStyle(${element})))`,
    );
  const [color, opacity] = await styleOf("document.querySelector('input:disabled')");
  const [text] = await styleOf('document.body');
  assert.deepEqual({ opacity, color }, { opacity: '1', color: text });
  checkFaults();
});
