/** The database of changes in the browser, and the little that is needed to use IndexedDB with promises. */

const databaseName = 'trellis-console';
/** 2: what undoes bulk changes. */
const version = 2;

/** Names of the object stores. */
export const stores = {
  changes: 'changes',
  bulks: 'bulks',
  bulkItems: 'bulk-items',
  bulkUndos: 'bulk-undos',
} as const;

/** Opens the database, and creates it if there is none. @param factory `indexedDB` of the page */
export async function openDatabase(factory: IDBFactory): Promise<IDBDatabase> {
  const opening = factory.open(databaseName, version);
  opening.onupgradeneeded = ({ oldVersion }) => {
    const database = opening.result;
    if (oldVersion < 1) {
      const changes = database.createObjectStore(stores.changes, {
        keyPath: 'sequence',
        autoIncrement: true,
      });
      changes.createIndex('owner', 'owner');
      database.createObjectStore(stores.bulks, { keyPath: 'id' }).createIndex('owner', 'owner');
      database.createObjectStore(stores.bulkItems, { keyPath: ['bulkId', 'index'] });
    }
    if (oldVersion < 2) database.createObjectStore(stores.bulkUndos, { keyPath: ['bulkId', 'index'] });
  };
  const database = await resultOf(opening);
  // A tab of a later release could otherwise not open it as long as this one is there.
  database.onversionchange = () => database.close();
  return database;
}

/**
 * Does something in a database that is opened for it alone.
 * @param create makes the stores of the database if there is none
 */
export async function inDatabase<T>(
  name: string,
  create: (database: IDBDatabase) => void,
  work: (database: IDBDatabase) => Promise<T>,
): Promise<T> {
  const opening = indexedDB.open(name, 1);
  opening.onupgradeneeded = () => create(opening.result);
  const database = await resultOf(opening);
  try {
    return await work(database);
  } finally {
    database.close();
  }
}

/** The result of a request. @throws its error */
export function resultOf<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

/** Reads. */
export function read<T>(
  database: IDBDatabase,
  name: string,
  work: (store: IDBObjectStore) => IDBRequest<T>,
): Promise<T> {
  return resultOf(work(database.transaction(name, 'readonly').objectStore(name)));
}

/**
 * Changes stores in one transaction. It has reached the disk when this resolves (`durability: 'strict'`): what a person was told
 * to be safe survives a power failure. Transactions that write the same store follow one another, in all tabs.
 * @param work awaits nothing but requests of its transaction: otherwise IndexedDB ends it
 */
export async function change<T>(
  database: IDBDatabase,
  names: readonly string[],
  work: (transaction: IDBTransaction) => Promise<T>,
): Promise<T> {
  const transaction = database.transaction([...names], 'readwrite', { durability: 'strict' });
  const completed = new Promise<void>((resolve, reject) => {
    transaction.oncomplete = () => resolve();
    transaction.onabort = () => reject(transaction.error);
  });
  try {
    const result = await work(transaction);
    await completed;
    return result;
  } catch (error) {
    completed.catch(() => undefined);
    try {
      transaction.abort();
    } catch {
      // It has ended already.
    }
    throw error;
  }
}
