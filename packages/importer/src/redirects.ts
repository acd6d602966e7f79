/**
 * Redirects from the addresses of imported posts to their articles. Articles store no former addresses, so the importer writes the
 * redirects to a file for the web server of the site.
 */

/** A former address and the article that is there now. */
export interface Redirect {
  /** A path that begins with `/`, or a whole address. */
  readonly from: string;
  /** The slug of the article. */
  readonly to: string;
}

/** How many the report has. */
export const mostRedirects = 100_000;

/** The redirects of a post. An address that is the slug already needs none. */
export function redirectsOf(addresses: readonly string[], slug: string): Redirect[] {
  return addresses.flatMap((address) => {
    const from =
      /^(?:[a-z][a-z\d+.-]*:)?\/\//i.test(address) || address.startsWith('/') ? address : `/${address}`;
    return from.replace(/^\/|\/$/g, '') === slug ? [] : [{ from, to: slug }];
  });
}

/** The file of redirects as CSV (RFC 4180), with a header line. */
export function formatRedirects(redirects: readonly Redirect[]): string {
  const cell = (text: string) => (/[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  return ['from,to', ...redirects.map(({ from, to }) => `${cell(from)},${cell(to)}`), ''].join('\n');
}
