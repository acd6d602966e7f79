/** The last check outside the database, before the commit and under the locks of the write. */
import { takes } from '../kinds.ts';
import type { Plan } from '../plan.ts';

/** @throws Problem the plan's refusal */
export async function confirm({ kind, confirm: look }: Plan): Promise<void> {
  if (!takes(kind, 'confirm') || look === null) return;
  const refused = await look();
  if (refused !== null) throw refused;
}
