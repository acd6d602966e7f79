/**
 * Other notations of a number that identifies something: without its label and separators, the ISBN of thirteen digits of one of ten, and a
 * DOI without its link.
 */
import { normalizeDoi } from '@trellis/schema/values/doi.ts';

/** Digits in groups, with what people put between them. */
const grouped = /^[\p{Nd}][\p{Nd}\s.()/-]*x?$/u;
/** Labels before a number: `ISBN-13:`, `ISSN`. */
const label = /^is[bs]n(?:-?1[03](?=[\s:]))?[\s:-]*/;
const separators = /[^\p{Nd}x]/gu;
/** Fewer digits are a quantity, a year or a page. */
const fewestDigits = 7;
const isbn10 = /^\d{9}[\dx]$/;
/** ISBN Users' Manual, 7th edition: the check digit of thirteen digits is made with the weights 1 and 3. */
const isbnPrefix = '978';

/** The other notations of a folded query that is a number; none for anything else. */
export function numberForms(folded: string): string[] {
  const doi = normalizeDoi(folded);
  if (doi !== null) return doi === folded ? [] : [doi];
  const given = folded.replace(label, '').trim();
  if (!grouped.test(given)) return [];
  const digits = given.replace(separators, '');
  if (digits.length < fewestDigits) return [];
  const forms = [given, digits].filter((form) => form !== folded);
  return isbn10.test(digits) && hasCheckDigit(digits) ? [...forms, toIsbn13(digits)] : forms;
}

function hasCheckDigit(digits: string): boolean {
  const sum = Array.from(digits, (digit, index) => (10 - index) * (digit === 'x' ? 10 : Number(digit)));
  return sum.reduce((total, value) => total + value, 0) % 11 === 0;
}

function toIsbn13(digits: string): string {
  const first = isbnPrefix + digits.slice(0, 9);
  const sum = Array.from(first, (digit, index) => Number(digit) * (index % 2 === 0 ? 1 : 3));
  return first + String((10 - (sum.reduce((total, value) => total + value, 0) % 10)) % 10);
}
