/** A tab with the form of a book, without a browser: the queue, what keeps the form in step with the record, and what it shows. */

import type { TestContext } from 'node:test';
import { ApiClient } from '@trellis/client/api-client.ts';
import { RecordSync } from '@trellis/console/outbox/edit/record-sync.ts';
import type { SaveState } from '@trellis/console/outbox/edit/save-state.ts';
import { amend, mergeChange } from '@trellis/console/outbox/merge/rebase.ts';
import type { Outcome } from '@trellis/console/outbox/send/outcomes.ts';
import { ChangeQueue, type QueueOptions, type QueueState } from '@trellis/console/outbox/send/queue.ts';
import type { Change } from '@trellis/console/outbox/store/change.ts';
import { ChangeStore } from '@trellis/console/outbox/store/change-store.ts';
import { storedTable } from '@trellis/console/outbox/store/change-table.ts';
import { resourceByName } from '@trellis/schema/resources/index.ts';
import { valueAt } from '@trellis/schema/values/paths.ts';
import type { ApiRecord } from '../../../packages/console/src/api/api.ts';
import { EditedRecord } from '../../../packages/console/src/records/edited-record.ts';
import { Network } from './article-tab.ts';
import { givesAccess, hurry, type TestBrowserStorage } from './tabs.ts';

const books = resourceByName('books');
/** Those of the form. */
export const fields = ['title', 'subtitle', 'edition', 'isbn13', 'description'];

interface FormServer {
  readonly url: string;
  readonly token: string;
}

/** A form in a tab, as the pages of the console have it: it follows what is known of the record. */
export class FormTab {
  readonly network = new Network();
  /** The methods of the requests that change something. */
  readonly sent: string[] = [];
  readonly queue: ChangeQueue;
  readonly sync: RecordSync;
  readonly edited: EditedRecord;
  /** Past the network of the tab. */
  private readonly server: ApiClient;
  state: SaveState = { kind: 'saved', at: null };
  /** What is known of the record. */
  known: ApiRecord;
  /** What the console shows of the queue. */
  private waiting: Pick<QueueState, 'changes' | 'obstacle'> = { changes: [], obstacle: null };

  /** @param record null: a new one */
  static async open(
    context: TestContext,
    storage: TestBrowserStorage,
    server: FormServer,
    record: ApiRecord | null,
    options: Partial<QueueOptions> = {},
    name = 'new book',
  ): Promise<FormTab> {
    const table = storedTable(await storage.open());
    const tab = new FormTab(storage, new ChangeStore(table), server, record, options, name);
    const running = tab.queue.start();
    context.after(async () => {
      await tab.queue.stop();
      await running;
    });
    await tab.sync.check();
    return tab;
  }

  private constructor(
    { owner }: TestBrowserStorage,
    store: ChangeStore,
    server: FormServer,
    record: ApiRecord | null,
    options: Partial<QueueOptions>,
    name: string,
  ) {
    const { network } = this;
    network.before = (method) => {
      if (method !== 'GET') this.sent.push(method);
    };
    const { url: baseUrl, token } = server;
    const api = new ApiClient({ baseUrl, token, fetch: network.fetch, timeoutMs: 10_000 });
    this.known = record ?? { id: name, version: 0 };
    this.server = new ApiClient({ baseUrl, token });
    this.queue = new ChangeQueue({
      client: api,
      store,
      owner,
      session: 'ses_1',
      givesAccess,
      locks: navigator.locks,
      wait: hurry,
      resourceOf: () => books,
      allowsAutosave: () => true,
      onCompleted: ({ body }) => {
        if (this.known.version > 0) this.note(body as ApiRecord);
      },
      onState: (state) => {
        this.waiting = state;
        void this.sync.check();
      },
      ...options,
    });
    const edited = new EditedRecord(this.known, this.known, fields);
    this.edited = edited;
    const given = {
      queue: this.queue,
      resource: books,
      path: record === null ? '/v1/books' : `/v1/books/${record.id}`,
      label: () => 'The book',
      fields,
      mayAutosave: () => false,
      read: async () => this.known,
      collect: () => edited.collect(),
      show: (shown: ApiRecord, values: ReadonlyMap<string, unknown>) => edited.show(shown, values),
      ask: null,
      onState: (state: SaveState) => {
        this.state = state;
      },
    };
    this.sync = new RecordSync(given, this.known, []);
  }

  type(values: Readonly<Record<string, unknown>>): void {
    this.edited.setDraft({ ...this.edited.snapshot().draft, ...values });
  }

  valueOf(field: string): unknown {
    return valueAt(this.edited.collect(), field) ?? null;
  }

  /** Saves, and waits for the response. @throws Error when there is nothing to save */
  async save(): Promise<Outcome> {
    const submitted = await this.sync.save(fields);
    if (submitted === null) throw new Error('there is nothing to save');
    return submitted.outcome;
  }

  /** The change that was refused. */
  async refused(): Promise<Change> {
    const refused = (await this.queue.list(this.known.id)).find(({ refusal }) => refusal !== null);
    if (refused === undefined) throw new Error('no change was refused');
    return refused;
  }

  /** Somebody else has changed the record, and this tab has read it. */
  async receive(): Promise<void> {
    this.note(await this.read());
    await this.sync.check();
  }

  /** What the console shows in this tab, for the message of a failure. */
  describe(): string {
    const { changes, obstacle } = this.waiting;
    const network = this.network.isOn ? 'on' : 'off';
    const refused = changes.filter(({ refusal }) => refusal !== null).map(({ sequence }) => sequence);
    return `network ${network}, form ${this.state.kind}, obstacle ${obstacle?.message ?? 'none'}, refused [${refused}]`;
  }

  /** Decides about all conflicts of the refused change. */
  async decide(side: 'mine' | 'theirs'): Promise<void> {
    const theirs = await this.read();
    const change = await this.refused();
    const { values, conflicts } = mergeChange(change, books, theirs);
    const chosen = conflicts.map((conflict) => [conflict.field, conflict[side]] as const);
    await this.queue.merge(change, amend(change, new Map([...values, ...chosen]), theirs), theirs);
  }

  /** As the console notes what it reads (`noteRecord`). */
  private note(record: ApiRecord): void {
    if (record.version >= this.known.version) this.known = record;
  }

  private async read(): Promise<ApiRecord> {
    const path = `/v1/books/${this.known.id}`;
    return (await this.server.request({ method: 'GET', path, attempts: 1 })).body as ApiRecord;
  }
}
