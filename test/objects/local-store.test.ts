/** The local object store with other processes, sudden deaths and foreign files on the same disk. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, rm, stat, truncate, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterEach, beforeEach, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { createLocalStore } from '@trellis/server/kernel/objects/local-store.ts';
import { ObjectStoreError, type PutOptions } from '@trellis/server/kernel/objects/object-store.ts';
import { until } from '../support/until.ts';
import { filesBelow, type OpenedStore, openLocalStore, organizationId, streamOf } from './stores.ts';

const program = fileURLToPath(new URL('./put-program.ts', import.meta.url));
const options: PutOptions = { maxBytes: 1_000_000, signal: new AbortController().signal };

let opened: OpenedStore;
beforeEach(async () => {
  opened = await openLocalStore();
});
afterEach(() => opened.close());

const modeOf = async (...steps: string[]) =>
  ((await stat(join(opened.folder, ...steps))).mode & 0o777).toString(8);

/** Creates a temporary file that was last written some hours ago. */
async function leaveBehind(name: string, hours: number): Promise<void> {
  const path = join(opened.folder, 'incoming', name);
  await writeFile(path, 'left behind');
  const time = new Date(Date.now() - hours * 3_600_000);
  await utimes(path, time, time);
}

test('other users cannot read the files', async () => {
  const { sha256 } = await opened.store.put(organizationId, streamOf('private'), options);
  const steps = ['objects', organizationId, sha256.slice(0, 2), sha256.slice(2, 4), sha256];
  assert.equal(await modeOf(...steps), '600');
  for (let depth = 1; depth < steps.length; depth += 1) {
    assert.equal(await modeOf(...steps.slice(0, depth)), '700');
  }
  assert.equal(await modeOf('incoming'), '700');
});

test('borrowing gives the file itself', async () => {
  const { sha256 } = await opened.store.put(organizationId, streamOf('itself'), options);
  const { path } = await opened.store.borrow(organizationId, sha256, options.signal);
  assert.equal(path, join(opened.folder, (await opened.files())[0] ?? ''));
});

test('a file that was opened before its removal stays readable', async () => {
  const { sha256 } = await opened.store.put(organizationId, streamOf('still here'), options);
  const stream = await opened.store.open(organizationId, sha256);
  await opened.store.remove(organizationId, sha256);
  assert.equal((await buffer(stream)).toString(), 'still here');
});

test('removing the last object removes the folders', async () => {
  const { sha256 } = await opened.store.put(organizationId, streamOf('alone'), options);
  await opened.store.remove(organizationId, sha256);
  await assert.rejects(stat(join(opened.folder, 'objects', organizationId)), { code: 'ENOENT' });
});

test('stale temporary files are removed at the start, recent ones stay', async () => {
  await leaveBehind('old', 7);
  await leaveBehind('young', 5);
  await (await createLocalStore({ directory: opened.folder })).close();
  assert.deepEqual(await filesBelow(opened.folder), ['incoming/young']);
});

test('stale temporary files are removed while the store is open', async () => {
  const store = await createLocalStore({ directory: opened.folder, sweepEveryMs: 20 });
  try {
    await leaveBehind('old', 7);
    await until('the sweep', async () => (await filesBelow(opened.folder)).length === 0);
  } finally {
    await store.close();
  }
});

test('a process killed in the middle of a put leaves no object', async () => {
  const order = JSON.stringify({ folder: opened.folder, s3: null, megabytes: null });
  const child = spawn(process.execPath, [program, order], { stdio: 'ignore' });
  const ended = once(child, 'exit');
  try {
    const incoming = join(opened.folder, 'incoming');
    await until('an upload', async () => {
      const [name] = await filesBelow(incoming);
      return name !== undefined && (await stat(join(incoming, name))).size > 1_000_000;
    });
  } finally {
    child.kill('SIGKILL');
    await ended;
  }
  const left = await filesBelow(opened.folder);
  assert.equal(left.length, 1);
  assert.match(left[0] ?? '', /^incoming\//);
  assert.deepEqual(await Array.fromAsync(opened.store.organizations()), []);
  const later = await createLocalStore({ directory: opened.folder, staleAfterMs: -60_000 });
  await later.close();
  assert.deepEqual(await filesBelow(opened.folder), []);
});

test('foreign files in the folder are ignored', async () => {
  const { sha256 } = await opened.store.put(organizationId, streamOf('ours'), options);
  const objects = join(opened.folder, 'objects');
  await mkdir(join(objects, 'lost+found'), { recursive: true });
  await mkdir(join(objects, organizationId, 'zz'), { recursive: true });
  await mkdir(join(objects, organizationId, '00', '00', '0'.repeat(64)), { recursive: true });
  await writeFile(join(objects, 'notes.txt'), '');
  await writeFile(join(objects, organizationId, 'notes.txt'), '');
  await writeFile(join(objects, organizationId, sha256.slice(0, 2), sha256.slice(2, 4), 'notes.txt'), '');
  await writeFile(join(objects, organizationId, 'ff'), '');
  assert.deepEqual(await Array.fromAsync(opened.store.organizations()), [organizationId]);
  const listed = await opened.store.list(organizationId, null, 10);
  assert.deepEqual(
    listed.map((object) => object.sha256),
    [sha256],
  );
  assert.equal(await opened.store.has(organizationId, '0'.repeat(64)), false);
});

const isUnavailable = (pattern: RegExp) => (error: unknown) => {
  assert.ok(error instanceof ObjectStoreError, String(error));
  assert.equal(error.reason, 'unavailable');
  assert.match(error.message, pattern);
  assert.ok(error.cause instanceof Error || pattern.source.includes('cut short'));
  return true;
};

test('an unusable folder is reported, at the start and later', async () => {
  const file = join(opened.folder, 'a-file');
  await writeFile(file, '');
  await assert.rejects(
    createLocalStore({ directory: file }),
    isUnavailable(/there is a file where a folder is needed/),
  );
  await rm(join(opened.folder, 'incoming'), { recursive: true });
  const unread = opened.store.put(organizationId, streamOf('x'), options);
  await assert.rejects(unread, isUnavailable(/cannot be used \(ENOENT\)/));
  await assert.rejects(opened.store.check(), isUnavailable(/ENOENT/));
  await mkdir(join(opened.folder, 'incoming'));
  await writeFile(join(opened.folder, 'objects'), '');
  await assert.rejects(opened.store.check(), isUnavailable(/there is a file where a folder is needed/));
  assert.deepEqual(await filesBelow(join(opened.folder, 'incoming')), []);
});

test('truncating a file while it is read fails the stream', async () => {
  const { sha256 } = await opened.store.put(organizationId, streamOf(Buffer.alloc(500_000)), options);
  const stream = await opened.store.open(organizationId, sha256);
  const { path } = await opened.store.borrow(organizationId, sha256, options.signal);
  await truncate(path, 1_000);
  await assert.rejects(buffer(stream), isUnavailable(/cut short/));
});
