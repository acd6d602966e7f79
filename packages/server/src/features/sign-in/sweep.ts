/** Deletes expired rows of signing in. */

import { type Statement, step } from '../../kernel/database/batch.ts';
import type { Database } from '../../kernel/database/database.ts';

/** Ended sessions and their tokens are kept for a while: people look at where they were signed in. */
const sweeps: readonly Statement[] = [
  `DELETE FROM trellis.tokens WHERE session_id IS NOT NULL
    AND (expires_at < now() - interval '30 days' OR revoked_at < now() - interval '30 days')`,
  `DELETE FROM trellis.sessions WHERE expires_at < now() - interval '30 days' OR ended_at < now() - interval '30 days'`,
  `DELETE FROM trellis.sign_in_links WHERE expires_at < now() - interval '1 day'`,
  `DELETE FROM trellis.sign_in_challenges WHERE expires_at < now()`,
  `DELETE FROM trellis.sign_in_delays WHERE updated_at < now() - interval '2 hours' AND blocked_until < now()`,
].map((text, index) => ({ name: `sign_in_sweep_${index}`, text }));

/**
 * Runs all deletions once, each in its own transaction: together they may exceed the limit for a silent connection, and a failed one must
 * not undo the others.
 * @throws AggregateError of the failures, after all deletions
 */
export async function sweepSignIn(auth: Database): Promise<void> {
  const failures: unknown[] = [];
  for (const statement of sweeps) {
    await auth.executeInBackground([step(statement)]).catch((error: unknown) => failures.push(error));
  }
  if (failures.length > 0)
    throw new AggregateError(failures, 'some of what signing in leaves behind is kept');
}
