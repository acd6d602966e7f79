/** What would be in the way of the next step: a focus that is lost, a panel or a list of options over what comes next. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { startTestConsole, type TestConsole } from '../support/console.ts';
import { until } from '../support/until.ts';
import { create } from '../support/writes.ts';

let console: TestConsole;
let siteId: string;

before(async () => {
  console = await startTestConsole();
  siteId = String(
    (await create(console.server, '/v1/sites', { name: 'Blog', key: 'blog', domains: ['way.example.com'] }))
      .id,
  );
});
after(() => console.close());

async function createArticle(title: string, status: 'DRAFT' | 'PUBLISHED'): Promise<string> {
  const { server } = console;
  const path = `/sites/${siteId}/articles`;
  const { id } = await create(server, `/v1${path}`, { versionData: { title, body: 'text' } });
  if (status === 'PUBLISHED')
    await server.call('PATCH', `/v1${path}/${id}`, { body: { versionData: { status } } });
  return `${path}/${id}`;
}

/** What has the focus. */
const focused = (page: Page) =>
  page.evaluate<string>('document.activeElement.ariaLabel ?? document.activeElement.textContent');

test('after an article is published, and when it is not, the focus is where one goes on', async () => {
  const { page, open, checkAccessibility, checkFaults } = await console.openAs(console.server.ownerId);
  await open(await createArticle('Focus', 'DRAFT'));
  const publish = page.getByRole('button', { name: 'Publish', exact: true });
  await publish.focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Cancel' }).waitFor();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await until('the button has the focus again', async () => (await focused(page)) === 'Publish');
  await page.keyboard.press('Enter');
  await dialog.getByRole('button', { name: 'Publish' }).click();
  await page.getByText('Readers see version 1').waitFor();
  // The site has a domain; where a page of it is, only the site knows.
  const link = page.getByRole('status').getByRole('link', { name: 'way.example.com' });
  assert.equal(await link.getAttribute('href'), 'https://way.example.com/');
  await checkAccessibility('published');
  await dialog.waitFor({ state: 'detached' });
  await until('the status has the focus', async () => (await focused(page)) === 'Status: Published');
  checkFaults();
});

test('a chosen tag closes its list, which is over the button that applies it', async () => {
  for (const name of ['Rivers', 'Lakes', 'Seas', 'Ponds', 'Wells', 'Springs'])
    await create(console.server, `/v1/sites/${siteId}/tags`, { name });
  const path = await createArticle('Tagged', 'PUBLISHED');
  const { page, open, checkFaults } = await console.openAs(console.server.ownerId);
  await open(path);
  const tags = page.getByRole('combobox', { name: 'Tags' });
  await tags.click();
  await page.getByRole('option', { name: 'Rivers' }).click();
  await page.getByRole('listbox').waitFor({ state: 'hidden' });
  // Another one is chosen by typing on.
  await page.keyboard.type('Lak');
  await page.getByRole('option', { name: 'Lakes' }).click();
  await page.getByRole('listbox').waitFor({ state: 'hidden' });
  await page.getByRole('button', { name: 'Apply for readers' }).click();
  await until(
    'both are applied',
    async () => (await console.server.call('GET', `/v1${path}`)).json.articleData.tagIds.length === 2,
  );
  checkFaults();
});

test('the panel of a bulk change is small on later pages, and opens again', async () => {
  for (const title of ['Emma', 'Persuasion']) await create(console.server, '/v1/books', { title });
  const { page, open, checkAccessibility, checkFaults } = await console.openAs(console.server.ownerId);
  await open('/books');
  await page.getByRole('checkbox', { name: 'Select all shown' }).check();
  await page.getByRole('button', { name: 'Set a field' }).click();
  await page.getByLabel('Field', { exact: true }).selectOption({ label: 'Edition' });
  await page.getByRole('textbox', { name: 'Edition' }).fill('Second');
  await page.getByRole('button', { name: 'Apply' }).click();
  const panel = page.getByRole('region', { name: 'Bulk changes' });
  await panel.getByText('Done · 2 of 2').waitFor();
  await panel.getByRole('button', { name: 'Undo' }).waitFor();
  await page.getByRole('link', { name: 'Emma' }).click();
  await page.getByRole('textbox', { name: 'Subtitle' }).waitFor();
  await panel.getByRole('button', { name: 'Undo' }).waitFor({ state: 'detached' });
  const { height = 0, width = 0 } = (await panel.boundingBox()) ?? {};
  assert.ok(height <= 40 && width <= 240, `${width} × ${height}`);
  await checkAccessibility('bulk change on a later page');
  await panel.getByRole('button', { name: /Done · 2 of 2/ }).click();
  await panel.getByRole('button', { name: 'Undo' }).waitFor();
  await panel.getByRole('button', { name: 'Close' }).click();
  await panel.waitFor({ state: 'detached' });
  checkFaults();
});
