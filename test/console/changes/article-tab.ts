/** A tab in which an article is edited, without a browser: the queue, what keeps the page in step with it, and what the page shows. */

import { ApiClient } from '@trellis/client/api-client.ts';
import { RecordSync } from '@trellis/console/outbox/edit/record-sync.ts';
import type { SaveState } from '@trellis/console/outbox/edit/save-state.ts';
import type { FieldConflict } from '@trellis/console/outbox/merge/merge.ts';
import { withPending } from '@trellis/console/outbox/merge/rebase.ts';
import { ChangeQueue } from '@trellis/console/outbox/send/queue.ts';
import { ChangeStore } from '@trellis/console/outbox/store/change-store.ts';
import { storedTable } from '@trellis/console/outbox/store/change-table.ts';
import type { Values } from '@trellis/console/outbox/store/fields.ts';
import { resourceByName } from '@trellis/schema/resources/index.ts';
import { valueAt } from '@trellis/schema/values/paths.ts';
import type { ApiRecord } from '../../../packages/console/src/api/api.ts';
import { isScheduled } from '../../../packages/console/src/features/articles/autosave.ts';
import { EditedRecord } from '../../../packages/console/src/records/edited-record.ts';
import { until } from '../../support/until.ts';
import { givesAccess, hurry, type TestBrowserStorage } from './tabs.ts';

const articles = resourceByName('articles');
const fields = ['versionData.title', 'versionData.summary', 'versionData.body', 'articleData.allowComments'];

/** The network of a tab. */
export class Network {
  isOn = true;
  /** Called before each request. */
  before: (method: string) => Promise<void> | void = () => undefined;
  /** Responds to a request in place of the server; null: the server does. */
  instead: (method: string) => Response | null = () => null;
  /** Called with each response, which it may replace or lose by throwing. */
  responded: (method: string, response: Response) => Promise<Response> | Response = (_, response) => response;

  readonly fetch: typeof fetch = async (url, init) => {
    const method = init?.method ?? 'GET';
    await this.before(method);
    if (!this.isOn) throw new TypeError('there is no network');
    const instead = this.instead(method);
    return instead ?? this.responded(method, await fetch(url, init));
  };
}

export interface TabOptions {
  /** Whether a field may be saved without being asked to; all may when absent. */
  readonly mayAutosave?: (field: string, record: Values) => boolean;
  /** Chooses in a conflict; the person's own values when absent. Null: later. */
  readonly choose?: (conflicts: readonly FieldConflict[]) => ReadonlyMap<string, unknown> | null;
}

export class ArticleTab {
  readonly network: Network;
  readonly sync: RecordSync;
  readonly queue: ChangeQueue;
  /** Whether the browser has no room for another change. */
  isFull = false;
  /** What was asked about, oldest first. */
  readonly questions: (readonly FieldConflict[])[] = [];
  choose: NonNullable<TabOptions['choose']>;
  state: SaveState = { kind: 'saved', at: null };
  private readonly edited: EditedRecord;
  private readonly id: string;
  private readonly end: () => Promise<void>;

  /** Opens the article, with what waits in the storage. */
  static async open(
    storage: TestBrowserStorage,
    server: { readonly url: string; readonly token: string },
    path: string,
    options: TabOptions = {},
  ): Promise<ArticleTab> {
    const network = new Network();
    const { url: baseUrl, token } = server;
    const client = new ApiClient({ baseUrl, token, fetch: network.fetch, timeoutMs: 10_000 });
    const read = async () => (await client.request({ method: 'GET', path, attempts: 1 })).body as ApiRecord;
    const table = storedTable(await storage.open());
    let listener = () => undefined as undefined;
    const queue: ChangeQueue = new ChangeQueue({
      client,
      store: new ChangeStore({
        list: () => table.list(),
        nextSequence: () => table.nextSequence(),
        transact: (work) =>
          tab.isFull ? Promise.reject(new DOMException('Full.', 'QuotaExceededError')) : table.transact(work),
      }),
      owner: storage.owner,
      session: 'ses_1',
      givesAccess,
      locks: navigator.locks,
      wait: hurry,
      resourceOf: () => articles,
      allowsAutosave: (_, record) => !isScheduled(record),
      onState: () => listener(),
    });
    // As the page does: a change that gets a response in between is then there twice, which is the same.
    const waiting = await queue.list(path.split('/').at(-1) ?? '');
    const record = await read();
    const edited = new EditedRecord(record, withPending(record, waiting, articles), fields);
    const tab: ArticleTab = new ArticleTab(
      { network, queue, edited, read, path, record, waiting, options },
      async () => {
        await queue.stop();
        await running;
      },
    );
    listener = () => void tab.sync.check().catch(() => undefined);
    const running = queue.start();
    return tab;
  }

  private constructor(
    {
      network,
      queue,
      edited,
      read,
      path,
      record,
      waiting,
      options,
    }: {
      readonly network: Network;
      readonly queue: ChangeQueue;
      readonly edited: EditedRecord;
      readonly read: () => Promise<ApiRecord>;
      readonly path: string;
      readonly record: ApiRecord;
      readonly waiting: Awaited<ReturnType<ChangeQueue['list']>>;
      readonly options: TabOptions;
    },
    end: () => Promise<void>,
  ) {
    this.network = network;
    this.queue = queue;
    this.edited = edited;
    this.end = end;
    this.id = record.id;
    this.choose =
      options.choose ?? ((conflicts) => new Map(conflicts.map(({ field, mine }) => [field, mine])));
    const sync = {
      queue,
      resource: articles,
      path,
      label: () => 'The article',
      fields,
      mayAutosave: options.mayAutosave ?? (() => true),
      read,
      collect: () => edited.collect(),
      show: (shown: ApiRecord, values: ReadonlyMap<string, unknown>) => edited.show(shown, values),
      ask: async (conflicts: readonly FieldConflict[]) => {
        this.questions.push(conflicts);
        return this.choose(conflicts);
      },
      onState: (state: SaveState) => {
        this.state = state;
      },
    };
    this.sync = new RecordSync(sync, record, waiting);
  }

  /** The text on the page. */
  get text(): string {
    return this.edited.readText();
  }

  /** Another value on the page. */
  valueOf(field: string): unknown {
    return valueAt(this.edited.collect(), field);
  }

  /** Types: replaces a passage of the text. */
  edit(from: string, to: string): void {
    const text = this.text.replace(from, to);
    if (text === this.text) throw new Error(`the text has no passage ${from}`);
    this.edited.attach({ read: () => text, replace: () => undefined });
    this.edited.attach(null);
  }

  /** Types into another field. */
  set(field: string, value: unknown): void {
    this.edited.setDraft({ ...this.edited.snapshot().draft, [field]: value });
  }

  /** Waits until everything is on the server, and the page knows. */
  async settled(): Promise<void> {
    await until(
      'everything is saved',
      async () => this.state.kind === 'saved' && (await this.queue.list(this.id)).length === 0,
    );
  }

  /** Ends the tab at once. */
  close(): Promise<void> {
    return this.end();
  }
}
