/** The syntax of event types and of patterns of event types, as used by subscriptions and filters. */

const typePattern = /^[a-z][a-z0-9-]*\.(?:\*|[a-z][a-z0-9_-]*)$/;

/** The types of a list that is divided by commas, each once. */
export function splitTypes(text: string): string[] {
  return [...new Set(text.split(',').map((type) => type.trim()))];
}

/** Whether a text has the form of an event type or of a pattern: `article.published`, `article.*`. */
export function isTypePattern(text: string): boolean {
  return typePattern.test(text);
}
