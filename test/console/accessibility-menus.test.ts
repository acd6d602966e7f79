/** The menus, bars and messages of the console, by the rules of axe: light and dark, wide and narrow. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { type FilledConsole, findBarriersOf, type Screen, startFilledConsole } from '../support/screens.ts';
import { create } from '../support/writes.ts';

let console: FilledConsole;
let articlePath: string;
let idOf: (resource: string) => string;

before(async () => {
  console = await startFilledConsole();
  idOf = (resource) => console.world.ids.get(resource) ?? '';
  const site = `/sites/${idOf('sites')}`;
  const versionData = { title: 'Low tide', body: '# Ebb' };
  const { id } = await create(console.server, `/v1${site}/articles`, { versionData });
  articlePath = `${site}/articles/${id}`;
});
after(() => console.close());

/** Opens a menu by its button. */
const unfold = (name: string | RegExp) => async (page: Page) => {
  await page.getByRole('button', { name, exact: true }).filter({ visible: true }).first().click();
  await page.getByRole('menu').filter({ visible: true }).first().waitFor();
};

async function select(page: Page): Promise<void> {
  await page.getByRole('checkbox', { name: 'Select all shown' }).check();
  await page.getByRole('button', { name: 'Set a field' }).waitFor();
}

/** The menus of pages, and what appears when records are selected. */
function listMenus(): Screen[] {
  const books = { path: '/books', shows: 'Frankenstein' };
  const article = { path: articlePath, shows: 'Low tide' };
  return [
    { name: 'orders of a list', ...books, act: unfold('Sort') },
    { name: 'columns of a list', ...books, act: unfold('Columns') },
    {
      name: 'menu of a column',
      ...books,
      act: async (page) => {
        await page.locator('[data-heading="title"]').hover();
        await unfold('Column Title')(page);
      },
    },
    { name: 'export', ...books, act: unfold('Export') },
    { name: 'views', ...books, act: unfold('Views') },
    {
      name: 'filters',
      ...books,
      act: async (page) => {
        await page.getByRole('button', { name: 'Filter', exact: true }).click();
        await page.getByRole('combobox', { name: 'Find a field' }).waitFor();
      },
    },
    { name: 'selection', ...books, act: select },
    {
      name: 'field of a selection',
      ...books,
      act: async (page) => {
        await select(page);
        await page.getByRole('button', { name: 'Set a field' }).click();
        await page.getByRole('dialog').getByLabel('Field', { exact: true }).waitFor();
      },
    },
    {
      name: 'deletion of a selection',
      ...books,
      act: async (page) => {
        await select(page);
        await page.getByRole('button', { name: 'Delete', exact: true }).click();
        await page.getByRole('dialog').waitFor();
      },
    },
    {
      name: 'menu of a record',
      path: `/books/${idOf('books')}`,
      shows: 'Frankenstein',
      act: unfold('More actions'),
    },
    {
      name: 'menu of a category',
      path: `/sites/${idOf('sites')}/categories`,
      shows: 'Release notes',
      act: unfold(/^Move Release notes/),
    },
    { name: 'moves of an article', ...article, act: unfold(/^Status:/) },
    { name: 'menu of an article', ...article, act: unfold('More actions') },
    { name: 'contents of an article', ...article, act: unfold('Table of contents') },
    {
      name: 'menu of a member',
      path: '/members',
      shows: 'Nightly import',
      act: unfold(/^More about Nightly/),
    },
    { name: 'menu of a token', path: '/tokens', shows: 'Nightly import', act: unfold(/^More about Nightly/) },
    {
      name: 'menu of a client',
      path: '/clients',
      shows: 'Newsletter',
      act: unfold(/^More about Newsletter/),
    },
    { name: 'menu of the person', path: '/import', shows: 'Drop a file here', act: unfold(/Account/) },
    {
      name: 'navigation of a narrow window',
      path: '/import',
      shows: 'Drop a file here',
      act: async (page) => {
        await page.setViewportSize({ width: 360, height: 800 });
        await page.getByRole('button', { name: 'Menu', exact: true }).click();
        await page.getByRole('dialog').waitFor();
      },
    },
  ];
}

test('no menu and no bar of the console bars people from it', async () => {
  const opened = await console.openAs(console.server.ownerId);
  assert.deepEqual(await findBarriersOf(opened, listMenus()), []);
  opened.checkFaults();
});

test('the message after a publication and the one after a deletion bar nobody', async () => {
  const opened = await console.openAs(console.server.ownerId);
  const screens: Screen[] = [
    {
      name: 'published',
      path: articlePath,
      shows: 'Low tide',
      act: async (page) => {
        await page.getByRole('button', { name: 'Publish', exact: true }).click();
        await page.getByRole('dialog').getByRole('button', { name: 'Publish' }).click();
        await page.getByText('there is no undo: unpublish it instead').waitFor();
      },
    },
    {
      name: 'deleted',
      path: `/books/${idOf('books')}`,
      shows: 'Frankenstein',
      act: async (page) => {
        await page.getByRole('button', { name: 'More actions' }).click();
        await page.getByRole('menuitem', { name: 'Delete' }).click();
        await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
        await page.getByRole('button', { name: 'Undo' }).waitFor();
      },
    },
  ];
  assert.deepEqual(await findBarriersOf(opened, screens), []);
  opened.checkFaults();
});
