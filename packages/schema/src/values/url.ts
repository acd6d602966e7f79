/**
 * Web addresses that are stored and later opened by other people. The URL parser alone would also accept relative slashes,
 * spaces, other schemes (`javascript:`) and passwords.
 */

/** Scheme and host as in RFC 3986; no white space, control characters or backslashes. */
const writtenUrl = /^https?:\/\/[^\s/?#\\\p{Control}][^\s\\\p{Control}]*$/iu;

/**
 * Normalizes an absolute http or https address to the form that a browser sends: ASCII only, the host in lower case with
 * other scripts in punycode, everything else percent-encoded (https://url.spec.whatwg.org/#concept-url-serializer).
 *
 * @param options.httpsOnly whether http is refused.
 * @returns null when a browser would not open the address, and when it has a user name or a password.
 */
export function normalizeHttpUrl(text: string, options: { readonly httpsOnly: boolean }): string | null {
  const url = writtenUrl.test(text) ? URL.parse(text) : null;
  if (url === null || url.username !== '' || url.password !== '') {
    return null;
  }
  return url.protocol === 'https:' || !options.httpsOnly ? url.href : null;
}
