/** The rules of articles in the editor, in Chromium: what they reject is said and not sent. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestConsole, type TestConsole } from '../support/console.ts';
import { until } from '../support/until.ts';
import { create } from '../support/writes.ts';

let console: TestConsole;

before(async () => {
  console = await startTestConsole();
});
after(() => console.close());

test('what the rules of articles reject is not sent, and the text is saved all the same', async () => {
  const { server } = console;
  const site = `/sites/${(await create(server, '/v1/sites', { name: 'Blog', key: 'blog' })).id}`;
  const categories = [];
  for (const name of ['One', 'Two'])
    categories.push((await create(server, `/v1${site}/categories`, { name })).id);
  const [one, two] = categories;
  const body = {
    versionData: { title: 'Ruled' },
    articleData: { categoryIds: [one, two], primaryCategoryId: two },
  };
  const path = `${site}/articles/${(await create(server, `/v1${site}/articles`, body)).id}`;
  const read = async () => (await server.call('GET', `/v1${path}`)).json;
  const { page, open, checkAccessibility, checkFaults } = await console.openAs(server.ownerId);
  await open(path);
  let sent = 0;
  page.on('request', (request) => {
    if (request.method() === 'PATCH' && request.postData()?.includes('categoryIds')) sent += 1;
  });
  await page.getByRole('combobox', { name: 'Categories' }).click();
  await page.keyboard.press('Backspace');
  await page.getByText('Must be one of the categories of the article.').waitFor();
  await page.getByText('Not saved: some fields need your attention').waitFor();
  await page.getByPlaceholder('Title').fill('Ruled and saved');
  await checkAccessibility('faults of the rules');
  await until('the title is saved', async () => (await read()).versionData.title === 'Ruled and saved');
  assert.deepEqual((await read()).articleData.categoryIds, [one, two]);
  await page.getByRole('combobox', { name: 'Primary category' }).fill('One');
  await page.getByRole('option', { name: 'One' }).click();
  await page.getByText(/^Saved · /).waitFor();
  assert.equal(sent, 1);
  const { categoryIds, primaryCategoryId } = (await read()).articleData;
  assert.deepEqual([categoryIds, primaryCategoryId], [[one], one]);
  checkFaults();
});
