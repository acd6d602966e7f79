/** Storage of the changes of one user: IndexedDB, or the memory of the tab where the browser stores nothing. */
import type { Vault } from '../../storage/vault.ts';
import type { Change } from './change.ts';

/** By `sequence`, in order. */
export type ChangeRows = Map<number, Change>;

/** Transactions are atomic and serialized across all tabs that share the table. */
export interface ChangeTable {
  list(): Promise<Change[]>;
  /** A `sequence` for a new row, larger than all earlier ones. */
  nextSequence(): Promise<number>;
  /** @param work changes the rows; nothing is stored if it throws */
  transact<T>(work: (rows: ChangeRows) => T): Promise<T>;
}

/** The table that all tabs of the browser share. A transaction is durable when it resolves. */
export function storedTable(vault: Vault): ChangeTable {
  const list = () => vault.all<Change>(['change']);
  return {
    list,
    nextSequence: () => vault.nextNumber(),
    transact: (work) =>
      vault.exclusively('changes', async () => {
        const before = toRows(await list());
        const rows = new Map(before);
        const result = work(rows);
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
  let stored: ChangeRows = new Map();
  let last = 0;
  return {
    list: async () => [...stored.values()],
    nextSequence: async () => {
      last += 1;
      return last;
    },
    transact: async (work) => {
      const rows = new Map(stored);
      const result = work(rows);
      stored = toRows([...rows.values()].sort((a, b) => a.sequence - b.sequence));
      return result;
    },
  };
}

function toRows(changes: readonly Change[]): ChangeRows {
  return new Map(changes.map((change) => [change.sequence, change]));
}
