/** Browser storage of bulk changes: the action, the records still to be processed, and the undo requests of the finished ones. */

import type { Step, Vault } from '../../storage/vault.ts';
import type { Submission } from '../store/change.ts';

/** One record of a bulk change. */
export interface BulkTarget {
  readonly recordId: string;
  /** `/v1/books/…`. */
  readonly path: string;
  /** ETag of the version that was selected; null to change any version. */
  readonly ifMatch: string | null;
  /** Body for this record only; null or absent: the body of the action. */
  readonly body?: object | null;
  /** Method and change for this record only; absent: those of the action. */
  readonly method?: BulkAction['method'];
  readonly change?: FieldChange;
  /** Records of a later turn wait until the earlier turns have finished or failed; absent: turn 0. */
  readonly turn?: number;
}

/** The previous values of a record. */
interface BulkInverse {
  /** The merge patch that restores them. */
  readonly body: object;
  /** Version that has these values. The undo applies only if the change produced the version right after it. */
  readonly version: number;
}

/** A change of fields, which can be undone: each record is read before it is changed. */
export interface FieldChange {
  /** Name of the resource. */
  readonly resource: string;
  /** Dotted names. */
  readonly fields: readonly string[];
  /** The new value, or an edit that is computed from the value of each record. */
  readonly to: { readonly value: unknown } | ListEdit | Replacement;
}

/** Replaces one value by another, also inside lists; fields without the value stay unchanged. */
export interface Replacement {
  readonly replace: unknown;
  readonly by: unknown;
}

export interface ListEdit {
  /** Values that are appended to the list unless it contains them already. */
  readonly add: readonly unknown[];
  readonly remove: readonly unknown[];
}

/** The action that applies to every record. */
export interface BulkAction {
  readonly method: 'PATCH' | 'DELETE' | 'POST';
  /** Appended to the path of each record, such as `/extract`; '' for none. */
  readonly suffix: string;
  readonly body: object | null;
  /** The changed fields; null or absent: the fields of the body. */
  readonly change?: FieldChange | null;
}

/** A bulk change. `askedAt` and `session` belong to its creation or to its last resumption. */
export interface Bulk extends Submission {
  readonly id: string;
  /** Organization and user of the bulk change. */
  readonly owner: string;
  readonly label: string;
  readonly action: BulkAction;
  readonly total: number;
  /** Milliseconds since 1970. */
  readonly madeAt: number;
  readonly isPaused: boolean;
}

/** Why a record was not changed. */
export interface BulkFailure {
  readonly code: string;
  readonly reasons: readonly string[];
}

/** A record that is still to be processed, or has failed. */
export interface BulkItem extends BulkTarget {
  readonly bulkId: string;
  readonly index: number;
  /** Milliseconds since 1970; null before the first attempt. */
  readonly firstSentAt: number | null;
  readonly failure: BulkFailure | null;
  /** Undoes the body; null or absent: the change cannot be undone, or the record was not read yet. */
  readonly inverse?: BulkInverse | null;
}

/** The request that undoes the change of one record. */
export interface BulkUndo {
  /** Null where a deletion is undone. */
  readonly body: object | null;
  /** ETag of the version that the change produced; null to undo a deletion. */
  readonly ifMatch: string | null;
  /** Path of the request; absent: the path of the record. */
  readonly path?: string;
}

/** A stored undo request. */
interface StoredUndo extends BulkUndo {
  readonly bulkId: string;
  readonly index: number;
  readonly recordId: string;
  readonly path: string;
}

/** The bulk changes of a user. Finished records are removed; the remaining ones are the work left. */
export class BulkStore {
  private readonly vault: Vault;

  constructor(vault: Vault) {
    this.vault = vault;
  }

  /** Stores a bulk change with all its records, in one transaction. */
  add(bulk: Bulk, targets: readonly BulkTarget[]): Promise<void> {
    return this.vault.write([{ put: ['bulk', bulk.id], value: bulk }, ...itemSteps(bulk.id, targets)]);
  }

