/** The article editor in a real browser: texts stay as they are stored, and what is typed is saved without publishing anything. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { startTestConsole, type TestConsole } from '../support/console.ts';
import { createMember } from '../support/identities.ts';
import type { Json } from '../support/server.ts';
import { until } from '../support/until.ts';
import { create } from '../support/writes.ts';

let console: TestConsole;
let siteId: string;

before(async () => {
  console = await startTestConsole();
  const site = await create(console.server, '/v1/sites', {
    name: 'Blog',
    key: 'blog',
    timezone: 'America/New_York',
    domains: ['blog.example.com'],
  });
  siteId = String(site.id);
});
after(() => console.close());

const hash = (text: unknown) => createHash('sha256').update(String(text)).digest('hex');

async function createArticle(versionData: object, more: object = {}): Promise<string> {
  const article = await create(console.server, `/v1/sites/${siteId}/articles`, { versionData, ...more });
  return String(article.id);
}

function patchArticle(id: string, body: object) {
  return console.server.call('PATCH', `/v1/sites/${siteId}/articles/${id}`, { body });
}

async function readArticle(id: string): Promise<Json> {
  return (await console.server.call('GET', `/v1/sites/${siteId}/articles/${id}`)).json;
}

const editorOf = (page: Page) => page.getByRole('textbox', { name: 'Body' });
const titleOf = (page: Page) => page.getByPlaceholder('Title');
const isSaved = (page: Page) => page.getByText(/^Saved · /).waitFor();

test('a title is saved two seconds after the last key, and the body stays what it was, byte for byte', async () => {
  const long = `# Long\r\n\r\n${'Zeile mit e\u0301 und 😀  \r\n'.repeat(14_000)}`;
  const bodies = [
    'one\r\ntwo\r\n\r\nthree  \r\n',
    'lf\ncr\rcrlf\r\n\nNFD e\u0301, emoji 👩‍👩‍👧, \u2028 and \u00a0 \t\n\n',
    long.slice(0, 400_000),
  ];
  const { page, open, checkFaults } = await console.openAs(console.server.ownerId);
  for (const body of bodies) {
    const id = await createArticle({ title: 'As it was', body });
    await open(`/sites/${siteId}/articles/${id}`);
    await titleOf(page).fill('As it is now');
    await isSaved(page);
    const { versionData, version } = await readArticle(id);
    assert.equal(versionData.title, 'As it is now');
    assert.equal(hash(versionData.body), hash(body));
    assert.equal(version, 2);
  }
  checkFaults();
});

test('an edit of one line changes only this line, and others may change other lines meanwhile', async () => {
  const body = 'one\r\ntwo\r\nthree\nfour\r\n\r\nfive\r\n';
  const id = await createArticle({ title: 'Lines', body });
  const { page, open, checkFaults } = await console.openAs(console.server.ownerId);
  await open(`/sites/${siteId}/articles/${id}`);
  await editorOf(page).click();
  await page.keyboard.press('Control+Home');
  await page.keyboard.type('My ');
  const theirs = body.replace('five', 'five and six');
  const other = await patchArticle(id, { versionData: { body: theirs, summary: 'Theirs' } });
  assert.equal(other.status, 200);
  await isSaved(page);
  const { versionData } = await readArticle(id);
  assert.equal(versionData.body, `My ${theirs}`);
  assert.equal(versionData.summary, 'Theirs');
  const summary = page.getByRole('textbox', { name: 'Summary' });
  await until('the summary', async () => (await summary.inputValue()) === 'Theirs');
  await page.getByText('five and six').waitFor();
  // What others have written is not undone with what was typed.
  await editorOf(page).click();
  // As often as keys were typed: on a busy machine each of them is a step of its own.
  for (const _ of 'My ') await page.keyboard.press('Control+z');
  await until('it is undone', async () => (await readArticle(id)).versionData.body === theirs);
  await page.getByText('five and six').waitFor();
  checkFaults();
});

test('what both sides have changed is asked about when the person wants it, and not while they type', async () => {
  const id = await createArticle({ title: 'Both', body: 'first\n\nsecond\n' });
  const { page, open, checkAccessibility, checkFaults } = await console.openAs(console.server.ownerId);
  await open(`/sites/${siteId}/articles/${id}`);
  await titleOf(page).fill('Yours');
  await patchArticle(id, { versionData: { title: 'Theirs', body: 'first\n\nsecond, changed\n' } });
  const dialog = page.getByRole('dialog', { name: 'Conflicting changes' });
  const decide = page.getByRole('button', { name: 'Resolve' });
  await decide.waitFor();
  await page.keyboard.type(', too');
  assert.equal(await titleOf(page).inputValue(), 'Yours, too');
  assert.equal(await dialog.count(), 0);
  // Neither does it open again after it was put off.
  await page.keyboard.press('Control+s');
  await dialog.getByText('Yours, too').waitFor();
  await dialog.getByRole('button', { name: 'Later' }).click();
  await dialog.waitFor({ state: 'detached' });
  await titleOf(page).pressSequentially('!');
  await decide.click();
  await checkAccessibility('conflict');
  await dialog.getByText('Theirs', { exact: true }).first().click();
  await dialog.getByRole('button', { name: 'Save this' }).click();
  await dialog.waitFor({ state: 'detached' });
  await page.getByText('second, changed').waitFor();
  await until('the title', async () => (await titleOf(page).inputValue()) === 'Theirs');
  assert.equal((await readArticle(id)).versionData.title, 'Theirs');
  checkFaults();
});

test('what was typed is kept when the page is left before the question about a conflict is decided', async () => {
  const id = await createArticle({ title: 'Submission about' });
  const { page, open, checkFaults } = await console.openAs(console.server.ownerId);
  await open(`/sites/${siteId}/articles`);
  await page.getByRole('link', { name: 'Submission about' }).click();
  await page.getByRole('textbox', { name: 'Summary' }).fill('Just typed');
  await titleOf(page).fill('Yours');
  await patchArticle(id, { versionData: { title: 'Theirs' } });
  // The window has the focus again, so the record is read before what was typed is stored.
  await page.evaluate(`window.dispatchEvent(new Event('focus'))`);
  const dialog = page.getByRole('dialog', { name: 'Conflicting changes' });
  const decide = page.getByRole('button', { name: 'Resolve' });
  await decide.click();
  await dialog.waitFor();
  await page.goBack();
  await dialog.waitFor({ state: 'detached' });
  await page
    .getByRole('button', { name: /One change needs attention/ })
    .first()
    .waitFor();
  await open(`/sites/${siteId}/articles/${id}`);
  await decide.click();
  await dialog.getByRole('button', { name: 'Save this' }).click();
  await isSaved(page);
  const { title, summary } = (await readArticle(id)).versionData;
  assert.deepEqual([title, summary], ['Yours', 'Just typed']);
  checkFaults();
});

test('what is saved by itself publishes nothing', async () => {
  const id = await createArticle({ title: 'Out there', body: 'text' });
  await patchArticle(id, { versionData: { status: 'PUBLISHED' } });
  const { page, open, checkAccessibility, checkFaults } = await console.openAs(console.server.ownerId);
  await open(`/sites/${siteId}/articles/${id}`);
  await page.getByText('Readers see version 1').waitFor();
  await page.getByLabel('Allow comments').check();
  await titleOf(page).fill('Not out there');
  await page.getByText('This is the draft of version 2').waitFor();
  const draft = await readArticle(id);
  assert.deepEqual(
    [draft.state, draft.publishedVersionNumber, draft.articleData.allowComments],
    ['CHANGED', 1, false],
  );
  await page.getByText('Not saved: some fields need “Apply for readers”').waitFor();
  await checkAccessibility('draft beside a published version');
  await page.getByRole('link', { name: 'Books' }).click();
  await page
    .getByRole('dialog', { name: 'Leave without saving?' })
    .getByRole('button', { name: 'Stay on the page' })
    .click();
  assert.equal(await page.getByLabel('Allow comments').isChecked(), true);
  // What is discarded can be taken back, with the key that discarded it.
  await page.getByRole('button', { name: 'Discard' }).press('Enter');
  await page.getByText('Discarded.').waitFor();
  assert.equal(await page.getByLabel('Allow comments').isChecked(), false);
  await page.keyboard.press('Enter');
  await page.getByText('Discarded.').waitFor({ state: 'detached' });
  assert.equal(await page.getByLabel('Allow comments').isChecked(), true);
  await page.getByRole('button', { name: 'Apply for readers' }).click();
  await until('readers see it', async () => (await readArticle(id)).articleData.allowComments === true);
  assert.equal((await readArticle(id)).publishedVersionNumber, 1);
  checkFaults();
});

test('an article that readers no longer see says that an edit begins a draft; so does a published one whose draft was archived', async () => {
  const taken = await createArticle({ title: 'Taken back', body: 'text' });
  for (const status of ['PUBLISHED', 'UNPUBLISHED']) await patchArticle(taken, { versionData: { status } });
  const beside = await createArticle({ title: 'Beside', body: 'text' });
  await patchArticle(beside, { versionData: { status: 'PUBLISHED' } });
  await patchArticle(beside, { versionData: { title: 'Beside it', status: 'ARCHIVED' } });
  const { page, open, checkAccessibility, checkFaults } = await console.openAs(console.server.ownerId);
  await open(`/sites/${siteId}/articles/${beside}`);
  await page.getByText('Readers see version 1. Your edits become a draft of the next version.').waitFor();
  await open(`/sites/${siteId}/articles/${taken}`);
  const hint = page.getByText('Readers do not see this article. Your edits become a draft');
  await hint.waitFor();
  await checkAccessibility('article that was taken back');
  await titleOf(page).fill('Corrected');
  await page.getByRole('button', { name: 'Status: Draft' }).waitFor();
  await hint.waitFor({ state: 'detached' });
  const { state, versionData, publishedVersionNumber } = await readArticle(taken);
  assert.deepEqual(
    [state, versionData.status, versionData.versionNumber, publishedVersionNumber],
    ['UNPUBLISHED', 'DRAFT', 2, null],
  );
  for (const status of ['PUBLISHED', 'UNPUBLISHED', 'ARCHIVED'])
    await patchArticle(taken, { versionData: { status } });
  await page.reload();
  await hint.waitFor();
  checkFaults();
});

test('what was typed without a network is saved by the next tab', async () => {
  const id = await createArticle({ title: 'Before', body: 'one\r\ntwo' });
  const { page, context, open } = await console.openAs(console.server.ownerId);
  await open(`/sites/${siteId}/articles/${id}`);
  await titleOf(page).waitFor();
  await context.setOffline(true);
  await titleOf(page).fill('Typed in the train');
  await page.getByText(/^Kept in this browser/).waitFor();
  await page.close();
  await context.setOffline(false);
  const next = await context.newPage();
  await next.goto(`${console.origin}/console/sites/${siteId}/articles/${id}`);
  await until('it is saved', async () => (await readArticle(id)).versionData.title === 'Typed in the train');
  await until('the title', async () => (await titleOf(next).inputValue()) === 'Typed in the train');
  const { version, versionData } = await readArticle(id);
  assert.deepEqual([version, versionData.body], [2, 'one\r\ntwo']);
});

/** A PNG of one pixel. */
const pixel =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

