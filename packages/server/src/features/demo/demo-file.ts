/**
 * The file `DATA_DIR/demo.json` with the addresses and tokens of the demo, for people and scripts. Readable by its owner
 * only.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The content of the file. Addresses have no trailing slash; the tenant API is at `/v1` below `baseUrl`. */
export interface DemoFile {
  readonly baseUrl: string;
  readonly sandboxUrl: string;
  /** Key of the organization. */
  readonly organization: string;
  /** Email address of the user of the tokens. */
  readonly user: string;
  readonly siteId: string;
  readonly token: string;
  readonly sandboxToken: string;
  /** Publishable key for the pages of this server. */
  readonly publishableKey: string;
}

/** The path of the file in a data directory. */
export function demoFilePath(dataDir: string): string {
  return join(dataDir, 'demo.json');
}

/** Reads the file; null when there is none. @throws Error when it cannot be read or is damaged */
export function readDemoFile(dataDir: string): DemoFile | null {
  const path = demoFilePath(dataDir);
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw new Error(`${path} cannot be read (${(error as Error).message}). Run as the owner of the file.`);
  }
  try {
    return JSON.parse(text) as DemoFile;
  } catch {
    throw new Error(`${path} is damaged. Delete it and start again: it is created anew, with new tokens.`);
  }
}
