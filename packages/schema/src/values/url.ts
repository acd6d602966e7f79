/**
 * Web addresses that are stored to be followed later, by people who didn't write them. The URL parser alone would take
 * relative slashes, spaces and other schemes (`javascript:`), and a password in an address would be shown to everybody.
 */

/** Scheme and host stand as RFC 3986 writes them; no white space, control characters or backslashes. */
const writtenUrl = /^https?:\/\/[^\s/?#\\\p{Control}][^\s\\\p{Control}]*$/iu;

/**
 * An absolute http or https address in the form in which a browser sends it: ASCII only, the host in lower case and other
 * scripts in punycode, everything else beyond ASCII percent-encoded (https://url.spec.whatwg.org/#concept-url-serializer).
 *
 * @param options.httpsOnly whether http is refused.
 * @returns null when a browser would not open it, and when it has a user name or a password.
 */
export function normalizeHttpUrl(text: string, options: { readonly httpsOnly: boolean }): string | null {
  const url = writtenUrl.test(text) ? URL.parse(text) : null;
  if (url === null || url.username !== '' || url.password !== '') {
    return null;
  }
  return url.protocol === 'https:' || !options.httpsOnly ? url.href : null;
}
