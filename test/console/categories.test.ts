/** The page with the tree of categories: moving by buttons, keys and dragging in a real browser. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import {
  buildTree,
  flattenTree,
  type TreeRecord,
} from '../../packages/console/src/features/categories/tree.ts';
import { startTestConsole, type TestConsole } from '../support/console.ts';
import { createMember } from '../support/identities.ts';
import type { Json } from '../support/server.ts';
import { countStored } from '../support/stored-rows.ts';
import { until } from '../support/until.ts';
import { create } from '../support/writes.ts';

let console: TestConsole;
before(async () => {
  console = await startTestConsole();
});
after(() => console.close());

test('categories are moved by keys, buttons and dragging, and a move is undone', async () => {
  const { server } = console;
  const site = await create(server, '/v1/sites', { name: 'Garden', key: 'garden' });
  const path = `/v1/sites/${site.id}/categories`;
  for (const name of ['Herbs', 'Roses', 'Trees']) await create(server, path, { name });
  /** Names from top to bottom, each after the names above it. */
  const readTree = async (): Promise<string[]> => {
    const { items } = (await server.call('GET', `${path}?limit=100`)).json;
    const nodes = flattenTree(buildTree(items as TreeRecord[]));
    const nameOf = (id: string | null) => (items as Json[]).find((one) => one.id === id)?.name;
    return nodes.map(({ name, parentId }) => (parentId === null ? name : `${nameOf(parentId)}/${name}`));
  };
  const reaches = (...names: string[]) =>
    until(names.join(), async () => JSON.stringify(await readTree()) === JSON.stringify(names));
  const { page, open, checkAccessibility, checkFaults } = await console.openAs(server.ownerId);
  await open(`/sites/${site.id}/categories`);
  const tree = page.getByRole('list', { name: 'Category tree' });
  const link = (name: string) => tree.getByRole('link', { name: new RegExp(`^${name}`) });
  await link('Roses').focus();
  await page.keyboard.press('Alt+ArrowUp');
  await reaches('Roses', 'Herbs', 'Trees');
  await link('Roses').and(page.locator(':focus')).waitFor();
  await checkAccessibility('Category tree');
  await tree.getByRole('button', { name: 'Move down: Roses' }).click();
  await reaches('Herbs', 'Roses', 'Trees');
  await tree.getByRole('button', { name: 'Move Trees' }).click();
  await page.getByRole('menuitem', { name: 'Move into the one above' }).click();
  await reaches('Herbs', 'Roses', 'Roses/Trees');
  await tree.getByRole('link', { name: 'Trees below Roses' }).waitFor();
  // The message of the move before has a button of the same name.
  const message = page.getByRole('group').filter({ hasText: 'Trees was moved.' });
  await message.getByRole('button', { name: 'Undo' }).click();
  await reaches('Herbs', 'Roses', 'Trees');
  await page.getByText('Undone').first().waitFor();
  await link('Herbs').locator('..').dragTo(link('Roses').locator('..'));
  await reaches('Roses', 'Roses/Herbs', 'Trees');
  await tree.getByRole('button', { name: 'Collapse Roses' }).click();
  await link('Herbs').waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'As a list' }).click();
  await page.getByRole('table').or(page.getByRole('grid')).first().waitFor();
  await page.getByRole('button', { name: 'As a tree' }).click();
  await tree.waitFor();
  checkFaults();
});

/** A new site with categories of these names, in their order. */
async function plant(...names: readonly string[]) {
  const { server } = console;
  sites += 1;
  const site = await create(server, '/v1/sites', { name: 'Field', key: `field-${sites}` });
  const path = `/v1/sites/${site.id}/categories`;
  const ids: string[] = [];
  for (const [index, name] of names.entries())
    ids.push((await create(server, path, { name, position: 10 * index })).id);
  return {
    address: `/sites/${site.id}/categories`,
    /** Paths of the categories, in the order of their names. */
    paths: ids.map((id) => `${path}/${id}`),
  };
}
let sites = 0;

const treeOf = (page: Page) => page.getByRole('list', { name: 'Category tree' });
const shows = (page: Page, ...names: readonly string[]) =>
  until(`the tree shows ${names.join()}`, async () => {
    const shown = await treeOf(page).getByRole('link').allInnerTexts();
    return JSON.stringify(shown.map((name) => name.trim())) === JSON.stringify(names);
  });
const nothingWaits = (page: Page) =>
  until('an empty queue', async () => (await countStored(page, 'change')) === 0);
const read = async (path = ''): Promise<Json> => (await console.server.call('GET', path)).json;

test('who may not move a category is told why', async () => {
  const { server } = console;
  const { address } = await plant('Wheat');
  const viewer = await createMember(server.database.worker, server.organization, 'VIEWER');
  const { page, open, checkAccessibility, checkFaults } = await console.openAs(viewer);
  await open(address);
  await page
    .getByRole('paragraph')
    .filter({ hasText: /^The role Viewer cannot change these records\.$/ })
    .waitFor();
  assert.equal(await page.getByRole('button', { name: 'Move Wheat' }).count(), 0);
  await checkAccessibility('tree of categories that may not be changed');
  checkFaults();
});

