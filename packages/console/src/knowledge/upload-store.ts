/**
 * Uploads that are not finished, with their bytes, in the browser's database: after a reload they go on under the same key, so that
 * each file is stored once. They belong to a person and an organization.
 */
import { change, inDatabase, read } from '../changes/indexed-db.ts';

const storeName = 'uploads';

export interface StoredUpload {
  /** Idempotency key of the upload. */
  readonly key: string;
  readonly owner: string;
  readonly file: File;
  readonly visibility: string;
}

function inStore<T>(work: (database: IDBDatabase) => Promise<T>): Promise<T> {
  const create = (database: IDBDatabase) => {
    database.createObjectStore(storeName, { keyPath: 'key' }).createIndex('owner', 'owner');
  };
  return inDatabase('trellis-uploads', create, work);
}

/** Keeps uploads until they are removed: all of them, or none. @throws DOMException when the browser has no room for them */
export function storeUploads(uploads: readonly StoredUpload[]): Promise<void> {
  return inStore((database) =>
    change(database, [storeName], async (transaction) => {
      for (const upload of uploads) transaction.objectStore(storeName).put(upload);
    }),
  );
}

export function removeUpload(key: string): Promise<void> {
  return inStore((database) =>
    change(database, [storeName], async (transaction) => {
      transaction.objectStore(storeName).delete(key);
    }),
  );
}

/** The unfinished uploads of an owner. */
export function listUploads(owner: string): Promise<readonly StoredUpload[]> {
  return inStore((database) =>
    read<StoredUpload[]>(database, storeName, (store) => store.index('owner').getAll(owner)),
  );
}
