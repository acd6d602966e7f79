/** Response members that appear only once: secrets, and invitation links. */
import { isPlainObject } from '@trellis/schema/values/plain-object.ts';

/** A test ensures that no field of a resource has one of these names. */
export const oneTimeMembers: readonly string[] = ['secret', 'link'];

/** A response body without these members. Only the requesting page displays them; they are neither stored nor sent to other tabs. */
export function withoutOneTimeMembers(body: unknown): unknown {
  if (!isPlainObject(body)) return body;
  return Object.fromEntries(Object.entries(body).filter(([name]) => !oneTimeMembers.includes(name)));
}
