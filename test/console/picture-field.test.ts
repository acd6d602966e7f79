/** The field of a picture: a cover is dropped, pasted, uploaded or chosen by looking, and who will see it is asked in words. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { encodeId } from '@trellis/schema/values/ids.ts';
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

const read = async (path: string): Promise<Json> => (await console.server.call('GET', `/v1${path}`)).json;

/** A picture of the library, which has been read. */
async function addPicture(name: string, alternativeText: string): Promise<Json> {
  const { server } = console;
  const body = { name, alternativeText, visibility: 'ORGANIZATION' };
  const { id } = await create(server, '/v1/knowledge-files', body);
  await server.call('PUT', `/v1/knowledge-files/${id}/content`, { rawBody: await halves(64, 96) });
  return until('the picture has been read', async () => {
    const file = await read(`/knowledge-files/${id}`);
    return file.width === 64 ? file : null;
  });
}

interface GivenFile {
  readonly name: string;
  readonly type: string;
  readonly content: Buffer;
}

/** Drops a file on an element, or pastes it there. */
async function give(page: Page, kind: 'drop' | 'paste', target: string, file: GivenFile): Promise<void> {
  const given = { ...file, content: file.content.toString('base64') };
  await page.locator(target).waitFor();
  await page.evaluate(`(() => {
    const { name, type, content } = ${JSON.stringify(given)};
    const data = new DataTransfer();
    const bytes = Uint8Array.from(atob(content), (letter) => letter.charCodeAt(0));
    data.items.add(new File([bytes], name, { type }));
    const shared = { bubbles: true, cancelable: true };
    document.querySelector(${JSON.stringify(target)}).dispatchEvent(
      ${kind === 'drop'}
        ? new DragEvent('drop', { ...shared, dataTransfer: data })
        : new ClipboardEvent('paste', { ...shared, clipboardData: data }),
    );
  })()`);
}

const jpeg = async (name: string): Promise<GivenFile> => ({
  name,
  type: 'image/jpeg',
  content: await halves(480, 640),
});
const place = '[data-pointer="/coverFileId"] [role=group] > div:nth-child(2)';

test('a cover is dropped and described, seen by readers if that is chosen, and shown where the book is', async () => {
  const { page, open, checkAccessibility, checkFaults } = await console.openAs(console.server.ownerId);
  await open('/books/new');
  await page.getByRole('textbox', { name: 'Title', exact: true }).fill('Die Äpfel');
  const field = page.getByRole('group', { name: 'Cover', exact: true });
  await field.getByText('Drop a picture here').waitFor();
  await checkAccessibility('a form without a picture');
  await give(page, 'drop', place, await jpeg('IMG_4711.JPG'));
  const dialog = page.getByRole('dialog', { name: 'A new picture' });
  await dialog.getByLabel('What does the picture show?').fill('Ein Apfelbaum');
  assert.equal(await dialog.getByRole('radio', { name: 'All members' }).isChecked(), true);
  await dialog.getByRole('radio', { name: 'Everybody' }).check();
  await dialog.getByText('says where it was taken, and with which camera').waitFor();
  await checkAccessibility('a new picture');
  await dialog.getByRole('button', { name: 'Use picture' }).click();
  await field.getByText('Public: readers see it.').waitFor();
  // It is read when it comes into view.
  await field.scrollIntoViewIfNeeded();
  await field.locator('img').waitFor();
  await checkAccessibility('a form with a picture');
  await page.getByRole('button', { name: 'Create' }).click();
  await page.getByRole('heading', { name: 'Die Äpfel' }).waitFor();
  const [book] = (await read('/books')).items;
  const file = await read(`/knowledge-files/${book.coverFileId}`);
  assert.deepEqual(
    [file.name, file.alternativeText, file.visibility, file.publicSince !== null],
    ['IMG_4711.JPG', 'Ein Apfelbaum', 'ORGANIZATION', true],
  );
  await open('/books');
  await page.getByRole('gridcell').getByRole('img', { name: 'Ein Apfelbaum' }).waitFor();
  await checkAccessibility('a list with pictures');
  checkFaults();
});

test('a cover is replaced by looking and removed, and both are undone', async () => {
  const pear = await addPicture('IMG_1.JPG', 'A pear');
  const plum = await addPicture('IMG_1.JPG', 'A plum');
  const document = await create(console.server, '/v1/knowledge-files', {
    name: 'IMG_1 plum.pdf',
    visibility: 'ORGANIZATION',
    content: 'plum',
  });
  const { id } = await create(console.server, '/v1/books', { title: 'Fruit', coverFileId: pear.id });
  const { page, open, checkAccessibility, checkFaults } = await console.openAs(console.server.ownerId);
  const stored = (coverFileId: string | null) =>
    until('it is stored', async () => (await read(`/books/${id}`)).coverFileId === coverFileId);
  await open(`/books/${id}`);
  const field = page.getByRole('group', { name: 'Cover', exact: true });
  await field.getByText('All members see it, readers do not.').waitFor();
  await field.getByRole('button', { name: 'Replace' }).click();
  const chooser = page.getByRole('dialog', { name: 'Choose a picture' });
  await chooser.getByRole('button', { name: /A pear/ }).waitFor();
  assert.equal(await chooser.getByText(document.name).count(), 0);
  await chooser
    .getByRole('button', { name: /64 × 96/ })
    .first()
    .waitFor();
  await chooser.getByRole('searchbox').fill('plum');
  await chooser.getByRole('button', { name: /A pear/ }).waitFor({ state: 'detached' });
  await checkAccessibility('choosing a picture');
  await chooser.getByRole('button', { name: /A plum/ }).click();
  await field.getByText('Replaced.').waitFor();
  await page.getByRole('button', { name: 'Save' }).click();
  await stored(plum.id);
  await field.getByRole('button', { name: 'Undo' }).click();
  await page.getByRole('button', { name: 'Save' }).click();
  await stored(pear.id);
  await field.getByRole('button', { name: 'Remove' }).click();
  const undo = field.getByRole('button', { name: 'Undo' });
  await undo.waitFor();
  // The button that was pressed is gone: the focus is on what takes it back.
  assert.equal(await undo.evaluate((button) => button === button.ownerDocument.activeElement), true);
  await page.getByRole('button', { name: 'Save' }).click();
  await stored(null);
  await undo.click();
  await field.getByText('IMG_1.JPG').waitFor();
  const first = field.getByRole('button', { name: 'Upload another' });
  assert.equal(await first.evaluate((button) => button === button.ownerDocument.activeElement), true);
  await page.getByRole('button', { name: 'Save' }).click();
  await stored(pear.id);
  checkFaults();
});

