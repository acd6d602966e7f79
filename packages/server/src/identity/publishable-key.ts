/**
 * Publishable keys. Web pages send a publishable key to name their organization and site. It is public, so
 * it permits the identify call only, from the origins it was created for. It has the form of a token with another
 * prefix, so that the two cannot be confused.
 */
import { checksumBase62, randomBase62 } from '../lib/base62.ts';

const prefix = 'trl_pk_';
const randomLength = 30;
const checksumLength = 6;
const pattern = new RegExp(`^${prefix}[0-9A-Za-z]{${randomLength + checksumLength}}$`);

/** Creates a key: `trl_pk_`, 30 random base62 characters, 6 of checksum. Unlike a token, it may be shown again. */
export function makePublishableKey(): string {
  const body = `${prefix}${randomBase62(randomLength)}`;
  return `${body}${checksumBase62(body, checksumLength)}`;
}

/** The key in an `X-Client-Key` header; null if it is missing, repeated or malformed. */
export function parsePublishableKey(header: string | string[] | undefined): string | null {
  if (typeof header !== 'string' || !pattern.test(header)) return null;
  const body = header.slice(0, -checksumLength);
  return checksumBase62(body, checksumLength) === header.slice(-checksumLength) ? header : null;
}
