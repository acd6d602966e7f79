/** Rules of tokens: they have scopes, which exist. */

import type { Fault } from '../problem.ts';
import { allScopes } from '../rights/scopes.ts';
import { nearestName } from '../values/text.ts';
import type { RecordRules } from './record-rules.ts';
import type { tokens } from './tokens.ts';

export const tokenRules: RecordRules<typeof tokens> = {
  check: ({ scopes }) => checkScopes(scopes),
};

function checkScopes(scopes: readonly string[]): Fault[] {
  if (scopes.length === 0)
    return [{ pointer: '/scopes', code: 'minItems', detail: 'Name at least one scope.' }];
  return scopes.flatMap((scope, index): Fault[] => {
    if (allScopes.includes(scope)) return [];
    const nearest = nearestName(scope, allScopes);
    const hint = nearest === null ? '' : ` Did you mean "${nearest}"?`;
    return [
      {
        pointer: `/scopes/${index}`,
        code: 'unknown_scope',
        detail: `There is no scope "${scope}".${hint}`,
      },
    ];
  });
}
