/** The queue of changes behind the pages: in the browser's storage, or in the memory of the tab where the browser stores nothing. */

import type { QueryClient } from '@tanstack/react-query';
import type { Api } from '../api/api.ts';
import { ChangeQueue, type QueueState } from '../outbox/send/queue.ts';
import { ChangeStore } from '../outbox/store/change-store.ts';
import { type ChangeTable, memoryTable, storedTable } from '../outbox/store/change-table.ts';
import { sendingAccepted } from '../resources/body-to-send.ts';
import { findPlace, givesAccess } from '../resources/places.ts';
import { presentationOf } from '../resources/presentation.ts';
import type { Vault } from '../storage/vault.ts';
import { noteCompletion } from './cache.ts';

export interface ServiceOptions {
  readonly api: Api;
  readonly vault: Vault;
  /** Id of the session. */
  readonly session: string;
  readonly queries: QueryClient;
  readonly onState: (state: QueueState, isPersistent: boolean) => void;
}

/** Starts the queue: it sends until it is stopped. */
export async function startChanges({
  api,
  vault,
  session,
  queries,
  onState,
}: ServiceOptions): Promise<ChangeQueue> {
  const isPersistent = await vault.open().then(
    () => true,
    () => false,
  );
  const table: ChangeTable = isPersistent ? storedTable(vault) : memoryTable();
  const queue = new ChangeQueue({
    client: sendingAccepted(api),
    resourceOf: (path) => findPlace(path.replace(/^\/v1/, ''))?.resource ?? null,
    allowsAutosave: (resource, record) => presentationOf(resource).allowsAutosave?.(record) ?? true,
    store: new ChangeStore(table),
    // Tabs that do not share storage must not wait for each other.
    owner: isPersistent ? vault.owner : `${vault.owner} ${crypto.randomUUID()}`,
    session,
    givesAccess,
    locks: navigator.locks,
    onCompleted: (completed) => noteCompletion(queries, completed),
    onState: (state) => onState(state, isPersistent),
  });
  void queue.start();
  // Pending changes are sent as soon as the network is back.
  window.addEventListener('online', () => queue.resume(), { signal: queue.stopped });
  return queue;
}
