/**
 * Checks whether connections keep their prepared statements. A pooler that assigns a server connection per transaction, such as PgBouncer
 * in transaction mode, keeps them only if it tracks them itself (PgBouncer 1.21 or later, with `max_prepared_statements`); otherwise
 * requests fail at random.
 */
import { type DatabaseFailure, step } from './batch.ts';
import { connectToWritable } from './connection.ts';
import { sendBatch } from './connections.ts';

/** invalid_sql_statement_name, and duplicate_prepared_statement: another client has prepared it on this server connection. */
const lostStates: ReadonlySet<string> = new Set(['26000', '42P05']);
/** A pooler may take its connections in turn instead of the last one first. */
const attempts = 5;
/** How long the other transaction stays open, in ms: in a pool of one connection, the statement waits for its end. */
const longestMs = 2_000;

/** Prepares a statement, and executes it again while another transaction occupies the server connection on which it was prepared. */
export async function keepsPreparedStatements(url: string): Promise<boolean> {
  const prepared = [step({ name: 'trellis_doctor', text: 'SELECT 1' })];
  const client = await connectToWritable(url);
  try {
    const other = await connectToWritable(url);
    try {
      await sendBatch(client, prepared, true);
      for (let attempt = 0; attempt < attempts; attempt += 1) {
        await other.query('BEGIN');
        const timer = setTimeout(() => void other.query('ROLLBACK').catch(() => undefined), longestMs);
        try {
          await sendBatch(client, prepared, true);
        } finally {
          clearTimeout(timer);
        }
        await other.query('ROLLBACK');
      }
      return true;
    } finally {
      await other.end();
    }
  } catch (error) {
    if (lostStates.has((error as DatabaseFailure).code ?? '')) return false;
    throw error;
  } finally {
    await client.end();
  }
}
