/** Storage of changes: IndexedDB, or the memory of the tab where the browser stores nothing. */

import type { Vault } from '../../storage/vault.ts';
import type { Change } from './change.ts';

/** Access to the changes within one transaction. */
export interface ChangeRows {
  /** The changes of an owner, by `sequence`. */
  ofOwner(owner: string): Promise<Change[]>;
  find(sequence: number): Promise<Change | null>;
  /** @returns the `sequence` of the new row, larger than all earlier ones */
  insert(row: Omit<Change, 'sequence'>): Promise<number>;
  put(row: Change): void;
  remove(sequence: number): void;
}

/** Transactions are atomic and serialized across all tabs that share the table. */
export interface ChangeTable {
  /** The changes of an owner, by `sequence`. */
  list(owner: string): Promise<Change[]>;
  /** @param work must await nothing but the row operations, or the transaction ends */
  transact<T>(work: (rows: ChangeRows) => Promise<T>): Promise<T>;
}

/** The table that all tabs of the browser share. A transaction is durable when it resolves. */
export function storedTable(vault: Vault): ChangeTable {
  const read = async () => {
    const all = await vault.all<Change>(['change']);
    return new Map(all.map((row) => [row.sequence, row]));
  };
  return {
    list: async (owner) => ofOwner(await read(), owner),
    transact: (work) =>
      vault.exclusively('changes', async () => {
        const before = await read();
        const rows = new Map(before);
        const result = await work(rowsIn(rows, () => vault.nextNumber()));
        const removed = [...before.keys()].filter((sequence) => !rows.has(sequence));
        const written = [...rows.values()].filter((row) => before.get(row.sequence) !== row);
        await vault.write([
          ...removed.map((sequence) => ({ remove: ['change', sequence] }) as const),
          ...written.map((row) => ({ put: ['change', row.sequence], value: row }) as const),
        ]);
        return result;
      }),
  };
}

/** A table in memory, which ends with the tab. */
export function memoryTable(): ChangeTable {
  let stored: ReadonlyMap<number, Change> = new Map();
  let last = 0;
  let running: Promise<unknown> = Promise.resolve();
  const next = async () => {
    last += 1;
    return last;
  };
  const run = async <T>(work: (rows: ChangeRows) => Promise<T>): Promise<T> => {
    const rows = new Map(stored);
    const result = await work(rowsIn(rows, next));
    stored = rows;
    return result;
  };
  return {
    list: async (owner) => ofOwner(stored, owner),
    transact: (work) => {
      const result = running.then(() => run(work));
      running = result.catch(() => undefined);
      return result;
    },
  };
}

/** @param next generates the `sequence` of a new row */
function rowsIn(rows: Map<number, Change>, next: () => Promise<number>): ChangeRows {
  return {
    ofOwner: async (owner) => ofOwner(rows, owner),
    find: async (sequence) => rows.get(sequence) ?? null,
    insert: async (row) => {
      const sequence = await next();
      rows.set(sequence, { ...row, sequence });
      return sequence;
    },
    put: (row) => void rows.set(row.sequence, row),
    remove: (sequence) => void rows.delete(sequence),
  };
}

function ofOwner(rows: ReadonlyMap<number, Change>, owner: string): Change[] {
  return [...rows.values()].filter((row) => row.owner === owner).sort((a, b) => a.sequence - b.sequence);
}
