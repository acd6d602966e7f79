/** Members of responses that no later response contains: secrets, and the links of invitations. */
import { isPlainObject } from '@trellis/schema/values/plain-object.ts';

/** Their names. No field of a resource has one of them, which a test holds. */
export const oneTimeMembers: readonly string[] = ['secret', 'link'];

/** The body of a response without them. The page that asked shows them; nothing keeps them, and no other tab is told of them. */
export function withoutOneTimeMembers(body: unknown): unknown {
  if (!isPlainObject(body)) return body;
  return Object.fromEntries(Object.entries(body).filter(([name]) => !oneTimeMembers.includes(name)));
}
