/** Pictures of pages for people to look at, in the folder that TRELLIS_SCREENSHOTS names; a soak names one. */
import { mkdir, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { getCallSites } from 'node:util';
import type { Page } from 'playwright-core';

/** What a picture shows. */
export interface Shown {
  /** The test file, without its ending. */
  readonly file: string;
  readonly name: string;
  readonly width: number;
  readonly scheme: 'light' | 'dark';
}

/** The test file that calls, without its ending; to be called before anything is awaited. */
export function nameTestFile(): string {
  const ending = '.test.ts';
  const site = getCallSites(50).find(({ scriptName }) => scriptName.endsWith(ending));
  return basename(site?.scriptName ?? 'unknown', ending);
}

/** Keeps a picture of what the window shows; does nothing without the variable. */
export async function keepScreenshot(page: Page, { file, name, width, scheme }: Shown): Promise<void> {
  const folder = process.env.TRELLIS_SCREENSHOTS;
  if (folder === undefined || folder === '') return;
  // To hide the caret and stop animations, Playwright adds a style, which the policy of the page refuses.
  const picture = await page.screenshot({ caret: 'initial', animations: 'allow' });
  const title = [file, name.replaceAll(/[^\p{L}\p{N}]+/gu, '-'), width, scheme].join('_');
  await mkdir(folder, { recursive: true });
  for (let count = 1; ; count += 1) {
    try {
      // Several looks may have one name.
      await writeFile(join(folder, `${title}${count === 1 ? '' : `_${count}`}.png`), picture, { flag: 'wx' });
      return;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
}
