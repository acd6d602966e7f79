/** Characters that are composed by an input method, as of Chinese and Japanese, in a real browser. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { startTestConsole, type TestConsole } from '../support/console.ts';
import { create } from '../support/writes.ts';

let console: TestConsole;

before(async () => {
  console = await startTestConsole();
});
after(() => console.close());

for (const field of ['Body', 'Title', 'Summary'])
  test(`an article is saved after characters are composed, not while they are: ${field}`, async () => {
    const site = await create(console.server, '/v1/sites', { name: field, key: field.toLowerCase() });
    const path = `/sites/${site.id}/articles`;
    const { id } = await create(console.server, `/v1${path}`, { versionData: { title: 'Ferns' } });
    const { page, open, checkFaults } = await console.openAs(console.server.ownerId);
    await open(`${path}/${id}`);
    const saves: string[] = [];
    page.on('request', (request) => {
      if (request.method() === 'PATCH') saves.push(request.postData() ?? '');
    });
    const devtools = await page.context().newCDPSession(page);
    await page.getByRole('textbox', { name: field, exact: true }).first().click();
    await devtools.send('Input.imeSetComposition', { text: 'ni', selectionStart: 2, selectionEnd: 2 });
    // Longer than the time after the last key.
    await sleep(3_500);
    assert.deepEqual(saves, []);
    await devtools.send('Input.insertText', { text: '你' });
    await page.getByText(/^Saved · /).waitFor();
    assert.equal(saves.length, 1);
    const { versionData } = (await console.server.call('GET', `/v1${path}/${id}`)).json;
    assert.match(versionData[field.toLowerCase()], /你/);
    assert.doesNotMatch(versionData[field.toLowerCase()], /ni/);
    checkFaults();
  });
