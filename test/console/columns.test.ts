/** Columns of lists in the console: moved and made wider by mouse and by keys, in the address and in views, also where there are too many for the window. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { startTestConsole, type TestConsole } from '../support/console.ts';
import { until } from '../support/until.ts';
import { create } from '../support/writes.ts';

let console: TestConsole;

before(async () => {
  console = await startTestConsole();
  for (let number = 1; number <= 30; number += 1)
    await create(console.server, '/v1/books', {
      title: `Book ${number}`,
      subtitle:
        number === 30 ? 'A very long subtitle that says in many words what the book is about' : 'Short',
    });
});
after(() => console.close());

const list = '/books?columns=title,subtitle,tradeStatus,status';
const focused = (page: Page) => page.locator(':focus');
const headingOf = (page: Page, name: string) => page.getByRole('columnheader', { name, exact: true });
const columnsOf = (page: Page) => new URL(page.url()).searchParams.get('columns');
const untilColumns = (page: Page, expected: string | RegExp) =>
  until(`the columns ${expected}`, async () => {
    const columns = columnsOf(page) ?? '';
    return typeof expected === 'string' ? columns === expected : expected.test(columns);
  });

async function boxOf(locator: Locator) {
  const box = await locator.boundingBox();
  assert.ok(box !== null);
  return box;
}

/** Drags by the mouse from one place to another. @param end what ends it */
async function drag(page: Page, from: [number, number], to: [number, number], end?: () => Promise<unknown>) {
  await page.mouse.move(...from);
  await page.mouse.down();
  await page.mouse.move((from[0] + to[0]) / 2, to[1], { steps: 3 });
  await page.mouse.move(...to, { steps: 3 });
  await end?.();
  await page.mouse.up();
}

/** The place of a heading's border. */
async function borderOf(page: Page, name: string): Promise<[number, number]> {
  const { x, y, width, height } = await boxOf(headingOf(page, name));
  return [x + width + 8, y + height / 2];
}

test('a heading is dragged to another place, which its cells follow; Escape gives it up', async () => {
  const { page, open, checkAccessibility, checkFaults } = await console.openAs(console.server.ownerId);
  await open(list);
  const shown = page.getByRole('link', { name: 'Book 30', exact: true });
  await shown.waitFor();
  let reads = 0;
  page.on('request', (request) => {
    if (new URL(request.url()).pathname === '/v1/books') reads += 1;
  });
  const status = await boxOf(headingOf(page, 'Status'));
  const subtitle = await boxOf(headingOf(page, 'Subtitle'));
  const from: [number, number] = [status.x + 12, status.y + 16];
  const to: [number, number] = [subtitle.x + 4, subtitle.y + 16];
  await drag(page, from, to, async () => {
    await headingOf(page, 'Subtitle').and(page.locator('[data-drop="before"]')).waitFor();
    await checkAccessibility('heading that is dragged');
    await page.keyboard.press('Escape');
  });
  assert.equal(columnsOf(page), 'title,subtitle,tradeStatus,status');
  await drag(page, from, to);
  await untilColumns(page, 'title,status,subtitle,tradeStatus');
  const cells = page.getByRole('row', { name: /Book 30/ }).getByRole('gridcell');
  await cells.nth(3).getByText('A very long subtitle').waitFor();
  await page.reload();
  await cells.nth(3).getByText('A very long subtitle').waitFor();
  assert.equal(reads, 1, 'another order is the same list');

  // The title stays first, and its heading still sorts.
  const title = await boxOf(headingOf(page, 'Title'));
  const trade = await boxOf(headingOf(page, 'Trade status'));
  await drag(page, [title.x + 8, title.y + 16], [trade.x + trade.width, trade.y + 16]);
  await drag(page, [trade.x + 12, trade.y + 16], [title.x + 4, title.y + 16]);
  await untilColumns(page, 'title,tradeStatus,status,subtitle');
  assert.equal(new URL(page.url()).searchParams.get('sort'), null);
  await headingOf(page, 'Title').getByRole('button', { name: 'Title', exact: true }).click();
  await headingOf(page, 'Title').and(page.locator('[aria-sort="ascending"]')).waitFor();

  // What was edited is what stands under the heading.
  await page
    .getByRole('row', { name: /Book 29/ })
    .getByRole('gridcell')
    .nth(4)
    .dblclick();
  await page.getByRole('textbox', { name: 'Subtitle' }).fill('Edited');
  await page.keyboard.press('Enter');
  await page.getByText('Subtitle of Book 29 saved.').waitFor();
  checkFaults();
});

