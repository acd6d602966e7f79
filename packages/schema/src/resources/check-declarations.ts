/**
 * Checks of the resource declarations, made at start: each missing or contradictory part is reported with a sentence
 * before anything is served. A test compares the columns with the database.
 */
import type { ActionDeclaration } from './actions.ts';
import { checkFields } from './check-fields.ts';
import { findMissingGermanNames } from './check-german.ts';
import { actions, roles } from './grants.ts';
import { findImportFault } from './import.ts';
import {
  flattenFields,
  hasOperation,
  type Resource,
  sharedOperations,
  statusOf,
  tablesOf,
} from './resource.ts';
import type { Service } from './services.ts';

/** Prefixes of ids that belong to no resource: sessions, visitors, events and deliveries. */
const otherPrefixes = ['ses', 'vis', 'evt', 'dlv'];

/** Types of events that every resource has. */
const sharedEvents = ['created', 'updated', 'deleted', 'restored', 'purged'];

/**
 * Checks all declarations.
 * @throws Error with a sentence for each fault
 */
export function checkDeclarations(resources: readonly Resource[], services: readonly Service[]): void {
  const faults = findFaults(resources, services);
  if (faults.length > 0) throw new Error(`The declarations are wrong:\n${faults.join('\n')}`);
}

function findFaults(resources: readonly Resource[], services: readonly Service[]): string[] {
  return [
    ...findRepeated(resources),
    ...resources.flatMap((resource) =>
      [
        ...checkWords(resource),
        ...findMissingGermanNames(resource).map((name) => `the German name of "${name}" is missing.`),
        ...checkGrants(resource),
        ...checkEvents(resource, services),
        ...checkScope(resource, resources, services),
        ...checkPath(resource, resources),
        ...checkFields(resource, resources),
        ...checkSearch(resource, resources),
        ...checkOwnDeclarations(resource),
        ...checkMatching(resource),
        ...checkImport(resource, resources),
      ].map((fault) => `${resource.name}: ${fault}`),
    ),
  ];
}

/** Faults of names, paths and prefixes that two resources have in common. */
function findRepeated(resources: readonly Resource[]): string[] {
  const kinds: readonly [string, (resource: Resource) => readonly string[]][] = [
    ['name', ({ name }) => [name]],
    ['singular', ({ singular }) => [singular]],
    ['title', ({ title }) => [title.singular, title.plural]],
    ['idPrefix', ({ idPrefix }) => [idPrefix]],
    ['path', ({ path }) => [path]],
    ['table', tablesOf],
  ];
  return kinds.flatMap(([kind, valuesOf]) => {
    const owners = new Map<string, string>();
    return resources.flatMap((resource) =>
      valuesOf(resource).flatMap((value) => {
        const owner = owners.get(value);
        owners.set(value, resource.name);
        return owner === undefined
          ? []
          : [`${resource.name}: the ${kind} "${value}" is already used by ${owner}.`];
      }),
    );
  });
}

/** Checks the names that appear in documents and messages. */
function checkWords(resource: Resource): string[] {
  const { name, singular, title, label, description, idPrefix, table } = resource;
  const forms: readonly [string, string, RegExp][] = [
    ['name', name, /^[a-z]+(-[a-z]+)*$/],
    ['singular', singular, /^[a-z]+(-[a-z]+)*$/],
    ['singular title', title.singular, /^[A-Z][A-Za-z]+$/],
    ['plural title', title.plural, /^[A-Z][A-Za-z]+$/],
    ['label', label ?? name, /\S/],
    ['description', description, /\S.*\.$/s],
    ['idPrefix', idPrefix, /^[a-z]{2,10}$/],
    ['table', table, /^[a-z]+(_[a-z]+)*$/],
  ];
  return [
    ...forms.flatMap(([what, value, form]) => {
      if (value === '') return [`the ${what} is missing.`];
      return form.test(value) ? [] : [`the ${what} "${value}" must match ${form.source}.`];
    }),
    ...(otherPrefixes.includes(idPrefix)
      ? [`the idPrefix "${idPrefix}" belongs to ids of another kind.`]
      : []),
    ...(name === singular ? [`the name and the singular are both "${name}".`] : []),
  ];
}

