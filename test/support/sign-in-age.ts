/** Lets time pass for sessions, and for their tokens in all organizations. */
import { AdminClient } from './admin-client.ts';
import type { TestDatabase } from './database.ts';

/**
 * Makes something about sessions and their tokens older.
 * @param column what becomes older: the sign-in, or the last use
 * @param userId uuid; null for all sessions
 */
export async function makeOlder(
  database: TestDatabase,
  column: 'authenticated_at' | 'last_used_at',
  seconds: number,
  userId: string | null = null,
): Promise<void> {
  const change = `SET ${column} = ${column} - $1 * interval '1 second' WHERE ($2::uuid IS NULL OR user_id = $2)`;
  const values = [String(seconds), userId];
  await database.auth.run(`UPDATE trellis.sessions ${change}`, values);
  const admin = await AdminClient.open(database);
  await admin.query(`UPDATE trellis.tokens ${change} AND session_id IS NOT NULL`, values);
  await admin.end();
}
