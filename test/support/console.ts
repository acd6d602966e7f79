/** The console in a real browser: a server with the built console, and pages that record what a test must not overlook. */
import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { prepareConsole } from '@trellis/server/console/prepare.ts';
import { makeLink } from '@trellis/server/features/sign-in/links.ts';
import type { AxeResults, RunOptions } from 'axe-core';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { launchChromium } from './chromium.ts';
import { createTestDatabase, type TestDatabase } from './database.ts';
import { createMember, createOrganization, createToken, type TestOrganization } from './identities.ts';
import { KillableServer } from './killable-server.ts';
import { keepScreenshot, nameTestFile } from './screenshots.ts';
import { startTestServer, type TestServer, type TestServerOptions } from './server.ts';
import { casesFor } from './soak.ts';
import { until } from './until.ts';

const axeSource = readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** A server with the console, and a browser. */
export interface TestConsole {
  readonly server: TestServer;
  /** The folder with the built console. */
  readonly built: string;
  /** Scheme, host and port as browsers are to use them. */
  readonly origin: string;
  /** Opens a page of a new person at the browser: nobody is signed in. */
  openPage(options?: BrowserContextOptions): Promise<ConsolePage>;
  /** Opens a page in which a user is signed in, by a link. */
  openAs(userId: string, options?: BrowserContextOptions): Promise<ConsolePage>;
  close(): Promise<void>;
}

/** A page, with what went wrong in it so far. */
export interface ConsolePage {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Goes to a path below `/console`. */
  open(path: string): Promise<void>;
  /**
   * Fails for everything that axe objects to: in light and dark, 1400 and 360 px wide in a soak, otherwise in one of these four.
   * Keeps a screenshot of each where the environment names a folder for them.
   */
  checkAccessibility(name: string): Promise<void>;
  /** What `checkAccessibility` would fail for. `file`: the test file, where it does not call this itself. */
  findBarriers(name: string, file?: string): Promise<readonly string[]>;
  /** Fails for errors of scripts and violations of the Content-Security-Policy. */
  checkFaults(): void;
}

