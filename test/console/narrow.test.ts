/** How many rows of controls a telephone shows above what a page is about, and what stays in view while records are selected. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { startTestConsole, type TestConsole } from '../support/console.ts';
import { create } from '../support/writes.ts';

const telephone = { width: 360, height: 740 };
const desk = { width: 1400, height: 900 };
let console: TestConsole;
let siteId: string;
let articleId: string;

before(async () => {
  console = await startTestConsole();
  const { server } = console;
  siteId = String((await create(server, '/v1/sites', { name: 'Blog', key: 'blog' })).id);
  const versionData = { title: 'A walk along the harbour of Leith', body: 'We walk.' };
  articleId = String((await create(server, `/v1/sites/${siteId}/articles`, { versionData })).id);
  for (let number = 1; number <= 40; number += 1)
    await create(server, '/v1/crm/contacts', { firstName: 'Person', lastName: String(number) });
});
after(() => console.close());

/** The rows that the controls above a place stand in, by their middles, each with the names of its controls. */
async function rowsAbove(page: Page, below: Locator): Promise<string[][]> {
  const { top } = await boxOf(below);
  const controls = await page.locator('#content').locator('button, input, [role="radiogroup"]').all();
  const rows = new Map<number, string[]>();
  for (const control of controls) {
    const box = await control.boundingBox();
    // The head of a narrow list, and what is one pixel large, is for screen readers only.
    const isClipped = await control.evaluate((node) => node.closest('[role="columnheader"]') !== null);
    if (isClipped || box === null || box.width < 2 || box.y + box.height > top + 1) continue;
    const middle = box.y + box.height / 2;
    const row = [...rows.keys()].find((other) => Math.abs(other - middle) < 12) ?? middle;
    const name = await control.evaluate((node) => node.getAttribute('aria-label') ?? node.textContent ?? '');
    rows.set(row, [...(rows.get(row) ?? []), name]);
  }
  return [...rows.values()];
}

async function boxOf(locator: Locator): Promise<{ top: number; bottom: number; width: number }> {
  const box = await locator.boundingBox();
  assert.ok(box !== null);
  return { top: box.y, bottom: box.y + box.height, width: box.width };
}

/** Whether nothing covers the middle of an element. */
async function isUncovered(locator: Locator): Promise<boolean> {
  const box = await locator.boundingBox();
  assert.ok(box !== null);
  const drawn = await locator
    .page()
    .evaluateHandle(`document.elementFromPoint(${box.x + box.width / 2}, ${box.y + box.height / 2})`);
  return locator.evaluate((node, other) => node.contains(other as typeof node | null), drawn);
}

test('a telephone does not zoom into a field: its text has 16 px', async () => {
  const { page, open, checkFaults } = await console.openAs(console.server.ownerId, {
    viewport: telephone,
    hasTouch: true,
    isMobile: true,
  });
  const small = `[...document.querySelectorAll('input, select, textarea, [contenteditable]')]
    .filter((field) => field.checkVisibility() && parseFloat(getComputedStyle(field).fontSize) < 16)
    .map((field) => field.outerHTML.slice(0, 120))`;
  for (const path of ['/crm/contacts/new', `/sites/${siteId}/articles/${articleId}`]) {
    await open(path);
    await page.getByRole('textbox').first().waitFor();
    assert.deepEqual(await page.evaluate(small), [], path);
  }
  checkFaults();
});

test('a telephone has the keyboard for what is typed', async () => {
  const { page, open, checkFaults } = await console.openAs(console.server.ownerId, { viewport: telephone });
  const keyboard = (label: string) =>
    page.getByRole('textbox', { name: label, exact: true }).getAttribute('inputmode');
  await open('/crm/contacts/new');
  await page.getByRole('button', { name: 'Add to Emails' }).click();
  await page.getByRole('button', { name: 'Add to Phones' }).click();
  assert.deepEqual([await keyboard('Address'), await keyboard('Number')], ['email', 'tel']);
  await open('/books/new');
  assert.deepEqual([await keyboard('ISBN-13'), await keyboard('Title')], ['numeric', 'text']);
  checkFaults();
});

test('a window of medium width has the navigation in a drawer, and what a list is restricted by in a row below the tools', async () => {
  const { page, open, checkFaults } = await console.openAs(console.server.ownerId);
  await page.setViewportSize({ width: 1280, height: 800 });
  await open(`/sites/${siteId}/articles?status=DRAFT&locale=en`);
  const row = page.getByRole('row', { name: /A walk along/ });
  for (const width of [1280, 900]) {
    await page.setViewportSize({ width, height: 800 });
    await row.waitFor();
    await page.getByRole('button', { name: 'Views' }).waitFor();
    const rows = await rowsAbove(page, row);
    const isRestricting = (names: readonly string[]) => names.some((name) => name.startsWith('Remove'));
    assert.deepEqual(
      rows.map(isRestricting).filter((_, index) => rows[index]?.includes('Select all') === false),
      [false, false, true],
      JSON.stringify(rows),
    );
  }
  const menu = page.getByRole('button', { name: 'Menu', exact: true });
  await menu.click();
  await page.getByRole('dialog', { name: 'Menu' }).getByRole('link', { name: 'Tags' }).click();
  await page.getByRole('dialog', { name: 'Menu' }).waitFor({ state: 'detached' });
  await page.setViewportSize({ width: 1280, height: 800 });
  await menu.waitFor({ state: 'hidden' });
  await page.getByRole('link', { name: 'Tags' }).waitFor();
  checkFaults();
});

