/** Scopes of tokens, derived from the declarations. */
import { resources } from '../resources/index.ts';
import { joinWords, labelOf } from '../resources/nouns.ts';
import { type Resource, scopeOf } from '../resources/resource.ts';
import { type Service, services } from '../resources/services.ts';

/** Words of a language for what a scope allows. */
interface ScopeWords {
  readonly noun: (resource: Resource) => string;
  readonly read: (records: string) => string;
  readonly write: (records: string) => string;
  readonly manage: (records: string) => string;
  readonly publish: (resource: Resource) => string | undefined;
  readonly and: string;
  readonly ofServices: (service: Service) => Readonly<Record<string, string>>;
}

const english: ScopeWords = {
  noun: labelOf,
  read: (records) => `Read ${records}.`,
  write: (records) => `Create, update and delete ${records}.`,
  manage: (records) => `Manage ${records}.`,
  publish: ({ publishScope }) => publishScope,
  and: 'and',
  ofServices: ({ scopes }) => scopes,
};

const german: ScopeWords = {
  noun: (resource) => resource.german?.plural ?? resource.title.plural,
  read: (records) => `${records} lesen.`,
  write: (records) => `${records} anlegen, ändern und löschen.`,
  manage: (records) => `${records} verwalten.`,
  publish: ({ german: names, publishScope }) => names?.publishScope ?? publishScope,
  and: 'und',
  ofServices: (service) => service.german.scopes,
};

/** Every scope with its meaning. `write` does not imply `read`, although a write returns the written record. */
export const scopes = describeScopes(english);

/** Every scope with its meaning in German. */
export const germanScopes = describeScopes(german);

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

function describeScopes(words: ScopeWords): Readonly<Record<string, string>> {
  return Object.freeze(
    Object.fromEntries([
      ...[...new Set(resources.map(({ scope }) => scope))].flatMap((scope) => describeScope(scope, words)),
      ...resources.flatMap((resource) => {
        const meaning = words.publish(resource);
        return meaning === undefined ? [] : [[`${resource.scope}:publish`, meaning]];
      }),
      ...services.flatMap((service) => Object.entries(words.ofServices(service))),
    ]),
  );
}

/** The scopes that a declared scope expands to, with their meaning. */
function describeScope(scope: string, words: ScopeWords): [string, string][] {
  const opened = resources.filter((resource) => resource.scope === scope);
  const join = (records: readonly Resource[]) => joinWords(records.map(words.noun), words.and);
  const manage = (name: string): [string, string] => [
    name,
    words.manage(join(resources.filter((resource) => scopeOf(resource, 'write') === name))),
  ];
  if (scope.includes(':')) return [manage(scope)];
  return [
    [`${scope}:read`, words.read(join(opened))],
    opened.some(({ changeRight }) => changeRight === 'manage')
      ? manage(`${scope}:manage`)
      : [`${scope}:write`, words.write(join(opened))],
  ];
}
