/** Whole numbers and amounts of money as people and spreadsheets write them. */
import { isCurrency } from '@trellis/schema/values/currencies.ts';

/** What separates the decimals. */
export type DecimalSign = '.' | ',';

/** Groups of three digits with a separator that is the same everywhere. */
const grouped = /^[+-]?\d{1,3}(?:([.,'’\u00A0\u202F ])\d{3})(?:\1\d{3})*$/;

/** A whole number written with separators of thousands, or as a number of pages; null for another text. */
export function readWrittenInteger(
  given: string,
): { readonly value: string; readonly repair: string } | null {
  const text = given.trim();
  if (grouped.test(text)) {
    return { value: text.replace(/[^\d-]/g, ''), repair: 'whole numbers without separators of thousands' };
  }
  // `352 p.`, `xii, 352 pages ; 23 cm`, `352 S.`
  const [, pages] =
    /^(?:[ivxlc]+,? (?:\+ )?)?(\d{1,5}) ?(?:p|pp|pages?|seiten|s|pág|págs|páginas|pagine|bl)\b\.?(?: ?[:;,].*)?$/i.exec(
      text,
    ) ?? [];
  return pages === undefined ? null : { value: pages, repair: 'numbers of pages without words' };
}

/** Signs of currencies. A dollar without a country is that of the United States, which is said. */
const signs: ReadonlyMap<string, string> = new Map(
  Object.entries({
    '€': 'EUR',
    '£': 'GBP',
    $: 'USD',
    US$: 'USD',
    'U.S.$': 'USD',
    C$: 'CAD',
    CA$: 'CAD',
    CAN$: 'CAD',
    A$: 'AUD',
    AU$: 'AUD',
    NZ$: 'NZD',
    R$: 'BRL',
    HK$: 'HKD',
    S$: 'SGD',
    '¥': 'JPY',
    '￥': 'JPY',
    円: 'JPY',
    元: 'CNY',
    '₹': 'INR',
    '₽': 'RUB',
    '₩': 'KRW',
    '₺': 'TRY',
    '₴': 'UAH',
    '₪': 'ILS',
    zł: 'PLN',
    Kč: 'CZK',
    Ft: 'HUF',
    Fr: 'CHF',
    'Fr.': 'CHF',
    SFr: 'CHF',
    'SFr.': 'CHF',
    EURO: 'EUR',
    Euro: 'EUR',
    euro: 'EUR',
  }),
);

/** Longer texts are no amounts: the time to find that out grows with the square of their length. */
const longestAmount = 100;

/** An amount as it was read. */
export interface ReadAmount {
  /** With a decimal point; null when the separator may be one of thousands. */
  readonly amount: string | null;
  /** Null when the text has none. */
  readonly currency: string | null;
  /** What was taken for granted or changed. */
  readonly repairs: readonly string[];
}

/**
 * Reads an amount such as `9,99 EUR`, `€ 9.99`, `EUR 1.234,56` or `$12`.
 * @param decimal the sign of the column; null where it is not known
 * @returns null for a text that is none
 */
export function readWrittenAmount(given: string, decimal: DecimalSign | null): ReadAmount | null {
  const text = given.trim().replace(/[\u00A0\u202F]/g, ' ');
  if (text.length > longestAmount) return null;
  const [, before = '', number, after = ''] =
    /^([^\d\s.,-]*\.?)\s*(\d[\d.,'’ ]*?)(?:,[-–—])?\s*([^\d\s.,][^\d\s]*)?$/.exec(text) ?? [];
  if (number === undefined || (before !== '' && after !== '')) return null;
  const currency = currencyOf(before === '' ? after : before);
  if (currency === undefined) return null;
  const digits = readDecimal(number, decimal);
  if (digits === undefined) return null;
  const isPlain =
    digits === number && (before === '' || before === currency) && (after === '' || after === currency);
  const sign = before === '$' || after === '$' ? ['amounts in $ taken as US dollars'] : [];
  return {
    amount: digits,
    currency,
    repairs: isPlain ? [] : [...sign, 'prices written as amount and currency'],
  };
}

/** A code; null for no text, undefined for an unknown one. */
function currencyOf(text: string): string | null | undefined {
  if (text === '') return null;
  const code = text.toUpperCase();
  if (isCurrency(code)) return code;
  return signs.get(text);
}

/** A number with a decimal point; null when it may be two numbers, undefined when it is none. */
function readDecimal(text: string, decimal: DecimalSign | null): string | null | undefined {
  if (/^\d+$/.test(text)) return text;
  const sign = decimalIn(text) === 'open' ? decimal : decimalIn(text);
  if (sign === null) return decimalIn(text) === 'open' ? null : readGroups(text);
  const [whole = '', fraction, ...more] = text.split(sign);
  if (more.length > 0) return readGroups(text);
  const digits = /^\d+$/.test(whole) ? whole : readGroups(whole);
  if (digits === undefined) return undefined;
  if (fraction === undefined) return digits;
  return /^\d+$/.test(fraction) ? `${digits}.${fraction}` : undefined;
}

function readGroups(text: string): string | undefined {
  return grouped.test(text) ? text.replace(/\D/g, '') : undefined;
}

/**
 * The decimal sign in a number: the last of two different separators, or one that is not followed by three digits.
 * @returns null without one, `open` when the only separator is followed by three digits: 1.234 may be a thousand
 */
export function decimalIn(text: string): DecimalSign | 'open' | null {
  const separators = [...text.matchAll(/[.,]/g)].map(([sign]) => sign);
  const [first] = separators;
  const last = separators.at(-1);
  if (first === undefined || (last !== '.' && last !== ',')) return null;
  if (first !== last) return last;
  if (separators.length > 1 || /['’ ]/.test(text)) return separators.length > 1 ? null : last;
  return /[.,]\d{3}$/.test(text) && /^\d{1,3}[.,]/.test(text) && !text.startsWith('0') ? 'open' : last;
}

/** The number in a text with an amount; null without one. */
export function numberIn(text: string): string | null {
  return /\d[\d.,'’ ]*\d|\d/.exec(text)?.[0] ?? null;
}
