/** Articles whose text is meant to keep the page of everybody busy who opens it: they are opened, read, mended and saved in Chromium. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { startTestConsole, type TestConsole } from '../support/console.ts';
import { casesFor } from '../support/soak.ts';
import { create } from '../support/writes.ts';

let console: TestConsole;
let articles: string;

before(async () => {
  console = await startTestConsole();
  const site = await create(console.server, '/v1/sites', { name: 'Blog', key: 'blog' });
  articles = `/sites/${site.id}/articles`;
});
after(() => console.close());

/** Most that the page may work on a text in all, in ms of the processor. Before, these texts took 5 s up to for ever at one time. */
const mostWorkMs = 4_000;

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

/** Waits until the preview has its blocks. @returns how many elements it has */
async function waitForPreview(page: Page): Promise<number> {
  await page.locator('[data-state=whole], [data-state=cut], [data-state=plain]').waitFor();
  // They are built a few at a time.
  await page.frameLocator('iframe').locator('#text[aria-busy=false]').waitFor({ state: 'attached' });
  return page.evaluate<number>(
    "document.querySelector('iframe').contentDocument.querySelectorAll('#text *').length",
  );
}

async function createArticle(title: string, body: string, bodyFormat: Format): Promise<string> {
  const article = await create(console.server, `/v1${articles}`, {
    versionData: { title, body, bodyFormat },
  });
  return `${articles}/${article.id}`;
}

const editorOf = (page: Page) => page.getByRole('textbox', { name: 'Body' });
test('a hostile text is opened, shown, mended and saved, and the page responds all the time', async () => {
  const { page, checkFaults } = await console.openAs(console.server.ownerId);
  for (const [index, { name, format = 'MARKDOWN', text }] of hostile.entries()) {
    for (const size of casesFor(index, sizes)) {
      const body = text(size);
      const path = await createArticle(name, body, format);
      const workOf = await openMeasured(page, path);
      await editorOf(page).click();
      await page.keyboard.press('Control+Home');
      await page.keyboard.type('mended ');
      if (format === 'MARKDOWN') {
        await page.getByRole('button', { name: 'Table of contents' }).click();
        await page.getByRole('menu').waitFor();
        assert.ok((await page.getByRole('menuitem').count()) <= 500, name);
        await page.keyboard.press('Escape');
      }
      await page.getByRole('button', { name: 'Preview' }).click();
      assert.ok((await waitForPreview(page)) <= 60_000, name);
      await page
        .getByText(/^Saved · /)
        .first()
        .waitFor();
      const work = await workOf();
      assert.ok(work <= mostWorkMs, `${name}, ${size} characters: the page worked for ${work} ms`);
      const saved = (await console.server.call('GET', `/v1${path}`)).json.versionData.body;
      assert.ok(saved === `mended ${body}`, `${name}: the text is saved as it is`);
    }
  }
  checkFaults();
});

test('versions of hostile texts are compared and read', async () => {
  const { page, checkFaults } = await console.openAs(console.server.ownerId);
  for (const [name, [before, after]] of Object.entries({
    'one line': [repeat('*a_')(480_000), repeat('_a*')(480_000)],
    lines: [repeat('a\nb\n')(480_000), repeat('b\na\nc\n')(480_000)],
  } satisfies Record<string, readonly [string, string]>)) {
    const path = await createArticle(name, before, 'MARKDOWN');
    for (const versionData of [{ status: 'PUBLISHED' }, { body: after }]) {
      const response = await console.server.call('PATCH', `/v1${path}`, { body: { versionData } });
      assert.equal(response.status, 200, response.text);
    }
    const workOf = await openMeasured(page, path);
    await page.getByRole('button', { name: 'Versions' }).click();
    const versions = page.getByRole('dialog', { name: 'Versions' });
    await versions.getByText('too many or too long lines to be compared').waitFor();
    await versions.locator('.cm-line').first().waitFor();
    const work = await workOf();
    assert.ok(work <= mostWorkMs, `${name}: the page worked for ${work} ms`);
  }
  checkFaults();
});