test('a border follows the pointer; a double click fits the values, and the default columns come back', async () => {
  const { page, open, checkAccessibility, checkFaults } = await console.openAs(console.server.ownerId);
  await open(list);
  await page.getByRole('link', { name: 'Book 30', exact: true }).waitFor();
  const [x, y] = await borderOf(page, 'Subtitle');
  await drag(page, [x, y], [x + 150, y], async () => {
    assert.ok(Math.abs((await borderOf(page, 'Subtitle'))[0] - (x + 150)) < 3);
    await page.keyboard.press('Escape');
  });
  assert.equal(columnsOf(page), 'title,subtitle,tradeStatus,status');
  await drag(page, [x, y], [x - 120, y]);
  await untilColumns(page, /^title-\d+,subtitle-\d+,tradeStatus,status$/);
  assert.ok(Math.abs((await borderOf(page, 'Subtitle'))[0] - (x - 120)) < 3);
  // Not beyond the bounds.
  await drag(page, [x - 120, y], [5, y]);
  await untilColumns(page, /^title-\d+,subtitle-60,tradeStatus,status$/);
  await page.reload();
  const value = page.getByText('A very long subtitle').first();
  await value.waitFor();
  assert.equal((await boxOf(headingOf(page, 'Subtitle'))).width, 60);
  await checkAccessibility('narrow column');
  await page.mouse.dblclick(...(await borderOf(page, 'Subtitle')));
  await until('the whole subtitle', () => value.evaluate((node) => node.scrollWidth <= node.clientWidth));
  const fitted = columnsOf(page);
  assert.match(fitted ?? '', /^title-\d+,subtitle-[34]\d\d,tradeStatus,status$/);
  await page.getByRole('button', { name: 'Columns' }).click();
  await page.getByRole('menuitemcheckbox', { name: 'Edition' }).click();
  await untilColumns(page, /edition/);
  assert.equal(columnsOf(page)?.replace(/,edition/, ''), fitted);
  await page.getByRole('menuitem', { name: 'Default columns' }).click();
  await until('the default', async () => new URL(page.url()).search === '');
  checkFaults();
});

test('the keyboard moves columns and changes their width, on the heading and by its menu', async () => {
  const { page, open, checkAccessibility, checkFaults } = await console.openAs(console.server.ownerId);
  await open(list);
  await page.getByRole('link', { name: 'Book 30', exact: true }).waitFor();
  await page.getByRole('checkbox', { name: 'Select all shown' }).focus();
  for (let step = 0; step < 3; step += 1) await page.keyboard.press('ArrowRight');
  const menu = (name: string) => page.getByRole('button', { name: `Column ${name}` });
  await menu('Subtitle').and(focused(page)).waitFor();
  await page.keyboard.press('Alt+ArrowRight');
  await untilColumns(page, 'title,tradeStatus,subtitle,status');
  await page.getByText('Subtitle is now column 3 of 4.').waitFor({ state: 'attached' });
  await menu('Subtitle').and(focused(page)).waitFor();
  await page.keyboard.press('Alt+ArrowRight');
  await untilColumns(page, 'title,tradeStatus,status,subtitle');
  await menu('Subtitle').and(focused(page)).waitFor();
  const { width } = await boxOf(headingOf(page, 'Subtitle'));
  await page.keyboard.press('Alt+Shift+ArrowRight');
  await untilColumns(page, `title,tradeStatus,status,subtitle-${Math.round(width + 24)}`);
  await page.keyboard.press('Alt+Shift+ArrowLeft');
  await untilColumns(page, `title,tradeStatus,status,subtitle-${Math.round(width)}`);

  await page.keyboard.press('Enter');
  await page.getByRole('menuitem', { name: 'Move left' }).waitFor();
  await checkAccessibility('menu of a heading');
  // In a narrow window there are no headings, so that the menu is gone.
  await menu('Subtitle').focus();
  if (!(await page.getByRole('menu').isVisible())) await page.keyboard.press('Enter');
  assert.ok(await page.getByRole('menuitem', { name: 'Move right' }).isDisabled());
  await page.getByRole('menuitem', { name: 'Move left' }).press('Enter');
  await untilColumns(page, `title,tradeStatus,subtitle-${Math.round(width)},status`);
  await menu('Subtitle').and(focused(page)).waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('menuitem', { name: 'Default width' }).press('Enter');
  await untilColumns(page, 'title,tradeStatus,subtitle,status');
  await menu('Subtitle').and(focused(page)).waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('menuitem', { name: 'Hide' }).press('Enter');
  await untilColumns(page, 'title,tradeStatus,status');

  // One stop of Tab for all headings, and down into the rows.
  await menu('Trade status').focus();
  await page.keyboard.press('ArrowDown');
  await page
    .getByRole('row', { name: /Book 30/ })
    .getByRole('gridcell')
    .nth(2)
    .and(focused(page))
    .waitFor();
  await page.keyboard.press('Shift+Tab');
  await menu('Trade status').and(focused(page)).waitFor();
  await page.keyboard.press('Home');
  await page.getByRole('checkbox', { name: 'Select all shown' }).and(focused(page)).waitFor();
  await menu('Status').focus();
  await page.keyboard.press('Shift+?');
  await page.getByText('Move a column, on its heading').waitFor();
  checkFaults();
});

