/** HTML of an article that is meant to load, run or style something in the page of whoever previews it, in Chromium. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestConsole, type TestConsole } from '../support/console.ts';
import { waitForPreview } from '../support/preview.ts';
import { create } from '../support/writes.ts';

let console: TestConsole;
let articles: string;

before(async () => {
  console = await startTestConsole();
  const site = await create(console.server, '/v1/sites', { name: 'Blog', key: 'blog' });
  articles = `/sites/${site.id}/articles`;
});
after(() => console.close());

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
  // Never closed: in HTML nothing of what follows is shown, and the preview says so.
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
  for (const [format, state, body] of [
    ['HTML', 'unclosed', whole],
    // The paragraph of Markdown closes what is open in it.
    ['MARKDOWN', 'whole', `# Text\n\n${loading.join('\n\n')}`],
    ['MARKDOWN', 'unclosed', `a ${whole.replaceAll('\n', ' ')}`],
  ] as const) {
    const article = await create(console.server, `/v1${articles}`, {
      versionData: {
        title: 'Loading',
        body: `${body}\n\n<p>The end</p>`,
        bodyFormat: format,
      },
    });
    await open(`${articles}/${article.id}`);
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
    const harmless =
      /^(?:[abip]|h1|h1 id|div|div id|span|font|table|tbody|tr|td|details|span class|details open)$/;
    assert.deepEqual(
      found.filter((name) => !harmless.test(name)),
      [],
      format,
    );
    assert.ok(found.includes('table'), 'what is harmless is shown');
    assert.equal(await page.getByRole('region', { name: 'Preview' }).getAttribute('data-state'), state);
    assert.equal(
      await page.getByText('An HTML element in this text is not closed').count(),
      state === 'unclosed' ? 1 : 0,
    );
    assert.deepEqual(await page.evaluate('[globalThis.violations, globalThis.hacked ?? null]'), [[], null]);
  }
  assert.deepEqual(foreign, []);
  checkFaults();
});
