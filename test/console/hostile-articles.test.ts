/** Articles whose text is meant to keep the page of everybody busy who opens it: they are opened, read, mended and saved in Chromium. */
import assert from 'node:assert/strict';
import { after, before, type TestContext, test } from 'node:test';
import type { Page } from 'playwright-core';
import { startTestConsole, type TestConsole } from '../support/console.ts';
import { waitForPreview } from '../support/preview.ts';
import { casesFor } from '../support/soak.ts';
import { create } from '../support/writes.ts';

let console: TestConsole;
let page: Page;
let checkFaults: () => void;
let articles: string;

before(async () => {
  console = await startTestConsole();
  const site = await create(console.server, '/v1/sites', { name: 'Blog', key: 'blog' });
  articles = `/sites/${site.id}/articles`;
  ({ page, checkFaults } = await console.openAs(console.server.ownerId));
  const ordinary = `${'word '.repeat(15)}\n`;
  for (const title of ['Loads the code of the pages', 'Is measured'])
    usualMs = await edit(title, repeat(ordinary)(Math.max(...sizes)), 'MARKDOWN');
});
after(() => console.close());

/** How much more than on an ordinary text of the same size the page may work on one, in all. Before, it was four times up to for ever. */
const mostTimes = 4;
/** What the page works on an ordinary text, in ms of the processor, on this machine as busy as it is. */
let usualMs: number;

type Format = 'MARKDOWN' | 'HTML';

interface Hostile {
  readonly name: string;
  readonly format?: Format;
  readonly text: (size: number) => string;
}

const repeat = (unit: string) => (size: number) => unit.repeat(size / unit.length);
const nested = (open: string, close: string) => (size: number) => {
  const count = size / (open.length + close.length);
  return `${open.repeat(count)}x${close.repeat(count)}`;
};

const hostile: readonly Hostile[] = [
  { name: 'emphasis', text: repeat('*a_') },
  { name: 'emphasis in lines', text: repeat('*a_\n') },
  { name: 'front matter', text: (size) => `---\na: ${nested('[', ']')(size)}\n---\n` },
  { name: 'links', text: repeat('[a](b') },
  { name: 'addresses', text: repeat('//a.a/') },
  { name: 'elements in each other', text: nested('<div>', '</div>') },
  { name: 'elements in each other, HTML', format: 'HTML', text: repeat('<div>') },
  { name: 'headings', text: repeat('# a\n') },
  { name: 'headings, HTML', format: 'HTML', text: repeat('<h1>a') },
  {
    name: 'backticks',
    text: (size) => Array.from({ length: size ** 0.5 }, (_, count) => '`'.repeat(count)).join(' '),
  },
  {
    name: 'a wide table',
    text: (size) => `${repeat('|a')(size / 3)}|\n${repeat('|-')(size / 3)}|\n${repeat('|b')(size / 3)}|\n`,
  },
  {
    name: 'cells, HTML',
    format: 'HTML',
    text: (size) => `<table><tr>${repeat('<td rowspan=99 colspan=99>a')(size)}`,
  },
  { name: 'pictures in each other', text: nested('<svg><g>', '</g></svg>') },
  {
    name: 'open formats, HTML',
    format: 'HTML',
    text: (size) =>
      `${Array.from({ length: size / 20 }, (_, index) => `<b t=${index}>`).join('')}${repeat('<p>x')(size / 2)}`,
  },
  { name: 'quotations in each other', text: repeat('>') },
  { name: 'lists in each other', text: repeat('- ') },
  { name: 'short lines', text: repeat('a\n') },
  { name: 'a code block', text: (size) => `\`\`\`\n${repeat('a\n')(size - 4)}` },
  { name: 'one line', text: repeat('word ') },
];
const sizes = [240_000, 480_000];

/** Opens an article. @returns how long the page's thread has worked on it since, in ms of the processor */
async function openMeasured(page: Page, path: string): Promise<() => Promise<number>> {
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  const total = async () => {
    const { metrics } = await session.send('Performance.getMetrics');
    return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN) * 1_000;
  };
  // From here on the document, and with it its thread, is the new one.
  await page.goto(`${console.origin}/console${path}`, { waitUntil: 'commit' });
  const before = await total();
  return async () => Math.round((await total()) - before);
}

async function createArticle(title: string, body: string, bodyFormat: Format): Promise<string> {
  const article = await create(console.server, `/v1${articles}`, {
    versionData: { title, body, bodyFormat },
  });
  return `${articles}/${article.id}`;
}

const editorOf = (page: Page) => page.getByRole('textbox', { name: 'Body' });

/** Opens a new article, changes its text, looks at its outline and preview, and waits until it is saved. @returns what the page worked, in ms */
async function edit(title: string, body: string, format: Format): Promise<number> {
  const path = await createArticle(title, body, format);
  const workOf = await openMeasured(page, path);
  await editorOf(page).click();
  await page.keyboard.press('Control+Home');
  await page.keyboard.type('mended ');
  if (format === 'MARKDOWN') {
    await page.getByRole('button', { name: 'Table of contents' }).click();
    await page.getByRole('menu').waitFor();
    assert.ok((await page.getByRole('menuitem').count()) <= 500);
    await page.keyboard.press('Escape');
  }
  await page.getByRole('button', { name: 'Preview' }).click();
  assert.ok((await waitForPreview(page)) <= 30_000);
  await page
    .getByText(/^Saved · /)
    .first()
    .waitFor();
  const work = await workOf();
  const saved = (await console.server.call('GET', `/v1${path}`)).json.versionData.body;
  assert.ok(saved === `mended ${body}`, 'the text is saved as it is');
  return work;
}

function checkWork(context: TestContext, work: number): void {
  context.diagnostic(`${work} ms of the processor; an ordinary text takes ${usualMs} ms`);
  assert.ok(work <= mostTimes * usualMs, `the page worked for ${work} ms, on an ordinary text ${usualMs} ms`);
}

for (const [index, { name, format = 'MARKDOWN', text }] of hostile.entries()) {
  test(`${name}: the text is opened, shown, mended and saved, and the page responds all the time`, async (context) => {
    for (const size of casesFor(index, sizes)) checkWork(context, await edit(name, text(size), format));
    checkFaults();
  });
}

const compared: Readonly<Record<string, readonly [string, string]>> = {
  'one line': [repeat('*a_')(480_000), repeat('_a*')(480_000)],
  lines: [repeat('a\nb\n')(480_000), repeat('b\na\nc\n')(480_000)],
};
for (const [name, [before, after]] of Object.entries(compared)) {
  test(`versions of a hostile text are compared and read: ${name}`, async (context) => {
    const path = await createArticle(name, before, 'MARKDOWN');
    for (const versionData of [{ status: 'PUBLISHED' }, { body: after }]) {
      const response = await console.server.call('PATCH', `/v1${path}`, { body: { versionData } });
      assert.equal(response.status, 200, response.text);
    }
    const workOf = await openMeasured(page, path);
    await page.getByRole('button', { name: 'Versions' }).click();
    const versions = page.getByRole('dialog', { name: 'Versions' });
    await versions.getByText('too long to compare').waitFor();
    await versions.locator('.cm-line').first().waitFor();
    checkWork(context, await workOf());
    checkFaults();
  });
}