/** Checks that each action is granted to some role, and publishing where the resource has a published status. */
function checkGrants(resource: Resource): string[] {
  const { grants, publishScope } = resource;
  const publishes = publishScope !== undefined || (statusOf(resource)?.transitions.published.length ?? 0) > 0;
  const needed = actions.filter((action) =>
    action === 'publish' ? publishes : hasOperation(resource, action),
  );
  const missingRoles = roles.filter((role) => grants[role] === undefined);
  if (missingRoles.length > 0)
    return [`the grants do not say what the role ${missingRoles.join(', ')} may do.`];
  return [
    ...needed
      .filter((action) => roles.every((role) => grants[role][action] === undefined))
      .map((action) => `no role is granted the action "${action}".`),
    ...roles
      .filter((role) => Object.keys(grants[role]).length > 0 && grants[role].read === undefined)
      .map((role) => `the role ${role} may change records but not read them.`),
  ];
}

function checkEvents({ singular, events = {} }: Resource, services: readonly Service[]): string[] {
  const others = services.flatMap((service) => Object.keys(service.events));
  return Object.entries(events).flatMap(([event, meaning]) => [
    ...(/^[a-z]+(_[a-z]+)*$/.test(event)
      ? []
      : [`the event "${event}" must be of lower-case letters and underscores.`]),
    ...(sharedEvents.includes(event) ? [`the event "${event}" is one that every resource has.`] : []),
    ...(others.includes(`${singular}.${event}`)
      ? [`the event "${singular}.${event}" is declared twice.`]
      : []),
    ...(/\S.*\.$/s.test(meaning) ? [] : [`the event "${event}" has no sentence that describes it.`]),
  ]);
}

/** Checks the scope: the name of a declared resource (`articles`, `crm.contacts`), or one of its own with a colon. */
function checkScope(
  { scope, publishScope, changeRight = 'write' }: Resource,
  resources: readonly Resource[],
  services: readonly Service[],
): string[] {
  const taken = services.flatMap((service) => Object.keys(service.scopes));
  const own = scope.includes(':') ? [scope] : [`${scope}:read`, `${scope}:${changeRight}`];
  const known =
    scope.includes(':') ||
    resources.some(
      ({ name, module, scope: other }) => other === scope && [name, `${module}.${name}`].includes(scope),
    );
  return [
    ...(known
      ? []
      : [
          `the scope "${scope}" is unknown: it must be the name of a resource, alone or after its module and a dot.`,
        ]),
    ...own.flatMap((name) =>
      taken.includes(name) ? [`the scope "${name}" is already used by a service.`] : [],
    ),
    ...(publishScope !== undefined && scope.includes(':')
      ? [`there is a publishScope, but the scope "${scope}" opens everything.`]
      : []),
  ];
}

function checkPath({ path, parent }: Resource, resources: readonly Resource[]): string[] {
  const parameters = [...path.matchAll(/\{([^}]*)\}/g)].map(([, parameter]) => parameter);
  if (parent === null) {
    return /^\/[a-z]+(-[a-z]+)*(\/[a-z]+(-[a-z]+)*)*$/.test(path)
      ? []
      : [`the path "${path}" must be of lower-case words, without parameters unless there is a parent.`];
  }
  const above = resources.find(({ name }) => name === parent.resource);
  if (above === undefined) return [`the parent "${parent.resource}" does not exist.`];
  if (above.parent !== null)
    return [`the parent "${parent.resource}" has a parent itself, which is not supported.`];
  const expected = `${above.path}/{${parent.parameter}}/`;
  return [
    ...(path.startsWith(expected) && parameters.length === 1 && path.length > expected.length
      ? []
      : [`the path "${path}" must begin with "${expected}", the path of its parent.`]),
    ...(/^[a-z]+(_[a-z]+)*_id$/.test(parent.column)
      ? []
      : [`the parent's column "${parent.column}" must end in "_id".`]),
  ];
}

