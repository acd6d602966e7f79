/** Pictures of those who write articles: authors upload them, and who may not is told before anything is typed. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { encodeId } from '@trellis/schema/values/ids.ts';
import { type ConsolePage, startTestConsole, type TestConsole } from '../support/console.ts';
import { createMember, createToken } from '../support/identities.ts';
import { halves, readUploads } from '../support/pictures.ts';
import type { Json } from '../support/server.ts';
import { until } from '../support/until.ts';
import { create } from '../support/writes.ts';

let console: TestConsole;
let reading: { stop(): Promise<void> };
let site: Json;

before(async () => {
  console = await startTestConsole();
  reading = await readUploads(console.server);
  site = await create(console.server, '/v1/sites', { name: 'Blog', key: 'blog' });
});
after(async () => {
  await reading.stop();
  await console.close();
});

/** Opens an article that the member has created. */
async function write(page: ConsolePage, userId: string, title: string): Promise<void> {
  const { server } = console;
  const { token } = await createToken(server.database.worker, server.organization, userId);
  const path = `/sites/${site.id}/articles`;
  const body = { versionData: { title, body: 'Text\n\n' } };
  const { status, text, json } = await server.call('POST', `/v1${path}`, { token, body });
  assert.equal(status, 201, text);
  await page.open(`${path}/${json.id}`);
  await page.page.getByRole('textbox', { name: 'Body' }).waitFor();
}

const picture = async () => ({ name: 'tree.jpg', mimeType: 'image/jpeg', buffer: await halves(640, 480) });

test('an author puts a picture into an own article, and does not make it public', async () => {
  const { server } = console;
  const author = await createMember(server.database.worker, server.organization, 'AUTHOR');
  const opened = await console.openAs(author);
  const { page, open, checkFaults } = opened;
  await write(opened, author, 'Trees');
  const choosing = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Image' }).click();
  await (await choosing).setFiles([await picture()]);
  const dialog = page.getByRole('dialog', { name: 'What does the picture show?' });
  await dialog.getByLabel('tree.jpg').fill('An apple tree');
  await dialog.getByRole('button', { name: 'Insert' }).click();
  await page.getByText('![An apple tree](').waitFor();
  await page.keyboard.type('is old');
  await page.getByText(/!\[An apple tree\]\(.*\)is old/).waitFor();
  const [file] = (await server.call('GET', '/v1/knowledge-files')).json.items;
  assert.deepEqual(
    [file.name, file.createdBy, file.visibility],
    ['tree.jpg', encodeId('user', author), 'ORGANIZATION'],
  );
  await until('it has been read', async () => {
    const { json } = await server.call('GET', `/v1/knowledge-files/${file.id}`);
    return json.width === 640 ? json : null;
  });
  await open(`/knowledge-files/${file.id}`);
  const publishing = page.getByRole('button', { name: 'Make public' });
  assert.equal(await publishing.getAttribute('aria-disabled'), 'true');
  checkFaults();
});

test('who may write articles and not upload files is told so before the question what a picture shows', async () => {
  const { server } = console;
  const grants = ['articles', 'sites', 'knowledge-files', 'categories', 'members'].map((resource) => ({
    resource,
    action: 'read',
  }));
  const writing = ['create', 'update'].map((action) => ({ resource: 'articles', action }));
  const role = await create(server, '/v1/roles', {
    key: 'texts',
    name: 'Texts',
    grants: [...grants, ...writing],
  });
  const writer = await createMember(server.database.worker, server.organization, 'VIEWER');
  const changed = await server.call('PATCH', `/v1/members/${encodeId('user', writer)}`, {
    body: { roleId: role.id },
  });
  assert.equal(changed.status, 200, changed.text);
  const opened = await console.openAs(writer);
  const { page, checkAccessibility, checkFaults } = opened;
  await write(opened, writer, 'Words');
  const button = page.getByRole('button', { name: 'Image' });
  assert.equal(await button.getAttribute('aria-disabled'), 'true');
  const reason = 'No file can be uploaded. The role Texts cannot create these records.';
  await button.focus();
  await page.getByRole('tooltip', { name: reason }).waitFor();
  await checkAccessibility('a refused tool');
  // Files that are pasted are refused in the same words, and nothing is asked.
  const content = (await picture()).buffer.toString('base64');
  await page.getByRole('textbox', { name: 'Body' }).click();
  await page.evaluate(`(() => {
    const data = new DataTransfer();
    const bytes = Uint8Array.from(atob('${content}'), (letter) => letter.charCodeAt(0));
    data.items.add(new File([bytes], 'tree.jpg', { type: 'image/jpeg' }));
    document.querySelector('.cm-content').dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }));
  })()`);
  const message = page.getByRole('status').getByText(reason);
  await message.waitFor();
  assert.equal(await page.getByRole('dialog').count(), 0);
  // The message ends with the page.
  await page.waitForTimeout(2_100);
  await page.getByRole('navigation').getByRole('link', { name: 'Pictures' }).click();
  await page.getByRole('heading', { name: 'Pictures' }).waitFor();
  await message.waitFor({ state: 'detached' });
  checkFaults();
});
