/** The organizations of somebody while a server of a distributed database is away: the list says that some are missing. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { startTestConsole, type TestConsole } from '../support/console.ts';

const list = '**/auth/organizations';
let console: TestConsole;

before(async () => {
  console = await startTestConsole();
});
after(() => console.close());

/** The list without the organizations that are on the server. */
async function leaveOut(page: Page): Promise<void> {
  await page.route(list, (route) => route.fulfill({ json: { items: [], isComplete: false } }));
}

test('somebody whose organization is missing reads why, and is let in when it is there', async () => {
  const { page, open, checkAccessibility, checkFaults } = await console.openAs(console.server.ownerId);
  await page.clock.install();
  await leaveOut(page);
  await open('/');
  await page.getByRole('heading', { name: 'No organization can be reached' }).waitFor();
  await page.getByText('a part of the database cannot be reached').waitFor();
  assert.equal(await page.getByText('Ask an administrator').count(), 0);
  await checkAccessibility('missing organizations');
  await page.unroute(list);
  await page.clock.fastForward(11_000);
  await page.getByRole('heading', { name: 'Home' }).waitFor();
  checkFaults();
});

test('an open page stays with its input when its organization is missing later', async () => {
  const { page, open, checkFaults } = await console.openAs(console.server.ownerId);
  await page.clock.install();
  await open('/books/new');
  const title = page.getByRole('textbox', { name: 'Title', exact: true });
  await title.fill('Half a ti');
  await leaveOut(page);
  for (const _ of ['at first', 'once more']) {
    const listed = page.waitForResponse((response) => response.url().endsWith('/auth/organizations'));
    await page.clock.fastForward(61_000);
    // Somebody looks at the tab again.
    await page.evaluate(`dispatchEvent(new Event('visibilitychange'))`);
    await listed;
    await page.clock.runFor(1_000);
  }
  assert.equal(await title.inputValue(), 'Half a ti');
  checkFaults();
});

test('the choice of organizations fits a narrow screen, however long their names are', async () => {
  const { page, open, checkFaults } = await console.openAs(console.server.ownerId, {
    viewport: { width: 320, height: 640 },
  });
  const item = { key: 'long', role: 'EDITOR', needsSecondFactor: false };
  const items = [
    { ...item, id: 'org_1', name: 'The Publishing House of the Northern Counties and the Islands' },
    { ...item, id: 'org_2', name: 'Rindfleischetikettierungsüberwachungsaufgabenübertragungsgesetz' },
  ];
  await page.route(list, (route) => route.fulfill({ json: { items, isComplete: true } }));
  await open('/');
  await page.getByRole('button', { name: /^Rindfleisch/ }).waitFor();
  const tooWide = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
  assert.equal(tooWide, 0);
  checkFaults();
});

test('the navigation is as wide as it is, however long the name of the organization is', async () => {
  const { server, openAs } = console;
  const name = 'The Publishing House of the Northern Counties and the Islands';
  const renamed = await server.call('PATCH', '/v1/organization', { body: { name } });
  assert.equal(renamed.status, 200, renamed.text);
  const { page, open, checkFaults } = await openAs(server.ownerId);
  await open('/');
  const navigation = page.getByRole('navigation', { name: 'Main' });
  const search = await navigation.getByRole('button', { name: /^Search/ }).boundingBox();
  const around = await navigation.boundingBox();
  assert.ok(search && around);
  assert.ok(search.x + search.width <= around.x + around.width);
  checkFaults();
});
