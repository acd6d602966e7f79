/** Bulk changes in the browser's storage: what was asked for, the records that are not done, and what undoes those that are. */

import type { Step, Vault } from '../../storage/vault.ts';
import type { Submission } from '../store/change.ts';

/** One record of a bulk change. */
export interface BulkTarget {
  readonly recordId: string;
  /** `/v1/books/…`. */
  readonly path: string;
  /** ETag of the version that was selected; null to change any version. */
  readonly ifMatch: string | null;
  /** Body for this record alone; null or absent: that of the action. */
  readonly body?: object | null;
  /** Method and change for this record alone; absent: those of the action. */
  readonly method?: BulkAction['method'];
  readonly change?: FieldChange;
  /** Records of a later turn wait until those before are done or have failed; absent: the first turn, 0. */
  readonly turn?: number;
}

/** The values that a record had before its change. */
interface BulkInverse {
  /** The merge patch that gives them back. */
  readonly body: object;
  /** Version that has them. They are those before the change only if it made the next version. */
  readonly version: number;
}

/** A change of fields, which can be undone: each record is read before it is changed. */
export interface FieldChange {
  /** Name of the resource. */
  readonly resource: string;
  /** Dotted names. */
  readonly fields: readonly string[];
  /** The value that they get, or what is done to values of which each record has its own. */
  readonly to: { readonly value: unknown } | ListEdit | Replacement;
}

/** One value takes the place of another, also in lists; fields without it stay. */
export interface Replacement {
  readonly replace: unknown;
  readonly by: unknown;
}

export interface ListEdit {
  /** Values that are put at the end of the list, unless they are in it. */
  readonly add: readonly unknown[];
  readonly remove: readonly unknown[];
}

/** What is done to every record. */
export interface BulkAction {
  readonly method: 'PATCH' | 'DELETE' | 'POST';
  /** Added to the path of each record, such as `/extract`; '' for none. */
  readonly suffix: string;
  readonly body: object | null;
  /** The fields that are changed; null or absent: those of the body. */
  readonly change?: FieldChange | null;
}

/** A bulk change. `askedAt` and `session` are those of when it was made or resumed last. */
export interface Bulk extends Submission {
  readonly id: string;
  /** Organization and user that it is done for. */
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

/** A record that is not done: it waits, or has failed. */
export interface BulkItem extends BulkTarget {
  readonly bulkId: string;
  readonly index: number;
  /** Milliseconds since 1970; null as long as it was never sent. */
  readonly firstSentAt: number | null;
  readonly failure: BulkFailure | null;
  /** What undoes its body; null or absent: nothing does, or the record was not read yet. */
  readonly inverse?: BulkInverse | null;
}

/** The request that undoes the change of one record. */
export interface BulkUndo {
  /** Null where a deletion is undone. */
  readonly body: object | null;
  /** ETag of the version that the change has made; null where a deletion is undone. */
  readonly ifMatch: string | null;
  /** Path of its request; absent: that of the record. */
  readonly path?: string;
}

/** A request that undoes, as it is stored. */
interface StoredUndo extends BulkUndo {
  readonly bulkId: string;
  readonly index: number;
  readonly recordId: string;
  readonly path: string;
}

/** The bulk changes of a person. Records that are done are removed, so what is left is what there is to do. */
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
   * Puts the bulk change that undoes another one in its place, in one transaction: it is undone once, in whichever tab.
   * @returns whether there was something to undo, and no record waits
   */
  replaceByUndo(id: string, undoing: Omit<Bulk, 'action' | 'total'>): Promise<boolean> {
    return this.vault.exclusively('bulks', async () => {
      const undos = await this.vault.all<StoredUndo>(['bulk-undo', id]);
      const items = await this.items(id);
      const isWorkedOn = items.some(({ failure }) => failure === null);
      if (undos.length === 0 || isWorkedOn) return false;
      const action: BulkAction = { method: 'PATCH', suffix: '', body: null };
      const bulk: Bulk = { ...undoing, action, total: undos.length };
      // What was above another record was deleted after it. Others refer to what was deleted only once it is there again.
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

  /** The bulk changes. */
  list(): Promise<Bulk[]> {
    return this.vault.all<Bulk>(['bulk']);
  }

  /** A bulk change; null when it was removed. */
  find(id: string): Promise<Bulk | null> {
    return this.vault.find<Bulk>(['bulk', id]);
  }

  /** The records that are not done, in their order. */
  items(bulkId: string): Promise<BulkItem[]> {
    return this.vault.all<BulkItem>(['bulk-item', bulkId]);
  }

  /** How many of the records that are done can be undone. */
  countUndos(bulkId: string): Promise<number> {
    return this.vault.count(['bulk-undo', bulkId]);
  }

  /** Removes what would restore records that are no longer in the trash. */
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

  /** Writes records: what was sent, what has failed, what waits again. Those that were removed meanwhile stay so. */
  async put(items: readonly BulkItem[]): Promise<void> {
    if (items.length === 0) return;
    await this.vault.write(
      items.map((item) => {
        const id = ['bulk-item', item.bulkId, item.index] as const;
        return { put: id, value: item, needs: id };
      }),
    );
  }

  /** Removes a record that is done, and keeps what undoes that, unless the bulk change was removed meanwhile. */
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

  /** Removes a bulk change with its records. */
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
