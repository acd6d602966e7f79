/** Questions before what cannot be taken back, in Chromium: no key that is held confirms them, and they are about what was seen. */
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

const read = async (path: string) => (await console.server.call('GET', path)).json;

test('an article is not published by a key that is held or pressed twice', async () => {
  const { server } = console;
  const site = `/sites/${(await create(server, '/v1/sites', { name: 'Blog', key: 'blog' })).id}`;
  const versionData = { title: 'Not yet', body: 'text' };
  const path = `${site}/articles/${(await create(server, `/v1${site}/articles`, { versionData })).id}`;
  const { page, open, checkFaults } = await console.openAs(server.ownerId);
  await open(path);
  const publish = page.getByRole('button', { name: 'Publish', exact: true });
  const dialog = page.getByRole('dialog', { name: 'Publish “Not yet”?' });
  await publish.focus();
  await page.keyboard.press('Enter');
  await dialog.waitFor();
  await page.keyboard.press('Enter');
  await dialog.waitFor({ state: 'detached' });
  // Down twice without being released: the second one is a repetition.
  await publish.focus();
  await page.keyboard.down('Enter');
  await dialog.getByRole('button', { name: 'Publish' }).focus();
  await page.keyboard.down('Enter');
  await page.keyboard.up('Enter');
  assert.equal((await read(`/v1${path}`)).versionData.status, 'DRAFT');
  await dialog.getByRole('button', { name: 'Publish' }).click();
  await page.getByText('Readers see version 1').waitFor();
  checkFaults();
});

test('a book is published after a question, also by Enter in its form', async () => {
  const { server } = console;
  const path = `/books/${(await create(server, '/v1/books', { title: 'Emma' })).id}`;
  const { page, open, checkAccessibility, checkFaults } = await console.openAs(server.ownerId);
  await open(path);
  await page.getByRole('combobox', { name: 'Status', exact: true }).click();
  await page.getByRole('option', { name: 'Published' }).click();
  await page.getByRole('textbox', { name: 'Subtitle' }).press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Publish “Emma”?' });
  await dialog.waitFor();
  await checkAccessibility('question before a publication');
  await page.keyboard.press('Enter');
  await dialog.waitFor({ state: 'detached' });
  assert.equal((await read(`/v1${path}`)).status, 'DRAFT');
  await page.getByRole('button', { name: 'Save' }).click();
  await dialog.getByRole('button', { name: 'Publish' }).click();
  await until('it is published', async () => (await read(`/v1${path}`)).status === 'PUBLISHED');
  checkFaults();
});

test('a record that was changed after the question is deleted only as it was seen', async () => {
  const { server } = console;
  const path = `/books/${(await create(server, '/v1/books', { title: 'Emma' })).id}`;
  const { worker } = server.database;
  const id = await createMember(worker, server.organization, 'EDITOR');
  const { token } = await createToken(worker, server.organization, id);
  const { page, open, checkAccessibility, checkFaults } = await console.openAs(server.ownerId);
  await open(path);
  await page.getByRole('button', { name: 'More' }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  const dialog = page.getByRole('dialog', { name: /^Delete/ });
  await server.call('PATCH', `/v1${path}`, { token, body: { subtitle: 'Theirs' } });
  await dialog.getByRole('button', { name: 'Delete', exact: true }).click();
  await dialog.getByText(/ changed Subtitle after you asked to delete this record\./).waitFor();
  await checkAccessibility('deletion of a changed record');
  assert.equal((await read(`/v1${path}`)).version, 2);
  await dialog.getByRole('button', { name: 'Delete the changed record' }).click();
  await until('it is deleted', async () => (await server.call('GET', `/v1${path}`)).status === 404);
  checkFaults();
});

test('what one has changed in another window is not told as the change of somebody else', async () => {
  const { server } = console;
  const path = `/books/${(await create(server, '/v1/books', { title: 'Emma' })).id}`;
  const { page, open, checkFaults } = await console.openAs(server.ownerId);
  await open(path);
  await page.getByRole('textbox', { name: 'Subtitle' }).fill('Here');
  await server.call('PATCH', `/v1${path}`, { body: { subtitle: 'There' } });
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('button', { name: 'Resolve the conflict' }).click();
  await page
    .getByRole('dialog')
    .getByText(/^You changed this record in another window/)
    .waitFor();
  checkFaults();
});
