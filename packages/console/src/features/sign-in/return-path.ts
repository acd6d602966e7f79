/**
 * The page that a sign-in leads back to. It is named in the address of the sign-in, which anybody can put into a link, so it is
 * checked where it is used: a foreign address after a real sign-in could ask for the password once more.
 */

const home = '/';

/** The path of the console that is asked for, with its parameters; the first page for anything else. */
export function returnPath(requested: unknown): string {
  return typeof requested === 'string' && isPathHere(requested) ? requested : home;
}

/** Whether it begins with exactly one slash, also after what the router and the browser make of it: they decode paths and drop dot segments. */
function isPathHere(requested: string): boolean {
  // URL parsers take a backslash for a slash, and drop tabs and line breaks.
  if (!requested.startsWith('/') || /[\\\p{Control}]/u.test(requested)) return false;
  const [path = ''] = requested.split(/[?#]/, 1);
  let decoded: string;
  try {
    decoded = decodeURIComponent(path);
  } catch {
    return false;
  }
  return !/\/\/|[\\\p{Control}]|\/\.{1,2}(\/|$)/u.test(decoded);
}