test('a move is merged with what somebody else has changed', async () => {
  const { server } = console;
  const { address, paths } = await plant('Corn', 'Wheat');
  const [, wheat = ''] = paths;
  const { page, open, checkFaults } = await console.openAs(server.ownerId);
  await open(address);
  await page.getByRole('link', { name: 'Wheat' }).waitFor();
  const described = await server.call('PATCH', wheat, { body: { description: 'Bread' } });
  assert.equal(described.status, 200);
  await page.getByRole('button', { name: 'Move up: Wheat' }).click();
  await until('the move', async () => {
    const { version, description, position } = await read(wheat);
    return version === 3 && description === 'Bread' && position < 0;
  });
  await shows(page, 'Wheat', 'Corn');
  checkFaults();
});

test('a move that meets the move of somebody else is given up with the reason, and the next one is sent', async () => {
  const { server } = console;
  const { address, paths } = await plant('Corn', 'Oats', 'Wheat');
  const [corn = ''] = paths;
  const { page, context, open, checkFaults } = await console.openAs(server.ownerId);
  await open(address);
  await shows(page, 'Corn', 'Oats', 'Wheat');
  let isFirst = true;
  await context.route(`**${corn}`, async (route) => {
    if (isFirst && route.request().method() === 'PATCH') {
      isFirst = false;
      assert.equal((await server.call('PATCH', corn, { body: { position: 30 } })).status, 200);
    }
    await route.continue();
  });
  await page.getByRole('button', { name: 'Move down: Corn' }).click();
  await page
    .getByText('Corn was not moved, because someone else changed it. The tree now shows the current state.', {
      exact: true,
    })
    .waitFor();
  await shows(page, 'Oats', 'Wheat', 'Corn');
  await nothingWaits(page);
  assert.equal((await read(corn)).version, 2);
  await page.getByRole('button', { name: 'Move up: Corn' }).click();
  await until('the next move', async () => {
    const { version, position } = await read(corn);
    return version === 3 && position > 10 && position < 20;
  });
  await shows(page, 'Oats', 'Corn', 'Wheat');
  await nothingWaits(page);
  checkFaults();
});

test('a move that is refused for another reason says which, and the next one is sent', async () => {
  const { server } = console;
  const { address, paths } = await plant('Corn', 'Oats');
  const [corn = ''] = paths;
  const { page, context, open, checkFaults } = await console.openAs(server.ownerId);
  await open(address);
  await shows(page, 'Corn', 'Oats');
  const refusal = {
    type: 'about:blank',
    title: 'Forbidden',
    status: 403,
    code: 'permission_denied',
    detail: 'The harvest is over.',
  };
  await context.route(
    `**${corn}`,
    (route) =>
      route.fulfill({
        status: 403,
        contentType: 'application/problem+json',
        body: JSON.stringify(refusal),
      }),
    { times: 1 },
  );
  await page.getByRole('button', { name: 'Move down: Corn' }).click();
  await page.getByText('Corn was not moved. The harvest is over.', { exact: true }).waitFor();
  await shows(page, 'Corn', 'Oats');
  await nothingWaits(page);
  await page.getByRole('button', { name: 'Move down: Corn' }).click();
  await until('the next move', async () => (await read(corn)).version === 2);
  await shows(page, 'Oats', 'Corn');
  checkFaults();
});

test('a second move before the response to the first one follows it, and the tree does not go back in between', async () => {
  const { server } = console;
  const { address, paths } = await plant('Corn', 'Oats', 'Wheat');
  const [corn = '', oats = ''] = paths;
  const { page, context, open, checkFaults } = await console.openAs(server.ownerId);
  await open(address);
  await shows(page, 'Corn', 'Oats', 'Wheat');
  const bothMoved = Promise.withResolvers<void>();
  const second = Promise.withResolvers<void>();
  const statuses: number[] = [];
  page.on('response', (response) => {
    if (response.request().method() === 'PATCH') statuses.push(response.status());
  });
  await context.route(`**${corn}`, async (route) => {
    const request = route.request();
    if (request.method() !== 'PATCH') return route.continue();
    if (request.headers()['if-match'] === '"1"') {
      await bothMoved.promise;
      const response = await route.fetch();
      // As soon as the tree shows this name, it was read after the first move.
      assert.equal((await server.call('PATCH', oats, { body: { name: 'Rye' } })).status, 200);
      return route.fulfill({ response });
    }
    await second.promise;
    return route.continue();
  });
  await page.getByRole('button', { name: 'Move down: Corn' }).click();
  await page.getByRole('button', { name: 'Move down: Corn' }).click();
  await shows(page, 'Oats', 'Wheat', 'Corn');
  await page.getByRole('button', { name: '2 changes waiting' }).first().waitFor();
  bothMoved.resolve();
  await shows(page, 'Rye', 'Wheat', 'Corn');
  second.resolve();
  await until('the second move', async () => (await read(corn)).position > 20);
  await nothingWaits(page);
  await shows(page, 'Rye', 'Wheat', 'Corn');
  assert.deepEqual(statuses, [200, 200]);
  assert.equal((await read(corn)).version, 3);
  checkFaults();
});

