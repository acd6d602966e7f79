/** Tabs of one browser for tests: they share a database and the locks, and can be killed. */
import { ApiClient } from '@trellis/client/api-client.ts';
import { BulkRunner } from '@trellis/console/outbox/bulk/bulk.ts';
import { BulkStore, type FieldChange } from '@trellis/console/outbox/bulk/bulk-store.ts';
import { planInverse } from '@trellis/console/outbox/edit/undo.ts';
import { ChangeQueue, type QueueOptions, type QueueState } from '@trellis/console/outbox/send/queue.ts';
import type { Change, NewChange } from '@trellis/console/outbox/store/change.ts';
import { ChangeStore } from '@trellis/console/outbox/store/change-store.ts';
import { storedTable } from '@trellis/console/outbox/store/change-table.ts';
import type { Values } from '@trellis/console/outbox/store/fields.ts';
import { importSealKey } from '@trellis/console/storage/seal.ts';
import { Vault } from '@trellis/console/storage/vault.ts';
import { resourceByName } from '@trellis/schema/resources/index.ts';
import { IDBFactory, IDBKeyRange } from 'fake-indexeddb';
import { restoringPath } from '../../../packages/console/src/resources/places.ts';

/** A browser, whose database outlives its tabs. Each has an owner of its own, so that tests share no lock. */
export class TestBrowserStorage {
  readonly factory = new IDBFactory();
  readonly owner = `owner ${crypto.randomUUID()}`;
  /** Entries that could not be opened. */
  unreadable = 0;

  /** The key of the person, as the server would give it. */
  private readonly key = makeSealKey();

  /** What a tab of this person has of it, or one that somebody else has opened. */
  async open(other: { readonly key?: string; readonly owner?: string } = {}): Promise<Vault> {
    const { key = this.key, owner = this.owner } = other;
    const onUnreadable = (count: number) => {
      this.unreadable += count;
    };
    const { factory } = this;
    return new Vault({ key: await importSealKey(key), owner, onUnreadable, factory, ranges: IDBKeyRange });
  }

  async changes(): Promise<Change[]> {
    return new ChangeStore(storedTable(await this.open())).list();
  }
}

/** A store that tells late that a change has left it, so that other tabs see it earlier than the one that has sent it. */
export class LateStore extends ChangeStore {
  private readonly late: () => Promise<unknown>;

  constructor(vault: Vault, late: () => Promise<unknown>) {
    super(storedTable(vault));
    this.late = late;
  }

  override async settle(sequence: number, etag: string | null): Promise<void> {
    await super.settle(sequence, etag);
    await this.late();
  }
}

/** What is stored of a change, for the message of a failure. */
export function describeChange({ sequence, request, base, dependsOn, firstSentAt, refusal }: Change): string {
  const { method, body, ifMatch } = request;
  const made = `${method} ${JSON.stringify(body)} in place of ${JSON.stringify(base)}, If-Match ${ifMatch}`;
  const sent = firstSentAt === null ? 'never sent' : 'sent';
  const became = refusal === null ? 'waits' : `refused: ${refusal.code} (${refusal.reasons.join(' ')})`;
  return `change ${sequence}: ${made}, dependsOn ${dependsOn}, ${sent}, ${became}`;
}

/** A key as the server gives it. */
export function makeSealKey(): string {
  return Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString('base64');
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

/** Whether a request changes who may do what, as far as these tests go. */
export const givesAccess = (path: string): boolean => path.startsWith('/v1/roles');

/** The state of a queue, with its pending and refused changes apart. */
interface TabState extends QueueState {
  readonly waiting: number;
  readonly refused: readonly Change[];
}

function counted(state: QueueState): TabState {
  const refused = state.changes.filter(({ refusal }) => refusal !== null);
  return { ...state, refused, waiting: state.changes.length - refused.length };
}

/** A tab with a queue of changes. */
export class QueueTab {
  readonly queue: ChangeQueue;
  readonly done: Change[] = [];
  state: TabState = { changes: [], waiting: 0, refused: [], obstacle: null };
  /** How often the state was told. */
  reports = 0;
  private readonly running: Promise<void>;

  static async open(
    storage: TestBrowserStorage,
    server: { readonly url: string; readonly token: string },
    options: Partial<QueueOptions> = {},
  ): Promise<QueueTab> {
    return new QueueTab(await storage.open(), storage.owner, server, options);
  }

  private constructor(
    vault: Vault,
    owner: string,
    { url, token }: { readonly url: string; readonly token: string },
    options: Partial<QueueOptions>,
  ) {
    this.queue = new ChangeQueue({
      client: new ApiClient({ baseUrl: url, token, timeoutMs: 10_000 }),
      store: new ChangeStore(storedTable(vault)),
      owner,
      session: 'ses_1',
      givesAccess,
      resourceOf: () => resourceByName('books'),
      allowsAutosave: () => true,
      locks: navigator.locks,
      wait: hurry,
      onDone: (change) => this.done.push(change),
      onState: (state) => {
        this.state = counted(state);
        this.reports += 1;
      },
      ...options,
    });
    this.running = this.queue.start();
  }

  /** Stores a change. */
  async add(added: NewChange): Promise<Change> {
    return (await this.queue.submit(added)).change;
  }

  async read(): Promise<TabState> {
    return counted(await this.queue.state());
  }

  /** Ends the tab at once: requests break, and nothing more is stored. */
  async kill(): Promise<void> {
    await this.queue.stop();
    await this.running;
  }
}

/** A tab that works on bulk changes. */
export async function openBulkTab(
  storage: TestBrowserStorage,
  client: ApiClient,
  now: () => number = Date.now,
  session = 'ses_1',
): Promise<BulkRunner> {
  const store = new BulkStore(await storage.open());
  const { owner } = storage;
  const inverseOf = ({ resource, fields }: FieldChange, record: Values) =>
    planInverse(resourceByName(resource), fields, record);
  const given = { client, store, owner, session, givesAccess, inverseOf, restoringPath, now };
  return new BulkRunner({ ...given, locks: navigator.locks, wait: hurry });
}
