/**
 * A program that puts streams into a store, for tests of memory and kills. Takes one argument in JSON and
 * prints one line of JSON.
 */
import { createLocalStore } from '@trellis/server/objects/local-store.ts';
import { createS3Store, type S3StoreOptions } from '@trellis/server/objects/s3-store.ts';
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
let highestRss = 0;

/** New bytes for every piece, as from a socket. The first ones differ, so that each stream is different. */
async function* generate(count: number, seed: number): AsyncGenerator<Buffer> {
  for (let index = 0; index < count; index += 1) {
    highestRss = Math.max(highestRss, process.memoryUsage.rss());
    yield Buffer.alloc(pieceBytes, seed + index);
  }
}

async function put(size: number, seed: number): Promise<void> {
  const signal = new AbortController().signal;
  const source = generate((size * mebibyte) / pieceBytes, seed);
  await store.put(organizationId, source, { maxBytes: Number.MAX_SAFE_INTEGER, signal });
  highestRss = Math.max(highestRss, process.memoryUsage.rss());
}

if (megabytes === null) await put(Number.POSITIVE_INFINITY, 0);
else {
  // The first puts let the heap grow to its working size; the last one would show a leak.
  for (const [round, size] of [16, 16, megabytes].entries()) await put(size, round);
  const rssBefore = process.memoryUsage.rss();
  highestRss = 0;
  const sampling = setInterval(() => {
    highestRss = Math.max(highestRss, process.memoryUsage.rss());
  }, 5);
  await put(megabytes, 99);
  clearInterval(sampling);
  process.stdout.write(`${JSON.stringify({ raisedBytes: highestRss - rssBefore })}\n`);
}
await store.close();
