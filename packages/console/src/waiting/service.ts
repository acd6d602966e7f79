/** The queue of changes behind the pages: in the browser's storage, or in the memory of the tab where the browser stores nothing. */
import type { QueryClient } from '@tanstack/react-query';
import type { Api, ApiRecord } from '../api/api.ts';
import { MergingQueue } from '../outbox/send/merging-queue.ts';
import type { QueueState } from '../outbox/send/queue.ts';
import { ChangeStore } from '../outbox/store/change-store.ts';
import { type ChangeTable, memoryTable, storedTable } from '../outbox/store/change-table.ts';
import { findPlace, givesAccess } from '../resources/places.ts';
import { presentationOf } from '../resources/presentation.ts';
import type { Vault } from '../storage/vault.ts';
import { noteAnswer } from './cache.ts';

export interface ServiceOptions {
  readonly api: Api;
  readonly vault: Vault;
  /** Id of the session. */
  readonly session: string;
  readonly queries: QueryClient;
  readonly onState: (state: Pick<QueueState, 'changes' | 'obstacle'>, isKept: boolean) => void;
}

/** What is behind `useChanges`. */
export type ChangeService = Omit<MergingQueue, 'start'>;

/** Starts the queue. */
export async function startChanges({
  api,
  vault,
  session,
  queries,
  onState,
}: ServiceOptions): Promise<ChangeService> {
  const isKept = await vault.open().then(
    () => true,
    () => false,
  );
  const table: ChangeTable = isKept ? storedTable(vault) : memoryTable();
  const queue = new MergingQueue({
    client: api,
    read: (path) => api.get<ApiRecord>(path),
    resourceOf: (path) => findPlace(path.replace(/^\/v1/, ''))?.resource ?? null,
    mayChangeUnasked: (resource, record) => presentationOf(resource).mayChangeUnasked?.(record) ?? true,
    store: new ChangeStore(table),
    // Tabs that do not share what they store must not wait for each other.
    owner: isKept ? vault.owner : `${vault.owner} ${crypto.randomUUID()}`,
    session,
    givesAccess,
    locks: navigator.locks,
    onAnswered: (answered) => noteAnswer(queries, answered),
    onState: (state) => onState(state, isKept),
  });
  return run(queue);
}

/** Sends until it is stopped; at once when the network is back. */
function run(queue: MergingQueue): ChangeService {
  let isStopped = false;
  const resume = () => queue.resume();
  queue.start().catch((error: unknown) => {
    if (!isStopped) throw error;
  });
  window.addEventListener('online', resume);
  return {
    submit: (added) => queue.submit(added),
    retry: (id, amended) => queue.retry(id, amended),
    merge: (chain, amended, record) => queue.merge(chain, amended, record),
    dismiss: (id) => queue.dismiss(id),
    list: (record) => queue.list(record),
    resume,
    stop: async () => {
      isStopped = true;
      window.removeEventListener('online', resume);
      await queue.stop();
    },
  };
}
