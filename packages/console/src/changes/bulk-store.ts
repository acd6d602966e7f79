/** Bulk changes in IndexedDB: what was asked for, and the records that are not done. */
import { change, read, resultOf, stores } from './indexed-db.ts';

/** One record of a bulk change. */
export interface BulkTarget {
  readonly recordId: string;
  /** `/v1/books/…`. */
  readonly path: string;
  /** ETag of the version that was selected; null to change any version. */
  readonly ifMatch: string | null;
}

/** What is done to every record. */
export interface BulkAction {
  readonly method: 'PATCH' | 'DELETE' | 'POST';
  /** Added to the path of each record, such as `/extract`; '' for none. */
  readonly suffix: string;
  readonly body: object | null;
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
}

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
      const items = transaction.objectStore(stores.bulkItems);
      for (const [index, target] of targets.entries()) {
        items.add({ ...target, bulkId: bulk.id, index, firstSentAt: null, failure: null } satisfies BulkItem);
      }
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

  async setPaused(id: string, isPaused: boolean): Promise<void> {
    await change(this.database, [stores.bulks], async (transaction) => {
      const store = transaction.objectStore(stores.bulks);
      const bulk: Bulk | undefined = await resultOf(store.get(id));
      if (bulk !== undefined) store.put({ ...bulk, isPaused });
    });
  }

  /** Writes records: what was sent, what has failed, what waits again. */
  async put(items: readonly BulkItem[]): Promise<void> {
    await change(this.database, [stores.bulkItems], async (transaction) => {
      for (const item of items) transaction.objectStore(stores.bulkItems).put(item);
    });
  }

  /** Removes records that are done. */
  async settle(items: readonly BulkItem[]): Promise<void> {
    await change(this.database, [stores.bulkItems], async (transaction) => {
      for (const { bulkId, index } of items)
        transaction.objectStore(stores.bulkItems).delete([bulkId, index]);
    });
  }

  /** Removes a bulk change with its records. */
  async remove(id: string): Promise<void> {
    await change(this.database, [stores.bulks, stores.bulkItems], async (transaction) => {
      transaction.objectStore(stores.bulks).delete(id);
      transaction.objectStore(stores.bulkItems).delete(this.rangeOf(id));
    });
  }

  private rangeOf(bulkId: string): IDBKeyRange {
    return this.ranges.bound([bulkId, 0], [bulkId, Number.POSITIVE_INFINITY]);
  }
}
