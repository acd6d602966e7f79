/** The pages for people who come from other systems: their commands print what the pages say. */
import assert from 'node:assert/strict';
import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { runBlocks } from '../support/blocks.ts';
import { cleanEnvironment } from '../support/program.ts';
import { type ServingClone, startClone } from '../support/tour.ts';

const pages = fileURLToPath(new URL('../../docs/coming-from', import.meta.url));
const names = (await readdir(pages)).filter((name) => name.endsWith('.md') && name !== 'README.md');

let clone: ServingClone;
before(async () => {
  clone = await startClone();
});
after(async () => {
  await clone.server.end('SIGTERM');
  await rm(clone.folder, { recursive: true, force: true });
});

test('the index of these pages names all of them', async () => {
  const index = await readFile(join(pages, 'README.md'), 'utf8');
  const linked = [...index.matchAll(/\]\(([\w-]+\.md)\)/g)].map(([, name]) => name);
  assert.deepEqual(linked.toSorted(), names.toSorted());
});

// One after the other in the same organization, so always in the same order.
for (const page of names.toSorted()) {
  test(`the commands of docs/coming-from/${page} print what it says`, async () => {
    const environment = { ...cleanEnvironment(), TRELLIS_DATA_DIR: join(clone.folder, '.trellis') };
    assert.ok((await runBlocks(join(pages, page), clone.folder, environment)) >= 2);
  });
}
