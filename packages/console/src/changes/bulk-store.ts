/** Bulk changes in IndexedDB: what was asked for, the records that are not done, and what undoes those that are. */
import { change, read, resultOf, stores } from './indexed-db.ts';

/** One record of a bulk change. */
export interface BulkTarget {
  readonly recordId: string;
  /** `/v1/books/…`. */
  readonly path: string;
  /** ETag of the version that was selected; null to change any version. */
  readonly ifMatch: string | null;
  /** Body for this record alone; null or absent: that of the action. */
  readonly body?: object | null;
}

/** The values that a record had before its change. */
export interface BulkInverse {
  /** The merge patch that gives them back. */
  readonly body: object;
  /** Version that has them. They are those before the change only if it made the next version. */
  readonly version: number;
}

/** A change of one field, which can be undone: each record is read before it is changed. */
export interface FieldChange {
  /** Name of the resource. */
  readonly resource: string;
  /** Dotted name. */
  readonly field: string;
  /** The value that it gets, or what is done to a list of which each record has its own. */
  readonly to: { readonly value: unknown } | ListEdit;
}

export interface ListEdit {
  /** Values that are put at the end of the list, unless they are in it. */
  readonly add: readonly unknown[];
  readonly remove: readonly unknown[];
}

/** What is done to every record. */
export interface BulkAction {
  readonly method: 'PATCH' | 'DELETE' | 'POST';
  /** Added to the path of each record, such as `/extract`; '' for none. */
  readonly suffix: string;
  readonly body: object | null;
  /** The field that is changed, if it is one; null or absent otherwise. */
  readonly change?: FieldChange | null;
}

/** A bulk change. */
export interface Bulk {
  readonly id: string;
  /** Organization and user that it is done for. */
  readonly owner: string;
  readonly label: string;
  readonly action: BulkAction;
  readonly total: number;
  /** Milliseconds since 1970. */
  readonly madeAt: number;
  readonly isPaused: boolean;
}

/** Why a record was not changed. */
export interface BulkFailure {
  readonly code: string;
  readonly reasons: readonly string[];
}

/** A record that is not done: it waits, or has failed. */
export interface BulkItem extends BulkTarget {
  readonly bulkId: string;
  readonly index: number;
  /** Milliseconds since 1970; null as long as it was never sent. */
  readonly firstSentAt: number | null;
  readonly failure: BulkFailure | null;
  /** What undoes its body; null or absent: nothing does, or the record was not read yet. */
  readonly inverse?: BulkInverse | null;
}

/** The request that undoes the change of one record. */
export interface BulkUndo {
  readonly body: object;
  /** ETag of the version that the change has made. */
  readonly ifMatch: string;
}

/** A request that undoes, as it is stored. */
interface StoredUndo extends BulkUndo {
  readonly bulkId: string;
  readonly index: number;
  readonly recordId: string;
  readonly path: string;
}

/** All stores of bulk changes. */
const everyStore = [stores.bulks, stores.bulkItems, stores.bulkUndos] as const;

/** The bulk changes of all owners. Records that are done are removed, so what is left is what there is to do. */
export class BulkStore {
  private readonly database: IDBDatabase;
  private readonly ranges: Pick<typeof IDBKeyRange, 'bound'>;

  /** @param ranges those of the factory that the database is of, where that is not the browser's */
  constructor(database: IDBDatabase, ranges: Pick<typeof IDBKeyRange, 'bound'> = IDBKeyRange) {
    this.database = database;
    this.ranges = ranges;
  }

  /** Stores a bulk change with all its records, in one transaction. */
  add(bulk: Bulk, targets: readonly BulkTarget[]): Promise<void> {
    return change(this.database, [stores.bulks, stores.bulkItems], async (transaction) => {
      transaction.objectStore(stores.bulks).add(bulk);
      addItems(transaction, bulk.id, targets);
    });
  }

