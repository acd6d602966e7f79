/**
 * A program that puts streams into a store, for tests of memory and kills. Takes one argument in JSON and
 * prints one line of JSON. Measuring needs node's `--expose-gc`: only bytes that are still referenced are counted, because
 * how much garbage waits for its collection depends on the machine's load.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { createS3Store, type S3StoreOptions } from '@trellis/server/adapters/s3/s3-store.ts';
import { createLocalStore } from '@trellis/server/kernel/objects/local-store.ts';
import { organizationId } from './stores.ts';

const mebibyte = 1_048_576;
const pieceBytes = 65_536;

interface Order {
  readonly folder: string;
  readonly s3: S3StoreOptions | null;
  /** Endless when null, for a process that is killed. */
  readonly megabytes: number | null;
}

const { folder, s3, megabytes }: Order = JSON.parse(process.argv[2] ?? '');
const store = s3 === null ? await createLocalStore({ directory: folder }) : await createS3Store(s3);

/** New bytes for every piece, as from a socket. The first ones differ, so that each stream is different. */
async function* generate(count: number, seed: number): AsyncGenerator<Buffer> {
  for (let index = 0; index < count; index += 1) {
    yield Buffer.alloc(pieceBytes, seed + index);
  }
}

async function put(size: number, seed: number): Promise<void> {
  const signal = new AbortController().signal;
  const source = generate((size * mebibyte) / pieceBytes, seed);
  await store.put(organizationId, source, { maxBytes: Number.MAX_SAFE_INTEGER, signal });
}

/** Bytes of the heap and of buffers that are still referenced. */
function measureLiveBytes(): number {
  if (global.gc === undefined) throw new Error('Start this program with --expose-gc.');
  global.gc();
  // The second one ends the sweep of the first: V8 frees buffers on another thread, and counts them until then.
  global.gc();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

/** The most live bytes at any instant until the work is done, measured every 20 ms. */
async function measurePeak(work: Promise<void>): Promise<number> {
  let isDone = false;
  const done = work.finally(() => {
    isDone = true;
  });
  let peak = 0;
  while (!isDone) {
    await delay(20);
    peak = Math.max(peak, measureLiveBytes());
  }
  await done;
  return peak;
}

if (megabytes === null) await put(Number.POSITIVE_INFINITY, 0);
else {
  // The first put loads and compiles code.
  await put(16, 0);
  await measurePeak(delay(200));
  const before = measureLiveBytes();
  const peak = await measurePeak(put(megabytes, 99));
  process.stdout.write(`${JSON.stringify({ raisedBytes: peak - before })}\n`);
}
await store.close();