/** Starts both. The console is built unless it is there already. */
export async function startTestConsole(options: TestServerOptions = {}): Promise<TestConsole> {
  const folder = await mkdtemp(join(tmpdir(), 'trellis-console-'));
  const build = await prepareConsole(folder);
  await build.done;
  const server = await startTestServer({ ...options, console: options.console ?? build });
  const origin = `http://localhost:${new URL(server.url).port}`;
  const browser = await launchChromium();
  const openPage = (contextOptions?: BrowserContextOptions) => openPageIn(browser, origin, contextOptions);
  return {
    server,
    built: (options.console ?? build).folder,
    origin,
    openPage,
    openAs: async (userId, contextOptions) =>
      signInByLink(await openPage(contextOptions), server.database, userId, origin),
    async close() {
      await browser.close();
      await server.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** A console whose server can be killed and started again, and a browser. */
export interface KillableConsole extends Pick<TestConsole, 'origin' | 'openAs' | 'close'> {
  readonly server: KillableServer;
  readonly database: TestDatabase;
  readonly organization: TestOrganization;
  readonly ownerId: string;
  /** A token of the owner. */
  readonly token: string;
}

/** Starts both. */
export async function startKillableConsole(): Promise<KillableConsole> {
  const folder = await mkdtemp(join(tmpdir(), 'trellis-console-'));
  const build = await prepareConsole(folder);
  await build.done;
  const database = await createTestDatabase();
  const organization = await createOrganization(database.worker, 'killed');
  const ownerId = await createMember(database.worker, organization, 'OWNER');
  const { token } = await createToken(database.worker, organization, ownerId);
  const server = await KillableServer.create(database.urls.api, {
    TEST_AUTH_DATABASE_URL: database.urls.auth,
    TEST_CONSOLE: build.folder,
  });
  await server.start();
  const origin = `http://localhost:${new URL(server.url).port}`;
  await until('the console is served', async () => (await fetch(`${server.url}/console/`)).ok);
  const browser = await launchChromium();
  return {
    server,
    database,
    organization,
    ownerId,
    token,
    origin,
    openAs: async (userId, contextOptions) =>
      signInByLink(await openPageIn(browser, origin, contextOptions), database, userId, origin),
    async close() {
      await browser.close();
      await server.kill();
      await database.drop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Signs a user in by a link. */
export async function signInByLink(
  opened: ConsolePage,
  database: TestDatabase,
  userId: string,
  origin: string,
): Promise<ConsolePage> {
  const { secret } = await makeLink(database.auth, 'SIGN_IN', userId, origin);
  await opened.page.goto(`${origin}/console/link#${secret}`);
  await opened.page.locator('main button').click();
  await skipPassword(opened.page);
  // On narrow screens the navigation is in a drawer.
  await opened.page.locator('#content').waitFor();
  return opened;
}

/** Waits until somebody is signed in by a link; who has no password yet sets none now. */
export async function skipPassword(page: Page): Promise<void> {
  const later = page.locator('button[name=later]');
  await later.or(page.locator('#content')).first().waitFor();
  if (await later.isVisible()) await later.click();
}

/** Opens a page of a new person at a browser. @param origin of the console */
export async function openPageIn(
  browser: Browser,
  origin: string,
  options: BrowserContextOptions = {},
): Promise<ConsolePage> {
  const context = await browser.newContext({
    locale: 'en-GB',
    viewport: { width: 1400, height: 900 },
    reducedMotion: 'reduce',
    ...options,
  });
  // A busy machine takes longer than the default of 30 s for what takes milliseconds on another one.
  context.setDefaultTimeout(120_000);
  const page = await context.newPage();
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(error.stack ?? error.message));
  page.on('console', (message) => {
    // Refusals of the server are what many tests are about; the browser notes each as an error.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
      faults.push(message.text());
  });
  // What has no id cannot be asked for.
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (/^\/v1\/(?:.*\/)?$|^\/v1\/.*\/\//.test(pathname)) faults.push(`${request.method()} ${pathname}`);
  });
  return {
    page,
    context,
    async open(path) {
      await page.goto(`${origin}/console${path}`);
    },
    checkAccessibility: (name) => {
      const file = nameTestFile();
      return findBarriers(page, file, name).then((barriers) => assert.deepEqual(barriers, []));
    },
    findBarriers: (name, file = nameTestFile()) => findBarriers(page, file, name),
    checkFaults() {
      assert.deepEqual(faults, []);
    },
  };
}

/** What pages are looked at in. */
const looks = [1400, 360].flatMap((width) =>
  (['light', 'dark'] as const).map((scheme) => ({ width, scheme })),
);
/**
 * A color that is changing has too little contrast for a moment. What changes is brought to its end, since what is not visible may
 * never come to it. Animations without an end go on.
 */
const endTransitions = `for (const animation of document.getAnimations())
  if (animation.effect.getTiming().iterations !== Infinity) animation.finish();`;
let looked = 0;

/** What axe objects to. */
export async function findViolations(page: Page): Promise<readonly string[]> {
  if (!(await page.evaluate<boolean>('"axe" in globalThis'))) await page.evaluate(await axeSource);
  await page.evaluate(endTransitions);
  return page.evaluate(async () => {
    const { axe } = globalThis as unknown as { axe: { run(options: RunOptions): Promise<AxeResults> } };
    const results = await axe.run({ resultTypes: ['violations'] });
    return results.violations.flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 200)} ${failureSummary}`),
    );
  });
}

async function findBarriers(page: Page, file: string, name: string): Promise<readonly string[]> {
  const before = page.viewportSize();
  const found: string[] = [];
  // Each page has one, and a page that is still being loaded has none yet.
  await page.locator('h1').first().waitFor({ state: 'attached' });
  for (const { width, scheme } of casesFor(looked++, looks)) {
    await page.setViewportSize({ width, height: 800 });
    await page.emulateMedia({ colorScheme: scheme });
    await page.locator(`html[data-mantine-color-scheme="${scheme}"]`).waitFor({ state: 'attached' });
    await page.evaluate(endTransitions);
    await keepScreenshot(page, { file, name, width, scheme });
    const place = `${name}, ${scheme}, ${width} px`;
    found.push(...(await findViolations(page)).map((violation) => `${place}: ${violation}`));
    // What is wider than the window would have to be scrolled sideways (WCAG 2.2, 1.4.10).
    const overflow = await page.evaluate<number>(
      'document.documentElement.scrollWidth - document.documentElement.clientWidth',
    );
    if (overflow > 0) found.push(`${place}: ${overflow} px wider than the window`);
  }
  await page.emulateMedia({ colorScheme: null });
  if (before !== null) await page.setViewportSize(before);
  return found;
}
