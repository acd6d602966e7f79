/**
 * The rule that an organization keeps an active client of the kind CONSOLE, without which nobody can sign in. Used by the API
 * and the command line.
 */

import { type Statement, type Step, type StepResult, step } from '../../../kernel/database/batch.ts';

const findOtherConsoles: Statement = {
  name: 'find_other_console_clients',
  text: `SELECT FROM trellis.clients c WHERE c.organization_id = $1 AND c.id <> $2 AND c.kind = 'CONSOLE' AND c.status = 'ACTIVE' LIMIT 1`,
};

/** Finds another active client of the console. The access lock, held exclusively, prevents two of them from being removed concurrently. */
export function otherConsolesStep(organizationId: string, clientId: string): Step {
  return step(findOtherConsoles, [organizationId, clientId]);
}

/** Whether a client is the only one through which people can enter the organization. @param others what `otherConsolesStep` has found */
export function isLastConsole(kind: unknown, status: unknown, others: StepResult | undefined): boolean {
  return kind === 'CONSOLE' && status === 'ACTIVE' && others?.rows.length === 0;
}

export const lastConsoleDetail =
  'This is the last active client of the kind CONSOLE, without which nobody can use the console. Create another one first.';
