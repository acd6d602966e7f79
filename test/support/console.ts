/** The console in a real browser: a server with the built console, and pages that record what a test must not overlook. */
import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { prepareConsole } from '@trellis/server/console/prepare.ts';
import { makeLink } from '@trellis/server/identity/sign-in/links.ts';
import type { AxeResults } from 'axe-core';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { launchChromium } from './chromium.ts';
import { startTestServer, type TestServer, type TestServerOptions } from './server.ts';

const axeSource = readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** A server with the console, and a browser. */
export interface TestConsole {
  readonly server: TestServer;
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
  /** Fails for everything that axe objects to, in light and dark, and 1400 and 360 px wide. */
  checkAccessibility(name: string): Promise<void>;
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
  const openPage = (contextOptions?: BrowserContextOptions) => openIn(browser, origin, contextOptions);
  return {
    server,
    origin,
    openPage,
    async openAs(userId, contextOptions) {
      const opened = await openPage(contextOptions);
      const { secret } = await makeLink(server.database.auth, 'SIGN_IN', userId, origin);
      await opened.page.goto(`${origin}/console/link#${secret}`);
      await opened.page.locator('main button').click();
      await opened.page.locator('nav').waitFor();
      return opened;
    },
    async close() {
      await browser.close();
      await server.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function openIn(
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
  const page = await context.newPage();
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(error.stack ?? error.message));
  page.on('console', (message) => {
    // Refusals of the server are what many tests are about; the browser notes each as an error.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
      faults.push(message.text());
  });
  return {
    page,
    context,
    async open(path) {
      await page.goto(`${origin}/console${path}`);
    },
    checkAccessibility: (name) => checkAccessibility(page, name),
    checkFaults() {
      assert.deepEqual(faults, []);
    },
  };
}

async function checkAccessibility(page: Page, name: string): Promise<void> {
  const source = await axeSource;
  const before = page.viewportSize();
  for (const width of [1400, 360]) {
    await page.setViewportSize({ width, height: 800 });
    for (const scheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme: scheme });
      await page.locator(`html[data-mantine-color-scheme="${scheme}"]`).waitFor();
      await page.evaluate(source);
      const violations = await page.evaluate(async () => {
        const { axe } = globalThis as unknown as { axe: { run(): Promise<AxeResults> } };
        const results = await axe.run();
        return results.violations.flatMap(({ id, nodes }) =>
          nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 200)} ${failureSummary}`),
        );
      });
      assert.deepEqual(violations, [], `${name}, ${scheme}, ${width} px`);
      // What is wider than the window would have to be scrolled sideways (WCAG 2.2, 1.4.10).
      const overflow = await page.evaluate<number>(
        'document.documentElement.scrollWidth - document.documentElement.clientWidth',
      );
      assert.ok(overflow <= 0, `${name}, ${width} px: ${overflow} px wider than the window`);
    }
  }
  await page.emulateMedia({ colorScheme: null });
  if (before !== null) await page.setViewportSize(before);
}
