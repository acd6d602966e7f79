/** The tour of the README in a clone, and the pages for people who come from other systems. */
import assert from 'node:assert/strict';
import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { runBlocks } from '../support/blocks.ts';
import { cleanEnvironment, type ServingProgram, startServing } from '../support/program.ts';
import { makeClone, takeTour } from '../support/tour.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

let folder: string;
let server: ServingProgram;
before(async () => {
  folder = await makeClone();
  server = await startServing(['--demo', '--port', '0', '--data-dir', join(folder, '.trellis')], {
    TRELLIS_LOG_LEVEL: 'silent',
  });
});
after(async () => {
  await server.end('SIGTERM');
  await rm(folder, { recursive: true, force: true });
});

test('the five-minute tour of the README prints what it says', async () => {
  await takeTour(join(root, 'README.md'), folder, cleanEnvironment());
});

const pages = join(root, 'docs/coming-from');
const names = (await readdir(pages)).filter((name) => name.endsWith('.md') && name !== 'README.md');
test('the index of these pages names all of them', async () => {
  const index = await readFile(join(pages, 'README.md'), 'utf8');
  const linked = [...index.matchAll(/\]\(([\w-]+\.md)\)/g)].map(([, name]) => name);
  assert.deepEqual(linked.toSorted(), names.toSorted());
});

// One after the other in the same organization, so always in the same order.
for (const page of names.toSorted()) {
  test(`the commands of docs/coming-from/${page} print what it says`, async () => {
    const environment = { ...cleanEnvironment(), TRELLIS_DATA_DIR: join(folder, '.trellis') };
    assert.ok((await runBlocks(join(pages, page), folder, environment)) >= 2);
  });
}
