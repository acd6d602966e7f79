/** The syntax of event types and of patterns of event types, as used by subscriptions and filters. */

const typePattern = /^[a-z][a-z0-9-]*\.(?:\*|[a-z][a-z0-9_-]*)$/;

/** Whether a text has the form of an event type or of a pattern: `article.published`, `article.*`. */
export function isTypePattern(text: string): boolean {
  return typePattern.test(text);
}
