/** What is said when a record cannot be deleted because others refer to it: which these are, and where to change them. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestConsole, type TestConsole } from '../support/console.ts';
import { create } from '../support/writes.ts';

let console: TestConsole;

before(async () => {
  console = await startTestConsole();
});
after(() => console.close());

test('a category in use names its articles as links, and leads to the list in which they can be changed', async () => {
  const { server } = console;
  const site = await create(server, '/v1/sites', { name: 'Blog', key: 'blog' });
  const category = await create(server, `/v1/sites/${site.id}/categories`, { name: 'Gemüse' });
  for (const title of ['Möhren', '大根'])
    await create(server, `/v1/sites/${site.id}/articles`, {
      articleData: { categoryIds: [category.id] },
      versionData: { title },
    });
  const { page, open, checkAccessibility, checkFaults } = await console.openAs(server.ownerId);
  const refuse = async () => {
    await open(`/sites/${site.id}/categories/${category.id}`);
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    const dialog = page.getByRole('dialog', { name: 'Delete Gemüse?' });
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await dialog.getByText('Still used by 2 articles.').waitFor();
    return dialog;
  };
  const dialog = await refuse();
  await dialog.getByRole('link', { name: '大根' }).waitFor();
  await checkAccessibility('a record in use');
  await dialog.getByRole('link', { name: 'Möhren' }).click();
  await page.getByRole('textbox', { name: 'Body' }).waitFor();
  const again = await refuse();
  await again.getByRole('link', { name: 'Articles (2)' }).click();
  await page.getByRole('row').getByRole('link', { name: 'Möhren' }).waitFor();
  assert.equal(new URL(page.url()).searchParams.get('categoryId'), category.id);
  checkFaults();
});
