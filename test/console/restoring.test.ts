/** Restoring an old version of an article in a real browser: what was typed is found again from what the screen shows. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { startTestConsole, type TestConsole } from '../support/console.ts';
import { until } from '../support/until.ts';
import { create } from '../support/writes.ts';

let console: TestConsole;
let articles: string;

before(async () => {
  console = await startTestConsole();
  const site = await create(console.server, '/v1/sites', { name: 'Blog', key: 'blog' });
  articles = `/sites/${site.id}/articles`;
});
after(() => console.close());

async function publish(title: string, body: string): Promise<string> {
  const article = await create(console.server, `/v1${articles}`, { versionData: { title, body } });
  const path = `${articles}/${article.id}`;
  const status = { versionData: { status: 'PUBLISHED' } };
  const published = await console.server.call('PATCH', `/v1${path}`, { body: status });
  assert.equal(published.status, 200, published.text);
  return path;
}

const bodyOf = async (path: string) =>
  (await console.server.call('GET', `/v1${path}`)).json.versionData.body as string;
const editorOf = (page: Page) => page.getByRole('textbox', { name: 'Body' });

/** Chooses version 1 in the list, and restores it. */
async function restoreFirst(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Versions' }).click();
  const versions = page.getByRole('dialog', { name: 'Versions' });
  await versions.getByRole('button', { name: /^Version 1/ }).click();
  await versions.getByRole('button', { name: 'Restore version 1' }).click();
}

test('a draft that an old version replaces is asked about, kept in the list, read there, and restored', async () => {
  const path = await publish('Kept', 'as published');
  const { page, open, checkAccessibility, checkFaults } = await console.openAs(console.server.ownerId);
  await open(path);
  await editorOf(page).click();
  await page.keyboard.press('Control+Home');
  await page.keyboard.type('typed just now, ');
  // It is not saved yet: that takes two seconds.
  await page.getByRole('button', { name: 'Versions' }).click();
  const versions = page.getByRole('dialog', { name: 'Versions', exact: true });
  await versions.getByRole('button', { name: /^Version 2/ }).waitFor();
  await versions.getByRole('button', { name: /^Version 1/ }).click();
  await versions.getByText('Changes from version 2 to version 1').waitFor();
  await checkAccessibility('restore: changes');
  // The older of two versions is read whole before it is restored.
  await versions.getByText('Text', { exact: true }).click();
  assert.equal(await versions.getByRole('textbox', { name: 'Body' }).innerText(), 'as published');
  await versions
    .getByRole('definition')
    .filter({ hasText: /^Markdown$/ })
    .waitFor();
  await checkAccessibility('restore: the older version');
  const restore = versions.getByRole('button', { name: 'Restore version 1' });
  await restore.click();
  const question = page.getByRole('dialog', { name: 'Restore version 1?' });
  await question.getByText('The draft is kept as version 2').waitFor();
  await checkAccessibility('restore: question');
  await page.keyboard.press('Escape');
  await question.waitFor({ state: 'detached' });
  assert.equal(await bodyOf(path), 'typed just now, as published');
  await restore.click();
  await question.getByRole('button', { name: 'Restore version 1' }).click();
  await versions.waitFor({ state: 'detached' });
  await page.getByText('The previous draft is kept as version 2.').waitFor();
  await until(
    'the editor has the old text',
    async () => (await editorOf(page).innerText()) === 'as published',
  );
  assert.equal(await bodyOf(path), 'as published');

  await page.getByRole('button', { name: 'Versions' }).click();
  await versions.getByRole('button', { name: /^Version 2\s*Archived/ }).click();
  await versions.getByText('Text', { exact: true }).click();
  await versions.getByText('typed just now, as published').waitFor();
  await checkAccessibility('restore: text of a version');
  await versions.getByRole('button', { name: 'Restore version 2' }).click();
  await page
    .getByRole('dialog', { name: 'Restore version 2?' })
    .getByRole('button', { name: 'Restore version 2' })
    .click();
  await versions.waitFor({ state: 'detached' });
  await editorOf(page).getByText('typed just now, as published').waitFor();
  assert.equal(await bodyOf(path), 'typed just now, as published');
  checkFaults();
});

test('restoring is undone, and what was typed in between is kept as well', async () => {
  const path = await publish('Undone', 'as published');
  const { page, open, checkFaults } = await console.openAs(console.server.ownerId);
  await open(path);
  await editorOf(page).click();
  await page.keyboard.press('Control+Home');
  await page.keyboard.type('typed, ');
  await page.getByText('This is the draft of version 2').waitFor();
  await restoreFirst(page);
  await page
    .getByRole('dialog', { name: 'Restore version 1?' })
    .getByRole('button', { name: 'Restore version 1' })
    .click();
  const undo = page.getByRole('button', { name: 'Undo', exact: true });
  await undo.waitFor();
  await editorOf(page).click();
  await page.keyboard.press('Control+Home');
  await page.keyboard.type('in between, ');
  await undo.click();
  await editorOf(page).getByText('typed, as published').waitFor();
  await page.getByText('The previous draft is kept as version 3.').waitFor();
  assert.equal(await bodyOf(path), 'typed, as published');
  const kept = await console.server.call('GET', `/v1${path}/versions/3`);
  assert.equal(kept.json.versionData.body, 'in between, as published');
  checkFaults();
});

test('without a draft nothing is asked', async () => {
  const path = await publish('Twice', 'first');
  for (const versionData of [{ body: 'second' }, { status: 'PUBLISHED' }]) {
    const response = await console.server.call('PATCH', `/v1${path}`, { body: { versionData } });
    assert.equal(response.status, 200, response.text);
  }
  const { page, open, checkFaults } = await console.openAs(console.server.ownerId);
  await open(path);
  await restoreFirst(page);
  await editorOf(page).getByText('first').waitFor();
  await page.getByText('Version 1 is now the draft.', { exact: true }).waitFor();
  assert.equal(await bodyOf(path), 'first');
  checkFaults();
});
