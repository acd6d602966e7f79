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

test('what uses a category is moved to another one, which takes its place, and undone; what fails is told', async () => {
  const { server } = console;
  const site = await create(server, '/v1/sites', { name: 'Garden', key: 'garden' });
  const path = `/v1/sites/${site.id}`;
  const [old, fruit, below] = [
    await create(server, `${path}/categories`, { name: 'Gemüse' }),
    await create(server, `${path}/categories`, { name: 'Obst' }),
    await create(server, `${path}/categories`, { name: 'Kohl' }),
  ];
  await server.call('PATCH', `${path}/categories/${below.id}`, { body: { parentId: old.id } });
  const articles: string[] = [];
  for (const [title, categoryIds, primaryCategoryId] of [
    ['Möhren', [old.id, below.id], old.id],
    ['Tomaten', [fruit.id, old.id], fruit.id],
  ] as const) {
    const body = { articleData: { categoryIds, primaryCategoryId }, versionData: { title } };
    articles.push((await create(server, `${path}/articles`, body)).id);
  }
  const stateOf = async () => {
    const found = await Promise.all(articles.map((id) => server.call('GET', `${path}/articles/${id}`)));
    const parent = (await server.call('GET', `${path}/categories/${below.id}`)).json.parentId;
    const { status } = await server.call('GET', `${path}/categories/${old.id}`);
    return [
      ...found.map(({ json: { articleData } }) => [articleData.categoryIds, articleData.primaryCategoryId]),
      parent,
      status,
    ];
  };
  const before = [[[old.id, below.id], old.id], [[fruit.id, old.id], fruit.id], old.id, 200];
  assert.deepEqual(await stateOf(), before);
  const { page, open, checkAccessibility, checkFaults } = await console.openAs(server.ownerId);
  await open(`/sites/${site.id}/categories/${old.id}`);
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  const dialog = page.getByRole('dialog', { name: 'Delete Gemüse?' });
  await dialog.getByRole('button', { name: 'Delete' }).click();
  const move = dialog.getByRole('button', { name: 'Move 3 records and delete' });
  await move.waitFor();
  assert.equal(await move.isDisabled(), true);
  await dialog.getByRole('combobox', { name: 'Move them to another category' }).click();
  const options = page.getByRole('option');
  await options.filter({ hasText: 'Obst' }).waitFor();
  assert.equal(await options.filter({ hasText: 'Gemüse' }).count(), 0, 'not to itself');
  await options.filter({ hasText: 'Obst' }).click();
  await checkAccessibility('moving what uses a category');
  await move.click();
  const panel = page.getByRole('region', { name: 'Bulk changes' });
  await panel.getByText('“Gemüse” replaced by “Obst” and deleted').waitFor();
  await panel.getByText('Done · 4 of 4').waitFor();
  assert.deepEqual(await stateOf(), [
    [[fruit.id, below.id], fruit.id],
    [[fruit.id], fruit.id],
    fruit.id,
    404,
  ]);
  // An article that somebody has changed since stays as it is, and the panel says so.
  const [, changed] = articles;
  await server.call('PATCH', `${path}/articles/${changed}`, { body: { versionData: { title: 'Tomate' } } });
  await panel.getByRole('button', { name: 'Undo', exact: true }).click();
  await panel.getByText('Done · 3 of 4').waitFor();
  await panel.getByText('one not changed').waitFor();
  assert.deepEqual(await stateOf(), [[[old.id, below.id], old.id], [[fruit.id], fruit.id], old.id, 200]);
  checkFaults();
});

test('nobody is offered to move what they may not change, or what cannot be moved', async () => {
  const { server } = console;
  const magazine = await create(server, '/v1/magazines', { title: 'Weekly' });
  await create(server, `/v1/magazines/${magazine.id}/issues`, { title: 'Spring' });
  const { page, open, checkFaults } = await console.openAs(server.ownerId);
  await open(`/magazines/${magazine.id}`);
  await page.getByRole('button', { name: /^(More a|A)ctions$/ }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  const dialog = page.getByRole('dialog', { name: 'Delete Weekly?' });
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await dialog.getByText('Still used by 1 issue.').waitFor();
  assert.equal(await dialog.getByRole('combobox').count(), 0);
  checkFaults();
});
