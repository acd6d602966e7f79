/**
 * The list of 100,000 contacts: however fast somebody scrolls, every frame shows rows, or placeholders of rows that are still to be
 * read, and no empty area.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import pg from 'pg';
import type { Page } from 'playwright-core';
import { startTestConsole, type TestConsole } from '../support/console.ts';
import { amount } from '../support/soak.ts';
import { until } from '../support/until.ts';
import { create } from '../support/writes.ts';

/** Rows of the list, and how many of them are scrolled through. */
const contacts = amount(10_000, 100_000);
const scrolled = amount(1_000, 5_000);

let console: TestConsole;

before(async () => {
  console = await startTestConsole();
  const { server } = console;
  await create(server, '/v1/crm/contacts', {
    firstName: 'Ada',
    lastName: 'Lovelace',
    jobTitle: 'Analyst',
    lifecycleStage: 'LEAD',
    emails: [{ address: 'ada@example.com' }],
  });
  const admin = new pg.Client({ connectionString: server.database.adminUrl });
  await admin.connect();
  await admin.query(
    `INSERT INTO trellis.contacts
     SELECT (jsonb_populate_record(c, jsonb_build_object('id', gen_random_uuid(), 'display_name', 'Contact ' || n,
       'created_at', c.created_at - n * interval '1 minute'))).*
     FROM trellis.contacts c, generate_series(1, $1::integer) n`,
    [contacts - 1],
  );
  await admin.query('ANALYZE trellis.contacts');
  await admin.end();
});
after(() => console.close());

/** What the frames since `watchFrames` have shown. */
interface Frames {
  readonly count: number;
  /** The frames in which a part of the window between the head of the table and its end had no row. */
  readonly blank: readonly {
    readonly pixels: number;
    readonly scrolled: number;
    /** Rows in the document, and where the first one and the end of the last one were, in pixels of the window. */
    readonly rows: number;
    readonly from: number;
    readonly to: number;
  }[];
  /** The most rows that were in the document in one of them. */
  readonly mostRows: number;
}

/** Looks at every frame from now on; below the list there is a margin of 48 pixels. */
async function watchFrames(page: Page): Promise<void> {
  await page.evaluate(`(() => {
    const frames = { count: 0, blank: [], mostRows: 0 };
    globalThis.frames_ = frames;
    const [head, body] = document.querySelectorAll('[role="grid"] [role="rowgroup"]');
    const measure = () => {
      const rows = [...body.children].map((row) => row.getBoundingClientRect()).sort((one, other) => one.top - other.top);
      let covered = Math.max(0, head.getBoundingClientRect().bottom);
      let pixels = 0;
      for (const { top, bottom } of rows) {
        if (bottom <= covered || top >= innerHeight) continue;
        pixels += Math.max(0, top - covered);
        covered = bottom;
      }
      pixels += Math.max(0, innerHeight - 48 - covered);
      frames.count += 1;
      frames.mostRows = Math.max(frames.mostRows, rows.length);
      const [from, to] = [rows.at(0)?.top ?? 0, rows.at(-1)?.bottom ?? 0];
      if (pixels > 1) frames.blank.push({ pixels, scrolled: scrollY, rows: rows.length, from, to });
      requestAnimationFrame(measure);
    };
    requestAnimationFrame(measure);
  })()`);
}

/** Waits until nothing scrolls: a browser scrolls on for some frames after a key. */
async function waitUntilStill(page: Page): Promise<void> {
  await page.evaluate(`new Promise((still) => {
    let [last, frames] = [scrollY, 0];
    const measure = () => {
      frames = scrollY === last ? frames + 1 : 0;
      last = scrollY;
      if (frames === 20) still();
      else requestAnimationFrame(measure);
    };
    measure();
  })`);
}

const readFrames = (page: Page) => page.evaluate<Frames>('globalThis.frames_');

test(`${scrolled} rows of ${contacts} are scrolled through by wheel and keys without an empty area`, async () => {
  const { page, open, checkFaults } = await console.openAs(console.server.ownerId);
  await open('/crm/contacts');
  await page.getByRole('link', { name: 'Ada Lovelace' }).waitFor();
  await page.getByRole('row').nth(20).waitFor();
  await watchFrames(page);
  const rowPixels = 40;
  await page.mouse.move(700, 500);
  // As fast as a wheel that turns freely: three windows in each event, without a pause.
  const reached = () => page.evaluate<number>('scrollY').then((pixels) => pixels / rowPixels);
  for (let turns = 0; (await reached()) < scrolled / 2; turns += 1) {
    assert.ok(turns < scrolled, `only ${await reached()} rows after ${turns} turns of the wheel`);
    await page.mouse.wheel(0, 2_700);
  }
  for (let presses = 0; (await reached()) < scrolled; presses += 1) {
    assert.ok(presses < scrolled, `only ${await reached()} rows after ${presses} presses of End`);
    await page.keyboard.press('End');
  }
  await waitUntilStill(page);
  const link = page.getByRole('link', { name: `Contact ${scrolled}`, exact: true });
  await page.evaluate(`scrollTo(0, ${scrolled * rowPixels})`);
  await link.waitFor();
  for (const share of [0.1, 0.9, 0.3, 0.7, 0]) {
    await page.evaluate(`scrollTo(0, ${scrolled * rowPixels * share})`);
    await page.waitForFunction(
      'new Promise((shown) => requestAnimationFrame(() => requestAnimationFrame(() => shown(true))))',
    );
  }
  await page.getByRole('link', { name: 'Ada Lovelace' }).waitFor();
  const frames = await readFrames(page);
  assert.ok(frames.count > 30, `${frames.count} frames`);
  assert.deepEqual(frames.blank, []);
  assert.ok(frames.mostRows < 120, `${frames.mostRows} rows in the document`);
  checkFaults();
});

