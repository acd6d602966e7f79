/** The tour of the README in a clone. */
import { rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { makeDataDirectory } from '../support/folders.ts';
import { cleanEnvironment, startServing } from '../support/program.ts';
import { takeTour } from '../support/tour.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

test('the five-minute tour of the README prints what it says', async () => {
  const folder = await makeDataDirectory('tour');
  // The tour's folder is a clone with a running server: the same files, but data of its own.
  for (const name of [
    'package.json',
    'package-lock.json',
    'scripts',
    'node_modules',
    'packages',
    'migrations',
  ]) {
    await symlink(join(root, name), join(folder, name));
  }
  const server = await startServing(['--demo', '--port', '0', '--data-dir', join(folder, '.trellis')], {
    TRELLIS_LOG_LEVEL: 'silent',
  });
  try {
    await takeTour(join(root, 'README.md'), folder, cleanEnvironment());
  } finally {
    await server.end('SIGTERM');
    await rm(folder, { recursive: true, force: true });
  }
});
