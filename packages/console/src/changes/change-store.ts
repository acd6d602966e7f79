/** The waiting changes in IndexedDB. Each method is one transaction, so that tabs and crashes see all of it or nothing. */
import { makeIdempotencyKey } from '@trellis/client/keys.ts';
import { isPlainObject } from '@trellis/schema/values/plain-object.ts';
import type { Change, ChangeRequest, NewChange, Refusal } from './change.ts';
import { change, read, resultOf, stores } from './indexed-db.ts';

/** The changes of all owners. */
export class ChangeStore {
  private readonly database: IDBDatabase;

  constructor(database: IDBDatabase) {
    this.database = database;
  }

  /** The changes of an owner in their order. */
  list(owner: string): Promise<Change[]> {
    return read(this.database, stores.changes, (store) => store.index('owner').getAll(owner));
  }

  /** Stores a change with its key, after or joined with the preceding one of its record. */
  add(owner: string, added: NewChange, now: number): Promise<Change> {
    return this.change(async (store) => {
      const preceding = (await ofRecord(store, owner, added.record)).at(-1);
      if (preceding !== undefined && mayJoin(preceding, added)) {
        const body = joinPatches(preceding.request.body, added.request.body);
        return put(store, { ...preceding, request: { ...preceding.request, body }, label: added.label });
      }
      const follows = added.follows === true && preceding !== undefined ? preceding.sequence : null;
      const fresh: Omit<Change, 'sequence'> = {
        owner,
        key: makeIdempotencyKey(),
        record: added.record,
        request: added.request,
        label: added.label,
        joins: added.joins === true,
        follows,
        madeAt: now,
        firstSentAt: null,
        refusal: null,
      };
      return { ...fresh, sequence: Number(await resultOf(store.add(fresh))) };
    });
  }

  /**
   * Notes that a change is about to be sent: from now on it is what it is. Null when it is gone, is refused, or still follows
   * another one.
   */
  claim(sequence: number, now: number): Promise<Change | null> {
    return this.change(async (store) => {
      const stored = await find(store, sequence);
      if (stored === null || stored.refusal !== null || stored.follows !== null) return null;
      return put(store, { ...stored, firstSentAt: stored.firstSentAt ?? now });
    });
  }

  /** Removes a change that was carried out; what follows it applies to the version that it left. */
  settle(sequence: number, etag: string | null): Promise<void> {
    return this.remove(sequence, () => etag);
  }

  /** Keeps why a change was refused. */
  refuse(sequence: number, refusal: Refusal): Promise<void> {
    return this.change(async (store) => {
      const stored = await find(store, sequence);
      if (stored !== null) put(store, { ...stored, refusal });
    });
  }

  /** Removes a change that a person gives up; what follows it applies to the version that it would have changed. */
  dismiss(sequence: number): Promise<void> {
    return this.remove(sequence, ({ request }) => request.ifMatch);
  }

  /** Lets a refused change be sent again under a new key, with another request if one is given. */
  retry(sequence: number, request: ChangeRequest | null): Promise<void> {
    return this.change(async (store) => {
      const stored = await find(store, sequence);
      if (stored === null || stored.refusal === null) return;
      const again = { key: makeIdempotencyKey(), firstSentAt: null, refusal: null };
      put(store, { ...stored, ...again, request: request ?? stored.request });
    });
  }

  private remove(sequence: number, etagFor: (removed: Change) => string | null): Promise<void> {
    return this.change(async (store) => {
      const removed = await find(store, sequence);
      if (removed === null) return;
      store.delete(sequence);
      for (const other of await ofRecord(store, removed.owner, removed.record)) {
        if (other.follows !== sequence) continue;
        const request = { ...other.request, ifMatch: etagFor(removed) };
        put(store, { ...other, request, follows: removed.follows });
      }
    });
  }

  private change<T>(work: (store: IDBObjectStore) => Promise<T>): Promise<T> {
    return change(this.database, [stores.changes], (transaction) =>
      work(transaction.objectStore(stores.changes)),
    );
  }
}

async function find(store: IDBObjectStore, sequence: number): Promise<Change | null> {
  const found: Change | undefined = await resultOf(store.get(sequence));
  return found ?? null;
}

async function ofRecord(store: IDBObjectStore, owner: string, record: string): Promise<Change[]> {
  const all: Change[] = await resultOf(store.index('owner').getAll(owner));
  return all.filter((stored) => stored.record === record);
}

function put(store: IDBObjectStore, stored: Change): Change {
  store.put(stored);
  return stored;
}

function mayJoin(preceding: Change, { joins, request }: NewChange): boolean {
  return (
    joins === true &&
    preceding.joins &&
    preceding.firstSentAt === null &&
    preceding.refusal === null &&
    preceding.request.method === 'PATCH' &&
    request.method === 'PATCH' &&
    preceding.request.path === request.path
  );
}

/** One merge patch (RFC 7396) that does what both do one after the other. */
export function joinPatches(first: unknown, second: unknown): object {
  const joined: Record<string, unknown> = isPlainObject(first) ? { ...first } : {};
  for (const [name, value] of Object.entries(isPlainObject(second) ? second : {})) {
    joined[name] =
      isPlainObject(value) && isPlainObject(joined[name]) ? joinPatches(joined[name], value) : value;
  }
  return joined;
}
