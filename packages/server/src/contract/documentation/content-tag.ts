/** Why: what has no version of its own is told apart by its content. */
import { createHash } from 'node:crypto';

/** A strong entity tag (RFC 9110, 8.8.3) that is the same exactly for the same content. */
export function contentTag(content: string | Buffer): string {
  return `"${createHash('sha256').update(content).digest('base64url').slice(0, 27)}"`;
}
