/**
 * Why: spreadsheets and old systems spoil values in well-known ways. What can be restored without doubt is restored and
 * said to be; what can only be guessed is left as it stands, and the API's rules name the fault.
 */
import { isPartialDate } from '../../../lib/dates.ts';
import { isbn10To13, normalizeIsbn13 } from '../../../lib/isbn.ts';
import { canonicalizeLocale, isCountry } from '../../../lib/locale.ts';

/** A value as it goes on, with a note where it is not what stood there. */
export interface Mended {
  /** undefined: the value was dropped. */
  readonly value: string | undefined;
  readonly mended?: string;
}

/** `2008.0` is what becomes of 2008 in a column of numbers with gaps. */
export function mendInteger(text: string): Mended {
  const whole = /^([+-]?\d{1,15})\.0+$/.exec(text)?.[1];
  return whole === undefined ? { value: text } : { value: whole, mended: 'whole numbers written with ".0"' };
}

/** A partial date from a year of a number column, an instant, or a date with slashes or dots. */
export function mendPartialDate(given: string): Mended {
  const { value: text = given, mended: pointZero } = mendInteger(given);
  if (isPartialDate(text)) {
    return pointZero === undefined ? { value: text } : { value: text, mended: 'years written with ".0"' };
  }
  if (/^-\d{1,4}$|^0+$/.test(text)) {
    return { value: undefined, mended: 'years before the year 1 left out, which the API cannot hold' };
  }
  if (/^\d{1,3}$/.test(text)) return { value: text.padStart(4, '0'), mended: 'years put with four digits' };
  const [, day = ''] = /^(\d{4}-\d{2}-\d{2})[T ]\d{2}:\d{2}/.exec(text) ?? [];
  if (isPartialDate(day)) return { value: day, mended: 'times of day left out of dates' };
  const [, year, month = '', dayOfMonth = ''] = /^(\d{4})[/.](\d{1,2})(?:[/.](\d{1,2}))?$/.exec(text) ?? [];
  const [, germanDay = '', germanMonth = '', germanYear] = /^(\d{1,2})\.(\d{1,2})\.(\d{4})$/.exec(text) ?? [];
  const parts =
    year === undefined
      ? [germanYear, germanMonth, germanDay]
      : [year, month, dayOfMonth].filter((part) => part !== '');
  const joined = parts.map((part = '') => part.padStart(2, '0')).join('-');
  if (isPartialDate(joined)) return { value: joined, mended: 'dates written as YYYY-MM-DD' };
  return { value: text };
}

/** A BCP 47 tag for an ISO 639-2 code, a locale with an underscore, or the name of a language in English. */
export function mendLanguage(text: string): Mended {
  const named = languageNames().get(text.toLowerCase());
  if (named !== undefined) return { value: named, mended: 'names of languages written as codes' };
  const tag = canonicalizeLocale(text.replaceAll('_', '-').replace(/\..*$/, ''));
  if (tag === null) return { value: text };
  if (/^[a-z]{3}$/i.test(text) && /^[a-z]{2}$/.test(tag)) {
    return { value: tag, mended: 'languages of three letters written with two (ISO 639-1)' };
  }
  return /[_.]/.test(text) ? { value: tag, mended: 'languages written as BCP 47 tags' } : { value: tag };
}

/** An ISO 3166-1 code for a code in small letters or the name of a country in English. */
export function mendCountry(text: string): Mended {
  const upper = text.toUpperCase();
  if (isCountry(upper))
    return upper === text ? { value: text } : { value: upper, mended: 'country codes in capitals' };
  const named = countryNames().get(text.toLowerCase());
  return named === undefined
    ? { value: text }
    : { value: named, mended: 'names of countries written as codes' };
}

/** `www.example.com` is meant as an address. */
export function mendWebAddress(text: string): Mended {
  return /^[a-z0-9-]+(\.[a-z0-9-]+)+(\/\S*)?$/i.test(text)
    ? { value: `https://${text}`, mended: 'web addresses completed with https://' }
    : { value: text };
}

/** What became of the columns for ISBNs. */
export interface MendedIsbn {
  readonly value: string | undefined;
  readonly mendings: readonly string[];
  /** Why the row cannot be used, or null. */
  readonly fault: string | null;
}