/** HTML that loads, runs or styles something wherever it is parsed by a page, or cleaned by it. */
const loading: readonly string[] = [
  '<p style="color:red" STYLE=x>a</p>',
  '<style>body{display:none}@import url(//evil.example/a.css)</style>',
  '<svg><style>*{fill:red}</style><a xlink:href="javascript:top.hacked=1"><rect style="x:1"/></a></svg>',
  '<img src=//evil.example/a.png srcset="//evil.example/b.png 2x" onerror="top.hacked=1" style="background:url(//evil.example/c)">',
  '<picture><source srcset=//evil.example/d.png><img src=x></picture><video poster=//evil.example/e src=//evil.example/f autoplay></video>',
  '<link rel=stylesheet href=//evil.example/g.css><link rel=preload as=image href=//evil.example/h.png><base href=//evil.example/>',
  '<meta http-equiv=refresh content="0;url=//evil.example/"><meta http-equiv=Content-Security-Policy content="img-src none">',
  '<iframe src=//evil.example/i srcdoc="<script>top.hacked=1</script>"></iframe><object data=//evil.example/j></object><embed src=//evil.example/k>',
  '<script>top.hacked=1</script><script src=//evil.example/l.js></script><body onload=top.hacked=1 background=//evil.example/m>',
  '<a href="javascript:top.hacked=1" ping=//evil.example/n>a</a><a href=" &#1;java&#10;script:top.hacked=1">b</a><a href=data:text/html,x>c</a>',
  '<form action=//evil.example/o><input type=image src=//evil.example/p autofocus onfocus=top.hacked=1><button formaction=javascript:top.hacked=1>d</button></form>',
  '<table background=//evil.example/q><td background=//evil.example/r style="x:y">e</table><details open ontoggle=top.hacked=1>f</details>',
  '<template><img src=//evil.example/s onerror=top.hacked=1></template><noscript><p title="</noscript><img src=x onerror=top.hacked=1>"></noscript>',
  '<div id=text name=body class=image data-file=kf_0>g</div><font color=red face=x size=7>h</font><marquee onstart=top.hacked=1>i</marquee>',
  // Never closed: nothing of what follows is shown.
  '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=top.hacked=1&gt;">',
];

test('no HTML loads, runs or styles anything in the preview, and the policy of the page has nothing to report', async () => {
  const { page, open, checkFaults } = await console.openAs(console.server.ownerId);
  const foreign: string[] = [];
  page.on('request', (request) => {
    if (!request.url().startsWith(console.origin) && !request.url().startsWith('blob:'))
      foreign.push(request.url());
  });
  const whole = loading.join('\n');
  for (const [format, body] of [
    ['HTML', whole],
    ['MARKDOWN', `# Text\n\n${loading.join('\n\n')}`],
    ['MARKDOWN', `a ${whole.replaceAll('\n', ' ')}`],
  ] as const) {
    await open(await createArticle('Loading', `${body}\n\n<p>The end</p>`, format));
    await page.evaluate(`globalThis.violations = [];
      document.addEventListener('securitypolicyviolation', (event) => violations.push(event.violatedDirective))`);
    await page.getByRole('button', { name: 'Preview' }).click();
    await page.locator('iframe').waitFor();
    await waitForPreview(page);
    const found = await page.evaluate<string[]>(`(() => {
      const { contentDocument } = document.querySelector('iframe');
      const elements = [...contentDocument.querySelectorAll('#text *')];
      return [...new Set(elements.flatMap(({ localName, attributes }) => [localName, ...[...attributes].map(({ name }) => localName + ' ' + name)]))];
    })()`);
    const links = await page.evaluate<string[]>(
      `[...document.querySelector('iframe').contentDocument.querySelectorAll('#text a')].flatMap((link) => link.getAttribute('href') ?? [])`,
    );
    assert.deepEqual(links, []);
    const harmless = /^(?:[abip]|h1|div|span|font|table|tbody|tr|td|details|span class|details open)$/;
    assert.deepEqual(
      found.filter((name) => !harmless.test(name)),
      [],
      format,
    );
    assert.ok(found.includes('details'), 'what is harmless is shown');
    assert.deepEqual(await page.evaluate('[globalThis.violations, globalThis.hacked ?? null]'), [[], null]);
  }
  assert.deepEqual(foreign, []);
  checkFaults();
});
