/** Formatted text that is copied elsewhere and pasted into an article, in a real browser. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { startTestConsole, type TestConsole } from '../support/console.ts';
import { create } from '../support/writes.ts';

let console: TestConsole;
let siteId: string;

before(async () => {
  console = await startTestConsole();
  siteId = String((await create(console.server, '/v1/sites', { name: 'Blog', key: 'blog' })).id);
});
after(() => console.close());

const editorOf = (page: Page) => page.getByRole('textbox', { name: 'Body' });
const bodyOf = (page: Page) =>
  page.evaluate<string>(
    `[...document.querySelectorAll('.cm-line')].map((line) => line.textContent).join('\\n')`,
  );

/** Opens an article with the cursor at the end of its text. */
async function openArticle(body: string, more: object = {}) {
  const path = `/sites/${siteId}/articles`;
  const { id } = await create(console.server, `/v1${path}`, {
    versionData: { title: 'Ferns', body, ...more },
  });
  const opened = await console.openAs(console.server.ownerId);
  await opened.open(`${path}/${id}`);
  await editorOf(opened.page).click();
  await opened.page.keyboard.press('Control+End');
  const stored = async () => (await console.server.call('GET', `/v1${path}/${id}`)).json.versionData.body;
  return { ...opened, stored };
}

/** Copies all of a page in another tab, as a person does. */
async function copy(page: Page, html: string): Promise<void> {
  const other = await page.context().newPage();
  await other.setContent(html);
  await other.keyboard.press('Control+a');
  await other.keyboard.press('Control+c');
  await other.close();
  await page.bringToFront();
}

const guide = `<h2>Care</h2><p>Water <b>rarely</b>, and <a href="https://example.com/light">in the <i>shade</i></a>.</p>
  <ul><li>Light<ul><li>not at noon</li></ul></li><li>Air</li></ul>
  <table><tr><th>Plant</th><th>Height</th></tr><tr><td>Fern</td><td>1 m</td></tr></table>`;
const guideMarkdown = [
  ...['## Care', '', 'Water **rarely**, and [in the *shade*](https://example.com/light).', ''],
  ...[
    '- Light',
    '  - not at noon',
    '- Air',
    '',
    '| Plant | Height |',
    '| ----- | ------ |',
    '| Fern  | 1 m    |',
  ],
].join('\n');

test('what is copied from a page becomes Markdown, is saved, and is plain text after undoing once', async () => {
  const { page, stored, checkFaults } = await openArticle('Ferns like it wet.');
  await copy(page, guide);
  await page.keyboard.press('Control+v');
  await page.locator('.cm-line', { hasText: '## Care' }).waitFor();
  assert.equal(await bodyOf(page), `Ferns like it wet.\n\n${guideMarkdown}`);
  await page.getByText(/^Saved · /).waitFor();
  assert.equal(await stored(), `Ferns like it wet.\n\n${guideMarkdown}`);
  await page.keyboard.press('Control+z');
  await page.locator('.cm-line', { hasText: 'Ferns like it wet.Care' }).waitFor();
  assert.ok(!(await bodyOf(page)).includes('**'));
  await page.keyboard.press('Control+z');
  await page.locator('.cm-line', { hasText: 'Care' }).waitFor({ state: 'detached' });
  assert.equal(await bodyOf(page), 'Ferns like it wet.');
  checkFaults();
});

test('plain text is pasted where it is asked for: in code, in HTML, and of programs', async () => {
  const inCode = await openArticle('```\n\n```');
  await inCode.page.keyboard.press('ArrowUp');
  await copy(inCode.page, '<p>let <b>a</b></p>');
  await inCode.page.keyboard.press('Control+v');
  await inCode.page.locator('.cm-line', { hasText: 'let a' }).waitFor();
  inCode.checkFaults();
  const inHtml = await openArticle('<p>One</p>', { bodyFormat: 'HTML' });
  await copy(inHtml.page, '<p>Two <b>three</b></p>');
  await inHtml.page.keyboard.press('Control+v');
  await inHtml.page.locator('.cm-line', { hasText: 'Two three' }).waitFor();
  inHtml.checkFaults();
});

/** Pastes HTML that no browser would have copied. */
function pasteHtml(page: Page, html: string, plain: string): Promise<void> {
  return page.evaluate(`(() => {
    const data = new DataTransfer();
    data.setData('text/html', ${html});
    data.setData('text/plain', ${JSON.stringify(plain)});
    document.querySelector('.cm-content').dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }));
  })()`);
}

test('hostile HTML keeps nobody from writing, and its plain text is there', async () => {
  const { page, checkFaults } = await openArticle('');
  await pasteHtml(page, `'<a href="https://a">'.repeat(50_000)`, 'plain');
  await page.locator('.cm-line', { hasText: 'plain' }).waitFor();
  await page.keyboard.type(' and more');
  await page.locator('.cm-line', { hasText: /^plain and more$/ }).waitFor();
  // What comes later is converted, and the one before is given up.
  await pasteHtml(page, `'<b>bold</b> words'`, 'bold words');
  await page.locator('.cm-line', { hasText: 'plain and more**bold** words' }).waitFor();
  await pasteHtml(page, `'<b>long</b>'.repeat(100_000)`, ' and long');
  await page.locator('.cm-line', { hasText: 'words and long' }).waitFor();
  await page.getByText('The text was pasted without its format.').waitFor();
  checkFaults();
});

test('what is typed before the Markdown is known stays, and a text that was changed stays plain', async () => {
  const { page, checkFaults } = await openArticle('');
  for (const [key, expected] of [
    ['!', '**bold** words!'],
    ['Backspace', '**bold** words!bold word'],
  ] as const) {
    const isTyped = Promise.withResolvers<void>();
    await page.route('**/assets/worker-*.js', async (route) => {
      await isTyped.promise;
      await route.continue();
    });
    const isLoaded = page.waitForResponse('**/assets/worker-*.js');
    await pasteHtml(page, `'<b>bold</b> words'`, 'bold words');
    await page.keyboard.press(key);
    isTyped.resolve();
    await isLoaded;
    await page.locator('.cm-line').getByText(expected, { exact: true }).waitFor();
    await page.unroute('**/assets/worker-*.js');
  }
  checkFaults();
});

test('pictures of other sites are left out, which is said', async () => {
  const { page, checkAccessibility, checkFaults } = await openArticle('');
  await pasteHtml(page, `'<p>A <b>fern</b></p><img src="https://tracker.invalid/a.png">'`, 'A fern');
  await page.getByText('A picture was not pasted').waitFor();
  assert.equal(await bodyOf(page), 'A **fern**');
  await checkAccessibility('picture left out');
  checkFaults();
});