test('what is no picture is refused in words, whatever its name says, and nothing of it stays', async () => {
  const { page, open, checkFaults } = await console.openAs(console.server.ownerId);
  await open('/magazines/new');
  const field = page.getByRole('group', { name: 'Cover', exact: true });
  await field.getByText('Drop a picture here').waitFor();
  const pdf = { name: 'Übersicht.pdf', type: 'application/pdf', content: Buffer.from('%PDF-1.7') };
  await give(page, 'paste', 'body', pdf);
  await field.getByRole('alert').getByText('“Übersicht.pdf” is no picture.').waitFor();
  const script = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>');
  await give(page, 'paste', 'body', { name: 'photo.jpg', type: 'image/jpeg', content: script });
  // Before anything is asked about it.
  await field.getByRole('alert').getByText('“photo.jpg” is no picture.').waitFor();
  assert.equal(await page.getByRole('dialog').count(), 0);
  // What begins as a picture does is recognized by the server.
  const text = Buffer.from('GIF89a is what a picture begins with.');
  await give(page, 'paste', 'body', { name: 'photo.gif', type: 'image/gif', content: text });
  const dialog = page.getByRole('dialog', { name: 'A new picture' });
  await dialog.getByRole('button', { name: 'Use picture' }).click();
  await dialog.getByText('“photo.gif” is no picture.').waitFor();
  assert.equal((await read('/knowledge-files?search=photo')).items.length, 0);
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await field.getByText('Drop a picture here').waitFor();
  checkFaults();
});

test('who may not make pictures public is told so where it is asked, and pastes a cover for the members', async () => {
  const { server } = console;
  const author = await createMember(server.database.worker, server.organization, 'AUTHOR');
  const site = await create(server, '/v1/sites', { name: 'Blog', key: 'blog' });
  const { page, open, checkFaults } = await console.openAs(author);
  await open(`/sites/${site.id}/articles/new`);
  await page.getByRole('textbox', { name: 'Title', exact: true }).fill('Trees');
  await page.getByRole('button', { name: 'Start writing' }).click();
  const field = page.getByRole('group', { name: 'Cover', exact: true });
  await field.getByText('Drop a picture here').waitFor();
  await give(page, 'paste', 'body', await jpeg('image.png'));
  const dialog = page.getByRole('dialog', { name: 'A new picture' });
  const everybody = dialog.getByRole('radio', { name: 'Everybody' });
  assert.equal(await everybody.isDisabled(), true);
  await dialog.getByText('The role AUTHOR cannot publish').waitFor();
  await dialog.getByRole('button', { name: 'Use picture' }).click();
  await field.getByText('All members see it, readers do not.').waitFor();
  const [article] = (await read(`/sites/${site.id}/articles`)).items;
  const cover = await until('the cover is stored', async () => {
    const { versionData } = await read(`/sites/${site.id}/articles/${article.id}`);
    return versionData.coverFileId;
  });
  const file = await read(`/knowledge-files/${cover}`);
  assert.deepEqual(
    [file.visibility, file.publicSince, file.createdBy],
    ['ORGANIZATION', null, encodeId('user', author)],
  );
  checkFaults();
});

test('the question whether to publish names a cover that readers do not see, and makes it public', async () => {
  const cover = await addPicture('Titel.jpg', 'A tree');
  const { id } = await create(console.server, '/v1/books', { title: 'Roots', coverFileId: cover.id });
  const { page, open, checkAccessibility, checkFaults } = await console.openAs(console.server.ownerId);
  await open(`/books/${id}`);
  await page.getByRole('button', { name: 'Publish', exact: true }).click();
  const question = page.getByRole('dialog', { name: 'Publish “Roots”?' });
  await question.getByText('The picture “Titel.jpg” is not public').waitFor();
  await checkAccessibility('publishing with a hidden picture');
  await question.getByRole('button', { name: 'Make public' }).click();
  const opening = page.getByRole('dialog', { name: 'Make “Titel.jpg” public?' });
  await opening.getByRole('button', { name: 'Make public' }).click();
  await question.getByText('The picture “Titel.jpg” is not public').waitFor({ state: 'detached' });
  await question.getByRole('button', { name: 'Publish' }).click();
  await until('both are seen', async () => {
    const { publicSince } = await read(`/knowledge-files/${cover.id}`);
    return publicSince !== null && (await read(`/books/${id}`)).status === 'PUBLISHED';
  });
  checkFaults();
});