test('a pasted image is uploaded and shown in the preview, which runs and loads nothing else', async () => {
  const hostile = `# Hello\n\n<script>window.top.hacked = 1</script><img src="x" onerror="window.top.hacked = 1">
<p style="color: red" onclick="top.hacked = 1">styled</p><iframe src="/console"></iframe>

![far away](https://tracker.example.com/pixel.png)

<style>body { display: none }</style>\n\n[link](javascript:alert(1))\n\nend\n`;
  const id = await createArticle({ title: 'Images', body: hostile });
  const { page, open, checkAccessibility, checkFaults } = await console.openAs(console.server.ownerId);
  await open(`/sites/${siteId}/articles/${id}`);
  await page.getByRole('button', { name: 'Preview' }).click();
  const preview = page.frameLocator('iframe');
  await preview.getByText('Image from another host: tracker.example.com').waitFor();
  await editorOf(page).click();
  await page.keyboard.press('Control+End');
  await page.evaluate(`(() => {
    const bytes = Uint8Array.from(atob('${pixel}'), (letter) => letter.charCodeAt(0));
    const data = new DataTransfer();
    data.items.add(new File([bytes], 'dot.png', { type: 'image/png' }));
    document.querySelector('.cm-content').dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }));
  })()`);
  const dialog = page.getByRole('dialog', { name: 'What does the picture show?' });
  await dialog.getByLabel('dot.png').fill('A [dot]');
  await dialog.getByRole('button', { name: 'Insert' }).click();
  await preview.locator('img[src^="blob:"]').waitFor();
  await isSaved(page);
  const { versionData } = await readArticle(id);
  const name = /!\[A dot \]\(http:\S+\/pictures\/org_\w+\/(kf_\w+)\/\w+\?w=1280\)$/.exec(versionData.body);
  assert.ok(name !== null, versionData.body);
  assert.ok(versionData.body.startsWith(hostile));
  const file = await console.server.call('GET', `/v1/knowledge-files/${name[1]}`);
  assert.deepEqual(
    [file.json.name, file.json.visibility, file.json.mediaType, file.json.alternativeText],
    ['dot.png', 'ORGANIZATION', 'image/png', 'A [dot]'],
  );
  assert.equal(await page.evaluate('window.hacked'), undefined);
  assert.equal(
    await preview.locator('script, iframe, style:not([nonce]), [onclick], body [style], form').count(),
    0,
  );
  assert.equal(await preview.locator('a[href^="javascript"]').count(), 0);
  await checkAccessibility('preview');
  checkFaults();
});

