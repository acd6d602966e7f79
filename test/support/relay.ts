/** The relay in the process of a test. */
import type { Database } from '@trellis/server/kernel/database/database.ts';
import { type Relay, type RelayOptions, startRelay } from '@trellis/server/kernel/events/relay.ts';

/** Starts a relay on a test's database. */
export function startTestRelay(
  { worker }: { readonly worker: Database },
  options: Partial<Omit<RelayOptions, 'database'>> = {},
): Relay {
  return startRelay({ log: () => undefined, ...options, database: worker });
}
