/**
 * Rules of clients: what those of the kind BROWSER need, what cannot be changed, and who may take its tokens out of force by its status.
 */

import type { Fault } from '@trellis/schema/problem.ts';
import { Problem } from '@trellis/schema/problem.ts';
import type { Input } from '@trellis/schema/validation/input.ts';
import type { Values } from '@trellis/schema/validation/values.ts';
import type { Step, StepResult } from '../../database/batch.ts';
import { normalizeOrigin } from '../../identity/publishable-key.ts';
import type { Rules } from '../../pipeline/model.ts';
import { Refusal } from '../../pipeline/refusal.ts';
import { affectedStep, checkAffected, checkUnused, tokenCountStep } from './ending.ts';
import { isLastConsole, lastConsoleDetail, otherConsolesStep } from './last-console.ts';

/** What a client is, for as long as it exists. */
const fixed = ['kind', 'siteId'];

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
export const clientRules: Rules<ClientReads, RemovalReads> = {
  reads: ({ organizationId, userId, id }, { values }: Input) =>
    id === null || values.status === undefined
      ? { affected: undefined, consoles: undefined }
      : {
          affected: affectedStep(organizationId, id, userId),
          consoles: otherConsolesStep(organizationId, id),
        },
  create: (values) => (values.kind === 'BROWSER' ? values : { ...values, publishableKey: null }),
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
  derive: (values) => ({ ...values, origins: sortedOrigins(values) }),
  check: (values) => [...checkBrowser(values), ...checkOrigins(values)],
};

function checkConsole({ kind, status }: Values, others: StepResult | undefined): Refusal | null {
  return isLastConsole(kind, status, others)
    ? new Refusal(new Problem('last_console', lastConsoleDetail))
    : null;
}

function originsOf({ origins }: Values): readonly string[] {
  return origins as readonly string[];
}

/** The origins as browsers send them; what is none stays as it is, and is refused. */
function sortedOrigins(values: Values): string[] {
  return [...new Set(originsOf(values).map((text) => normalizeOrigin(text) ?? text))].sort();
}

function checkBrowser(values: Values): Fault[] {
  const isBrowser = values.kind === 'BROWSER';
  const has = { siteId: values.siteId !== null, origins: originsOf(values).length > 0 };
  return Object.entries(has)
    .filter(([, given]) => given !== isBrowser)
    .map(([name]) => ({
      pointer: `/${name}`,
      code: isBrowser ? 'required' : 'kind',
      detail: isBrowser
        ? 'A client of the kind BROWSER needs it.'
        : 'Only a client of the kind BROWSER has it.',
    }));
}

function checkOrigins(values: Values): Fault[] {
  return originsOf(values).flatMap((text, index): Fault[] =>
    normalizeOrigin(text) !== null
      ? []
      : [
          {
            pointer: `/origins/${index}`,
            code: 'origin',
            detail:
              'Is not an origin. Write scheme, host and, if it is not the usual one, port: https://www.example.com.',
          },
        ],
  );
}
