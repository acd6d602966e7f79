/**
 * `npm run generate -- --pictures`: takes the pictures of docs/console.md from the console of a new demo organization, in a real
 * Chromium. They are not part of what `npm run check` compares, since dates and letters differ from machine to machine.
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import type { Browser, Page } from 'playwright-core';
import { launchChromium } from '../test/support/chromium.ts';

/** A picture of one screen. */
interface Picture {
  /** Of the file, without its ending. */
  readonly name: string;
  /** Path below `/console`. */
  readonly path: string;
  /** Pixels; the height is 800. */
  readonly width?: number;
  readonly scheme?: 'light' | 'dark';
  /** Does what must be done before the screen shows what the picture is about. */
  readonly prepare?: (page: Page) => Promise<void>;
}

const pictures: readonly Picture[] = [
  { name: 'home', path: '/' },
  {
    name: 'contacts',
    path: '/crm/contacts',
    prepare: async (page) => {
      const boxes = page.locator('[role="row"] input[type="checkbox"]');
      for (const row of [1, 2, 3]) await boxes.nth(row).click();
    },
  },
  {
    name: 'article',
    path: '/sites',
    prepare: async (page) => {
      await openFirstArticle(page);
      await page.locator('.cm-content').waitFor();
    },
  },
  { name: 'roles', path: '/roles' },
  {
    name: 'palette',
    path: '/books',
    scheme: 'dark',
    prepare: async (page) => {
      await page.keyboard.press('Control+k');
      await page.getByRole('combobox', { name: 'Search' }).fill('verwandlung');
      await page.getByRole('option', { name: /Die Verwandlung/ }).waitFor();
    },
  },
];

async function openFirstArticle(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Articles' }).click();
  await page.locator('[role="row"] a').first().click();
}

/** Takes all pictures, into a folder. @throws Error when the server does not start or a screen does not appear */
export async function takePictures(root: string, folder: string): Promise<void> {
  const dataDirectory = await mkdtemp(join(tmpdir(), 'trellis-pictures-'));
  const program = join(root, 'scripts/run.mjs');
  const server = spawn(
    process.execPath,
    [program, 'serve', '--demo', '--json', '--port', '0', '--data-dir', dataDirectory],
    { stdio: ['ignore', 'pipe', 'ignore'] },
  );
  const browser = await launchChromium();
  try {
    const origin = await readOrigin(server);
    const { stdout } = await promisify(execFile)(process.execPath, [
      ...[program, 'user', 'sign-in-link', 'demo@example.com', '--json', '--data-dir', dataDirectory],
    ]);
    const { link } = JSON.parse(stdout) as { link: string };
    const page = await signIn(browser, link);
    await mkdir(folder, { recursive: true });
    for (const picture of pictures) await take(page, origin, picture, join(folder, `${picture.name}.png`));
  } finally {
    await browser.close();
    server.kill('SIGTERM');
    if (server.exitCode === null) await once(server, 'exit');
    await rm(dataDirectory, { recursive: true, force: true });
  }
}

/** Scheme, host and port, once the server is ready and has built the console. */
async function readOrigin(server: ChildProcess): Promise<string> {
  if (server.stdout === null) throw new Error('the server has no output');
  for await (const line of createInterface({ input: server.stdout })) {
    const event = JSON.parse(line) as { event?: string; url?: string };
    if (event.event !== 'ready' || event.url === undefined) continue;
    for (let tries = 0; tries < 240; tries++) {
      if ((await fetch(`${event.url}/console/`)).status === 200) return event.url;
      await new Promise((resolve) => setTimeout(resolve, 500));
    }
    throw new Error('the console was not built within two minutes');
  }
  throw new Error('the server ended before it was ready');
}

async function signIn(browser: Browser, link: string): Promise<Page> {
  const context = await browser.newContext({
    locale: 'en-GB',
    deviceScaleFactor: 1,
    reducedMotion: 'reduce',
  });
  const page = await context.newPage();
  await page.goto(link);
  await page.locator('main button').click();
  await page.locator('nav').waitFor();
  return page;
}

async function take(page: Page, origin: string, picture: Picture, file: string): Promise<void> {
  await page.setViewportSize({ width: picture.width ?? 1280, height: 800 });
  await page.emulateMedia({ colorScheme: picture.scheme ?? 'light' });
  await page.goto(`${origin}/console${picture.path}`);
  await settle(page);
  await picture.prepare?.(page);
  await settle(page);
  await page.screenshot({ path: file });
}

/** Waits until what the screen shows was loaded. The stream of events never ends, so the network need not become idle. */
async function settle(page: Page): Promise<void> {
  await page.waitForLoadState('networkidle', { timeout: 3_000 }).catch(() => undefined);
}
