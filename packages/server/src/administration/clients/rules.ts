/** Rules of clients: what those of the kind BROWSER need, and what cannot be changed. */

import type { Fault } from '@trellis/schema/problem.ts';
import { Problem } from '@trellis/schema/problem.ts';
import type { Values } from '@trellis/schema/validation/values.ts';
import { normalizeOrigin } from '../../identity/publishable-key.ts';
import type { Rules } from '../../pipeline/model.ts';
import { Refusal } from '../../pipeline/write/plan.ts';

/** What a client is, for as long as it exists. */
const fixed = ['kind', 'siteId'];

/** Rules of clients. */
export const clientRules: Rules = {
  create: (values) => (values.kind === 'BROWSER' ? values : { ...values, publishableKey: null }),
  update(before, patch, merged) {
    const faults = fixed
      .filter((name) => name in patch && merged[name] !== before.values[name])
      .map((name): Fault => ({ pointer: `/${name}`, code: 'fixed', detail: 'Cannot be changed.' }));
    if (faults.length > 0)
      return new Refusal(new Problem('validation_failed', undefined, { errors: faults }));
    return { values: merged, events: ['updated'] };
  },
  derive: (values) => ({ ...values, origins: sortedOrigins(values) }),
  check: (values) => [...checkBrowser(values), ...checkOrigins(values)],
};

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
