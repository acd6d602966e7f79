/** Hundreds of places of one article that two people have changed, in Chromium: they are decided in one question that stays short. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestConsole, type TestConsole } from '../support/console.ts';
import { create } from '../support/writes.ts';

let console: TestConsole;

before(async () => {
  console = await startTestConsole();
});
after(() => console.close());

const places = 300;
/** A text in which every other line is that of a side; the line of the first place is long. */
const bodyOf = (side: string) =>
  Array.from({ length: places }, (_, index) => {
    const padding = index === 0 ? 'long '.repeat(20_000) : '';
    return `${padding}${side} ${index}\nkept ${index}\n`;
  }).join('');

test('the first hundred places are decided one by one, and all others together', async () => {
  const site = await create(console.server, '/v1/sites', { name: 'Blog', key: 'blog' });
  const articles = `/sites/${site.id}/articles`;
  const versionData = { title: 'Conflicts', body: bodyOf('base') };
  const path = `${articles}/${(await create(console.server, `/v1${articles}`, { versionData })).id}`;
  const { page, context, open, checkFaults } = await console.openAs(console.server.ownerId);
  await open(path);
  await page.getByRole('textbox', { name: 'Body' }).click();
  await context.setOffline(true);
  await page.keyboard.press('Control+a');
  await page.keyboard.insertText(bodyOf('mine').trimEnd());
  const response = await console.server.call('PATCH', `/v1${path}`, {
    body: { versionData: { body: bodyOf('theirs') } },
  });
  assert.equal(response.status, 200, response.text);
  await context.setOffline(false);
  await page.getByRole('button', { name: 'Resolve' }).click();
  const dialog = page.getByRole('dialog', { name: 'Conflicting changes' });
  await dialog.getByRole('region', { name: 'Body, passage 1', exact: true }).waitFor();
  assert.equal(await dialog.getByRole('region').count(), 101);
  assert.ok((await dialog.innerText()).length < 20_000, 'a long text is shown in part');
  // What differs is seen.
  await dialog.getByText('mine 0').waitFor();
  const others = dialog.getByRole('region', { name: `${places - 100} more passages, resolved together` });
  await others.getByText('Theirs', { exact: true }).click();
  await dialog.getByRole('button', { name: 'Save this' }).click();
  await dialog.waitFor({ state: 'detached' });
  await page.getByText(/^Saved · /).waitFor();
  const saved = (await console.server.call('GET', `/v1${path}`)).json.versionData.body;
  const lines = String(saved).split('\n');
  assert.ok(lines[0]?.endsWith('mine 0'));
  assert.deepEqual([lines[198], lines[200], lines[598]], ['mine 99', 'theirs 100', 'theirs 299']);
  checkFaults();
});
