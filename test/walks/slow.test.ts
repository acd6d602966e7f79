/** A walk over a slow network: what is shown before which files have come, however long they take. */
import assert from 'node:assert/strict';
import type { Page, Request, Route } from 'playwright-core';
import { givePassword } from '../support/browser-client.ts';
import { findViolations } from '../support/console.ts';
import { keepScreenshot, nameTestFile } from '../support/screenshots.ts';
import { until } from '../support/until.ts';
import { defineWalks } from '../support/walks.ts';

const walk = defineWalks();

/** What the sign-in takes at most. At 400 kbit/s and 400 ms, each request costs some 70 ms and each kilobyte 20 ms. */
const most = { files: 12, bytes: 190_000 } as const;

/** Stops the files of the console on their way. */
class Gate {
  readonly requested: Request[] = [];
  private held: Route[] = [];
  private passes: (path: string) => boolean = () => false;

  static async before(page: Page): Promise<Gate> {
    const gate = new Gate();
    await page.route('**/console/assets/**', (route) => {
      gate.requested.push(route.request());
      gate.held.push(route);
      return gate.release();
    });
    return gate;
  }

  /** The paths of what was asked for, also if it has not come. */
  paths(): readonly string[] {
    return this.requested.map((request) => new URL(request.url()).pathname);
  }

  /** Lets some files through from now on, also those that wait. */
  async open(passes: (path: string) => boolean): Promise<void> {
    this.passes = passes;
    await this.release();
  }

  private async release(): Promise<void> {
    const isPassing = (route: Route) => this.passes(new URL(route.request().url()).pathname);
    const passing = this.held.filter(isPassing);
    this.held = this.held.filter((route) => !isPassing(route));
    await Promise.all(passing.map((route) => route.continue()));
  }
}

walk(
  'come over a slow network, see at once that something is coming, and sign in',
  // Home, where the walk begins and nothing is done, reads the changes again every 30 s.
  { bounds: { requests: 2, bytes: 4_000 } },
  async ({ openSignedOut, origin, database, ownerId }) => {
    const account = await givePassword(database.auth, ownerId);
    for (const scheme of ['light', 'dark'] as const) {
      const { page, checkFaults } = await openSignedOut({ colorScheme: scheme });
      const gate = await Gate.before(page);
      await page.goto(`${origin}/console/`, { waitUntil: 'commit' });
      // No file has come yet.
      await page.getByRole('main').getByRole('heading', { name: 'Trellis', level: 1 }).waitFor();
      await until('the files of the sign-in are asked for', () => gate.requested.length >= 5);
      assert.deepEqual(await findViolations(page), []);
      await keepScreenshot(page, { file: nameTestFile(), name: 'starting', width: 1400, scheme });
      // What the sign-in needs is known to the page: no file leads to the next one.
      const known = new Set(gate.paths());
      await gate.open((path) => known.has(path) && !path.endsWith('.woff2'));
      await page.getByRole('heading', { name: 'Sign in' }).waitFor();
      const email = page.getByLabel('Email address');
      await email.fill(account.email);
      const sizes = gate.requested
        .filter((request) => known.has(new URL(request.url()).pathname))
        .map(async (request) => (await request.sizes()).responseBodySize);
      const bytes = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
      assert.ok(known.size <= most.files, `${known.size} files: ${[...known].join(', ')}`);
      assert.ok(bytes <= most.bytes, `${bytes} bytes`);

      // While somebody types, the browser gets Home; nothing is left to be loaded after the sign-in.
      await gate.open(() => true);
      await until('Home is loaded', async () => {
        const scripts = gate.requested.filter((request) => /\/home-[^/]*\.js$/.test(request.url()));
        const responses = await Promise.all(scripts.map((request) => request.response()));
        await Promise.all(responses.map((response) => response?.finished()));
        return scripts.length >= 2;
      });
      // No request is left without its end, which would keep a connection.
      await page.waitForLoadState('networkidle');
      await gate.open(() => false);
      await page.getByLabel('Password', { exact: true }).fill(account.password);
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'Home' }).waitFor();
      await gate.open(() => true);
      checkFaults();
    }
  },
);
