/** Where links in the preview of an article lead, in Chromium: within the text, to other sites, and to no page of the console. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { startTestConsole, type TestConsole } from '../support/console.ts';
import { waitForPreview } from '../support/preview.ts';
import { until } from '../support/until.ts';
import { create } from '../support/writes.ts';

let console: TestConsole;
let articles: string;

before(async () => {
  console = await startTestConsole();
  const site = await create(console.server, '/v1/sites', { name: 'Blog', key: 'blog' });
  articles = `/sites/${site.id}/articles`;
});
after(() => console.close());

const space = 'A paragraph.\n\n'.repeat(60);
const body = `[to the heading](#über-uns) [to the second](#notes-1) [to a place](#place) [other article](../other) [from the root](/about) [a search](?q=1)
[elsewhere](https://example.com/a) [without a scheme](//example.org/b) [short](http:console/sites) [top](#)

${space}
## Über *uns*!

${space}
## Notes

## Notes

${space}
<p id="place">Here</p>

<h2 id="text">The frame’s own names</h2>

[back](#)
`;

/** Clicks by the mouse, once what was scrolled is painted: `Locator.click` scrolls to the link before. */
async function click(page: Page, link: Locator): Promise<void> {
  await page.evaluate(
    'new Promise((shown) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(shown))))',
  );
  const box = await link.boundingBox();
  assert.ok(box !== null);
  await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
}

test('links to headings scroll the preview, relative ones lead nowhere and say why, and others open in tabs of their own', async () => {
  const article = await create(console.server, `/v1${articles}`, { versionData: { title: 'Links', body } });
  const { page, context, open, checkAccessibility, checkFaults } = await console.openAs(
    console.server.ownerId,
  );
  await open(`${articles}/${article.id}`);
  await page.getByRole('button', { name: 'Preview' }).click();
  await page.locator('iframe').waitFor();
  await waitForPreview(page);
  const preview = page.frameLocator('iframe');
  const address = page.url();
  // From here on the browser notes at each click that no scripts run in the frame.
  checkFaults();
  const tabs = context.pages().length;
  const scrolled = () => page.evaluate<number>(`document.querySelector('iframe').contentWindow.scrollY`);
  for (const [link, target] of [
    ['to the heading', preview.getByRole('heading', { name: 'Über uns!' })],
    ['to the second', preview.getByRole('heading', { name: 'Notes' }).nth(1)],
    ['to a place', preview.getByText('Here', { exact: true })],
  ] as const) {
    await page.evaluate(`document.querySelector('iframe').contentWindow.scrollTo(0, 0)`);
    await click(page, preview.getByRole('link', { name: link, exact: true }));
    await until(`${link}: the target is seen`, async () => {
      const box = await target.boundingBox();
      const frame = await page.locator('iframe').boundingBox();
      assert.ok(box !== null && frame !== null);
      return (await scrolled()) > 500 && box.y >= frame.y - 1 && box.y < frame.y + frame.height;
    });
  }
  await page.evaluate(`document.querySelector('iframe').contentWindow.scrollTo(0, 1e6)`);
  await click(page, preview.getByRole('link', { name: 'back', exact: true }));
  await until('the top is seen', async () => (await scrolled()) === 0);
  for (const [name, href] of [
    ['other article', '../other'],
    ['from the root', '/about'],
    ['a search', '?q=1'],
  ]) {
    const link = preview.getByText(name ?? '', { exact: true });
    assert.equal(await link.getAttribute('href'), null);
    assert.equal(await link.getAttribute('title'), `Works on the site only: ${href}`);
    await click(page, link);
  }
  await page.getByText('Links with a dotted underline are relative to the site').waitFor();
  assert.equal(page.url(), address);
  assert.equal(context.pages().length, tabs);
  for (const [name, href] of [
    ['elsewhere', 'https://example.com/a'],
    ['without a scheme', `${new URL(console.origin).protocol}//example.org/b`],
    ['short', 'http://console/sites'],
  ]) {
    const link = preview.getByRole('link', { name: name ?? '', exact: true });
    assert.equal(await link.getAttribute('href'), href);
    assert.equal(await link.getAttribute('target'), '_blank');
  }
  await checkAccessibility('links in the preview');
  // The explanation goes with the last of them.
  await page.locator('.cm-content').click();
  await page.keyboard.press('Control+a');
  await page.keyboard.type('Nothing');
  await page.getByText('Links with a dotted underline').waitFor({ state: 'detached' });
});

interface Styles {
  getComputedStyle(element: unknown): Readonly<Record<string, string>>;
}

/** Family, size, weight, color and height of the lines. */
const typeOf = (element: Locator) =>
  element.evaluate((node) => {
    const { fontFamily, fontSize, fontWeight, color, lineHeight } = (
      globalThis as unknown as Styles
    ).getComputedStyle(node);
    return [fontFamily, fontSize, fontWeight, color, lineHeight];
  });

test('the preview has the type and the colors of the editor, in light and dark', async () => {
  const versionData = { title: 'Type', body: 'A paragraph.' };
  const article = await create(console.server, `/v1${articles}`, { versionData });
  const { page, open, checkAccessibility, checkFaults } = await console.openAs(console.server.ownerId);
  const preview = page.frameLocator('iframe');
  const shown: (readonly (string | undefined)[])[] = [];
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await open(`${articles}/${article.id}`);
    const title = await typeOf(page.getByPlaceholder('Title', { exact: true }));
    const text = await typeOf(page.getByRole('textbox', { name: 'Body' }));
    await page.getByRole('button', { name: 'Preview' }).click();
    await preview.getByText('A paragraph.').waitFor();
    assert.deepEqual(await typeOf(preview.getByRole('heading', { name: 'Type' })), title, colorScheme);
    assert.deepEqual(await typeOf(preview.getByText('A paragraph.')), text, colorScheme);
    shown.push(text);
  }
  assert.notDeepEqual(shown[0], shown[1], 'dark has another color');
  const isLoaded = await page.evaluate<boolean>(
    `document.querySelector('iframe').contentDocument.fonts.ready.then((fonts) =>
      [...fonts].some(({ family, status }) => family.includes('Inter Variable') && status === 'loaded'))`,
  );
  assert.equal(isLoaded, true, 'the frame has loaded the font');
  await checkAccessibility('type of the preview');
  checkFaults();
});
