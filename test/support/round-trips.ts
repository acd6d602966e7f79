/** Records which statements a database is sent, one list of names for each round trip of a write; a joined one as `one + other`. */

import type { Step } from '@trellis/server/kernel/database/batch.ts';
import type { Database, Transaction } from '@trellis/server/kernel/database/database.ts';

/** Records the statements of transactions, except the organization and COMMIT. Clear the list to start again. */
export function recordRoundTrips(database: Database): string[][] {
  const roundTrips: string[][] = [];
  const note = (steps: readonly Step[]) =>
    roundTrips.push(steps.map(({ statement: { name, parts = [name] } }) => parts.join(' + ')));
  const transaction = database.transaction.bind(database);
  database.transaction = (scope, first, work) => {
    note(first);
    return transaction(scope, first, (rows, opened) => work(rows, noting(opened, note)));
  };
  return roundTrips;
}

/** An open transaction whose further steps are noted before they are sent. */
export function noting(opened: Transaction, note: (steps: readonly Step[]) => void): Transaction {
  return {
    send(steps) {
      note(steps);
      return opened.send(steps);
    },
    commit(steps) {
      note(steps);
      return opened.commit(steps);
    },
    position: () => opened.position(),
  };
}