test('an HTML text gets an image as an element, and a file on its way is not left without a question', async () => {
  const id = await createArticle({ title: 'HTML', bodyFormat: 'HTML', body: '<p>One</p>\n' });
  const { page, open, checkAccessibility, checkFaults } = await console.openAs(console.server.ownerId);
  await open(`/sites/${siteId}/articles/${id}`);
  await editorOf(page).click();
  assert.equal(await page.getByRole('button', { name: 'Bold' }).count(), 0);
  await page.keyboard.press('Control+End');
  // Of Markdown, and so without an effect here.
  await page.keyboard.press('Control+b');
  const go = Promise.withResolvers<void>();
  await page.route('**/v1/knowledge-files', async (route) => {
    await go.promise;
    await route.continue();
  });
  const choosing = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Insert an image or a file' }).click();
  const buffer = Buffer.from(pixel, 'base64');
  await (await choosing).setFiles({ name: 'a "dot" & more.png', mimeType: 'image/png', buffer });
  await page.getByText('Uploading a "dot" & more.png…').waitFor();
  const question = page.getByRole('dialog', { name: 'What does the picture show?' });
  await question.getByLabel('a "dot" & more.png').fill('a "dot" & more');
  await question.getByRole('button', { name: 'Insert' }).click();
  await page.getByRole('link', { name: 'Books' }).click();
  const dialog = page.getByRole('dialog', { name: 'Leave without saving?' });
  await dialog.waitFor();
  await checkAccessibility('leaving while a file is uploaded');
  await dialog.getByRole('button', { name: 'Stay on the page' }).click();
  go.resolve();
  await page.getByText('<img src=').waitFor();
  await isSaved(page);
  const { body } = (await readArticle(id)).versionData;
  assert.match(
    body,
    /^<p>One<\/p>\n<img src="http:\S+\/pictures\/org_\w+\/kf_\w+\/\w+\?w=1280" alt="a &quot;dot&quot; &amp; more">$/,
  );
  checkFaults();
});

