/** Opens either object store for the tests of their common contract. */
import { createHash } from 'node:crypto';
import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { createS3Store, type S3StoreOptions } from '@trellis/server/adapters/s3/s3-store.ts';
import { createLocalStore } from '@trellis/server/kernel/objects/local-store.ts';
import type { ObjectStore, PutOptions } from '@trellis/server/kernel/objects/object-store.ts';
import { makeDataDirectory } from '../support/folders.ts';
import { type S3TestServer, startS3Server } from '../support/s3-server.ts';

/** A store that a test opened. */
export interface OpenedStore {
  readonly store: ObjectStore;
  /** Everything the store keeps on this machine. */
  readonly folder: string;
  /** Every file of it that is on this machine or in the bucket, temporary ones included. */
  files(): Promise<string[]>;
  close(): Promise<void>;
}

export interface OpenedS3Store extends OpenedStore {
  readonly server: S3TestServer;
}

export const organizationId = '018f6a00-0000-7000-8000-000000000001';
export const otherOrganizationId = '018f6a00-0000-7000-8000-000000000002';

export async function openLocalStore(): Promise<OpenedStore> {
  const folder = await makeDataDirectory('objects');
  const store = await createLocalStore({ directory: folder });
  return {
    store,
    folder,
    files: () => filesBelow(folder),
    async close() {
      await store.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Opens a store on a new server, with short retry delays, so that tests of failures do not take long. */
export async function openS3Store(
  options: Partial<S3StoreOptions> = {},
  serverOptions: Parameters<typeof startS3Server>[0] = {},
): Promise<OpenedS3Store> {
  const server = await startS3Server(serverOptions);
  const folder = await makeDataDirectory('objects');
  const store = await createS3Store({
    ...server.location,
    prefix: 'files',
    spoolDirectory: folder,
    retries: { attempts: 3, baseDelayMs: 5 },
    ...options,
  });
  return {
    store,
    folder,
    server,
    files: async () => [...(await filesBelow(folder)), ...server.objects.keys()],
    async close() {
      await store.close();
      await server.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Both implementations, by name. */
export const storeKinds: readonly (readonly [name: string, open: () => Promise<OpenedStore>])[] = [
  ['local disk', openLocalStore],
  // Pages of two keys, so that longer lists need several pages.
  ['S3', () => openS3Store({}, { pageSize: 2 })],
];

export const mebibyte = 1_048_576;

/** Options of a put of at most 1 MiB without abort. */
export function putOptions(more: Partial<PutOptions> = {}): PutOptions {
  return { maxBytes: mebibyte, signal: new AbortController().signal, ...more };
}

export function sha256Of(bytes: string | Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** A stream of these pieces. */
export async function* streamOf(...pieces: (string | Buffer)[]): AsyncGenerator<Buffer> {
  for (const piece of pieces) yield Buffer.from(piece);
}

export async function filesBelow(folder: string): Promise<string[]> {
  const names = await readdir(folder, { recursive: true });
  const files: string[] = [];
  for (const name of names) {
    const status = await stat(join(folder, name)).catch(() => null);
    if (status?.isFile()) files.push(name);
  }
  return files.sort();
}
