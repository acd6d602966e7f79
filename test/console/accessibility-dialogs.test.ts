/** The dialogs of the console, by the rules of axe: light and dark, wide and narrow. */
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

const click = (page: Page, name: string | RegExp) =>
  page.getByRole('button', { name, exact: true }).first().click();
const choose = (page: Page, name: string) => page.getByRole('menuitem', { name }).click();
const dialog = (page: Page, name: string | RegExp) => page.getByRole('dialog', { name });

/** Asks the question of an entry of a menu. */
const ask = (menu: string | RegExp, entry: string, title: string) => async (page: Page) => {
  await click(page, menu);
  await choose(page, entry);
  await dialog(page, title).waitFor();
};

async function makeToken(page: Page): Promise<void> {
  await page.getByLabel('Purpose').fill('Build');
  await page.getByRole('checkbox', { name: 'books:read' }).click();
  await click(page, 'Create token');
  await dialog(page, 'Secret of Build').locator('pre').waitFor();
}

async function makeEndpoint(page: Page): Promise<void> {
  await page.getByLabel('URL').fill('https://93.184.215.14/hook');
  await page.getByRole('combobox', { name: 'Events' }).fill('article.published');
  await page.getByRole('option', { name: 'Article published' }).click();
  await page.getByLabel('URL').focus();
  await click(page, 'Create endpoint');
  await dialog(page, 'Secret of').locator('pre').waitFor();
}

async function invite(page: Page): Promise<void> {
  await page.getByRole('textbox', { name: 'Email' }).fill('new@example.com');
  await dialog(page, 'Invite a member').getByRole('button', { name: 'Invite' }).click();
  await dialog(page, 'new@example.com is invited').waitFor();
}