test('an article is scheduled in the time zone of its site, taken back, and an old version restored', async () => {
  const id = await createArticle({ title: 'Plan', body: 'first text' });
  await patchArticle(id, { versionData: { status: 'PUBLISHED' } });
  await patchArticle(id, { versionData: { body: 'second text' } });
  const { page, open, checkAccessibility, checkFaults } = await console.openAs(console.server.ownerId, {
    timezoneId: 'Europe/Berlin',
  });
  await open(`/sites/${siteId}/articles/${id}`);
  const status = page.getByRole('button', { name: /^Status: / });
  await status.click();
  await page.getByText('No other status can follow “Draft”.').waitFor();
  await checkAccessibility('moves');
  await page.getByRole('menuitem', { name: 'Schedule…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Schedule “Plan”' });
  await dialog.getByText('In the time zone of the site: America/New_York').waitFor();
  await dialog.getByLabel('Publish on', { exact: true }).fill('2020-07-01T09:00');
  await dialog.getByText('This time has passed. Choose a later one.').waitFor();
  assert.ok(await dialog.getByRole('button', { name: 'Schedule' }).isDisabled());
  await dialog.getByLabel('Publish on', { exact: true }).fill('2030-07-01T09:00');
  await dialog.getByText(/^For you \(Europe\/Berlin\): .*15:00/).waitFor();
  await checkAccessibility('schedule');
  // What the rules of articles reject is said at the field, and not sent.
  await dialog.getByLabel('Unpublish on').fill('2030-06-01T09:00');
  await dialog.getByRole('button', { name: 'Schedule' }).click();
  await dialog.getByText('Must be later than the publication.').waitFor();
  assert.equal((await readArticle(id)).versionData.status, 'DRAFT');
  await dialog.getByLabel('Unpublish on').fill('');
  await dialog.getByRole('button', { name: 'Schedule' }).click();
  await page.getByRole('button', { name: 'Return to draft and edit' }).waitFor();
  assert.equal((await readArticle(id)).versionData.scheduledFor, '2030-07-01T13:00:00.000Z');
  assert.equal(await titleOf(page).getAttribute('readonly'), '');
  await page.getByRole('button', { name: 'Return to draft and edit' }).click();
  await page.getByRole('button', { name: 'Status: Draft' }).waitFor();
  await page.getByRole('button', { name: 'Versions' }).click();
  const versions = page.getByRole('dialog', { name: 'Versions' });
  await versions.getByText('Changes from version 1 to version 2').waitFor();
  await versions.locator('.cm-deletedLine, .cm-changedLine').first().waitFor();
  await checkAccessibility('versions');
  await versions.getByRole('button', { name: /^Version 1/ }).click();
  await versions.getByRole('button', { name: 'Restore version 1' }).click();
  await page
    .getByRole('dialog', { name: 'Restore version 1?' })
    .getByRole('button', { name: 'Restore version 1' })
    .click();
  await versions.waitFor({ state: 'detached' });
  await editorOf(page).getByText('first text').waitFor();
  const { state, versionData } = await readArticle(id);
  assert.deepEqual([state, versionData.versionNumber, versionData.body], ['CHANGED', 3, 'first text']);
  checkFaults();
});

