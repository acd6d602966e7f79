/** Bulk changes, for the pages: start one, follow its progress, and pause, resume or retry it. */
import { createContext, useContext, useSyncExternalStore } from 'react';
import type { BulkProgress } from './bulk.ts';
import type { BulkAction, BulkItem, BulkTarget } from './bulk-store.ts';

export interface Bulks {
  /** Stores a bulk change and starts it. @throws NotStored */
  start(label: string, action: BulkAction, targets: readonly BulkTarget[]): Promise<void>;
  pause(id: string): Promise<void>;
  resume(id: string): Promise<void>;
  /** Retries the failed records. */
  retry(id: string): Promise<void>;
  /** Restores the previous values of the changed records, unless somebody has changed them since. */
  undo(id: string, label: string): Promise<void>;
  /** Excludes records that have left the trash from `undo`. */
  forgetRestorations(recordIds: readonly string[]): Promise<void>;
  /** Discards a bulk change; unsent requests are not sent. */
  remove(id: string): Promise<void>;
  failures(id: string): Promise<readonly BulkItem[]>;
  /** All stored bulk changes. */
  state(): readonly BulkProgress[];
  subscribe(listener: () => void): () => void;
}

export const BulkContext = createContext<Bulks | null>(null);

/** @throws Error outside the shell, which is a programming error */
export function useBulks(): Bulks {
  const bulks = useContext(BulkContext);
  if (bulks === null) throw new Error('bulk changes are made outside of an organization');
  return bulks;
}

/** The progress of all bulk changes. */
export function useBulkProgress(): readonly BulkProgress[] {
  const bulks = useBulks();
  return useSyncExternalStore(bulks.subscribe, bulks.state);
}