/** The dialogs that pages open, with those that follow them. */
function listDialogs(): Screen[] {
  const book = { path: `/books/${idOf('books')}`, shows: 'Frankenstein' };
  const article = { path: articlePath, shows: 'Low tide' };
  const file = { path: `/knowledge-files/${idOf('knowledge-files')}`, shows: 'Travel policy' };
  const endpoint = { path: `/webhook-endpoints/${idOf('webhook-endpoints')}`, shows: 'Deliveries' };
  return [
    { name: 'invitation', path: '/invitations/new', shows: 'Invite a member' },
    { name: 'link of an invitation', path: '/invitations/new', shows: 'Invite a member', act: invite },
    { name: 'new service member', path: '/members/new', shows: 'New service member' },
    { name: 'new client', path: '/clients/new', shows: 'New client' },
    { name: 'new token', path: '/tokens/new', shows: 'Scopes' },
    { name: 'secret of a token', path: '/tokens/new', shows: 'Scopes', act: makeToken },
    { name: 'new endpoint', path: '/webhook-endpoints/new', shows: 'New endpoint' },
    { name: 'secret of an endpoint', path: '/webhook-endpoints/new', shows: 'URL', act: makeEndpoint },
    {
      name: 'new secret of an endpoint',
      ...endpoint,
      act: ask('More actions', 'Replace secret', 'Replace'),
    },
    {
      name: 'replacing a token',
      path: '/tokens',
      shows: 'Nightly import',
      act: ask(/^More about Nightly import/, 'Replace', 'Replace'),
    },
    { name: 'replay of events', ...endpoint, act: ask('More actions', 'Send events again', 'Send') },
    { name: 'deletion of an endpoint', ...endpoint, act: ask('More actions', 'Delete', 'Delete') },
    { name: 'deletion', ...book, act: ask('More actions', 'Delete', 'Delete') },
    {
      name: 'replacing a file',
      ...file,
      act: async (page) => {
        await click(page, 'Replace');
        await dialog(page, 'Replace').waitFor();
      },
    },
    {
      name: 'publishing',
      ...article,
      act: async (page) => {
        await click(page, 'Publish');
        await dialog(page, 'Publish “Low tide”?').waitFor();
      },
    },
    {
      name: 'scheduling',
      ...article,
      act: async (page) => {
        await page.getByRole('button', { name: /^Status:/ }).click();
        await choose(page, 'Schedule…');
        await dialog(page, 'Low tide').waitFor();
      },
    },
    {
      name: 'versions',
      ...article,
      act: async (page) => {
        await click(page, 'Versions');
        await dialog(page, 'Versions').waitFor();
      },
    },
    {
      name: 'library of pictures',
      ...article,
      act: async (page) => {
        await click(page, 'Insert a picture of the library');
        await dialog(page, 'Choose a picture').getByRole('button', { name: 'Travel policy' }).waitFor();
      },
    },
    {
      name: 'palette',
      path: '/import',
      shows: 'Drop a file here',
      act: async (page) => {
        await page.keyboard.press('Control+k');
        await page.getByRole('combobox', { name: 'Search' }).fill('frankenstein');
        await page
          .getByRole('option', { name: /Frankenstein/ })
          .first()
          .waitFor();
      },
    },
    {
      name: 'keys',
      path: '/import',
      shows: 'Drop a file here',
      act: async (page) => {
        await page.keyboard.press('?');
        await dialog(page, 'Keyboard shortcuts').waitFor();
      },
    },
    {
      name: 'purge',
      path: '/trash',
      shows: 'Frankenstein',
      act: async (page) => {
        await page
          .getByRole('button', { name: /^Delete for good/ })
          .first()
          .click();
        await dialog(page, 'for good').waitFor();
      },
    },
    {
      name: 'removing a member',
      path: '/members',
      shows: 'Nightly import',
      act: async (page) => {
        await page.getByRole('button', { name: /^More about Nightly import/ }).click();
        await choose(page, 'Remove from the organization');
        await dialog(page, 'Remove').waitFor();
      },
    },
    {
      name: 'revoking a token',
      path: '/tokens',
      shows: 'Nightly import',
      act: async (page) => {
        await page.getByRole('button', { name: /^More about Nightly import/ }).click();
        await choose(page, 'Revoke');
        await dialog(page, 'Revoke').waitFor();
      },
    },
    {
      name: 'disabling a client',
      path: '/clients',
      shows: 'Newsletter',
      act: async (page) => {
        await page.getByRole('button', { name: /^More about Newsletter/ }).click();
        await choose(page, 'Disable');
        await dialog(page, 'Disable').waitFor();
      },
    },
  ];
}

test('no dialog of the console bars people from it', async () => {
  const opened = await console.openAs(console.server.ownerId);
  assert.deepEqual(await findBarriersOf(opened, listDialogs()), []);
  opened.checkFaults();
});

test('no step of an import bars people from it', async () => {
  const opened = await console.openAs(console.server.ownerId);
  const { page, open, findBarriers } = opened;
  const found: string[] = [];
  await open('/import');
  const people = 'Vorname;Nachname;E-Mail\nAda;Lovelace;ada@example.com\nAlan;Turing;alan at example\n';
  await page
    .getByLabel('Choose files')
    .setInputFiles({ name: 'people.csv', mimeType: 'text/plain', buffer: Buffer.from(people) });
  await page.getByRole('table').waitFor();
  // Most of the columns belong to contacts.
  assert.equal(await page.getByLabel('Import rows as').inputValue(), 'contacts');
  await page.getByText('One value cannot be used, in line 3').waitFor();
  found.push(...(await findBarriers('columns of an import')));
  await click(page, 'Check');
  await page.getByRole('button', { name: 'Import one row' }).waitFor();
  found.push(...(await findBarriers('checked import')));
  await click(page, 'Import one row');
  await page.getByRole('button', { name: 'Download rejected rows' }).waitFor();
  found.push(...(await findBarriers('done import')));
  assert.deepEqual(found, []);
  opened.checkFaults();
});
