/** Origins of web pages. */

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