test('the second page is not read before somebody scrolls', async () => {
  const { page, open, checkFaults } = await console.openAs(console.server.ownerId);
  const isSecond = (url: string) => /\/v1\/crm\/contacts\?.*cursor=/.test(url);
  const pages: string[] = [];
  page.on('request', (request) => {
    if (isSecond(request.url())) pages.push(request.url());
  });
  await open('/crm/contacts');
  await page.getByRole('link', { name: 'Ada Lovelace' }).waitFor();
  await page.getByRole('row').nth(20).waitFor();
  await page.evaluate('new Promise((shown) => requestAnimationFrame(() => setTimeout(shown)))');
  assert.deepEqual(pages, []);
  const reading = page.waitForRequest((request) => isSecond(request.url()));
  await page.mouse.move(700, 500);
  await page.mouse.wheel(0, 400);
  await reading;
  checkFaults();
});

test('while the server does not respond, the end of the list has placeholders, and a failure says so', async () => {
  const { page, open, checkAccessibility, checkFaults } = await console.openAs(console.server.ownerId);
  let release = () => {};
  const isReleased = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route('**/v1/crm/contacts?*cursor=*', async (route) => {
    await isReleased;
    await route.fulfill({
      status: 500,
      contentType: 'application/problem+json',
      body: '{"code":"internal_error"}',
    });
  });
  await open('/crm/contacts');
  await page.getByRole('link', { name: 'Ada Lovelace' }).waitFor();
  await watchFrames(page);
  await page.keyboard.press('End');
  await page.locator('[data-placeholder]').nth(20).waitFor();
  assert.deepEqual((await readFrames(page)).blank, []);
  await checkAccessibility('placeholders');
  release();
  await page.getByRole('alert').getByRole('button', { name: 'Try again' }).waitFor();
  assert.equal(await page.locator('[data-placeholder]').count(), 0);
  await page.unroute('**/v1/crm/contacts?*cursor=*');
  await page.getByRole('alert').getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('link', { name: 'Contact 55', exact: true }).waitFor();
  checkFaults();
});

test('rows do not overlap after the window has become narrow, and wide again', async () => {
  const { page, open, checkFaults } = await console.openAs(console.server.ownerId);
  await open('/crm/contacts');
  await page.getByRole('link', { name: 'Ada Lovelace' }).waitFor();
  for (const width of [360, 1400]) {
    await page.setViewportSize({ width, height: 800 });
    // Each row begins where the one before ends.
    await until('rows one below the other', () =>
      page.evaluate<boolean>(`(() => {
        const body = document.querySelectorAll('[role="grid"] [role="rowgroup"]')[1];
        const rows = [...body.children].map((row) => row.getBoundingClientRect()).sort((one, other) => one.top - other.top);
        return rows.length > 10 && rows.every(({ top }, index) => index === 0 || Math.abs(top - rows[index - 1].bottom) < 1);
      })()`),
    );
  }
  checkFaults();
});

test('what is typed into a cell stays while the list is scrolled, and its row in the document', async () => {
  const { server } = console;
  const { page, open, checkFaults } = await console.openAs(server.ownerId);
  await open('/crm/contacts');
  const row = page.getByRole('row', { name: /Ada Lovelace/ });
  await row.getByRole('gridcell').nth(3).dblclick();
  const input = page.getByRole('textbox', { name: 'Job title' });
  await input.fill('Mathematician');
  await watchFrames(page);
  await page.mouse.move(700, 500);
  const reached = () => page.evaluate<number>('scrollY / 40');
  for (let turns = 0; (await reached()) < scrolled; turns += 1) {
    assert.ok(turns < scrolled, `only ${await reached()} rows after ${turns} turns of the wheel`);
    await page.mouse.wheel(0, 2_700);
  }
  assert.equal(await input.inputValue(), 'Mathematician');
  const requests: string[] = [];
  page.on('request', (request) => {
    // The page after the last one may still be read.
    const { pathname, searchParams } = new URL(request.url());
    if (request.method() === 'GET' && pathname.startsWith('/v1/crm') && !searchParams.has('cursor'))
      requests.push(request.url());
  });
  await page.keyboard.press('Enter');
  const { items } = (await server.call('GET', '/v1/crm/contacts?search=lovelace')).json;
  await until('it is saved', async () => {
    const { json } = await server.call('GET', `/v1/crm/contacts/${items[0].id}`);
    return json.jobTitle === 'Mathematician';
  });
  await page.getByText('Job title of Ada Lovelace saved.').waitFor();
  // Neither all pages of the list, nor a row of it, are read again; the numbers of its groups are.
  assert.deepEqual(
    requests.filter((url) => !url.includes('/counts?')),
    [],
  );
  checkFaults();
});
