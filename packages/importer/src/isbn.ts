/** Determines the ISBN-13 of a row from columns that a spreadsheet may have damaged. */
import { isbn10To13, normalizeIsbn13 } from '@trellis/schema/values/isbn.ts';

/** The result of combining the ISBN columns. */
export interface RepairedIsbn {
  readonly value: string | undefined;
  readonly repairs: readonly string[];
  /** Why the row cannot be used, or null. */
  readonly fault: string | null;
}

const scientific = /^\d(?:[.,]\d+)?e\+?\d{1,2}$/i;
/** A shorter number is not an ISBN that lost its leading zeros. */
const fewestDigits = 6;

/**
 * The ISBN-13 of a row. A spreadsheet turns an ISBN-13 into `9.78043902348E+12`, which loses its last digits, and the ISBN-10
 * 0439023483 into 439023483. The latter can be restored, and the former computed from it.
 *
 * @param thirteen the value of the column for ISBN-13, or undefined
 * @param other the value of a column named ISBN or ISBN-10, or undefined
 */
export function repairIsbn(thirteen: string | undefined, other: string | undefined): RepairedIsbn {
  const plain = (text: string) => text.replace(/\.0+$/, '');
  for (const text of [thirteen, other]) {
    const isbn = text === undefined ? null : normalizeIsbn13(plain(text));
    if (isbn !== null) return { value: isbn, repairs: [], fault: null };
  }
  for (const text of [other, thirteen]) {
    if (text === undefined) continue;
    const digits = plain(text).replace(/[^0-9Xx]/g, '');
    if (digits.length < fewestDigits || digits.length > 10) continue;
    const isbn = isbn10To13(digits.padStart(10, '0'));
    if (isbn === null) continue;
    return {
      value: isbn,
      repairs: describeComputed(isbn, digits, text === other ? thirteen : undefined),
      fault: null,
    };
  }
  return judgeIsbn(thirteen ?? other, thirteen === undefined ? undefined : other);
}

function describeComputed(isbn: string, digits: string, thirteen: string | undefined): string[] {
  const repairs = digits.length < 10 ? ['ISBN-10 completed with its lost leading zeros'] : [];
  if (thirteen === undefined) return ['ISBN-13 computed from the ISBN-10', ...repairs];
  if (!scientific.test(thirteen))
    return ['invalid ISBN-13 replaced with the one computed from the ISBN-10', ...repairs];
  const agrees = isbn.startsWith(significantDigits(thirteen).slice(0, -1));
  return [
    agrees
      ? 'ISBN-13 in scientific notation computed from the ISBN-10'
      : 'ISBN-13 in scientific notation that contradicts the ISBN-10, computed from the ISBN-10',
    ...repairs,
  ];
}

function significantDigits(text: string): string {
  return text.replace(/e.*$/i, '').replace(/[.,]/, '');
}

function judgeIsbn(text: string | undefined, other: string | undefined): RepairedIsbn {
  if (text === undefined) return { value: undefined, repairs: [], fault: null };
  const shown = text.slice(0, 40);
  const what = scientific.test(text)
    ? `isbn13: "${shown}" is in scientific notation, so its last digits are lost`
    : `isbn13: "${shown}" is neither an ISBN-13 nor an ISBN-10 with a valid check digit`;
  const beside =
    other === undefined
      ? ', and the row has no ISBN-10 to compute it from'
      : `, and "${other.slice(0, 40)}" is not an ISBN-10 to compute it from`;
  const fault = `${what}${beside}. Correct a cell, or empty all cells with the ISBN.`;
  return { value: undefined, repairs: [], fault };
}