test('what an address says wrongly about columns is ignored', async () => {
  const { page, open, checkFaults } = await console.openAs(console.server.ownerId);
  const wrong = 'status-9999999,__proto__-90,status-90,title-,nothing-90,constructor,subtitle--1,<b>-90';
  await open(`/books?columns=${encodeURIComponent(wrong)}`);
  await page.getByRole('link', { name: 'Book 30', exact: true }).waitFor();
  const names = page.getByRole('columnheader');
  assert.deepEqual(await names.evaluateAll((nodes) => nodes.map((node) => node.getAttribute('aria-label'))), [
    null,
    'Title',
    'Status',
    'Subtitle',
  ]);
  assert.equal((await boxOf(headingOf(page, 'Status'))).width, 90);
  checkFaults();
});

test('more columns than the window shows scroll together, and the checkboxes stay', async () => {
  const { page, open, checkAccessibility, checkFaults } = await console.openAs(console.server.ownerId);
  const columns =
    'title-500,subtitle-600,isbn13-200,edition-200,tradeStatus-200,status-200,createdAt,updatedAt';
  await open(`/books?columns=${columns}&sort=createdAt`);
  await page.getByRole('link', { name: 'Book 1', exact: true }).waitFor();
  await checkAccessibility('wide list');
  const select = page.getByRole('checkbox', { name: 'Select Book 1', exact: true });
  const last = page
    .getByRole('row', { name: /^.*Book 1 / })
    .getByRole('gridcell')
    .last();
  const begun = await boxOf(select);
  await page.getByRole('link', { name: 'Book 1', exact: true }).focus();
  await page.keyboard.press('End');
  await last.and(focused(page)).waitFor();
  await until('the last column is in the window', async () => {
    const [cell, heading] = [await boxOf(last), await boxOf(headingOf(page, 'Updated'))];
    // The table ends 12 pixels before the window does.
    return cell.x + cell.width <= 1_388 && cell.x === heading.x;
  });
  assert.equal((await boxOf(select)).x, begun.x);
  await select.check();
  await page.getByText('One selected').waitFor();
  const { x, width } = await boxOf(last);
  assert.ok(x + width <= 1_388, 'the checkbox that has the focus scrolls nothing');
  await checkAccessibility('wide list at its end');
  // The headings stay in view below the head of the page.
  const { y } = await boxOf(headingOf(page, 'Updated'));
  await page.mouse.move(700, 500);
  await page.mouse.wheel(0, 400);
  await page.getByRole('link', { name: 'Book 25', exact: true }).waitFor();
  await until('headings above the rows', async () => (await boxOf(headingOf(page, 'Updated'))).y <= y);
  assert.ok((await boxOf(headingOf(page, 'Updated'))).y >= 0);
  await page.mouse.wheel(-3_000, 0);
  await until('all at the left', async () => {
    const [cell, heading] = [
      await boxOf(page.getByRole('link', { name: 'Book 25', exact: true })),
      await boxOf(headingOf(page, 'Title')),
    ];
    return Math.abs(cell.x - heading.x) < 2;
  });
  // An editor in the last row is whole.
  await page.mouse.wheel(0, 9_000);
  await page
    .getByRole('row', { name: /Book 30/ })
    .getByRole('gridcell')
    .nth(2)
    .dblclick();
  await page.getByRole('textbox', { name: 'Subtitle' }).and(focused(page)).waitFor();
  await checkAccessibility('cell that is edited at the end of a wide list');
  checkFaults();
});

