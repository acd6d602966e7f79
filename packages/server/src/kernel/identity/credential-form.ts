/**
 * The form that bearer tokens and publishable keys share: a prefix, 30 random characters (178 bits), the id of the organization, and a
 * checksum. The organization follows the random characters, so that the beginning tells credentials from each other. See docs/decisions/0114-tokens-with-their-organization.md.
 */
import { decodeId, encodeId } from '@trellis/schema/values/ids.ts';
import { checksumBase62, randomBase62 } from '../lib/base62.ts';

const randomLength = 30;
const checksumLength = 6;
/** The prefix of the ids of organizations, which the credential omits. */
const idPrefix = 'org';

/** The unverified content of a well-formed credential. Anyone can write such a text: it is authentic only if the row of its hash exists. */
export interface ParsedCredential {
  /** Uuid. */
  readonly organizationId: string;
}

/** One kind of credential. */
export interface CredentialForm {
  /** Makes one. @param organizationId uuid */
  make(organizationId: string): string;
  /** Null for every text that `make` could not have made. */
  parse(text: string): ParsedCredential | null;
}

/** The form of the credentials with a prefix of their own, which the checksum covers, so that one kind cannot be taken for another. */
export function defineCredentialForm(prefix: string): CredentialForm {
  // An id has 26 characters of its own alphabet, which decodeId checks.
  const pattern = new RegExp(
    `^${prefix}[0-9A-Za-z]{${randomLength}}([0-9a-z]{26})[0-9A-Za-z]{${checksumLength}}$`,
  );
  return {
    make(organizationId) {
      const id = encodeId(idPrefix, organizationId).slice(idPrefix.length + 1);
      const body = `${prefix}${randomBase62(randomLength)}${id}`;
      return `${body}${checksumBase62(body, checksumLength)}`;
    },
    parse(text) {
      const match = pattern.exec(text);
      if (match === null) return null;
      if (checksumBase62(text.slice(0, -checksumLength), checksumLength) !== text.slice(-checksumLength))
        return null;
      const organizationId = decodeId(idPrefix, `${idPrefix}_${match[1]}`);
      return organizationId === null ? null : { organizationId };
    },
  };
}