  /**
   * Replaces a bulk change by the one that undoes it, in one transaction, so that two tabs cannot undo it twice.
   * @returns whether there was something to undo and no record was still pending
   */
  replaceByUndo(id: string, undoing: Omit<Bulk, 'action' | 'total'>): Promise<boolean> {
    return this.vault.exclusively('bulks', async () => {
      const undos = await this.vault.all<StoredUndo>(['bulk-undo', id]);
      const items = await this.items(id);
      const isWorkedOn = items.some(({ failure }) => failure === null);
      if (undos.length === 0 || isWorkedOn) return false;
      const action: BulkAction = { method: 'PATCH', suffix: '', body: null };
      const bulk: Bulk = { ...undoing, action, total: undos.length };
      // Restores parents before their children: the deletion removed children first, and a reference needs an existing target.
      const targets = undos
        .reverse()
        .map(
          ({ recordId, path, body, ifMatch }): BulkTarget =>
            body === null
              ? { recordId, path, body, ifMatch, method: 'POST' }
              : { recordId, path, body, ifMatch, turn: 1 },
        );
      await this.vault.write([
        ...removalOf(id),
        { put: ['bulk', bulk.id], value: bulk },
        ...itemSteps(bulk.id, targets),
      ]);
      return true;
    });
  }

  list(): Promise<Bulk[]> {
    return this.vault.all<Bulk>(['bulk']);
  }

  /** A bulk change; null after it was removed. */
  find(id: string): Promise<Bulk | null> {
    return this.vault.find<Bulk>(['bulk', id]);
  }

  /** The pending and failed records, in order. */
  items(bulkId: string): Promise<BulkItem[]> {
    return this.vault.all<BulkItem>(['bulk-item', bulkId]);
  }

  /** The number of finished records that can be undone. */
  countUndos(bulkId: string): Promise<number> {
    return this.vault.count(['bulk-undo', bulkId]);
  }

  /** Removes the undo requests of records that are no longer in the trash. */
  async forgetRestorations(recordIds: ReadonlySet<string>): Promise<void> {
    const undos = await this.vault.all<StoredUndo>(['bulk-undo']);
    const gone = undos.filter(({ body, recordId }) => body === null && recordIds.has(recordId));
    await this.vault.write(gone.map(({ bulkId, index }) => ({ remove: ['bulk-undo', bulkId, index] })));
  }

  pause(id: string): Promise<void> {
    return this.set(id, { isPaused: true });
  }

  resume(id: string, submission: Submission): Promise<void> {
    return this.set(id, { isPaused: false, ...submission });
  }

  private set(id: string, change: Partial<Bulk>): Promise<void> {
    return this.vault.exclusively('bulks', async () => {
      const bulk = await this.find(id);
      if (bulk !== null) await this.vault.write([{ put: ['bulk', id], value: { ...bulk, ...change } }]);
    });
  }

  /** Updates records after sending, failing or retrying. Records that were removed in the meantime stay removed. */
  async put(items: readonly BulkItem[]): Promise<void> {
    if (items.length === 0) return;
    await this.vault.write(
      items.map((item) => {
        const id = ['bulk-item', item.bulkId, item.index] as const;
        return { put: id, value: item, needs: id };
      }),
    );
  }

  /** Removes a finished record and stores its undo request, unless the bulk change was removed in the meantime. */
  async settle({ bulkId, index, recordId, path }: BulkItem, undo: BulkUndo | null): Promise<void> {
    const item = ['bulk-item', bulkId, index] as const;
    const stored = undo === null ? null : ({ bulkId, index, recordId, path, ...undo } satisfies StoredUndo);
    await this.vault.write([
      ...(stored === null
        ? []
        : [{ put: ['bulk-undo', bulkId, index], value: stored, needs: item } as const]),
      { remove: item },
    ]);
  }

  /** Removes a bulk change and its records. */
  remove(id: string): Promise<void> {
    return this.vault.write(removalOf(id));
  }
}

function removalOf(id: string): Step[] {
  return [{ remove: ['bulk', id] }, { remove: ['bulk-item', id] }, { remove: ['bulk-undo', id] }];
}

function itemSteps(bulkId: string, targets: readonly BulkTarget[]): Step[] {
  return targets.map((target, index) => ({
    put: ['bulk-item', bulkId, index],
    value: { ...target, bulkId, index, firstSentAt: null, failure: null } satisfies BulkItem,
  }));
}
