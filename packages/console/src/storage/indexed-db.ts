/** The database in the browser, and the little that is needed to use IndexedDB with promises. Only the vault uses it. */

const databaseName = 'trellis-sealed';
const version = 1;

/** Names of the object stores. */
export const stores = { rows: 'rows', numbers: 'numbers' } as const;

/**
 * Opens the database, and creates it if there is none.
 * @param factory `indexedDB` of the page
 * @param closed called when it has to be opened again
 */
export async function openDatabase(factory: IDBFactory, closed: () => void): Promise<IDBDatabase> {
  const opening = factory.open(databaseName, version);
  opening.onupgradeneeded = () => {
    opening.result.createObjectStore(stores.rows, { keyPath: 'key' });
    opening.result.createObjectStore(stores.numbers, { autoIncrement: true });
  };
  const database = await resultOf(opening);
  // Otherwise a tab of a later release could not open it while this one is open.
  database.onversionchange = () => {
    database.close();
    closed();
  };
  database.onclose = closed;
  return database;
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
