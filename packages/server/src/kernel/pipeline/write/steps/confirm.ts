/** The step `confirm`: the last check outside the database, before the commit and under the locks of the write. */
import type { WriteRequest } from '../plan.ts';

/** @throws Problem the plan's refusal */
export async function confirm({ plan }: WriteRequest): Promise<void> {
  const refused = (await plan.confirm?.()) ?? null;
  if (refused !== null) throw refused;
}
