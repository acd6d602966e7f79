/** Runs the tour of the README as it stands, against a running server, and compares its output. */
import assert from 'node:assert/strict';
import { readFile, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runBlocks } from './blocks.ts';
import { makeDataDirectory } from './folders.ts';
import { type ServingProgram, startServing } from './program.ts';
import { until } from './until.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** Makes a folder that is like a clone with data of its own: the same files, and room for `.trellis`. */
async function makeClone(): Promise<string> {
  const folder = await makeDataDirectory('tour');
  const names = [
    'package.json',
    'package-lock.json',
    'scripts',
    'node_modules',
    'packages',
    'migrations',
    'docs',
  ];
  for (const name of names) await symlink(join(root, name), join(folder, name));
  return folder;
}

/** A clone with a server of the demo. */
export interface ServingClone {
  readonly folder: string;
  readonly server: ServingProgram;
}

/** Makes a clone, and starts a server with the demo in it. */
export async function startClone(): Promise<ServingClone> {
  const folder = await makeClone();
  const server = await startServing(['--demo', '--port', '0', '--data-dir', join(folder, '.trellis')], {
    TRELLIS_LOG_LEVEL: 'silent',
  });
  return { folder, server };
}

/** Waits for the extraction of texts, which ends while a person types the next command. */
async function waitForTexts(demoPath: string): Promise<void> {
  const { baseUrl, token } = JSON.parse(await readFile(demoPath, 'utf8'));
  const headers = { authorization: `Bearer ${token}` };
  await until('the texts of the files are read', async () => {
    const response = await fetch(`${baseUrl}/v1/knowledge-files?status=READY`, { headers });
    const { items } = (await response.json()) as { items?: unknown[] };
    return items?.length === 3;
  });
}

/**
 * Runs all blocks of the README in a folder in which `npx trellis` works.
 * @param folder has the data directory of the server with the demo in `.trellis`
 * @param environment of the commands
 */
export async function takeTour(
  readme: string,
  folder: string,
  environment: NodeJS.ProcessEnv,
): Promise<void> {
  await waitForTexts(join(folder, '.trellis', 'demo.json'));
  const data = { TRELLIS_DATA_DIR: join(folder, '.trellis') };
  const blocks = await runBlocks(readme, folder, { ...environment, ...data });
  assert.ok(blocks >= 7);
}
