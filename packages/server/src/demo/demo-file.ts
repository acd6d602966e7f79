/**
 * Why: after the first start a person and a script need the same few things to begin with: where the server is, and a
 * token. They stand in `DATA_DIR/demo.json`, readable by its owner only.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The file's content. Addresses are without a slash at the end; the tenant API is at `/v1` below `baseUrl`. */
export interface DemoFile {
  readonly baseUrl: string;
  readonly sandboxUrl: string;
  /** Key of the organization. */
  readonly organization: string;
  /** E-mail address of the user that the tokens act as. */
  readonly user: string;
  readonly siteId: string;
  readonly token: string;
  readonly sandboxToken: string;
  /** Publishable key for the pages of this server itself; absent in files of older releases. */
  readonly publishableKey?: string;
}

/** Where the file of a data directory is. */
export function demoFilePath(dataDir: string): string {
  return join(dataDir, 'demo.json');
}

/** The file, or null when there is none yet. @throws Error when it cannot be read or is damaged */
export function readDemoFile(dataDir: string): DemoFile | null {
  const path = demoFilePath(dataDir);
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw new Error(`${path} cannot be read (${(error as Error).message}). Run as its owner.`);
  }
  try {
    return JSON.parse(text) as DemoFile;
  } catch {
    throw new Error(`${path} is damaged. Delete it and start again: it is written anew, with new tokens.`);
  }
}
