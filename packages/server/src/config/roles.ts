/** Why: what a node does can be shared out among nodes. These are the parts, by the names that an operator writes. */
import { nearestName } from '@trellis/schema/values/text.ts';

/** All of them: what a node does unless told otherwise. */
export const roles = ['api', 'relay', 'delivery', 'scheduler', 'extractor', 'indexer'] as const;
export type Role = (typeof roles)[number];

/** Those that work without being asked. */
export type BackgroundRole = Exclude<Role, 'api'>;

/**
 * Reads names separated by commas.
 * @returns each once, in the order of `roles`
 * @throws Error whose message completes the name of the setting
 */
export function readRoles(text: string): readonly Role[] {
  const names = text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
  if (names.length === 0) throw new Error(`must name one of ${roles.join(', ')}, or several with commas.`);
  const unknown = names.filter((name) => !roles.some((role) => role === name));
  if (unknown.length > 0) {
    const list = unknown.map((name) => {
      const nearest = nearestName(name, roles);
      return nearest === null ? `"${name}"` : `"${name}" (did you mean ${nearest}?)`;
    });
    throw new Error(`may name ${roles.join(', ')}, not ${list.join(', ')}.`);
  }
  return roles.filter((role) => names.includes(role));
}