test('the control that moved a category keeps the focus, so that the same key moves it on', async () => {
  const { server } = console;
  const { address, paths } = await plant('Corn', 'Oats', 'Wheat');
  const { page, open, checkFaults } = await console.openAs(server.ownerId);
  await open(address);
  await shows(page, 'Corn', 'Oats', 'Wheat');
  const focused = (control: Locator) => control.and(page.locator(':focus')).waitFor();
  const down = page.getByRole('button', { name: 'Move down: Corn' });
  await down.focus();
  await page.keyboard.press('Enter');
  await focused(down);
  await page.keyboard.press('Enter');
  await shows(page, 'Oats', 'Wheat', 'Corn');
  await focused(down);
  // It is the last one: the button does nothing more, and nothing else has the focus.
  await page.keyboard.press('Enter');
  await focused(down);
  assert.equal(await down.getAttribute('aria-disabled'), 'true');
  assert.equal(new URL(page.url()).pathname, `/console${address}`);
  const menu = page.getByRole('button', { name: 'Move Corn' });
  await menu.click();
  await page.getByRole('menuitem', { name: 'Move up' }).click();
  await shows(page, 'Oats', 'Corn', 'Wheat');
  await focused(menu);
  await page.keyboard.press('Alt+ArrowUp');
  await shows(page, 'Corn', 'Oats', 'Wheat');
  await focused(menu);
  await until('the last move', async () => {
    const { version, position } = await read(paths[0]);
    return version > 1 && position < 10;
  });
  checkFaults();
});

test('Alt and an arrow is left to the browser and to the menu where it moves nothing', async () => {
  const { server } = console;
  const { address, paths } = await plant('Corn', 'Oats', 'Wheat');
  const viewer = await createMember(server.database.worker, server.organization, 'VIEWER');
  const reader = await console.openAs(viewer);
  await reader.open(address);
  await reader.page.evaluate(`
    globalThis.taken = [];
    document.addEventListener('keydown', (event) => {
      if (event.key !== 'Alt') globalThis.taken.push(event.defaultPrevented);
    });
  `);
  await treeOf(reader.page).getByRole('link', { name: 'Oats' }).focus();
  await reader.page.keyboard.press('Alt+ArrowUp');
  assert.deepEqual(await reader.page.evaluate<boolean[]>('globalThis.taken'), [false]);
  reader.checkFaults();

  const { page, open, checkFaults } = await console.openAs(server.ownerId);
  await open(address);
  await shows(page, 'Corn', 'Oats', 'Wheat');
  await page.getByRole('button', { name: 'Move Oats' }).click();
  await page.getByRole('menuitem', { name: 'Move up' }).focus();
  await page.keyboard.press('Alt+ArrowRight');
  await page.keyboard.press('Alt+ArrowDown');
  await shows(page, 'Corn', 'Oats', 'Wheat');
  await page.keyboard.press('Escape');
  await page.getByRole('menuitem').first().waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Move up: Oats' }).click();
  await shows(page, 'Oats', 'Corn', 'Wheat');
  await until('the one move', async () => (await read(paths[1])).version === 2);
  await nothingWaits(page);
  checkFaults();
});

test('as many categories as are drawn as a tree are all there, and one more is said', async () => {
  const { address } = await plant();
  const most = 2_000;
  let count = most;
  // Who may not move them is shown no buttons, of which there would be thousands.
  const viewer = await createMember(console.server.database.worker, console.server.organization, 'VIEWER');
  const { page, context, open, checkFaults } = await console.openAs(viewer);
  // The server is not asked for so many: only the pages of their list are of interest.
  await context.route(`**${address}?*`, async (route) => {
    const start = Number(new URL(route.request().url()).searchParams.get('cursor') ?? '0');
    const end = Math.min(start + 100, count);
    const items = Array.from({ length: end - start }, (_, index): TreeRecord => {
      const id = `c${start + index}`;
      return { id, version: 1, name: id, slug: id, parentId: null, position: start + index };
    });
    const pageInfo =
      end < count ? { hasNextPage: true, nextCursor: String(end) } : { hasNextPage: false, nextCursor: null };
    await route.fulfill({ json: { items, pageInfo } });
  });
  const rows = treeOf(page).getByRole('listitem');
  const notice = page.getByText('There are more than 2,000 categories. The list shows them all.', {
    exact: true,
  });
  await open(address);
  await treeOf(page).getByRole('link', { name: 'c1999', exact: true }).waitFor();
  assert.equal(await rows.count(), most);
  assert.equal(await notice.count(), 0);
  count = most + 1;
  await page.reload();
  await notice.waitFor();
  assert.equal(await rows.count(), most);
  checkFaults();
});
