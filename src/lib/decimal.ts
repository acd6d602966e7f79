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

/** Like {@link decimalPattern}, with an optional minus sign, which zero doesn't take: `-12.5`. */
export const signedDecimalPattern = `^(?!-0(?:\\.0+)?$)-?${magnitude}$`;

const signedDecimal = new RegExp(signedDecimalPattern);
/** Far more zeros than anybody writes, and few enough that no text takes long. */
const looseDecimal = /^([+-]?)([0-9]{1,40})(?:\.([0-9]{1,40}))?$/;

/** Whether the text is a decimal of {@link signedDecimalPattern}. */
export function isSignedDecimal(text: string): boolean {
  return signedDecimal.test(text);
}

/**
 * The one form that equal amounts share, to recognize them: without zeros at the end, a plus sign or leading zeros.
 * `019.90` and `+19.9` are both `19.9`, `-0.00` is `0`.
 *
 * @returns null when the text isn't a decimal or has more digits that count than fifteen before the point or six after.
 */
export function canonicalizeDecimal(text: string): string | null {
  const match = looseDecimal.exec(text);
  if (match === null) {
    return null;
  }
  const [, sign = '', written = '', decimals = ''] = match;
  const integer = written.replace(/^0+(?=[0-9])/, '');
  const fraction = decimals.replace(/0+$/, '');
  const digits = fraction === '' ? integer : `${integer}.${fraction}`;
  const canonical = sign === '-' && digits !== '0' ? `-${digits}` : digits;
  return isSignedDecimal(canonical) ? canonical : null;
}
