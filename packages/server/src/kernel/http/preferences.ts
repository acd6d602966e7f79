/** The header `Prefer` (RFC 7240): what a caller would like, and what is ignored where it is not understood. */

const token = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";
const word = `(?:${token}|"(?:[^"\\\\]|\\\\.)*")`;
/** A preference with its parameters, up to the comma behind it. */
const preference = new RegExp(
  `[ \\t]*(${token})(?:[ \\t]*=[ \\t]*(${word}))?(?:[ \\t]*;[ \\t]*(?:${token}(?:[ \\t]*=[ \\t]*${word})?)?)*[ \\t]*(?:,|$)|[ \\t]*,`,
  'y',
);

/**
 * The value of a preference in lower case: '' without one, undefined if it is not given. Only the first one of a name counts, and
 * nothing behind what is malformed.
 */
export function preferenceOf(name: string, header: string): string | undefined {
  preference.lastIndex = 0;
  while (preference.lastIndex < header.length) {
    const match = preference.exec(header);
    if (match === null) return undefined;
    const [, given, value = ''] = match;
    if (given?.toLowerCase() === name) return value.replace(/^"|"$|\\(?=.)/g, '').toLowerCase();
  }
  return undefined;
}
