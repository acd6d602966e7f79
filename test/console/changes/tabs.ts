/** Tabs of one browser for tests: they share a database and the locks, and can be killed. */
import { ApiClient } from '@trellis/client/api-client.ts';
import { BulkRunner } from '@trellis/console/changes/bulk.ts';
import { BulkStore, type FieldChange } from '@trellis/console/changes/bulk-store.ts';
import type { Change } from '@trellis/console/changes/change.ts';
import { ChangeStore } from '@trellis/console/changes/change-store.ts';
import { storedTable } from '@trellis/console/changes/change-table.ts';
import type { Values } from '@trellis/console/changes/fields.ts';
import { openDatabase } from '@trellis/console/changes/indexed-db.ts';
import { ChangeQueue, type QueueOptions, type QueueState } from '@trellis/console/changes/queue.ts';
import { planInverse } from '@trellis/console/changes/undo.ts';
import { resourceByName } from '@trellis/schema/resources/index.ts';
import { IDBFactory, IDBKeyRange } from 'fake-indexeddb';

/** A browser, whose database outlives its tabs. Each has an owner of its own, so that tests share no lock. */
export class TestBrowserStorage {
  readonly factory = new IDBFactory();
  readonly owner = `owner ${crypto.randomUUID()}`;

  open(): Promise<IDBDatabase> {
    return openDatabase(this.factory);
  }

  async changes(): Promise<Change[]> {
    const database = await this.open();
    const list = await new ChangeStore(storedTable(database)).list(this.owner);
    database.close();
    return list;
  }
}

/** Waits a little instead of as long as the console would. */
export const hurry = (_milliseconds: number, signal: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, 10);
    signal?.addEventListener('abort', () => {
      clearTimeout(timer);
      reject(signal.reason);
    });
  });

/** A tab with a queue of changes. */
export class QueueTab {
  readonly queue: ChangeQueue;
  readonly done: Change[] = [];
  state: QueueState = { changes: [], waiting: 0, refused: [], obstacle: null };
  private readonly database: IDBDatabase;
  private readonly running: Promise<void>;

  static async open(
    storage: TestBrowserStorage,
    server: { readonly url: string; readonly token: string },
    options: Partial<QueueOptions> = {},
  ): Promise<QueueTab> {
    const database = await storage.open();
    return new QueueTab(database, storage.owner, server, options);
  }

  private constructor(
    database: IDBDatabase,
    owner: string,
    { url, token }: { readonly url: string; readonly token: string },
    options: Partial<QueueOptions>,
  ) {
    this.database = database;
    this.queue = new ChangeQueue({
      client: new ApiClient({ baseUrl: url, token, timeoutMs: 10_000 }),
      store: new ChangeStore(storedTable(database)),
      owner,
      locks: navigator.locks,
      wait: hurry,
      onDone: (change) => this.done.push(change),
      onChange: (state) => {
        this.state = state;
      },
      ...options,
    });
    this.running = this.queue.start();
  }

  /** Ends the tab at once: requests break, and nothing more is stored. */
  async kill(): Promise<void> {
    await this.queue.stop();
    await this.running;
    this.database.close();
  }
}

/** A tab that works on bulk changes. */
export async function openBulkTab(
  storage: TestBrowserStorage,
  client: ApiClient,
  now: () => number = Date.now,
): Promise<BulkRunner> {
  const store = new BulkStore(await storage.open(), IDBKeyRange);
  const { owner } = storage;
  const inverseOf = ({ resource, field }: FieldChange, record: Values) =>
    planInverse(resourceByName(resource), field, record);
  return new BulkRunner({ client, store, owner, locks: navigator.locks, inverseOf, now, wait: hurry });
}
