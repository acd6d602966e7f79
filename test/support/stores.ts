/** Stores for file contents: a temporary folder per test. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLocalStore } from '@trellis/server/kernel/objects/local-store.ts';
import type { ObjectStore } from '@trellis/server/kernel/objects/object-store.ts';

/** A store on local disk; `close` removes it. */
export async function openTestStore(): Promise<{ store: ObjectStore; close(): Promise<void> }> {
  const directory = await mkdtemp(join(tmpdir(), 'trellis-files-'));
  const store = await createLocalStore({ directory });
  return {
    store,
    async close() {
      await store.close();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

/** A store for servers that never receive a content. */
export const unusedStore: ObjectStore = {
  put: refuse,
  open: refuse,
  borrow: refuse,
  has: refuse,
  remove: refuse,
  list: refuse,
  organizations() {
    throw new Error('this server has no store');
  },
  check: refuse,
  close: async () => undefined,
};

async function refuse(): Promise<never> {
  throw new Error('this server has no store');
}
