/** Tokens and publishable keys as somebody changes them who knows their form. */
import { encodeId } from '@trellis/schema/values/ids.ts';
import { checksumBase62 } from '@trellis/server/kernel/lib/base62.ts';

/** Characters of an id without its prefix, and of a checksum. */
const idLength = 26;
const checksumLength = 6;

/** A token or key that names an organization (uuid) instead of its own, with the right checksum. */
export function withOtherOrganization(text: string, organizationId: string): string {
  const random = text.slice(0, -(idLength + checksumLength));
  const body = `${random}${encodeId('org', organizationId).slice('org_'.length)}`;
  return `${body}${checksumBase62(body, checksumLength)}`;
}
