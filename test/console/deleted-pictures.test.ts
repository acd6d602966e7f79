/** What is said before files are deleted that texts show: one, and several in a list. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestConsole, type TestConsole } from '../support/console.ts';
import { halves, readUploads } from '../support/pictures.ts';
import type { Json } from '../support/server.ts';
import { until } from '../support/until.ts';
import { create } from '../support/writes.ts';

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

test('the question whether to delete pictures names the texts that show them', async () => {
  const { server } = console;
  const site = await create(server, '/v1/sites', { name: 'Blog', key: 'blog' });
  const tree = await showPicture('Tree', 'The orchard', site);
  await showPicture('Boat', 'The harbour', site);
  await create(server, '/v1/knowledge-files', { name: 'Unused', visibility: 'ORGANIZATION' });
  const { page, open, checkAccessibility, checkFaults } = await console.openAs(server.ownerId);
  await open(`/knowledge-files/${tree.id}`);
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  const question = page.getByRole('dialog', { name: 'Delete Tree?' });
  await question.getByText('The orchard (Article)').waitFor();
  await question.getByText('Published texts then have a gap.').waitFor();
  await checkAccessibility('deleting a picture that is shown');
  await question.getByRole('button', { name: 'Cancel' }).click();

  await open('/knowledge-files');
  await page.getByRole('checkbox', { name: 'Select all shown' }).check();
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  const several = page.getByRole('dialog');
  await several.getByText('The orchard (Article)').waitFor();
  await several.getByText('The harbour (Article)').waitFor();
  await checkAccessibility('deleting several files that are shown');
  await several.getByRole('button', { name: 'Cancel' }).click();
  assert.equal((await server.call('GET', `/v1/knowledge-files/${tree.id}`)).status, 200);
  checkFaults();
});
