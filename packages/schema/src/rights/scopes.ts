/** Scopes of tokens, derived from the declarations. */
import { resources } from '../resources/index.ts';
import { labelOf } from '../resources/resource.ts';
import { services } from '../resources/services.ts';

/** Every scope with its meaning. `write` does not imply `read`, although a write returns the written record. */
export const scopes: Readonly<Record<string, string>> = Object.freeze(
  Object.fromEntries([
    ...[...new Set(resources.map(({ scope }) => scope))].flatMap(describeScope),
    ...resources.flatMap(({ scope, publishScope }) =>
      publishScope === undefined ? [] : [[`${scope}:publish`, publishScope]],
    ),
    ...services.flatMap((service) => Object.entries(service.scopes)),
  ]),
);

/** The names of all scopes. */
export const allScopes: readonly string[] = Object.keys(scopes);

/** The scopes that a declared scope expands to, with their meaning. */
function describeScope(scope: string): [string, string][] {
  const opened = resources.filter((resource) => resource.scope === scope);
  const records = joinWords(opened.map(labelOf));
  if (scope.includes(':')) return [[scope, `Manage ${records}.`]];
  const change = opened.some(({ changeRight }) => changeRight === 'manage')
    ? ([`${scope}:manage`, `Manage ${records}.`] as const)
    : ([`${scope}:write`, `Create, update and delete ${records}.`] as const);
  return [[`${scope}:read`, `Read ${records}.`], [...change]];
}

function joinWords(words: readonly string[]): string {
  const last = words.at(-1) ?? '';
  return words.length < 2 ? last : `${words.slice(0, -1).join(', ')} and ${last}`;
}