test('on a telephone a list has one row of tools below its head, each with a name', async () => {
  const { page, open, checkAccessibility, checkFaults } = await console.openAs(console.server.ownerId);
  await page.setViewportSize(telephone);
  for (const [path, first] of [
    ['/crm/contacts', 'Person 40'],
    [`/sites/${siteId}/articles`, 'A walk along the harbour of Leith'],
  ] as const) {
    await open(path);
    const row = page.getByRole('row', { name: new RegExp(first) });
    await row.waitFor();
    await page.getByRole('button', { name: 'Views' }).waitFor();
    const rows = await rowsAbove(page, row);
    assert.equal(rows.length, 2, JSON.stringify([rows, await boxOf(row)]));
    for (const name of ['Views', 'Filter', 'Import', 'Export', 'Columns'])
      await page.getByRole('button', { name, exact: true }).waitFor();
    assert.ok((await boxOf(page.getByRole('searchbox'))).width > 120);
    await checkAccessibility(`list on a telephone ${path}`);
    await page.setViewportSize(telephone);
  }
  await page.getByRole('button', { name: 'Columns' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('menuitemcheckbox', { name: 'Title', exact: true }).waitFor();
  checkFaults();
});

test('on a telephone an article has two rows of controls above its text, and its tools act on it', async () => {
  const { page, open, checkAccessibility, checkFaults } = await console.openAs(console.server.ownerId);
  await page.setViewportSize(telephone);
  for (const language of ['en-GB', 'de-DE']) {
    await open(`/sites/${siteId}/articles/${articleId}`);
    const title = page.locator('textarea').first();
    await title.waitFor();
    await page.locator('.cm-content').waitFor();
    const rows = await rowsAbove(page, title);
    assert.equal(rows.length, 2, JSON.stringify([language, rows, await boxOf(title)]));
    const overflow = await page.evaluate('document.documentElement.scrollWidth - window.innerWidth');
    assert.equal(overflow, 0);
    await page.evaluate("localStorage.setItem('trellis.language', 'de')");
  }
  await page.evaluate("localStorage.removeItem('trellis.language')");
  await page.reload();
  await page.locator('.cm-content').click();
  await page.keyboard.press('Control+a');
  const more = page.getByRole('button', { name: 'More tools' });
  await checkAccessibility('article on a telephone');
  await page.setViewportSize(telephone);
  await more.focus();
  await page.keyboard.press('Enter');
  await page.getByRole('menuitem', { name: 'Bold' }).click();
  await page.locator('.cm-content', { hasText: '**We walk.**' }).waitFor();
  await more.click();
  await page.getByRole('menuitem', { name: 'Full screen' }).click();
  await more.click();
  await page.getByRole('menuitem', { name: 'Exit full screen' }).click();
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Versions' }).click();
  await page.getByRole('dialog', { name: 'Versions' }).waitFor();
  checkFaults();
});

test('the headings of a list stay where they are while records are selected', async () => {
  const { page, open, checkAccessibility, checkFaults } = await console.openAs(console.server.ownerId);
  await page.setViewportSize(desk);
  await open('/crm/contacts');
  const heading = page.getByRole('columnheader').nth(1);
  const select = page.getByRole('checkbox', { name: 'Select Person 40', exact: true });
  await select.waitFor();
  const begun = await boxOf(heading);
  await select.check();
  const bar = page.getByRole('button', { name: 'Set a field' });
  await bar.waitFor();
  assert.deepEqual(await boxOf(heading), begun);
  assert.ok((await boxOf(bar)).bottom <= desk.height && (await boxOf(bar)).top > desk.height - 120);
  await page.mouse.move(700, 500);
  await page.mouse.wheel(0, 600);
  await page.getByRole('link', { name: 'Person 20', exact: true }).waitFor();
  assert.ok(await isUncovered(heading));
  assert.ok((await boxOf(bar)).bottom <= desk.height);
  await checkAccessibility('selection at the foot');
  checkFaults();
});

test('a file says its size in words, and folds what is technical', async () => {
  const { page, open, checkAccessibility, checkFaults } = await console.openAs(console.server.ownerId);
  await open('/knowledge-files');
  const file = {
    name: 'tides.txt',
    mimeType: 'text/plain',
    buffer: Buffer.from('High water. '.repeat(1_000)),
  };
  await page.locator('input[type=file]').setInputFiles([file]);
  await page.getByRole('region', { name: 'Uploads' }).getByRole('link', { name: 'tides.txt' }).click();
  await page.getByText('12 kB').waitFor();
  const facts = page.getByRole('complementary', { name: 'About this record' });
  const hash = facts.getByText('Checksum', { exact: true });
  assert.deepEqual(
    [await hash.isVisible(), await facts.getByText('Version').first().isVisible()],
    [false, false],
  );
  await checkAccessibility('file with folded facts');
  await facts.getByText('Technical details').focus();
  await page.keyboard.press('Enter');
  await hash.waitFor();
  await checkAccessibility('file with all facts');
  checkFaults();
});

test('the way to the other settings stays in view on "Sign-in methods", on a telephone too', async () => {
  const { page, open, checkAccessibility, checkFaults } = await console.openAs(console.server.ownerId);
  for (const size of [desk, telephone]) {
    await page.setViewportSize(size);
    await open('/account');
    const shown = page
      .getByRole('navigation', { name: 'Settings' })
      .getByRole('link', { name: 'Sign-in methods' });
    await page.getByRole('button', { name: 'Set up' }).waitFor();
    await page.mouse.move(200, 500);
    await page.mouse.wheel(0, 2_000);
    const box = await shown.boundingBox();
    assert.ok(box !== null && box.x >= 0 && box.x + box.width <= size.width, JSON.stringify(box));
    assert.ok(await isUncovered(shown), JSON.stringify(box));
    await checkAccessibility(`sign-in methods ${size.width}`);
  }
  checkFaults();
});
