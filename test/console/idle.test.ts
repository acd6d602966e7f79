/** A page that nobody touches is signed out; what was typed stays, in a real browser. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { givePassword, type TestAccount } from '../support/browser-client.ts';
import { startTestConsole, type TestConsole } from '../support/console.ts';

/** On a busy machine a page takes seconds to load. */
const idleSeconds = 24;
let console: TestConsole;
let account: TestAccount;

before(async () => {
  console = await startTestConsole({ signIn: { idleSeconds }, streamLifetimeMs: 120_000 });
  account = await givePassword(console.server.database.auth, console.server.ownerId);
});
after(() => console.close());

test('what the person does keeps the session; an untouched page is covered, and shows what was typed after a sign-in', async () => {
  const { page, open, checkFaults, checkAccessibility } = await console.openAs(console.server.ownerId);
  const told: number[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/auth/session/use')) told.push(performance.now());
  });
  await open('/sites/new');
  const name = page.getByLabel('Name', { exact: true });
  await name.waitFor();
  assert.deepEqual(told, [], 'a page that is loaded is not touched');
  await name.pressSequentially('Half a na', { delay: 20 });
  assert.equal(told.length, 1, 'at most twelve times in the idle time');
  // Longer than the idle time, with a key now and then.
  for (let keys = 0; keys < 4; keys += 1) {
    await page.waitForTimeout((idleSeconds * 1_000) / 3);
    await page.keyboard.press('m');
  }
  const until = await page.evaluate(async () => (await fetch('/auth/session')).status);
  assert.equal(until, 200);
  assert.ok(told.length >= 4, String(told.length));

  const count = told.length;
  const again = page.getByRole('dialog', { name: 'Sign in again' });
  await again.waitFor({ timeout: 120_000 });
  assert.equal(told.length, count);
  assert.equal(await again.getByLabel('E-mail address').inputValue(), account.email);
  const covered = await page.evaluate(() => {
    const { document, innerWidth, innerHeight } = globalThis as unknown as {
      document: { elementFromPoint(x: number, y: number): { closest(selector: string): unknown } | null };
      innerWidth: number;
      innerHeight: number;
    };
    const points = [0.01, 0.25, 0.5, 0.75, 0.99];
    return points.every((x) =>
      points.every(
        (y) => document.elementFromPoint(innerWidth * x, innerHeight * y)?.closest('[role="dialog"]') != null,
      ),
    );
  });
  assert.ok(covered, 'nothing of the page can be seen or reached');
  await checkAccessibility('signing in again');
  await again.getByLabel('Password', { exact: true }).fill(account.password);
  await page.keyboard.press('Enter');
  await again.waitFor({ state: 'detached' });
  assert.equal(await name.inputValue(), 'Half a nammmm');
  checkFaults();
});