const scientific = /^\d(?:[.,]\d+)?e\+?\d{1,2}$/i;
/** Numbers with fewer digits are no ISBN that lost its zeros. */
const fewestDigits = 6;

/**
 * The ISBN-13 of a row. A spreadsheet turns the ISBN-13 into `9.78043902348E+12`, whose last digits are lost, and the
 * ISBN-10 0439023483 into 439023483; the latter can be restored, and the former computed from it.
 *
 * @param thirteen what the column for the ISBN-13 holds, or undefined
 * @param other what a column holds that is called ISBN or ISBN-10, or undefined
 */
export function mendIsbn(thirteen: string | undefined, other: string | undefined): MendedIsbn {
  const plain = (text: string) => text.replace(/\.0+$/, '');
  for (const text of [thirteen, other]) {
    const isbn = text === undefined ? null : normalizeIsbn13(plain(text));
    if (isbn !== null) return { value: isbn, mendings: [], fault: null };
  }
  for (const text of [other, thirteen]) {
    if (text === undefined) continue;
    const digits = plain(text).replace(/[^0-9Xx]/g, '');
    if (digits.length < fewestDigits || digits.length > 10) continue;
    const isbn = isbn10To13(digits.padStart(10, '0'));
    if (isbn === null) continue;
    return {
      value: isbn,
      mendings: describeComputed(isbn, digits, text === other ? thirteen : undefined),
      fault: null,
    };
  }
  return judgeIsbn(thirteen ?? other, thirteen === undefined ? undefined : other);
}

function describeComputed(isbn: string, digits: string, thirteen: string | undefined): string[] {
  const mendings = digits.length < 10 ? ['ISBN-10 completed with the zeros that it had lost in front'] : [];
  if (thirteen === undefined) return ['ISBN-13 computed from the ISBN-10', ...mendings];
  if (!scientific.test(thirteen)) return ['ISBN-13 that was none computed from the ISBN-10', ...mendings];
  const agrees = isbn.startsWith(significantDigits(thirteen).slice(0, -1));
  return [
    agrees
      ? 'ISBN-13 in scientific notation computed from the ISBN-10'
      : 'ISBN-13 in scientific notation, of another number than the ISBN-10 beside it, computed from the ISBN-10',
    ...mendings,
  ];
}

function significantDigits(text: string): string {
  return text.replace(/e.*$/i, '').replace(/[.,]/, '');
}

function judgeIsbn(text: string | undefined, other: string | undefined): MendedIsbn {
  if (text === undefined) return { value: undefined, mendings: [], fault: null };
  const shown = text.slice(0, 40);
  const what = scientific.test(text)
    ? `isbn13: "${shown}" is in scientific notation, so its last digits are lost`
    : `isbn13: "${shown}" is neither an ISBN-13 nor an ISBN-10 with a right check digit`;
  const beside =
    other === undefined
      ? ', and there is no ISBN-10 beside it to compute it from'
      : `, and "${other.slice(0, 40)}" beside it is no ISBN-10 to compute it from`;
  const fault = `${what}${beside}. Correct a cell, or empty all cells with the ISBN.`;
  return { value: undefined, mendings: [], fault };
}

let languages: Map<string, string> | undefined;
/** English names of the languages with two letters. */
function languageNames(): Map<string, string> {
  languages ??= nameCodes('language', (code) => code.toLowerCase());
  return languages;
}

let countries: Map<string, string> | undefined;
function countryNames(): Map<string, string> {
  countries ??= nameCodes('region', (code) => code);
  return countries;
}

function nameCodes(type: 'language' | 'region', spell: (code: string) => string): Map<string, string> {
  const names = new Intl.DisplayNames('en', { type, fallback: 'none' });
  const letters = Array.from('ABCDEFGHIJKLMNOPQRSTUVWXYZ');
  const codes = letters.flatMap((first) => letters.map((second) => spell(first + second)));
  return new Map(
    codes.flatMap((code): [string, string][] => {
      const name = names.of(code);
      // UK, a name of GB, is called like it.
      const isCurrent = type === 'region' ? isCountry(code) : canonicalizeLocale(code) === code;
      return name === undefined || !isCurrent ? [] : [[name.toLowerCase(), code]];
    }),
  );
}
