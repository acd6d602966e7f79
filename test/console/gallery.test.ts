/** Lists as galleries: pictures of books and files as cards, by keyboard, with a selection, in the address and in a saved view. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestConsole, type TestConsole } from '../support/console.ts';
import { halves, readUploads } from '../support/pictures.ts';
import { until } from '../support/until.ts';
import { create } from '../support/writes.ts';

let console: TestConsole;
let reading: { stop(): Promise<void> };

before(async () => {
  console = await startTestConsole();
  reading = await readUploads(console.server);
  const { server } = console;
  const cover = await create(server, '/v1/knowledge-files', {
    name: 'Cover of roots',
    alternativeText: 'A tree with its roots',
    visibility: 'ORGANIZATION',
  });
  await server.call('PUT', `/v1/knowledge-files/${cover.id}/content`, { rawBody: await halves(64, 96) });
  for (const book of [{ title: 'Branches' }, { title: 'Leaves' }, { title: 'Roots', coverFileId: cover.id }])
    await create(server, '/v1/books', book);
});
after(async () => {
  await reading.stop();
  await console.close();
});

test('books are shown with their covers, and cards are reached and selected by keys', async () => {
  const { page, open, checkAccessibility, checkFaults } = await console.openAs(console.server.ownerId);
  await open('/books?sort=title');
  await page.getByRole('row', { name: /Roots/ }).waitFor();
  // The marker covers the chosen segment from the first view on.
  const marker = page.locator('.mantine-SegmentedControl-indicator');
  const chosen = page.locator('.mantine-SegmentedControl-label[data-active]');
  await until('the marker', async () => {
    const [shown, wanted] = [await marker.boundingBox(), await chosen.boundingBox()];
    return (
      shown !== null && wanted !== null && Math.abs(shown.x - wanted.x) + Math.abs(shown.y - wanted.y) < 1
    );
  });
  await page.getByText('Gallery', { exact: true }).click();
  const cards = page.getByRole('list', { name: 'Books' }).getByRole('listitem');
  await cards.nth(2).getByRole('img', { name: 'A tree with its roots' }).waitFor();
  await cards.nth(0).getByText('No picture').waitFor();
  assert.equal(new URL(page.url()).searchParams.get('layout'), 'gallery');
  await checkAccessibility('gallery');
  const focused = (title: string) =>
    page.getByRole('link', { name: title }).and(page.locator(':focus')).waitFor();
  await page.getByRole('link', { name: 'Branches' }).focus();
  await page.keyboard.press('ArrowRight');
  await focused('Leaves');
  await page.keyboard.press('x');
  await page.keyboard.press('End');
  await focused('Roots');
  await page.keyboard.press('x');
  await page.getByText('2 selected').waitFor();
  assert.equal(await page.getByRole('checkbox', { name: /Leaves/ }).isChecked(), true);
  assert.equal(await page.getByRole('checkbox', { name: /Branches/ }).isChecked(), false);
  await page.reload();
  await cards.nth(2).getByRole('img', { name: 'A tree with its roots' }).waitFor();
  await page.getByRole('link', { name: 'Branches' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Branches' }).waitFor();
  checkFaults();
});

test('a saved view keeps the gallery, also on a telephone', async () => {
  const { json, status, text } = await console.server.call('POST', '/v1/views', {
    body: {
      name: 'Covers',
      resource: 'books',
      query: 'coverFileId[exists]=true',
      columns: [],
      layout: 'GALLERY',
    },
  });
  assert.equal(status, 201, text);
  const { page, open, checkAccessibility, checkFaults } = await console.openAs(console.server.ownerId);
  await page.setViewportSize({ width: 360, height: 740 });
  await open(`/views/${json.id}`);
  const cards = page.getByRole('list', { name: 'Books' }).getByRole('listitem');
  await cards.nth(0).getByRole('link', { name: 'Roots' }).waitFor();
  assert.equal(await cards.count(), 1);
  assert.equal(await page.getByRole('radio', { name: 'Gallery' }).isChecked(), true);
  assert.equal(await page.evaluate('document.documentElement.scrollWidth <= window.innerWidth'), true);
  await checkAccessibility('gallery on a telephone');
  await page.getByText('Table', { exact: true }).click();
  await page.getByRole('row', { name: /Roots/ }).waitFor();
  await page.getByRole('button', { name: 'Reset' }).click();
  await cards.nth(0).getByRole('link', { name: 'Roots' }).waitFor();
  checkFaults();
});
