/**
 * Decimal numbers as text. Amounts of money are decimal, and floating-point numbers cannot hold 0.10 exactly, so amounts
 * are sent and stored as text. Fifteen digits before the point hold the revenue of any company in any currency; six after
 * it hold unit prices and the four digits that ISO 4217 has at most (CLF, UYW). Both fit PostgreSQL's numeric(21, 6).
 */

const integerDigits = 15;
const fractionDigits = 6;

const magnitude = `(?:0|[1-9][0-9]{0,${integerDigits - 1}})(?:\\.[0-9]{1,${fractionDigits}})?`;

/**
 * A non-negative decimal as a regular expression for JSON Schema's `pattern`: `0`, `12`, `19.90`. No plus sign, leading
 * zeros or exponent, and digits on both sides of a point. Trailing zeros are allowed and kept, as in the price `19.90`.
 */
export const decimalPattern = `^${magnitude}$`;

const decimal = new RegExp(decimalPattern);

/** Whether a text is such a decimal. */
export function isDecimal(text: string): boolean {
  return decimal.test(text);
}

/** What is expected of a text that is none. */
export const decimalDetail = 'Must be a number of at most 15 digits and 6 decimals, for example "19.90".';

/** What is wrong with a text that is none. `1,234` may be a thousand or have three decimals. */
export function explainDecimal(text: string): string {
  return /^\d{1,3},\d{3}$/.test(text)
    ? 'May be a thousand or have three decimals. Write it without separators of thousands, or with two decimals, for example "1234.00".'
    : decimalDetail;
}
