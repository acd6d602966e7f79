/** Walks of those who keep pictures. */
import assert from 'node:assert/strict';
import sharp from 'sharp';
import { halves } from '../support/pictures.ts';
import type { Json } from '../support/server.ts';
import { until } from '../support/until.ts';
import { defineWalks } from '../support/walks.ts';

const walk = defineWalks();

walk(
  'find a picture by what it shows, see where it is used, and put a better one in its place',
  // Some of the requests look whether the pictures have been read, which takes a busy machine a minute.
  { bounds: { requests: 200, bytes: 150_000 } },
  async ({ page, call, origin, untilStored, checkAccessibility }) => {
    await page.getByRole('link', { name: 'Pictures' }).click();
    await page.getByRole('heading', { name: 'No pictures yet' }).waitFor();
    await checkAccessibility('an empty library');
    const choosing = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'Upload pictures' }).first().click();
    await (await choosing).setFiles([
      { name: 'one.jpg', mimeType: 'image/jpeg', buffer: await halves(640, 480) },
      { name: 'two.jpg', mimeType: 'image/jpeg', buffer: await halves(480, 480) },
    ]);
    const library = page.getByRole('list', { name: 'Pictures' });
    await library.getByRole('link', { name: 'one.jpg' }).waitFor();
    await library.getByRole('link', { name: 'two.jpg' }).waitFor();
    const files = await until('both have been read', async () => {
      const { items } = await call('GET', '/v1/knowledge-files?picture=true&sort=name');
      return items.length === 2 && items.every(({ width }: Json) => width !== null) ? items : null;
    });
    const texts = ['An apple tree in bloom', 'A pear'];
    for (const [index, { id }] of files.entries())
      await call('PATCH', `/v1/knowledge-files/${id}`, {
        visibility: 'ORGANIZATION',
        alternativeText: texts[index],
      });
    const tree = await call('POST', `/v1/knowledge-files/${files[0].id}/publish-picture`);
    const site = await call('POST', '/v1/sites', { name: 'Blog', key: 'blog' });
    const articles = `/v1/sites/${site.id}/articles`;
    const body = `![An apple tree](${origin}${tree.picturePath}?w=1280)\n`;
    const article = await call('POST', articles, { versionData: { title: 'The orchard', body } });
    await call('PATCH', `${articles}/${article.id}`, { versionData: { status: 'PUBLISHED' } });

    await page.getByRole('searchbox', { name: 'Search pictures' }).fill('bloom');
    await library.getByRole('link', { name: 'two.jpg' }).waitFor({ state: 'detached' });
    await library.getByRole('link', { name: 'An apple tree in bloom' }).click();
    const usage = page.getByRole('region', { name: 'Used in' });
    await usage.getByRole('link', { name: 'The orchard' }).click();
    await page.getByRole('button', { name: 'Status: Published' }).waitFor();
    await page.goBack();
    await usage.getByRole('link', { name: 'The orchard' }).waitFor();
    await page.getByRole('button', { name: 'Replace' }).click();
    const dialog = page.getByRole('dialog', { name: 'Replace “one.jpg”' });
    await dialog.getByText('readers see the new one').waitFor();
    const choosingNew = page.waitForEvent('filechooser');
    await dialog.getByRole('button', { name: 'New file' }).click();
    await (await choosingNew).setFiles([
      { name: 'better.png', mimeType: 'image/png', buffer: await halves(320, 640, { format: 'png' }) },
    ]);
    await dialog.getByRole('button', { name: 'Replace' }).click();
    await page.getByText('Replaced.').waitFor();
    // What changed, by names for people.
    await page
      .getByText(/Size in bytes, Checksum/)
      .first()
      .waitFor();
    await page.goBack();
    await library.getByRole('link', { name: 'An apple tree in bloom' }).waitFor();

    // What a reader of the published article loads.
    const published = await call('GET', `${articles}/${article.id}?perspective=published`);
    const [address = ''] = /http[^)]+/.exec(published.versionData.body) ?? [];
    const shown = await until('the new picture is served', async () => {
      const response = await fetch(address);
      // A busy server takes longer to make the size, and says so.
      return response.status === 503 ? null : response;
    });
    assert.equal(shown.status, 200);
    const { width, height } = await sharp(Buffer.from(await shown.arrayBuffer())).metadata();
    assert.deepEqual([width, height], [320, 640]);
    await untilStored('the same record', `/v1/knowledge-files/${tree.id}`, (file) => {
      assert.deepEqual(
        [file.name, file.alternativeText, file.fileName, file.contentVersion],
        ['one.jpg', 'An apple tree in bloom', 'better.png', 2],
      );
      return file.publicSince !== null;
    });
  },
);
