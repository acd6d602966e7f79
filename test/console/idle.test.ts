/** A page that nobody touches is signed out; what was typed stays, in a real browser. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { encodeId } from '@trellis/schema/values/ids.ts';
import { givePassword, type TestAccount } from '../support/browser-client.ts';
import { startTestConsole, type TestConsole } from '../support/console.ts';

let console: TestConsole;
let account: TestAccount;

before(async () => {
  console = await startTestConsole({ streamLifetimeMs: 600_000 });
  account = await givePassword(console.server.database.auth, console.server.ownerId);
});
after(() => console.close());

/** Has everybody done something so long ago for the last time. */
async function setLastUse(ago: string): Promise<void> {
  for (const [table, condition] of [
    ['sessions', 'true'],
    ['tokens', 'session_id IS NOT NULL'],
  ]) {
    await console.server.database.auth.run(
      `UPDATE trellis.${table} SET last_used_at = now() - interval '${ago}' WHERE ${condition}`,
    );
  }
}

async function lastUse(): Promise<string | null> {
  const [row] = await console.server.database.auth.run(
    `SELECT CASE WHEN max(last_used_at) > clock_timestamp() - interval '5 minutes' THEN 'now' ELSE 'before' END
     FROM trellis.tokens WHERE session_id IS NOT NULL`,
  );
  return row?.[0] ?? null;
}

test('what the person does keeps the session; an untouched page is covered, and shows what was typed after a sign-in', async () => {
  const { page, open, checkFaults, checkAccessibility } = await console.openAs(console.server.ownerId);
  const sent: number[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/auth/session/use')) sent.push(performance.now());
  });
  await page.clock.install();
  await open('/sites/new');
  const name = page.getByRole('textbox', { name: 'Name' });
  await name.waitFor();
  assert.deepEqual(sent, [], 'a page that is loaded is not touched');
  await setLastUse('59 minutes');
  const noted = page.waitForResponse((response) => response.url().endsWith('/auth/session/use'));
  await name.pressSequentially('Half a na', { delay: 20 });
  await noted;
  assert.equal(sent.length, 1, 'at most twelve times in the idle time');
  assert.equal(await lastUse(), 'now');
  // What the page does by itself is no use: it reads again, and tells nothing.
  await setLastUse('59 minutes');
  const statuses = await page.evaluate(
    async (user) => {
      const read = async (path: string) => (await fetch(path, { headers: { 'trellis-user': user } })).status;
      return [await read('/auth/session'), await read('/auth/factors')];
    },
    encodeId('user', console.server.ownerId),
  );
  assert.deepEqual(statuses, [200, 200]);
  await page.waitForTimeout(3_000);
  assert.equal(await lastUse(), 'before');
  assert.equal(sent.length, 1);

  await setLastUse('61 minutes');
  await page.clock.fastForward(301_000);
  const again = page.getByRole('dialog', { name: 'Sign in again' });
  await again.waitFor({ timeout: 120_000 });
  assert.equal(sent.length, 1, 'the page has found it out by itself');
  assert.equal(await again.getByLabel('Email address').inputValue(), account.email);
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
  assert.equal(await name.inputValue(), 'Half a na');
  checkFaults();
});
