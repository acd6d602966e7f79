/**
 * Pictures in the console: made public and taken back on the page of the file, and with the article that shows them; the library, which
 * shows them all, and from which they are inserted and replaced.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { startTestConsole, type TestConsole } from '../support/console.ts';
import { createMember } from '../support/identities.ts';
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

/** Uploads a picture, and waits until it has been read. */
async function addPicture(body: object): Promise<Json> {
  const { server } = console;
  const { id } = await create(server, '/v1/knowledge-files', body);
  const path = `/v1/knowledge-files/${id}`;
  await server.call('PUT', `${path}/content`, { rawBody: await halves(640, 480) });
  return until('the picture has been read', async () => {
    const { json } = await server.call('GET', path);
    return json.status === 'NOT_APPLICABLE' ? json : null;
  });
}

const statusOf = async (path: string) => (await fetch(console.server.url + path)).status;

test('a picture is made public after a question, its address is copied, and it is taken back', async () => {
  const file = await addPicture({
    name: 'Apple tree',
    visibility: 'ORGANIZATION',
    alternativeText: 'Two halves',
  });
  const { page, context, open, checkAccessibility, checkFaults } = await console.openAs(
    console.server.ownerId,
  );
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await open(`/knowledge-files/${file.id}`);
  await page.getByRole('img', { name: 'Two halves' }).waitFor();
  // The navigation marks what the head of the page names above the picture.
  await page.getByRole('main').getByRole('link', { name: 'Pictures' }).waitFor();
  const marked = page.getByRole('navigation').locator('[aria-current="page"]');
  assert.deepEqual(await marked.allInnerTexts(), ['Pictures']);
  await page.getByRole('button', { name: 'Make public' }).click();
  const question = page.getByRole('dialog', { name: 'Make “Apple tree” public?' });
  await question.getByText('says where it was taken, and with which camera').waitFor();
  await checkAccessibility('making a picture public');
  await question.getByRole('button', { name: 'Cancel' }).click();
  assert.equal(await statusOf(file.picturePath), 404);
  await page.getByRole('button', { name: 'Make public' }).click();
  await question.getByRole('button', { name: 'Make public' }).click();
  await page.getByText('anybody can load this picture').waitFor();
  assert.equal(await statusOf(file.picturePath), 200);
  await page.getByRole('button', { name: 'Copy address' }).click();
  await page.getByRole('button', { name: 'Copied' }).waitFor();
  const copied = await page.evaluate<string>('navigator.clipboard.readText()');
  assert.equal(copied, console.origin + file.picturePath);
  await checkAccessibility('public picture');
  await page.getByRole('button', { name: 'Take back' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Take back' }).click();
  await page.getByText('readers of a website cannot load').waitFor();
  assert.equal(await statusOf(file.picturePath), 404);
  checkFaults();
});

test('a picture that only some members see is made public only after that was said, too', async () => {
  const file = await addPicture({ name: 'Secret', visibility: 'PRIVATE' });
  const path = `/v1/knowledge-files/${file.id}`;
  const read = async () => (await console.server.call('GET', path)).json;
  const { page, open, checkFaults } = await console.openAs(console.server.ownerId);
  await open(`/knowledge-files/${file.id}`);
  await page.getByRole('button', { name: 'Make public' }).click();
  const question = page.getByRole('dialog', { name: 'Make “Secret” public?' });
  await question.getByText('the whole organization will').waitFor();
  await question.getByRole('button', { name: 'Cancel' }).click();
  assert.deepEqual([(await read()).visibility, await statusOf(file.picturePath)], ['PRIVATE', 404]);
  await page.getByRole('button', { name: 'Make public' }).click();
  await question.getByRole('button', { name: 'Make public' }).click();
  await page.getByText('anybody can load this picture').waitFor();
  assert.deepEqual([(await read()).visibility, await statusOf(file.picturePath)], ['ORGANIZATION', 200]);
  checkFaults();
});

/** Pastes pictures into the text. */
async function paste(page: Page, ...names: string[]): Promise<void> {
  const files = await Promise.all(
    names.map(async (name, index) => ({
      name,
      content: (await halves(100 + 2 * index, 50)).toString('base64'),
    })),
  );
  await page.getByRole('textbox', { name: 'Body' }).click();
  await page.keyboard.press('Control+End');
  await page.evaluate(`(() => {
    const data = new DataTransfer();
    for (const { name, content } of ${JSON.stringify(files)}) {
      const bytes = Uint8Array.from(atob(content), (letter) => letter.charCodeAt(0));
      data.items.add(new File([bytes], name, { type: 'image/jpeg' }));
    }
    document.querySelector('.cm-content').dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }));
  })()`);
}

test('pasted pictures ask what they show, and are made public with the article if that is wanted', async () => {
  const site = await create(console.server, '/v1/sites', { name: 'Blog', key: 'blog' });
  const articles = `/v1/sites/${site.id}/articles`;
  const { id } = await create(console.server, articles, {
    versionData: { title: 'Trees', body: 'Text\n\n' },
  });
  const read = async (): Promise<Json> => (await console.server.call('GET', `${articles}/${id}`)).json;
  const { page, open, checkAccessibility, checkFaults } = await console.openAs(console.server.ownerId);
  await open(`/sites/${site.id}/articles/${id}`);
  await paste(page, 'unwanted.jpg');
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
  await paste(page, 'first.jpg', 'second.jpg');
  const dialog = page.getByRole('dialog', { name: 'What do the pictures show?' });
  await dialog.getByLabel('first.jpg').fill('An apple tree');
  await dialog.getByLabel('second.jpg').fill('A pear tree');
  await checkAccessibility('alternative texts');
  await dialog.getByRole('button', { name: 'Insert' }).click();
  const body = await until('both are in the text', async () => {
    const text: string = (await read()).versionData.body;
    return text.includes('![An apple tree](') && text.includes('![A pear tree](') && text;
  });
  assert.equal(body.includes('unwanted'), false);
  const paths = Array.from(body.matchAll(/\/pictures\/\S+?(?=\?w=1280\))/g), ([path]) => path);
  assert.equal(paths.length, 2);
  for (const path of paths) assert.equal(await statusOf(path), 404);
  await page.getByRole('button', { name: /^Status/ }).click();
  await page.getByRole('menuitem', { name: 'Publish', exact: true }).click();
  const publishing = page.getByRole('dialog', { name: 'Publish “Trees”?' });
  await publishing.getByText('first.jpg').waitFor();
  await publishing.getByText('second.jpg').waitFor();
  // Nothing becomes public without being wanted.
  assert.equal(await publishing.getByLabel('Make public as well').isChecked(), false);
  await publishing.getByLabel('Make public as well').check();
  await checkAccessibility('publishing with pictures');
  await publishing.getByRole('button', { name: 'Publish' }).click();
  await page.getByRole('button', { name: 'Status: Published' }).waitFor();
  for (const path of paths) assert.equal(await statusOf(`${path}?w=1280`), 200);
  checkFaults();
});

test('a picture that only some members see is made public with an article only after that was said', async () => {
  const { server } = console;
  const file = await addPicture({ name: 'Cellar', visibility: 'PRIVATE' });
  const site = await create(server, '/v1/sites', { name: 'Wine', key: 'wine' });
  const path = `/v1/sites/${site.id}/articles`;
  const body = `![Wine](${console.origin}${file.picturePath}?w=1280)\n`;
  const { id } = await create(server, path, { versionData: { title: 'Cellars', body } });
  const { page, open, checkAccessibility, checkFaults } = await console.openAs(server.ownerId);
  await open(`/sites/${site.id}/articles/${id}`);
  await page.getByRole('button', { name: /^Status/ }).click();
  await page.getByRole('menuitem', { name: 'Publish', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Publish “Cellars”?' });
  const about = dialog.getByText('Only some members see Cellar so far: the whole organization will.');
  await about.waitFor();
  await checkAccessibility('publishing with a private picture');
  // What is said about a checkbox is in line with its label.
  const starts = await page.evaluate<number[]>(`
    [...document.querySelectorAll('.mantine-Checkbox-label, .mantine-Checkbox-description')]
      .filter((element) => element.closest('[role=dialog]'))
      .map((element) => {
        const range = document.createRange();
        range.selectNodeContents(element);
        return range.getBoundingClientRect().left;
      })
  `);
  assert.equal(starts.length, 2);
  assert.equal(starts[0], starts[1]);
  await dialog.getByLabel('Make public as well').check();
  await dialog.getByRole('button', { name: 'Publish' }).click();
  await page.getByRole('button', { name: 'Status: Published' }).waitFor();
  const { json } = await server.call('GET', `/v1/knowledge-files/${file.id}`);
  assert.deepEqual([json.visibility, await statusOf(file.picturePath)], ['ORGANIZATION', 200]);
  checkFaults();
});

test('a picture of the library without an alternative text gets what is typed next', async () => {
  const { server } = console;
  const file = await addPicture({ name: 'Stable', visibility: 'ORGANIZATION' });
  const site = await create(server, '/v1/sites', { name: 'Stables', key: 'stables' });
  const path = `/v1/sites/${site.id}/articles`;
  const { page, open, checkFaults } = await console.openAs(server.ownerId);
  const address = `${console.origin}${file.picturePath}?w=1280`;
  for (const [bodyFormat, expected] of [
    ['MARKDOWN', `![A horse](${address})`],
    ['HTML', `<img src="${address}" alt="A horse">`],
  ]) {
    const versionData = { title: `Horses in ${bodyFormat}`, bodyFormat, body: 'Text\n' };
    const { id } = await create(server, path, { versionData });
    await open(`/sites/${site.id}/articles/${id}`);
    await page.getByRole('textbox', { name: 'Body' }).click();
    await page.keyboard.press('Control+End');
    await page.getByRole('button', { name: 'Insert a picture of the library' }).click();
    const dialog = page.getByRole('dialog', { name: 'Choose a picture' });
    await dialog.getByRole('searchbox', { name: 'Search pictures' }).fill('stable');
    await dialog.getByRole('button', { name: 'Picture 60' }).waitFor({ state: 'detached' });
    await dialog.getByRole('button', { name: 'Stable' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('textbox', { name: 'Body' }).and(page.locator(':focus')).waitFor();
    await page.keyboard.type('A horse');
    await until('it is in the text', async () =>
      (await server.call('GET', `${path}/${id}`)).json.versionData.body.includes(expected),
    );
  }
  checkFaults();
});

test('the library shows sixty pictures, and says which cannot be shown', async () => {
  const { server } = console;
  for (let number = 1; number <= 60; number += 1) {
    const body = {
      name: `Picture ${number}`,
      visibility: 'ORGANIZATION',
      ...(number % 3 === 0 ? {} : { alternativeText: `Red and blue, ${number} steps apart` }),
    };
    const { id } = await create(server, '/v1/knowledge-files', body);
    const rawBody = await halves(200 + 10 * (number % 7), 300 - 10 * (number % 11));
    await server.call('PUT', `/v1/knowledge-files/${id}/content`, { rawBody });
  }
  const { page, open, checkAccessibility, checkFaults } = await console.openAs(server.ownerId);
  await page.route('**/thumbnail', async (route) => {
    const { json } = await server.call(
      'GET',
      new URL(route.request().url()).pathname.replace('/thumbnail', ''),
    );
    if (json.name !== 'Picture 58') return route.continue();
    return route.fulfill({
      status: 404,
      contentType: 'application/problem+json',
      body: '{"code":"not_found"}',
    });
  });
  await open('/');
  await page.getByRole('link', { name: 'Pictures' }).waitFor();
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Search' }).fill('Pictures');
  await page.keyboard.press('Enter');
  const library = page.getByRole('list', { name: 'Pictures' });
  const shown = library.getByRole('link', { name: 'Picture 60' }).locator('img');
  await shown.waitFor();
  // The whole picture is within its frame, whatever its proportions are.
  const [inner, outer] = await Promise.all([shown.boundingBox(), shown.locator('..').boundingBox()]);
  assert.ok(inner !== null && outer !== null && inner.height <= outer.height);
  await library.getByRole('link', { name: 'Picture 58' }).getByText('Cannot be shown').waitFor();
  assert.equal(await library.getByRole('listitem').count(), 50);
  await checkAccessibility('library of pictures');
  await page.getByRole('button', { name: 'Show more' }).press('Enter');
  const last = library.getByRole('link', { name: /^Picture 1\D/ });
  await last.scrollIntoViewIfNeeded();
  await last.locator('img').waitFor();
  await page.getByRole('searchbox', { name: 'Search pictures' }).fill('no such thing');
  await page.getByRole('heading', { name: 'No picture found' }).waitFor();
  await checkAccessibility('no picture found');
  checkFaults();
});

test('a picture of the library is chosen by keys, and stands in the text with what it shows', async () => {
  const { server } = console;
  const file = await addPicture({ name: 'Barn', visibility: 'ORGANIZATION', alternativeText: 'An old barn' });
  const site = await create(server, '/v1/sites', { name: 'Farm', key: 'farm' });
  const path = `/v1/sites/${site.id}/articles`;
  const { id } = await create(server, path, { versionData: { title: 'Barns', body: 'Text\n' } });
  const { page, open, checkAccessibility, checkFaults } = await console.openAs(server.ownerId);
  await open(`/sites/${site.id}/articles/${id}`);
  await page.getByRole('textbox', { name: 'Body' }).click();
  await page.keyboard.press('Control+End');
  await page.getByRole('button', { name: 'Insert a picture of the library' }).press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Choose a picture' });
  await dialog.getByRole('searchbox', { name: 'Search pictures' }).pressSequentially('barn');
  await dialog.getByRole('button', { name: 'Picture 60' }).waitFor({ state: 'detached' });
  const barn = dialog.getByRole('button', { name: 'An old barn' });
  await barn.locator('img').waitFor();
  await checkAccessibility('choosing a picture');
  await barn.press('Enter');
  await dialog.waitFor({ state: 'detached' });
  await until('it is in the text', async () => {
    const { json } = await server.call('GET', `${path}/${id}`);
    return json.versionData.body.includes(`![An old barn](${console.origin}${file.picturePath}?w=1280)`);
  });
  checkFaults();
});

test('somebody who only reads sees where a picture is used, and why it is not theirs to replace', async () => {
  const { server } = console;
  const file = await addPicture({ name: 'Well', visibility: 'ORGANIZATION', alternativeText: 'A deep well' });
  await create(server, '/v1/books', { title: 'Wells of the north', coverFileId: file.id });
  const viewer = await createMember(server.database.worker, server.organization, 'VIEWER');
  const { page, open, checkAccessibility, checkFaults } = await console.openAs(viewer);
  await open('/pictures?search=well');
  await page.getByRole('button', { name: 'Upload pictures' }).and(page.locator('[aria-disabled]')).waitFor();
  await page.getByRole('link', { name: 'A deep well' }).click();
  await page
    .getByRole('region', { name: 'Used in' })
    .getByRole('link', { name: 'Wells of the north' })
    .waitFor();
  const replace = page.getByRole('button', { name: 'Replace' });
  assert.equal(await replace.getAttribute('aria-disabled'), 'true');
  const reason = page.locator(`[id="${await replace.getAttribute('aria-describedby')}"]`);
  assert.match((await reason.textContent()) ?? '', /The role .+ cannot change these records/);
  await checkAccessibility('picture of somebody who only reads');
  checkFaults();
});

test('a picture is replaced by a picture only, and what changed meanwhile is not replaced unseen', async () => {
  const { server } = console;
  const file = await addPicture({ name: 'Gate', visibility: 'ORGANIZATION' });
  const path = `/v1/knowledge-files/${file.id}`;
  const { page, open, checkAccessibility, checkFaults } = await console.openAs(server.ownerId);
  await open(`/knowledge-files/${file.id}`);
  await page.getByRole('button', { name: 'Replace' }).click();
  const dialog = page.getByRole('dialog', { name: 'Replace “Gate”' });
  const choose = async (name: string, mimeType: string, buffer: Buffer) => {
    const choosing = page.waitForEvent('filechooser');
    await dialog.getByRole('button', { name: 'New file' }).click();
    await (await choosing).setFiles([{ name, mimeType, buffer }]);
  };
  await choose('note.txt', 'text/plain', Buffer.from('words'));
  await dialog.getByText('Choose a picture (JPEG').waitFor();
  assert.equal(await dialog.getByRole('button', { name: 'Replace' }).isDisabled(), true);
  await checkAccessibility('replacing a picture');
  await choose('gate.jpg', 'image/jpeg', await halves(100, 200));
  await server.call('PATCH', path, { body: { description: 'Changed by somebody else' } });
  await dialog.getByRole('button', { name: 'Replace' }).click();
  await dialog.getByRole('alert').waitFor();
  assert.equal((await server.call('GET', path)).json.sha256, file.sha256);
  checkFaults();
});
