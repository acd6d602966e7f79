/** Scopes of tokens, derived from the declarations. */
import { resources } from '../resources/index.ts';
import { labelOf, scopeOf } from '../resources/resource.ts';
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

/**
 * The scopes to read and write records that have drafts and are published with a scope of their own, without that scope: with them nothing
 * is changed that readers see.
 */
export const draftScopes: readonly string[] = [
  ...new Set(
    resources
      .filter(({ publishScope, versions }) => publishScope !== undefined && versions !== undefined)
      .flatMap((resource) => [scopeOf(resource, 'read'), scopeOf(resource, 'write')]),
  ),
];

/** The scopes that a declared scope expands to, with their meaning. */
function describeScope(scope: string): [string, string][] {
  const opened = resources.filter((resource) => resource.scope === scope);
  const manage = (name: string): [string, string] => {
    const managed = resources.filter((resource) => scopeOf(resource, 'write') === name);
    return [name, `Manage ${joinWords(managed.map(labelOf))}.`];
  };
  if (scope.includes(':')) return [manage(scope)];
  const records = joinWords(opened.map(labelOf));
  return [
    [`${scope}:read`, `Read ${records}.`],
    opened.some(({ changeRight }) => changeRight === 'manage')
      ? manage(`${scope}:manage`)
      : [`${scope}:write`, `Create, update and delete ${records}.`],
  ];
}

function joinWords(words: readonly string[]): string {
  const last = words.at(-1) ?? '';
  return words.length < 2 ? last : `${words.slice(0, -1).join(', ')} and ${last}`;
}
