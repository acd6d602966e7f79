/** Where the waiting changes are: in IndexedDB, or in the memory of the tab where the browser stores nothing. */
import type { Change } from './change.ts';
import { change, read, resultOf, stores } from './indexed-db.ts';

/** The changes within one transaction. */
export interface ChangeRows {
  /** Those of an owner, by `sequence`. */
  ofOwner(owner: string): Promise<Change[]>;
  find(sequence: number): Promise<Change | null>;
  /** @returns the `sequence` of the new row, larger than all that there were */
  insert(row: Omit<Change, 'sequence'>): Promise<number>;
  put(row: Change): void;
  remove(sequence: number): void;
}

/** All that a transaction does happens, or nothing of it, and transactions follow one another, in all tabs that share the table. */
export interface ChangeTable {
  /** The changes of an owner, by `sequence`. */
  list(owner: string): Promise<Change[]>;
  /** @param work awaits nothing but the rows */
  transact<T>(work: (rows: ChangeRows) => Promise<T>): Promise<T>;
}

/** The table of all tabs of the browser. What a transaction has done is on the disk when it resolves. */
export function storedTable(database: IDBDatabase): ChangeTable {
  return {
    list: (owner) => read(database, stores.changes, (store) => store.index('owner').getAll(owner)),
    transact: (work) =>
      change(database, [stores.changes], (transaction) =>
        work(rowsIn(transaction.objectStore(stores.changes))),
      ),
  };
}

function rowsIn(store: IDBObjectStore): ChangeRows {
  return {
    ofOwner: (owner) => resultOf(store.index('owner').getAll(owner)),
    find: async (sequence) => {
      const found: Change | undefined = await resultOf(store.get(sequence));
      return found ?? null;
    },
    insert: async (row) => Number(await resultOf(store.add(row))),
    put: (row) => void store.put(row),
    remove: (sequence) => void store.delete(sequence),
  };
}

/** A table that ends with the tab. */
export function memoryTable(): ChangeTable {
  let stored: ReadonlyMap<number, Change> = new Map();
  let last = 0;
  let running: Promise<unknown> = Promise.resolve();
  const run = async <T>(work: (rows: ChangeRows) => Promise<T>): Promise<T> => {
    const rows = new Map(stored);
    const result = await work({
      ofOwner: async (owner) => ofOwner(rows, owner),
      find: async (sequence) => rows.get(sequence) ?? null,
      insert: async (row) => {
        last += 1;
        rows.set(last, { ...row, sequence: last });
        return last;
      },
      put: (row) => void rows.set(row.sequence, row),
      remove: (sequence) => void rows.delete(sequence),
    });
    stored = rows;
    return result;
  };
  return {
    list: async (owner) => ofOwner(stored, owner),
    transact: (work) => {
      const result = running.then(() => run(work));
      running = result.catch(() => undefined);
      return result;
    },
  };
}

function ofOwner(rows: ReadonlyMap<number, Change>, owner: string): Change[] {
  return [...rows.values()].filter((row) => row.owner === owner).sort((a, b) => a.sequence - b.sequence);
}