function checkSearch({ name, searchSources }: Resource, resources: readonly Resource[]): string[] {
  return [
    ...(searchSources[0] === name ? [] : ['the first search source must be the resource itself.']),
    ...searchSources
      .filter((source) => resources.every((other) => other.name !== source))
      .map((source) => `the search source "${source}" does not exist.`),
  ];
}

function checkOwnDeclarations(resource: Resource): string[] {
  const { ownOperations = [], actions = {}, secret } = resource;
  const fields = flattenFields(resource).map(([name]) => name);
  const names = [...ownOperations, ...Object.keys(actions)];
  return [
    ...names
      .filter((operation, index) => names.indexOf(operation) < index)
      .map((operation) => `the own operation "${operation}" is declared twice.`),
    ...Object.entries(actions)
      .filter(([, { returns }]) => returns === 'secret' && secret === undefined)
      .map(([action]) => `the action "${action}" returns a secret, but none is declared.`),
    ...Object.entries(actions).flatMap(([action, declared]) =>
      checkAction(fields, declared).map((fault) => `the action "${action}" ${fault}.`),
    ),
  ];
}

function checkAction(
  fields: readonly string[],
  { path, part, input, offered = {} }: ActionDeclaration,
): string[] {
  const parameters = [...path.matchAll(/\{([^}]*)\}/g)].map(([, parameter]) => parameter);
  const expected = part === undefined ? [] : [part.parameter];
  return [
    ...(parameters.join() === expected.join()
      ? []
      : [`has the path "${path}", whose parameters are not those of its part`]),
    ...Object.keys(input?.presentation ?? {})
      .filter((name) => input?.fields[name] === undefined)
      .map((name) => `presents the input "${name}", which it does not have`),
    ...Object.keys(offered)
      .filter((name) => !fields.includes(name))
      .map((name) => `is offered by the field "${name}", which does not exist`),
  ];
}

/** Checks that what upserts match is unique: at most one record has each value. Every `externalId` is. */
function checkMatching({ matching = [], filters, unique, sideTables = {} }: Resource): string[] {
  return matching
    .filter((name) => name !== 'externalId')
    .flatMap((name) => {
      const filter = filters[name];
      const isUnique =
        filter?.kind === 'via'
          ? sideTables[filter.table]?.unique !== undefined
          : filter?.kind === 'text' && filter.field in unique;
      return isUnique ? [] : [`matching names "${name}", which is no filter by a unique value.`];
    });
}

function checkImport(resource: Resource, resources: readonly Resource[]): string[] {
  const fault = findImportFault(resource, new Set(resources.map(({ name }) => name)));
  return fault === undefined ? [] : [`the import section is wrong: ${fault}.`];
}

/**
 * Checks that there is code for exactly the own operations that the declaration names.
 * @throws Error that names the missing or undeclared item
 */
export function checkOwnOperations(
  { name, ownOperations = [], actions = {} }: Pick<Resource, 'name' | 'ownOperations' | 'actions'>,
  registered: readonly string[],
): void {
  const declared = [...ownOperations, ...Object.keys(actions)];
  const missing = declared.find((operation) => !registered.includes(operation));
  if (missing !== undefined)
    throw new Error(`${name}: the own operation "${missing}" is declared, but there is no code for it.`);
  const undeclared = registered.find((operation) => !declared.includes(operation));
  if (undeclared === undefined) return;
  const what = sharedOperations.some((shared) => shared === undeclared) ? 'replaced' : 'added';
  throw new Error(`${name}: the operation "${undeclared}" is ${what}, but not declared in ownOperations.`);
}

/** Checks that code is registered only for resources that exist. @throws Error that names the one that does not */
export function checkRegistered(
  file: string,
  names: readonly string[],
  resources: readonly Pick<Resource, 'name'>[],
): void {
  const unknown = names.find((name) => resources.every((resource) => resource.name !== name));
  if (unknown !== undefined)
    throw new Error(`${file} names the resource "${unknown}", which does not exist.`);
}