test('a view keeps the order and the widths, and says when they differ', async () => {
  const { page, open, checkFaults } = await console.openAs(console.server.ownerId);
  const body = { name: 'Wide', resource: 'books', columns: ['title-240', 'status-300', 'subtitle'] };
  const { status, json, text } = await console.server.call('POST', '/v1/views', { body });
  assert.equal(status, 201, text);
  await open(`/books?view=${json.id}&columns=title-240,status-300,subtitle`);
  await page.getByRole('button', { name: 'View: Wide' }).waitFor();
  await until('the width', async () => (await boxOf(headingOf(page, 'Status'))).width === 300);
  assert.equal(await page.getByText('“Wide” has unsaved changes.').count(), 0);
  await headingOf(page, 'Status').hover();
  await page.getByRole('button', { name: 'Column Status' }).click();
  await page.getByRole('menuitem', { name: 'Narrower' }).click();
  await page.keyboard.press('Escape');
  await page.getByText('“Wide” has unsaved changes.').waitFor();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('View saved.').waitFor();
  const stored = await console.server.call('GET', `/v1/views/${json.id}`);
  assert.deepEqual(stored.json.columns, ['title-240', 'status-276', 'subtitle']);
  checkFaults();
});

test('lists are sorted by touch, where rows are cards, and by what is no column', async () => {
  const { page, open, checkAccessibility, checkFaults } = await console.openAs(console.server.ownerId, {
    viewport: { width: 360, height: 740 },
    hasTouch: true,
  });
  await open('/books');
  const first = page.locator('[role="row"] a').first();
  await page.getByRole('link', { name: 'Book 30', exact: true }).waitFor();
  await page.getByRole('button', { name: 'Sort', exact: true }).tap();
  await page.getByRole('menuitemradio', { name: 'Created: newest first', checked: true }).waitFor();
  await checkAccessibility('orders of a list');
  for (const [order, title, sort] of [
    ['Title: A to Z', 'Book 1', 'title'],
    ['Title: Z to A', 'Book 30', '-title'],
    ['Created: oldest first', 'Book 1', 'createdAt'],
    ['Created: newest first', 'Book 30', '-createdAt'],
    ['Updated: oldest first', 'Book 1', 'updatedAt'],
  ] as const) {
    const item = page.getByRole('menuitemradio', { name: order });
    if (!(await item.isVisible())) await page.getByRole('button', { name: 'Sort', exact: true }).tap();
    await item.tap();
    await until(order, async () => (await first.textContent()) === title);
    assert.equal(new URL(page.url()).searchParams.get('sort'), sort);
    await item.waitFor({ state: 'detached' });
  }
  // A tap on a card opens its record: no heading or border is in the way.
  await first.tap();
  await page.getByRole('heading', { name: 'Book 1', exact: true }).waitFor();
  checkFaults();
});

test('German headings that are too long end in dots, and show whole where there is room', async () => {
  const { page, open, checkAccessibility, checkFaults } = await console.openAs(console.server.ownerId, {
    locale: 'de-DE',
  });
  await open('/books?columns=title-100,tradeStatus-60,publicationDate-60,subtitle,status,updatedAt');
  await page.getByRole('link', { name: 'Book 30', exact: true }).waitFor();
  await checkAccessibility('long German headings');
  await page.getByRole('button', { name: 'Sortieren' }).click();
  await page.getByRole('menuitemradio', { name: 'Titel: A bis Z' }).waitFor();
  await page.keyboard.press('Escape');
  await page.locator('[data-heading="tradeStatus"]').hover();
  await page.locator('[data-heading="tradeStatus"]').getByRole('button').click();
  await page.getByRole('menuitem', { name: 'An Inhalt anpassen' }).click();
  await until('a whole heading', () =>
    page
      .locator('[data-heading="tradeStatus"] [data-label]')
      .evaluate((node) => node.scrollWidth <= node.clientWidth),
  );
  checkFaults();
});
