/** The bulk changes of a person in an organization: works on those that are not paused, also on those of an earlier page. */

import type { QueryClient } from '@tanstack/react-query';
import type { Api } from '../../api/api.ts';
import { type BulkProgress, BulkRunner } from '../../outbox/bulk/bulk.ts';
import { type BulkAction, type BulkItem, BulkStore, type BulkTarget } from '../../outbox/bulk/bulk-store.ts';
import { planInverse } from '../../outbox/edit/undo.ts';
import { sendingAccepted } from '../../resources/body-to-send.ts';
import { resourceByName } from '../../resources/declared.ts';
import { givesAccess, restoringPath } from '../../resources/places.ts';
import { refreshQueries } from '../../resources/refresh-queries.ts';
import type { Vault } from '../../storage/vault.ts';

export interface BulkServiceOptions {
  readonly api: Api;
  readonly vault: Vault;
  /** Id of the session. */
  readonly session: string;
  readonly queries: QueryClient;
  /** Whether the installation keeps deleted records in the trash. */
  readonly hasTrash: boolean;
  readonly onState: (bulks: readonly BulkProgress[]) => void;
}

/** How often bulk changes of other tabs are polled, in milliseconds. */
const refreshMs = 2_000;
/** Time after which one that was interrupted, such as by the end of the session, is tried again. */
const retryMs = 10_000;

export class BulkService {
  private readonly options: BulkServiceOptions;
  private readonly runner: BulkRunner;
  private readonly stopping = new AbortController();
  private readonly running = new Set<string>();
  private readonly shown = new Map<string, BulkProgress>();
  private readonly timer: ReturnType<typeof setInterval>;

  static async open(options: BulkServiceOptions): Promise<BulkService> {
    const service = new BulkService(options);
    await service.refresh();
    return service;
  }

  private constructor(options: BulkServiceOptions) {
    const { api, vault, session, hasTrash } = options;
    this.options = options;
    this.runner = new BulkRunner({
      client: sendingAccepted(api),
      store: new BulkStore(vault),
      owner: vault.owner,
      session,
      givesAccess,
      locks: navigator.locks,
      restoringPath: (path) => (hasTrash ? restoringPath(path) : null),
      inverseOf: ({ resource, fields }, record) => planInverse(resourceByName(resource), fields, record),
    });
    this.timer = setInterval(() => {
      if ([...this.shown.values()].some(({ waiting }) => waiting > 0)) void this.refresh();
    }, refreshMs);
  }

  async start(label: string, action: BulkAction, targets: readonly BulkTarget[]): Promise<void> {
    await this.runner.add(label, action, targets);
    await this.refresh();
  }

  async pause(id: string): Promise<void> {
    await this.runner.pause(id);
    await this.refresh();
  }

  async resume(id: string): Promise<void> {
    await this.runner.resume(id);
    await this.refresh();
  }

  async retry(id: string): Promise<void> {
    await this.runner.retryFailures(id);
    await this.refresh();
  }

  async undo(id: string, label: string): Promise<void> {
    await this.runner.undo(id, label);
    await this.refresh();
  }

  async forgetRestorations(recordIds: readonly string[]): Promise<void> {
    await this.runner.forgetRestorations(recordIds);
    await this.refresh();
  }

  async remove(id: string): Promise<void> {
    await this.runner.remove(id);
    await this.refresh();
  }

  failures(id: string): Promise<readonly BulkItem[]> {
    return this.runner.failures(id);
  }

  stop(): void {
    clearInterval(this.timer);
    this.stopping.abort();
  }

  /** Reads their progress, and works on those that no other tab works on. */
  private async refresh(): Promise<void> {
    const bulks = await this.runner.list();
    if (this.stopping.signal.aborted) return;
    this.shown.clear();
    for (const bulk of bulks) this.shown.set(bulk.id, bulk);
    this.report();
    for (const { id, waiting, isPaused } of bulks) {
      if (waiting > 0 && !isPaused && !this.running.has(id)) void this.work(id);
    }
  }

  private async work(id: string): Promise<void> {
    const { signal } = this.stopping;
    this.running.add(id);
    try {
      await this.runner.run(id, signal, (progress) => {
        const isPaused = this.shown.get(id)?.isPaused ?? progress.isPaused;
        this.shown.set(id, { ...progress, isPaused });
        this.report();
      });
      this.running.delete(id);
    } catch {
      // The session has ended, or the browser's storage fails for a while.
      setTimeout(() => this.running.delete(id), retryMs);
    }
    if (signal.aborted) return;
    void refreshQueries(this.options.queries, ['v1']);
    await this.refresh();
  }

  private report(): void {
    if (!this.stopping.signal.aborted) this.options.onState([...this.shown.values()]);
  }
}
