/**
 * Domain names in one comparable form: lower-case ASCII, as in the DNS. Companies are matched by their domains, which
 * people paste as links, with `www.`, in capitals or in their own script. The conversion is the one that browsers use
 * (https://url.spec.whatwg.org/#concept-domain-to-ascii, UTS #46).
 */

import { normalizeText } from './text.ts';

/** ASCII characters other than these (`%`, `:`, `@` and so on) have a meaning to the URL parser. */
const writtenDomain = /^[A-Za-z0-9.\u0080-\u{10ffff}-]+$/u;

/** Two or more labels (RFC 1123); the last one is not all digits, as in an IP address. */
const asciiDomain =
  /^(?=.{1,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+(?![0-9]+$)[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

const scheme = /^(?:[a-z][a-z0-9+.-]*:)?\/\//i;
const user = /^[^\s@]*@/;
const port = /:[0-9]*$/;

/** The DNS root. UTS #46 treats the full stops of Chinese and Japanese alike. */
const lastDot = /[.\u3002\uff0e\uff61]$/;

/** Only before two labels: `www.com` is itself a domain. */
const webPrefix = /^(?:www\.)+(?=[^.]+\.)/;

/**
 * Converts a domain name to lower-case ASCII, with other scripts in punycode: `Bücher.Example` is `xn--bcher-kva.example`.
 *
 * @returns null when it is not a domain name of at least two labels: single labels (`localhost`), IP addresses, names
 *   with an underscore, a trailing dot, or more than 63 characters per label or 253 in total, the limits of the DNS.
 */
export function toAsciiDomain(text: string): string | null {
  if (!writtenDomain.test(text)) {
    return null;
  }
  const address = `http://${text}/`;
  const domain = URL.canParse(address) ? new URL(address).hostname : '';
  return asciiDomain.test(domain) ? domain : null;
}

/**
 * Extracts the domain from a link, a host with a port, an email address or a bare name. Removes the scheme, user, port,
 * path, query, trailing dot and `www.`, and converts the rest with {@link toAsciiDomain}. `www.` is kept where it is the
 * registered name itself (`www.com`).
 *
 * @returns null when the text has no domain, see {@link toAsciiDomain}.
 */
export function normalizeDomain(text: string): string | null {
  const [authority = ''] = normalizeText(text)
    .replace(scheme, '')
    .split(/[/?#\\]/, 1);
  const domain = toAsciiDomain(authority.replace(user, '').replace(port, '').replace(lastDot, ''));
  return domain === null ? null : domain.replace(webPrefix, '');
}
