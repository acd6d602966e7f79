/**
 * Why: a company is recognized by its domains, which people paste as links, with `www.`, in capitals or in their own
 * script. One form of them all makes them comparable: letters, digits and hyphens, as in the DNS. The conversion is
 * that of browsers (https://url.spec.whatwg.org/#concept-domain-to-ascii, UTS #46).
 */

import { normalizeText } from './text.ts';

/** No ASCII but that of domain names: the URL parser would take `%`, `:`, `@` and the like for something else. */
const writtenDomain = /^[A-Za-z0-9.\u0080-\u{10ffff}-]+$/u;

/** Two or more labels of RFC 1123, of which the last isn't only digits: that would be an IP address. */
const asciiDomain =
  /^(?=.{1,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+(?![0-9]+$)[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

const scheme = /^(?:[a-z][a-z0-9+.-]*:)?\/\//i;
const user = /^[^\s@]*@/;
const port = /:[0-9]*$/;

/** The DNS writes the root after it; UTS #46 takes the full stops of Chinese and Japanese for the same. */
const lastDot = /[.\u3002\uff0e\uff61]$/;

/** Only before two labels: `www.com` is a name of its own. */
const webPrefix = /^(?:www\.)+(?=[^.]+\.)/;

/**
 * A domain name in lower-case ASCII, other scripts in punycode: `Bücher.Example` is `xn--bcher-kva.example`.
 *
 * @returns null when it isn't a domain name of at least two labels: single labels (`localhost`), IP addresses, names
 *   with an underscore, a dot at the end, or more than the 63 characters per label and 253 in all that the DNS allows.
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
 * The domain of whatever names one: a link, a host with its port, an e-mail address, a bare name. Scheme, user, port,
 * path, query, a dot at the end and `www.` are removed, and it is in the form of {@link toAsciiDomain}.
 * `www.` stays where it is the registered name itself (`www.com`).
 *
 * @returns null when there is none, see {@link toAsciiDomain}.
 */
export function normalizeDomain(text: string): string | null {
  const [authority = ''] = normalizeText(text)
    .replace(scheme, '')
    .split(/[/?#\\]/, 1);
  const domain = toAsciiDomain(authority.replace(user, '').replace(port, '').replace(lastDot, ''));
  return domain === null ? null : domain.replace(webPrefix, '');
}
