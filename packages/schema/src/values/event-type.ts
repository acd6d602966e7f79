/** Types of events and patterns of types, as subscriptions and filters name them. */

const typePattern = /^[a-z][a-z0-9-]*\.(?:\*|[a-z][a-z0-9_-]*)$/;

/** Whether a text is a type or a pattern of types: `article.published`, `article.*`. */
export function isTypePattern(text: string): boolean {
  return typePattern.test(text);
}
