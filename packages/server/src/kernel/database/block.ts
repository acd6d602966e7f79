/** The statements that begin and end a multi-statement transaction. */
import type { Statement } from './batch.ts';
import { onlyRead } from './scope.ts';

export const begin: Statement = { name: 'trellis_begin', text: 'BEGIN ISOLATION LEVEL READ COMMITTED' };
/** Makes an implicit transaction read-only. */
export const beginToRead: Statement = { name: 'trellis_read', text: `SELECT ${onlyRead}` };
export const commit: Statement = { name: 'trellis_commit', text: 'COMMIT', commits: true };
export const rollback: Statement = { name: 'trellis_rollback', text: 'ROLLBACK' };
