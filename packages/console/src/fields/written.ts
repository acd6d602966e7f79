/** Values as people write them, in the form of the API. What may mean two things stays as it is, so that the server refuses it with a sentence. */
import { readWrittenDate } from '@trellis/importer/written-dates.ts';
import { readWrittenAmount } from '@trellis/importer/written-numbers.ts';
import { currencyCodes } from '@trellis/schema/values/currencies.ts';
import { canonicalizeLocale } from '@trellis/schema/values/locale.ts';

/** A value that can be chosen. */
export interface Option {
  readonly value: string;
  readonly label: string;
}

/** An amount with a decimal point: `24,90` is 24.90, and `1.234,56` is 1234.56. */
export function readAmount(typed: string): string {
  const read = readWrittenAmount(typed, null);
  if (read === null || read.currency !== null) return typed;
  // `1.234` may be a thousand or have three decimals. The API would take it for the latter.
  return read.amount ?? typed.replace('.', ',');
}

/** An amount of the API as it is written in a language. */
export function writeAmount(amount: string, locale: string): string {
  const sign = new Intl.NumberFormat(locale).formatToParts(1.5).find(({ type }) => type === 'decimal')?.value;
  return /^\d+\.\d+$/.test(amount) ? amount.replace('.', sign ?? '.') : amount;
}

/** A date of which perhaps only month and year are known: `15.03.2027` is 2027-03-15. `3/4/2027` may be March or April, and `27` any century. */
export function readDate(typed: string): string {
  const hasYear = /\d{4}/.test(typed) && !/^\s*\d{5}(?:\.\d+)?\s*$/.test(typed);
  return (hasYear ? readWrittenDate(typed, null)?.value : null) ?? typed;
}

/** A date of the API as it is written in a language. English has no order that all understand. */
export function writeDate(date: string, locale: string): string {
  return locale.startsWith('de') && /^\d{4}(?:-\d{2}){0,2}$/.test(date)
    ? date.split('-').reverse().join('.')
    : date;
}

/** Codes of currencies with their names and signs, such as `EUR – Euro (€)`. */
export function listCurrencies(locale: string): readonly Option[] {
  const names = new Intl.DisplayNames([locale], { type: 'currency' });
  return currencyCodes.map((code) => {
    const sign = signOf(code, locale);
    return { value: code, label: `${code} – ${names.of(code) ?? code}${sign === code ? '' : ` (${sign})`}` };
  });
}

function signOf(currency: string, locale: string): string {
  const format = new Intl.NumberFormat(locale, {
    style: 'currency',
    currency,
    currencyDisplay: 'narrowSymbol',
  });
  return format.formatToParts(1).find(({ type }) => type === 'currency')?.value ?? currency;
}

/** Languages with two letters (ISO 639-1) by their names. */
export function listLanguages(locale: string): readonly Option[] {
  const names = new Intl.DisplayNames([locale], { type: 'language', fallback: 'none' });
  const letters = [...'abcdefghijklmnopqrstuvwxyz'];
  return letters
    .flatMap((first) => letters.map((second) => `${first}${second}`))
    .flatMap((code) => {
      const name = canonicalizeLocale(code) === code ? names.of(code) : undefined;
      return name === undefined ? [] : [{ value: code, label: name }];
    })
    .sort((one, other) => one.label.localeCompare(other.label, locale));
}

/** The tag of a language that a person writes as such: `de-at` is de-AT. Null for what is no language, such as its name. */
export function readLanguage(typed: string): string | null {
  const tag = canonicalizeLocale(typed.trim());
  if (tag === null) return null;
  const names = new Intl.DisplayNames(['en'], { type: 'language', fallback: 'none' });
  return names.of(new Intl.Locale(tag).language) === undefined ? null : tag;
}

/**
 * The only option that a text means: by its value, its whole label, or a word or sign of the label that no other one has. Null when it may be
 * several, as `$`, or none.
 */
export function readOption(options: readonly Option[], typed: string): string | null {
  const wanted = fold(typed);
  if (wanted === '') return null;
  const exact = options.find(({ value, label }) => fold(value) === wanted || fold(label) === wanted);
  if (exact !== undefined) return exact.value;
  const [only, ...others] = options.filter(({ label }) =>
    fold(label)
      .split(/[\s()–]+/)
      .includes(wanted),
  );
  return only !== undefined && others.length === 0 ? only.value : null;
}

/** The options that a text may mean while it is typed, those that it means first. */
export function findOptions(options: readonly Option[], typed: string): readonly Option[] {
  const wanted = fold(typed);
  const meant = readOption(options, typed);
  return [
    ...options.filter(({ value }) => value === meant),
    ...options.filter(({ value, label }) => value !== meant && fold(label).includes(wanted)),
  ];
}

function fold(text: string): string {
  return text.trim().toLowerCase();
}
