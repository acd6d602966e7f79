/**
 * The import of a person in an organization, with its file, in the browser's database. Nothing else has to be kept: the importer
 * derives its keys from the rows, so an import that was interrupted is run again from the beginning.
 */
import type { ColumnChoices } from '@trellis/importer/columns.ts';
import type { ImportReport } from '@trellis/importer/report.ts';
import { change, inDatabase, read, resultOf } from '../changes/indexed-db.ts';
import type { Choice } from './files.ts';

export type Report = Omit<ImportReport, 'rejectedFile'>;

/** What a person decides about an import. */
export interface ImportSettings extends ColumnChoices {
  /** Name of the resource; null for a file of an export, whose rows contain it. */
  readonly resource: string | null;
  /** Id of the parent of all records, such as a site. */
  readonly parentId: string | null;
  /** Whether existing records are changed. */
  readonly update: boolean;
  /** Whether records are changed to the status of their row. */
  readonly statuses: boolean;
}

export interface ImportJob {
  /** The person in the organization. */
  readonly owner: string;
  /** New for each choice of files. */
  readonly id: string;
  readonly choice: Choice;
  readonly settings: ImportSettings;
  /** `open`: nothing was written yet. `stopped`: it ended early, and can be continued. */
  readonly state: 'open' | 'running' | 'paused' | 'stopped' | 'done';
  /** Whether it was interrupted and run again. */
  readonly wasContinued: boolean;
  /** Of the dry run with these settings; null before it. */
  readonly check: Report | null;
  /** Null until it has ended. */
  readonly report: Report | null;
  /** The lines of the file of rejected rows, without its header. */
  readonly rejected: readonly string[];
}

const storeName = 'imports';

function inStore<T>(work: (database: IDBDatabase) => Promise<T>): Promise<T> {
  const create = (database: IDBDatabase) => void database.createObjectStore(storeName, { keyPath: 'owner' });
  return inDatabase('trellis-imports', create, work);
}

/** The import of an owner; null without one. */
export async function readJob(owner: string): Promise<ImportJob | null> {
  const job = await inStore((database) =>
    read<ImportJob | undefined>(database, storeName, (store) => store.get(owner)),
  );
  return job ?? null;
}

/** Keeps an import in place of the owner's last one. @throws DOMException when the browser cannot keep it */
export function storeJob(job: ImportJob): Promise<boolean> {
  return inStore((database) =>
    change(database, [storeName], async (transaction) => {
      transaction.objectStore(storeName).put(job);
      return true;
    }),
  );
}

/**
 * Keeps what became of an import, if the browser still has it: in another tab it may have been discarded, or another one begun.
 * @returns whether it is kept
 * @throws DOMException when the browser cannot keep it
 */
export function updateJob(job: ImportJob): Promise<boolean> {
  return inStore((database) =>
    change(database, [storeName], async (transaction) => {
      const store = transaction.objectStore(storeName);
      const stored: ImportJob | undefined = await resultOf(store.get(job.owner));
      if (stored?.id !== job.id) return false;
      store.put(job);
      return true;
    }),
  );
}

export function removeJob(owner: string): Promise<void> {
  return inStore((database) =>
    change(database, [storeName], async (transaction) => {
      transaction.objectStore(storeName).delete(owner);
    }),
  );
}
