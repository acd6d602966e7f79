/**
 * Why: amounts of money are decimal, and neither JSON numbers nor JavaScript's can hold 0.10 exactly. They cross the
 * interface as text and are never turned into floating-point numbers. Fifteen digits before the point hold the revenue
 * of any company in any currency; six after it hold more than the four that ISO 4217 has at most (CLF, UYW) and fit
 * unit prices. Together they fit PostgreSQL's numeric(21, 6).
 */

const integerDigits = 15;
const fractionDigits = 6;

const magnitude = `(?:0|[1-9][0-9]{0,${integerDigits - 1}})(?:\\.[0-9]{1,${fractionDigits}})?`;

/**
 * A decimal that isn't negative, as a regular expression for JSON Schema's `pattern`: `0`, `12`, `19.90`. No plus sign,
 * no leading zeros, no exponent, and digits on both sides of a point. Zeros at the end are allowed and kept, since
 * `19.90` is how prices are written.
 */
export const decimalPattern = `^${magnitude}$`;
