/** Memory of uploads: they are streamed, so it does not grow with their size. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { amount } from '../support/soak.ts';
import { openLocalStore, openS3Store } from './stores.ts';

const program = fileURLToPath(new URL('./put-program.ts', import.meta.url));
const megabytes = amount(50, 100);
/** What is under way between files and sockets takes less than a megabyte. */
const allowedBytes = 8_000_000;

async function measure(folder: string, s3: object | null): Promise<number> {
  const order = JSON.stringify({ folder, s3, megabytes });
  const { stdout } = await promisify(execFile)(process.execPath, ['--expose-gc', program, order]);
  return JSON.parse(stdout).raisedBytes;
}

test(`a put of ${megabytes} MiB on local disk`, async () => {
  const opened = await openLocalStore();
  try {
    const raised = await measure(opened.folder, null);
    assert.ok(raised < allowedBytes, `memory rose by ${raised} bytes`);
    assert.equal((await opened.files()).length, 2);
  } finally {
    await opened.close();
  }
});

test(`a put of ${megabytes} MiB in S3`, async () => {
  const opened = await openS3Store();
  try {
    const options = { ...opened.server.location, prefix: '', spoolDirectory: opened.folder };
    const raised = await measure(opened.folder, options);
    assert.ok(raised < allowedBytes, `memory rose by ${raised} bytes`);
    const sizes = [...opened.server.objects.values()].map(({ bytes }) => bytes.length / 1_048_576);
    assert.deepEqual(sizes, [16, megabytes]);
  } finally {
    await opened.close();
  }
});
