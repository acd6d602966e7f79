/**
 * Why: the types of events are part of the contract: who subscribes to one that does not exist would wait for ever. The
 * check of subscriptions and the document take them from here.
 */
import { nearestName } from '../lib/text.ts';
import { resources } from '../resources/index.ts';
import type { Resource } from '../resources/resource.ts';

/** A type of event and what it tells of, as a sentence. */
export interface EventType {
  readonly type: string;
  readonly description: string;
}

/** What happens to records beyond being created, updated and deleted. */
const particular: readonly EventType[] = [
  { type: 'article.published', description: 'A version of an article was published.' },
  { type: 'article.unpublished', description: 'An article is no longer published.' },
  { type: 'article.scheduled', description: 'An article was scheduled for publication.' },
  { type: 'article.schedule_failed', description: 'A scheduled change of an article could not be made.' },
  { type: 'issue.published', description: 'An issue was published, with its articles.' },
  { type: 'knowledge-file.ready', description: 'The text of a knowledge file can be searched.' },
  { type: 'knowledge-file.failed', description: 'The text of a knowledge file could not be extracted.' },
  { type: 'visitor.erased', description: 'What was known of a visitor was erased.' },
  {
    type: 'webhook-endpoint.disabled',
    description: 'A webhook endpoint was disabled, because it answered 410 or failed for five days.',
  },
];

/** Every type that can be subscribed to. */
export const eventTypes: readonly EventType[] = [
  ...resources.flatMap(({ singular }) => {
    const noun = singular.replaceAll('-', ' ');
    const one = `${/^[aeiou]/.test(noun) ? 'An' : 'A'} ${noun}`;
    return ['created', 'updated', 'deleted'].map((what) => ({
      type: `${singular}.${what}`,
      description: `${one} was ${what}.`,
    }));
  }),
  ...particular,
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
