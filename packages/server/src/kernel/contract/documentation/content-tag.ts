/** Entity tags of content without a version. */
import { createHash } from 'node:crypto';

/** A strong entity tag (RFC 9110, 8.8.3): equal for equal content only. */
export function contentTag(content: string | Buffer): string {
  return `"${createHash('sha256').update(content).digest('base64url').slice(0, 27)}"`;
}
