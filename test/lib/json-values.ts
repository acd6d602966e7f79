/** JSON values on which the parser, the canonical form and everything else that takes JSON are tested. */

import fastCheck from 'fast-check';

/** Text as a caller may send it: without NUL and lone surrogates, which are refused. */
export const acceptableText = fastCheck
  .string({ unit: 'binary' })
  .map((text) => text.replaceAll('\u0000', ''));

/** JSON values of such text, with names that JavaScript gives a meaning. */
export const acceptableValue = fastCheck.letrec((tie) => ({
  value: fastCheck.oneof(
    { maxDepth: 6, withCrossShrink: true },
    fastCheck.constantFrom(null, true, false),
    fastCheck.double({ noNaN: true, noDefaultInfinity: true }),
    fastCheck.maxSafeInteger(),
    acceptableText,
    fastCheck.array(tie('value')),
    fastCheck.dictionary(
      fastCheck.oneof(
        acceptableText,
        fastCheck.constantFrom('__proto__', 'constructor', 'toString', '1', ''),
      ),
      tie('value'),
    ),
  ),
})).value;
