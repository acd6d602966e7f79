/** What is said before files are deleted that texts show: one, and several in a list. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Locator } from 'playwright-core';
import { startTestConsole, type TestConsole } from '../support/console.ts';
import { halves, readUploads } from '../support/pictures.ts';
import type { Json } from '../support/server.ts';
import { until } from '../support/until.ts';
import { create, succeed } from '../support/writes.ts';

let console: TestConsole;
let reading: { stop(): Promise<void> };

before(async () => {
  console = await startTestConsole();
  reading = await readUploads(console.server);
});
after(async () => {
  await reading.stop();
  await console.close();
});

/** A public picture, and a published article with that title which shows it. */
async function showPicture(name: string, title: string, site: Json): Promise<Json> {
  const { server } = console;
  const { id } = await create(server, '/v1/knowledge-files', { name, visibility: 'ORGANIZATION' });
  const path = `/v1/knowledge-files/${id}`;
  await server.call('PUT', `${path}/content`, { rawBody: await halves(64, 32) });
  const file: Json = await until('the picture has been read', async () => {
    const { json } = await server.call('GET', path);
    return json.width === 64 ? json : null;
  });
  await server.call('POST', `${path}/publish-picture`);
  const articles = `/v1/sites/${site.id}/articles`;
  const body = `![${name}](${console.origin}${file.picturePath}?w=1280)\n`;
  const article = await create(server, articles, { versionData: { title, body } });
  const published = await server.call('PATCH', `${articles}/${article.id}`, {
    body: { versionData: { status: 'PUBLISHED' } },
  });
  assert.equal(published.status, 200, published.text);
  return file;
}

test('the question whether to delete pictures tells published texts that show them from drafts', async () => {
  const { server } = console;
  const site = await create(server, '/v1/sites', { name: 'Blog', key: 'blog' });
  const tree = await showPicture('Tree', 'The orchard', site);
  const versionData = { title: 'The cider', body: `![Tree](${tree.picturePath})` };
  await create(server, `/v1/sites/${site.id}/articles`, { versionData });
  await showPicture('Boat', 'The harbour', site);
  await create(server, '/v1/knowledge-files', { name: 'Unused', visibility: 'ORGANIZATION' });
  const { page, open, checkAccessibility, checkFaults } = await console.openAs(server.ownerId);
  await open(`/knowledge-files/${tree.id}`);
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  const question = page.getByRole('dialog', { name: 'Delete Tree?' });
  const noticeOf = (dialog: Locator, sentence: string) =>
    dialog.getByText(sentence, { exact: true }).locator('xpath=../..');
  await noticeOf(question, '1 published article shows the file:')
    .getByText('The orchard (Article)')
    .waitFor();
  await noticeOf(question, '1 published article shows the file:')
    .getByText('Readers then see a gap there.')
    .waitFor();
  await noticeOf(question, '1 draft mentions the file:').getByText('The cider (Article)').waitFor();
  assert.equal(await question.getByText('The orchard (Article)').count(), 1);
  await checkAccessibility('deleting a picture that is shown');
  await question.getByRole('button', { name: 'Cancel' }).click();

  await open('/knowledge-files');
  await page.getByRole('checkbox', { name: 'Select all shown' }).check();
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  const several = page.getByRole('dialog');
  const shown = noticeOf(several, '2 published articles show the files:');
  await shown.getByText('The orchard (Article)').waitFor();
  await shown.getByText('The harbour (Article)').waitFor();
  await noticeOf(several, '1 draft mentions the files:').getByText('The cider (Article)').waitFor();
  await checkAccessibility('deleting several files that are shown');
  await several.getByRole('button', { name: 'Cancel' }).click();
  assert.equal((await server.call('GET', `/v1/knowledge-files/${tree.id}`)).status, 200);
  checkFaults();
});

test('the question whether to delete a picture that is a cover says that it cannot be deleted, by what, and what to do', async () => {
  const { server } = console;
  const site = await create(server, '/v1/sites', { name: 'Covers', key: 'covers' });
  const tree = await showPicture('Cover', 'The wood', site);
  const book = await create(server, '/v1/books', { title: 'Orchards', coverFileId: tree.id });
  const { page, open, checkAccessibility, checkFaults } = await console.openAs(server.ownerId);
  await open('/knowledge-files?search=Cover');
  await page.getByRole('checkbox', { name: 'Select all shown' }).check();
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  const several = page.getByRole('dialog');
  await several.getByText('Orchards (Book)').waitFor();
  await several.getByText('These files are not deleted.').waitFor();
  await checkAccessibility('deleting files of which one is a cover');
  await several.getByRole('button', { name: 'Cancel' }).click();

  await open(`/knowledge-files/${tree.id}`);
  const deletions: string[] = [];
  page.on('request', (request) => {
    if (request.method() === 'DELETE') deletions.push(request.url());
  });
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  const question = page.getByRole('dialog', { name: 'Delete Cover?' });
  await question
    .getByText('This file cannot be deleted while other records use it. Choose another one there first.')
    .first()
    .waitFor();
  await question.getByRole('link', { name: 'Orchards' }).waitFor();
  await checkAccessibility('deleting a picture that is a cover');
  const remove = question.getByRole('button', { name: 'Delete', exact: true });
  assert.equal(await remove.getAttribute('aria-disabled'), 'true');
  await remove.focus();
  await page.keyboard.press('Enter');
  assert.deepEqual(deletions, [], 'nothing was tried that would be refused');
  await succeed(server, 'PATCH', `/v1/books/${book.id}`, { coverFileId: null });
  await page.reload();
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await remove.click();
  await until('it is deleted', async () => {
    const { status } = await server.call('GET', `/v1/knowledge-files/${tree.id}`);
    return status === 404;
  });
  checkFaults();
});

test('an article whose picture was deleted says so in its text, above it, and before it is published', async () => {
  const { server } = console;
  const site = await create(server, '/v1/sites', { name: 'Gaps', key: 'gaps' });
  const file = await showPicture('Bridge', 'The river', site);
  const [article] = (await server.call('GET', `/v1/sites/${site.id}/articles`)).json.items;
  const { page, open, checkAccessibility, checkFaults } = await console.openAs(server.ownerId);
  const body = page.getByRole('textbox', { name: 'Body' });
  await open(`/sites/${site.id}/articles/${article.id}`);
  await body.getByText('![Bridge](').waitFor();
  const notice = page.getByText('One picture in the text cannot be found');
  assert.equal(await notice.count(), 0);
  const deleted = await server.call('DELETE', `/v1/knowledge-files/${file.id}`);
  assert.equal(deleted.status, 204, deleted.text);
  await page.reload();
  await notice.getByText('Readers see a gap there. It is marked in the text').waitFor();
  await body.getByText('picture missing').waitFor();
  await checkAccessibility('article whose picture is missing');
  await body.click();
  await page.keyboard.press('Control+End');
  await page.keyboard.type('Further.');
  await page.getByRole('button', { name: 'Status: Draft' }).waitFor();
  await page.getByRole('button', { name: 'Publish', exact: true }).click();
  const question = page.getByRole('dialog', { name: 'Publish “The river”?' });
  await question.getByText('One picture in the text cannot be found').waitFor();
  await checkAccessibility('publishing an article whose picture is missing');
  await question.getByRole('button', { name: 'Cancel' }).click();
  await body.click();
  await page.keyboard.press('Control+a');
  await page.keyboard.press('Delete');
  await notice.waitFor({ state: 'detached' });
  assert.equal(await body.getByText('picture missing').count(), 0);
  checkFaults();
});