  /**
   * Puts the bulk change that undoes another one in its place, in one transaction: it is undone once, in whichever tab.
   * @returns whether there was something to undo, and no record waits
   */
  replaceByUndo(id: string, undoing: Omit<Bulk, 'action' | 'total'>): Promise<boolean> {
    return change(this.database, everyStore, async (transaction) => {
      const undos: StoredUndo[] = await resultOf(
        transaction.objectStore(stores.bulkUndos).getAll(this.rangeOf(id)),
      );
      const items: BulkItem[] = await resultOf(
        transaction.objectStore(stores.bulkItems).getAll(this.rangeOf(id)),
      );
      const isWorkedOn = items.some(({ failure }) => failure === null);
      if (undos.length === 0 || isWorkedOn) return false;
      this.removeAll(transaction, id);
      const action: BulkAction = { method: 'PATCH', suffix: '', body: null };
      const bulk: Bulk = { ...undoing, action, total: undos.length };
      transaction.objectStore(stores.bulks).add(bulk);
      const targets = undos.map(({ recordId, path, body, ifMatch }) => ({ recordId, path, body, ifMatch }));
      addItems(transaction, bulk.id, targets);
      return true;
    });
  }

  /** The bulk changes of an owner. */
  list(owner: string): Promise<Bulk[]> {
    return read(this.database, stores.bulks, (store) => store.index('owner').getAll(owner));
  }

  /** A bulk change; undefined when it was removed. */
  find(id: string): Promise<Bulk | undefined> {
    return read(this.database, stores.bulks, (store) => store.get(id));
  }

  /** The records that are not done, in their order. */
  items(bulkId: string): Promise<BulkItem[]> {
    return read(this.database, stores.bulkItems, (store) => store.getAll(this.rangeOf(bulkId)));
  }

  /** How many of the records that are done can be undone. */
  countUndos(bulkId: string): Promise<number> {
    return read(this.database, stores.bulkUndos, (store) => store.count(this.rangeOf(bulkId)));
  }

  async setPaused(id: string, isPaused: boolean): Promise<void> {
    await change(this.database, [stores.bulks], async (transaction) => {
      const store = transaction.objectStore(stores.bulks);
      const bulk: Bulk | undefined = await resultOf(store.get(id));
      if (bulk !== undefined) store.put({ ...bulk, isPaused });
    });
  }

  /** Writes records: what was sent, what has failed, what waits again. Those of a bulk change that was removed stay so. */
  async put(items: readonly BulkItem[]): Promise<void> {
    await change(this.database, [stores.bulkItems], async (transaction) => {
      const store = transaction.objectStore(stores.bulkItems);
      const keys = await Promise.all(
        items.map(({ bulkId, index }) => resultOf(store.getKey([bulkId, index]))),
      );
      for (const [position, item] of items.entries()) if (keys[position] !== undefined) store.put(item);
    });
  }

  /** Removes a record that is done, and keeps what undoes that. */
  async settle({ bulkId, index, recordId, path }: BulkItem, undo: BulkUndo | null): Promise<void> {
    await change(this.database, [stores.bulkItems, stores.bulkUndos], async (transaction) => {
      const items = transaction.objectStore(stores.bulkItems);
      const isThere = (await resultOf(items.getKey([bulkId, index]))) !== undefined;
      items.delete([bulkId, index]);
      // A bulk change that was removed meanwhile leaves nothing.
      if (undo === null || !isThere) return;
      const stored: StoredUndo = { bulkId, index, recordId, path, ...undo };
      transaction.objectStore(stores.bulkUndos).put(stored);
    });
  }

  /** Removes a bulk change with its records. */
  async remove(id: string): Promise<void> {
    await change(this.database, everyStore, async (transaction) => this.removeAll(transaction, id));
  }

  private removeAll(transaction: IDBTransaction, id: string): void {
    transaction.objectStore(stores.bulks).delete(id);
    for (const name of [stores.bulkItems, stores.bulkUndos])
      transaction.objectStore(name).delete(this.rangeOf(id));
  }

  private rangeOf(bulkId: string): IDBKeyRange {
    return this.ranges.bound([bulkId, 0], [bulkId, Number.POSITIVE_INFINITY]);
  }
}

function addItems(transaction: IDBTransaction, bulkId: string, targets: readonly BulkTarget[]): void {
  const items = transaction.objectStore(stores.bulkItems);
  for (const [index, target] of targets.entries()) {
    items.add({ ...target, bulkId, index, firstSentAt: null, failure: null } satisfies BulkItem);
  }
}
