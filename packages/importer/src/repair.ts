/**
 * Repairs values that spreadsheets and old systems damage in known ways. Unambiguous values are restored and reported; any
 * other is kept, and the API's rules report the fault.
 */

import type { JsonSchema } from '@trellis/schema/validation/body-schemas.ts';
import { isPartialDate } from '@trellis/schema/values/dates.ts';
import { canonicalizeLocale, isCountry } from '@trellis/schema/values/locale.ts';

/** A value, and the repair to report if it was changed. */
export interface Repaired<T = string | undefined> {
  /** undefined: the value was dropped. */
  readonly value: T;
  readonly repair?: string;
}

/** Repairs a text by the type and format of its schema. */
export function repairText(schema: JsonSchema, text: string): Repaired {
  const repair = schema.type === 'integer' ? repairInteger : byFormat[String(schema.format)];
  return repair === undefined ? { value: text } : repair(text);
}

/** A spreadsheet writes 2008 as `2008.0` in a column of numbers with gaps. */
export function repairInteger(text: string): Repaired {
  const whole = /^([+-]?\d{1,15})\.0+$/.exec(text)?.[1];
  return whole === undefined ? { value: text } : { value: whole, repair: 'whole numbers written with ".0"' };
}

/** A partial date from a year as a decimal number, an instant, or a date with slashes or dots. */
export function repairPartialDate(given: string): Repaired {
  const { value: text = given, repair: pointZero } = repairInteger(given);
  if (isPartialDate(text)) {
    return pointZero === undefined ? { value: text } : { value: text, repair: 'years written with ".0"' };
  }
  if (/^-\d{1,4}$|^0+$/.test(text)) {
    return { value: undefined, repair: 'years before 1 dropped, which the API cannot store' };
  }
  if (/^\d{1,3}$/.test(text)) return { value: text.padStart(4, '0'), repair: 'years padded to four digits' };
  const [, day = ''] = /^(\d{4}-\d{2}-\d{2})[T ]\d{2}:\d{2}/.exec(text) ?? [];
  if (isPartialDate(day)) return { value: day, repair: 'times of day dropped from dates' };
  const [, year, month = '', dayOfMonth = ''] = /^(\d{4})[/.](\d{1,2})(?:[/.](\d{1,2}))?$/.exec(text) ?? [];
  const [, germanDay = '', germanMonth = '', germanYear] = /^(\d{1,2})\.(\d{1,2})\.(\d{4})$/.exec(text) ?? [];
  const parts =
    year === undefined
      ? [germanYear, germanMonth, germanDay]
      : [year, month, dayOfMonth].filter((part) => part !== '');
  const joined = parts.map((part = '') => part.padStart(2, '0')).join('-');
  if (isPartialDate(joined)) return { value: joined, repair: 'dates written as YYYY-MM-DD' };
  return { value: text };
}

/**
 * Maximum length of a text that may be a language. What is longer is left to the rules of the API: the time that `Intl` takes to refuse
 * it grows with the square of its length.
 */
const longestLanguage = 100;

/** A BCP 47 tag for an ISO 639-2 code, a locale with an underscore, or the name of a language in English. */
export function repairLanguage(text: string): Repaired {
  if (text.length > longestLanguage) return { value: text };
  const named = languageNames().get(text.toLowerCase());
  if (named !== undefined) return { value: named, repair: 'names of languages written as codes' };
  const tag = canonicalizeLocale(text.replaceAll('_', '-').replace(/\..*$/, ''));
  if (tag === null) return { value: text };
  if (/^[a-z]{3}$/i.test(text) && /^[a-z]{2}$/.test(tag)) {
    return { value: tag, repair: 'languages of three letters written with two (ISO 639-1)' };
  }
  return /[_.]/.test(text) ? { value: tag, repair: 'language written as a BCP 47 tag' } : { value: tag };
}

/** An ISO 3166-1 code for a code in small letters or the name of a country in English. */
export function repairCountry(text: string): Repaired {
  const upper = text.toUpperCase();
  if (isCountry(upper))
    return upper === text ? { value: text } : { value: upper, repair: 'country codes in capitals' };
  const named = countryNames().get(text.toLowerCase());
  return named === undefined
    ? { value: text }
    : { value: named, repair: 'names of countries written as codes' };
}

/** Completes `www.example.com` to an address. */
export function repairWebAddress(text: string): Repaired {
  return /^[a-z0-9-]+(\.[a-z0-9-]+)+(\/\S*)?$/i.test(text)
    ? { value: `https://${text}`, repair: 'web addresses completed with https://' }
    : { value: text };
}

const byFormat: Readonly<Record<string, (text: string) => Repaired>> = {
  'partial-date': repairPartialDate,
  locale: repairLanguage,
  country: repairCountry,
  'http-url': repairWebAddress,
};

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
      // Skips other codes with the same name, such as UK for GB.
      const isCurrent = type === 'region' ? isCountry(code) : canonicalizeLocale(code) === code;
      return name === undefined || !isCurrent ? [] : [[name.toLowerCase(), code]];
    }),
  );
}
