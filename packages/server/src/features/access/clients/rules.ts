/**
 * Rules of clients that need the database or the record before: what cannot be changed, and who may take its tokens out of force by its
 * status.
 */

import type { Fault } from '@trellis/schema/problem.ts';
import { Problem } from '@trellis/schema/problem.ts';
import type { clients } from '@trellis/schema/resources/clients.ts';
import { type FieldName, type ValuesOf, withChanges } from '@trellis/schema/resources/stored-values.ts';
import type { Step, StepResult } from '../../../kernel/database/batch.ts';
import { makePublishableKey } from '../../../kernel/identity/publishable-key.ts';
import type { Rules } from '../../../kernel/pipeline/model.ts';
import { Refusal } from '../../../kernel/pipeline/refusal.ts';
import { affectedStep, checkAffected, checkUnused, tokenCountStep } from './ending.ts';
import { isLastConsole, lastConsoleDetail, otherConsolesStep } from './last-console.ts';

/** What a client is, for as long as it exists. */
const fixed: readonly FieldName<typeof clients>[] = ['kind', 'siteId'];

/** What is read before a client is changed. */
type ClientReads = {
  /** Who holds its tokens and sessions, where its status is given. */
  readonly affected: Step | undefined;
  /** Another active client of the console. */
  readonly consoles: Step | undefined;
};
/** What is read before a client is deleted. */
type RemovalReads = { readonly consoles: Step; readonly used: Step };

/** Rules of clients. */
export const clientRules: Rules<typeof clients, ClientReads, RemovalReads> = {
  reads: ({ organizationId, userId, id }, { values }) =>
    id === null || values.status === undefined
      ? { affected: undefined, consoles: undefined }
      : {
          affected: affectedStep(organizationId, id, userId),
          consoles: otherConsolesStep(organizationId, id),
        },
  create: (values, { actor }) =>
    withChanges(values, {
      // An operator, who acts for no organization, gives the key.
      publishableKey:
        values.kind === 'BROWSER'
          ? (values.publishableKey ?? makePublishableKey(actor.organizationId))
          : null,
    }),
  update(before, patch, merged, { actor, rows }) {
    const faults = fixed
      .filter((name) => name in patch && merged[name] !== before.values[name])
      .map((name): Fault => ({ pointer: `/${name}`, code: 'fixed', detail: 'Cannot be changed.' }));
    if (faults.length > 0)
      return new Refusal(new Problem('validation_failed', undefined, { errors: faults }));
    if (merged.status !== before.values.status) {
      const refused = checkAffected(actor, rows.affected) ?? checkConsole(before.values, rows.consoles);
      if (refused !== null) return refused;
    }
    return { values: merged, events: ['updated'] };
  },
  removalReads: ({ organizationId, id }) => ({
    consoles: otherConsolesStep(organizationId, id),
    used: tokenCountStep(organizationId, id),
  }),
  remove: ({ values }, { rows }) => checkUnused(rows.used) ?? checkConsole(values, rows.consoles) ?? [],
};

function checkConsole(
  { kind, status }: ValuesOf<typeof clients>,
  others: StepResult | undefined,
): Refusal | null {
  return isLastConsole(kind, status, others)
    ? new Refusal(new Problem('last_console', lastConsoleDetail))
    : null;
}
