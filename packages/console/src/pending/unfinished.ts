/** Unfinished work in the browser when somebody signs out or switches the organization. */
import type { BulkItem } from '../outbox/bulk/bulk-store.ts';
import type { Vault } from '../storage/vault.ts';

/** How many there are of each. */
export interface Unfinished {
  readonly changes: number;
  /** Records of bulk changes. */
  readonly records: number;
  readonly uploads: number;
  /** Files of an import. */
  readonly files: number;
}

/** What the import stores of itself, as far as it counts here. */
interface StoredImport {
  readonly state: string;
  readonly paths: readonly string[];
}

/** @param changes the pending changes of the queue, which are only in memory if the browser cannot store them */
export async function countUnfinished(vault: Vault, changes: number): Promise<Unfinished> {
  try {
    const [items, uploads, stored] = await Promise.all([
      vault.all<BulkItem>(['bulk-item']),
      vault.count(['upload']),
      vault.find<StoredImport>(['import']),
    ]);
    const records = items.filter(({ failure }) => failure === null).length;
    const files = stored === null || stored.state === 'done' ? 0 : stored.paths.length;
    return { changes, records, uploads, files };
  } catch {
    return { changes, records: 0, uploads: 0, files: 0 };
  }
}

export function isFinished({ changes, records, uploads, files }: Unfinished): boolean {
  return changes + records + uploads + files === 0;
}