test('Enter takes the tag that was found, and a near-double is made by the option for it alone', async () => {
  const { page, open, checkFaults } = await console.openAs(console.server.ownerId);
  await create(console.server, `/v1/sites/${siteId}/tags`, { name: 'Gardening' });
  const pill = (name: string) => page.locator('.mantine-Pill-root').getByText(name, { exact: true });
  await open(`/sites/${siteId}/articles/${await createArticle({ title: 'A bed of herbs' })}`);
  const tags = page.getByRole('combobox', { name: 'Tags' });
  await tags.fill('gard');
  await tags.press('Enter');
  await pill('Gardening').waitFor();
  await tags.fill('Garden');
  await page.getByRole('option', { name: 'Create “Garden”' }).click();
  await pill('Garden').waitFor();
  checkFaults();
});

test('a new article is begun, tagged and published by keyboard', async () => {
  const { page, open, checkAccessibility, checkFaults } = await console.openAs(console.server.ownerId);
  await open(`/sites/${siteId}/articles/new`);
  await page.getByLabel('Title').waitFor();
  await checkAccessibility('new article');
  await page.getByLabel('Title').focus();
  await page.keyboard.type('By keyboard');
  await page.keyboard.press('Enter');
  await editorOf(page).and(page.locator(':focus')).waitFor();
  await page.keyboard.type('# Heading');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Control+b');
  await page.keyboard.type('bold');
  await page.keyboard.press('Control+s');
  await isSaved(page);
  await page.keyboard.press('Control+k');
  await page.getByRole('dialog').getByRole('combobox').and(page.locator(':focus')).waitFor();
  await page.keyboard.press('Escape');
  const tags = page.getByRole('combobox', { name: 'Tags' });
  await tags.focus();
  await page.keyboard.type('fresh');
  await page.keyboard.press('Enter');
  await page.locator('.mantine-Pill-root', { hasText: 'fresh' }).waitFor();
  await page.keyboard.type('half a na');
  await page.keyboard.press('Tab');
  assert.equal(await tags.inputValue(), 'half a na');
  await tags.fill('FRESH');
  await page.keyboard.press('Enter');
  await until('the tag is there already', async () => (await tags.inputValue()) === '');
  await page.getByRole('button', { name: 'Publish', exact: true }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').getByRole('button', { name: 'Publish' }).waitFor();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.getByText('Readers see version 1').waitFor();
  const article = await readArticle(new URL(page.url()).pathname.split('/').at(-1) ?? '');
  assert.deepEqual(
    [article.state, article.versionData.body, article.articleData.tagIds.length],
    ['PUBLISHED', '# Heading\n**bold**', 1],
  );
  await checkAccessibility('published article');
  checkFaults();
});

test('what one may not do says why, and the fault of a field is said there', async () => {
  const id = await createArticle({ title: 'Locked', body: 'text' });
  const viewer = await createMember(console.server.database.worker, console.server.organization, 'VIEWER');
  const guest = await console.openAs(viewer);
  await guest.open(`/sites/${siteId}/articles/${id}`);
  await guest.page.getByText('The role Viewer cannot change these records.').first().waitFor();
  assert.equal(await editorOf(guest.page).getAttribute('aria-readonly'), 'true');
  await guest.checkAccessibility('article without the right to change');
  const { page, open, checkAccessibility } = await console.openAs(console.server.ownerId);
  await open(`/sites/${siteId}/articles/${id}`);
  await page.getByRole('textbox', { name: 'Slug' }).fill('Not a slug!');
  await page.getByText('Not saved: some fields need your attention').waitFor();
  await checkAccessibility('article with a fault');
  await page.getByRole('textbox', { name: 'Slug' }).fill('a-slug');
  await isSaved(page);
  assert.equal((await readArticle(id)).articleData.slug, 'a-slug');
});

test('of the longest text only lines near the window are drawn, and what is typed is saved', async () => {
  const line = 'A line of **Markdown** with a [link](https://example.com) and `code`, as long as most.\r\n';
  const body = line.repeat(Math.floor((512 * 1_024 - 4_096) / line.length));
  const id = await createArticle({ title: 'Long', body });
  const { page, open } = await console.openAs(console.server.ownerId);
  await open(`/sites/${siteId}/articles/${id}`);
  await editorOf(page).click();
  await page.keyboard.press('Control+Home');
  await page.keyboard.type('At the beginning. ');
  const lines = await page.locator('.cm-line').count();
  assert.ok(lines < 300, `${lines} lines in the document`);
  await isSaved(page);
  assert.equal(hash((await readArticle(id)).versionData.body), hash(`At the beginning. ${body}`));
});

test('an article is deleted from its page, with what was just typed; what uses it is said', async () => {
  const id = await createArticle({ title: 'Old news', body: 'text' });
  const magazine = await create(console.server, '/v1/magazines', { title: 'Weekly' });
  const issues = `/v1/magazines/${magazine.id}/issues`;
  const issue = await create(console.server, issues, { title: 'One', contents: [{ articleId: id }] });
  const { page, context, open, checkAccessibility, checkFaults } = await console.openAs(
    console.server.ownerId,
  );
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const writes: string[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith(id) && request.method() !== 'GET') writes.push(request.method());
  });
  await open(`/sites/${siteId}/articles/${id}`);
  const choose = async (name: string) => {
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name }).click();
  };
  await choose('Copy ID');
  assert.equal(await page.evaluate('navigator.clipboard.readText()'), id);
  await choose('Copy as curl');
  assert.match(
    await page.evaluate<string>('navigator.clipboard.readText()'),
    new RegExp(`^curl -X GET '.+/v1/sites/${siteId}/articles/${id}'`),
  );
  const question = page.getByRole('dialog');
  const address = (url: URL) => url.pathname.endsWith(`/articles/${id}`);
  /** Holds requests of a method back. @returns lets them go */
  const hold = async (method: string) => {
    const held = Promise.withResolvers<void>();
    await page.route(address, async (route) => {
      if (route.request().method() === method) await held.promise;
      await route.fallback();
    });
    return held.resolve;
  };
  // The page reads the article, and what is typed is stored afterwards: nobody is asked before.
  const read = await hold('GET');
  const reading = page.waitForRequest((request) => address(new URL(request.url())));
  await page.evaluate(`dispatchEvent(new Event('focus'))`);
  await reading;
  await titleOf(page).fill('Old news, typed');
  await choose('Delete');
  await page.evaluate(
    'new Promise((shown) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(shown))))',
  );
  assert.equal(await question.count(), 0);
  /** Confirms a deletion, which follows what was typed while this has no response. */
  const confirm = async (patch: () => void) => {
    await question.getByRole('button', { name: 'Delete' }).click();
    await page.getByText('2 changes waiting').first().waitFor({ state: 'attached' });
    patch();
  };
  const patch = await hold('PATCH');
  read();
  await confirm(patch);
  await question.getByText('Still used by 1 issue.').waitFor();
  await page.unroute(address);
  await checkAccessibility('article in use');
  await question.getByRole('button', { name: 'Cancel' }).click();
  assert.equal((await readArticle(id)).versionData.title, 'Old news, typed');
  assert.equal((await console.server.call('DELETE', `${issues}/${issue.id}`)).status, 204);
  const nextPatch = await hold('PATCH');
  await titleOf(page).fill('Old news, typed again');
  await choose('Delete');
  await confirm(nextPatch);
  await page.waitForURL((url) => url.pathname === `/console/sites/${siteId}/articles`);
  const gone = await console.server.call('GET', `/v1/sites/${siteId}/articles/${id}`);
  assert.equal(gone.status, 404);
  assert.equal(writes.at(-1), 'DELETE', 'nothing is sent after the deletion');
  await page.getByRole('button', { name: /needs you|waiting/ }).waitFor({ state: 'detached' });
  checkFaults();
});
