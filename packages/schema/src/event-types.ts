/**
 * Types of events, derived from the declarations. They are part of the contract: a subscription to one that does not exist
 * would wait for ever.
 */

import { resources } from './resources/index.ts';
import type { Resource } from './resources/resource.ts';
import { services } from './resources/services.ts';
import { nearestName } from './values/text.ts';

/** A type of event and what it tells of, as a sentence. */
export interface EventType {
  readonly type: string;
  readonly description: string;
}

/** Every type that can be subscribed to. */
export const eventTypes: readonly EventType[] = [
  ...resources.flatMap(({ singular, events = {} }) => {
    const noun = singular.replaceAll('-', ' ');
    const one = `${/^[aeiou]/.test(noun) ? 'An' : 'A'} ${noun}`;
    const shared = ['created', 'updated', 'deleted'].map((what) => [what, `${one} was ${what}.`] as const);
    return [...shared, ...Object.entries(events)].map(([what, description]) => ({
      type: `${singular}.${what}`,
      description,
    }));
  }),
  ...services.flatMap(({ events }) =>
    Object.entries(events).map(([type, description]) => ({ type, description })),
  ),
];

/** The type of the event that a person sends to an endpoint to try it; nobody subscribes to it. */
export const testEventType = 'webhook.test';

const names = eventTypes.map(({ type }) => type);
const patterns = new Set([...names, ...names.map((type) => `${type.split('.')[0]}.*`), '*']);

/** Whether a text is a known type, or the pattern of a kind that exists, such as `article.*`, or `*`. */
export function isKnownPattern(text: string): boolean {
  return patterns.has(text);
}

/** The resources whose records the events of these patterns may tell of. */
export function resourcesOf(asked: readonly string[]): readonly Resource[] {
  return resources.filter(({ singular }) =>
    asked.some((pattern) => pattern === '*' || pattern.startsWith(`${singular}.`)),
  );
}

/** What is wrong with a pattern that no event matches, with the nearest one that some do. */
export function describeUnknownPattern(text: string): string {
  const nearest = nearestName(text, [...patterns]);
  return `There is no event of the type "${text}".${nearest === null ? '' : ` Did you mean "${nearest}"?`}`;
}

/** The patterns that an event of the type matches. */
export function patternsOf(type: string): readonly string[] {
  return [type, `${type.split('.')[0]}.*`, '*'];
}
