/** The tour of the README in a clone. */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { cleanEnvironment } from '../support/program.ts';
import { type ServingClone, startClone, takeTour } from '../support/tour.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

let clone: ServingClone;
before(async () => {
  clone = await startClone();
});
after(async () => {
  await clone.server.end('SIGTERM');
  await rm(clone.folder, { recursive: true, force: true });
});

test('the five-minute tour of the README prints what it says', async () => {
  await takeTour(join(root, 'README.md'), clone.folder, cleanEnvironment());
});
