/** The roles of a node: the parts of its work that can be divided among nodes, by the names used in settings. */
import { nearestName } from '@trellis/schema/values/text.ts';

/** All roles, which is what a node has by default. */
export const roles = ['api', 'relay', 'delivery', 'scheduler', 'extractor', 'indexer'] as const;
export type Role = (typeof roles)[number];

/** Roles that work in the background. */
export type BackgroundRole = Exclude<Role, 'api'>;

/**
 * Reads role names separated by commas.
 * @returns each once, in the order of `roles`
 * @throws Error whose message continues the name of the setting
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
