/**
 * Why: addresses are stored to be followed later, by people who didn't write them. The URL parser alone would take
 * relative slashes, spaces and other schemes (`javascript:`), and a password in an address would be shown to everybody.
 */

/** Scheme and host stand as RFC 3986 writes them; no white space, control characters or backslashes. */
const writtenUrl = /^https?:\/\/[^\s/?#\\\p{Control}][^\s\\\p{Control}]*$/iu;

/**
 * Whether the text is an absolute http or https address that a browser would open, without user name and password.
 *
 * @param options.httpsOnly whether http is refused.
 */
export function isHttpUrl(text: string, options: { readonly httpsOnly: boolean }): boolean {
  if (!writtenUrl.test(text) || !URL.canParse(text)) {
    return false;
  }
  const { protocol, username, password } = new URL(text);
  return username === '' && password === '' && (protocol === 'https:' || !options.httpsOnly);
}
