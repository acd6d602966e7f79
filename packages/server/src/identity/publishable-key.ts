/**
 * Publishable keys and their origins. Web pages send a publishable key to name their organization and site. It is public, so
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

/** Scheme, host and port as people write them, with the slash that browsers add at the end. */
const writtenOrigin = /^https?:\/\/[^\s/?#@\\%\p{Control}]+\/?$/iu;

/** Labels of a host name after the URL parser (which writes other scripts in punycode); also IPv4 addresses. */
const hostName =
  /^(?=.{1,253}$)[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?(?:\.[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?)*$/;
const ipv6Literal = /^\[[0-9a-f:.]+\]$/;

/**
 * Normalizes an origin to the form in which browsers send it (RFC 6454, section 6.2): lower case, punycode, no default port.
 * Only http and https: what runs outside the web (`capacitor://`, `file://`, extensions) either has no origin of its
 * own or shares one with every other application.
 *
 * @returns null for everything else: a path, query or fragment, a user name, a wildcard, `null`, another scheme
 */
export function normalizeOrigin(text: string): string | null {
  if (!writtenOrigin.test(text) || !URL.canParse(text)) return null;
  const { origin, hostname } = new URL(text);
  return hostName.test(hostname) || ipv6Literal.test(hostname) ? origin : null;
}
