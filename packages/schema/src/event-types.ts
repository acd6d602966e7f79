/**
 * The event types, derived from the resource declarations. They are part of the contract: a subscription to a type that
 * does not exist is refused, because it would never receive anything.
 */

import { resources } from './resources/index.ts';
import { withArticle } from './resources/nouns.ts';
import { goesToTrash, hasOperation, type Resource } from './resources/resource.ts';
import { services } from './resources/services.ts';
import { sites } from './resources/sites.ts';
import { capitalize, nearestName } from './values/text.ts';

/** An event type with its meaning as a sentence. */
export interface EventType {
  readonly type: string;
  readonly description: string;
}

/** Every event type that can be subscribed to. */
export const eventTypes: readonly EventType[] = [
  ...resources.flatMap((resource) => {
    const { singular, events = {} } = resource;
    const one = capitalize(withArticle(singular));
    // What has no create is created in another way: a member by an invitation.
    const changes = (['update', 'delete'] as const).filter((operation) => hasOperation(resource, operation));
    const happens = ['created', ...changes.map((operation) => `${operation}d`)];
    const shared = happens.map((what) => [what, `${one} was ${what}.`] as const);
    const kept = goesToTrash(resource) ? trashEvents(one) : [];
    return [...shared, ...kept, ...Object.entries(events)].map(([what, description]) => ({
      type: `${singular}.${what}`,
      description,
    }));
  }),
  ...services.flatMap(({ events }) =>
    Object.entries(events).map(([type, description]) => ({ type, description })),
  ),
];

function trashEvents(one: string): (readonly [string, string])[] {
  return [
    ['restored', `${one} was restored from the trash.`],
    ['purged', `${one} was removed from the trash for good.`],
  ];
}

/** The type of the event that tests an endpoint. It cannot be subscribed to. */
export const testEventType = 'webhook.test';

const names = eventTypes.map(({ type }) => type);
const patterns = new Set([...names, ...names.map((type) => `${type.split('.')[0]}.*`), '*']);

/** Whether a text is a known event type, `*`, or the pattern of a known kind, such as `article.*`. */
export function isKnownPattern(text: string): boolean {
  return patterns.has(text);
}

/** The resources whose events match these patterns. */
export function resourcesOf(requested: readonly string[]): readonly Resource[] {
  return resources.filter(({ singular }) =>
    requested.some((pattern) => pattern === '*' || pattern.startsWith(`${singular}.`)),
  );
}

/** Describes a pattern that matches no event type, with the nearest one that exists. */
export function describeUnknownPattern(text: string): string {
  const nearest = nearestName(text, [...patterns]);
  return `There is no event type "${text}".${nearest === null ? '' : ` Did you mean "${nearest}"?`}`;
}

/** The patterns that match an event type; none for a type that nobody can subscribe to. */
export function patternsOf(type: string): readonly string[] {
  return names.includes(type) ? [type, `${type.split('.')[0]}.*`, '*'] : [];
}

/** The first parts of all types that can be subscribed to: what their events tell of. */
export const subscribableSubjects: readonly string[] = [
  ...new Set(names.map((name) => name.split('.')[0] ?? '')),
];

/** What belongs to a site, as the first parts of event types: the site itself is the subject of its events, and the parent of the others. */
export const subjectsOfSites: readonly string[] = resources
  .filter(({ parent }) => parent?.resource === sites.name)
  .map(({ singular }) => singular);

/** Whether a pattern matches events of sites. */
export function matchesSites(pattern: string): boolean {
  return pattern === '*' || [sites.singular, ...subjectsOfSites].includes(pattern.split('.')[0] ?? '');
}
