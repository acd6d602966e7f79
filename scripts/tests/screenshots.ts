/** The folder for the pictures that a soak takes of the pages of the console. */
import { existsSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The variable that names the folder. */
export const screenshotsVariable = 'TRELLIS_SCREENSHOTS';

/** The folder that the environment names, or one of this run. It is made with the first picture. */
export function chooseScreenshotFolder(): string {
  const given = process.env[screenshotsVariable] ?? '';
  return given === '' ? join(tmpdir(), `trellis-screenshots-${process.pid}-${Date.now()}`) : given;
}

/** Says how many pictures there are and where; nothing without any. */
export function describeScreenshots(folder: string): string {
  const pictures = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.png')) : [];
  return pictures.length === 0 ? '' : `\n${pictures.length} screenshots in ${folder}\n`;
}
