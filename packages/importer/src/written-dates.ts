/** Dates as people, catalogues and spreadsheets write them. */
import { isPartialDate } from '@trellis/schema/values/dates.ts';

/** The order of day and month in `03/04/2027`. */
export type DateOrder = 'dmy' | 'mdy';

/** A date in the form of the API, and what was changed. */
interface ReadDate {
  readonly value: string;
  readonly repair: string;
}

/** Languages whose names of months are known. */
const languages = ['en', 'de', 'fr', 'es', 'it', 'nl', 'pt', 'sv', 'da', 'nb', 'pl'];
const asIso = 'dates written as YYYY-MM-DD';

const months = new Map<string, string>();

/** The number of a month, from 01, by its name in one of the languages, also shortened; undefined for another word. */
function findMonth(name: string): string | undefined {
  if (months.size === 0) listMonths();
  const folded = foldMonth(name);
  return months.get(folded) ?? months.get(folded.slice(0, 3) === 'sep' ? 'sep' : folded);
}

function listMonths(): void {
  const ambiguous = new Set<string>();
  for (const language of languages) {
    for (const month of ['long', 'short'] as const) {
      for (const options of [{ month }, { month, day: 'numeric' }] as const) {
        const format = new Intl.DateTimeFormat(language, { ...options, timeZone: 'UTC' });
        for (let index = 0; index < 12; index += 1) {
          const parts = format.formatToParts(Date.UTC(2020, index, 1));
          const name = foldMonth(parts.find(({ type }) => type === 'month')?.value ?? '');
          const number = twoDigits(String(index + 1));
          if (/^\d*$/.test(name)) continue;
          if (months.has(name) && months.get(name) !== number) ambiguous.add(name);
          months.set(name, number);
        }
      }
    }
  }
  for (const name of ambiguous) months.delete(name);
}

function foldMonth(name: string): string {
  return name
    .normalize('NFD')
    .replace(/[\p{M}.]/gu, '')
    .toLowerCase();
}

function twoDigits(digits: string): string {
  return digits.padStart(2, '0');
}

/** A year of two digits, as spreadsheets read it: 30 to 99 are of the last century. */
function fullYear(digits: string): string {
  if (digits.length === 4) return digits;
  return `${Number(digits) < 30 ? '20' : '19'}${digits}`;
}

/** Day 1 of spreadsheets is 1 January 1900, and they count a 29 February of that year, which did not exist. */
const dayZero = Date.UTC(1899, 11, 30);
/** The days that a number of five digits is taken for: 1927 to 2119. */
const [firstSerial, lastSerial] = [10_000, 79_999];

/** The forms of a date, each with how its parts are found. */
const forms: readonly (readonly [
  RegExp,
  (parts: readonly string[], order: DateOrder | null) => string | null,
])[] = [
  // 20030206, as in ONIX.
  [/^(\d{4})(\d{2})(\d{2})$/, ([year, month, day]) => joinDate(year, month, day)],
  [/^(\d{4})[/.](\d{1,2})(?:[/.](\d{1,2}))?$/, ([year, month, day]) => joinDate(year, month, day)],
  // With dots, the day is first.
  [/^(\d{1,2})\. ?(\d{1,2})\. ?(\d{4}|\d{2})$/, ([day, month, year]) => joinDate(year, month, day)],
  [/^(\d{1,2})[/-](\d{1,2})[/-](\d{4}|\d{2})$/, readOrdered],
  [/^(\d{1,2})[/.](\d{4})$/, ([month, year]) => joinDate(year, month)],
  // 6 February 2003, 6. Feb. 2003, 6 de febrero de 2003, 15-Mar-2027.
  [
    /^(\d{1,2})(?:st|nd|rd|th|er|º|\.)?[ -](?:de )?(\p{L}+)\.?,?[ -](?:de )?(\d{4}|\d{2})$/u,
    ([day, name, year]) => joinDate(year, findMonth(name ?? ''), day),
  ],
  // February 6, 2003.
  [
    /^(\p{L}+)\.? (\d{1,2})(?:st|nd|rd|th)?,? (\d{4})$/u,
    ([name, day, year]) => joinDate(year, findMonth(name ?? ''), day),
  ],
  // February 2003, Feb-03, février de 2003.
  [/^(\p{L}+)\.?,?[ -](?:de )?(\d{4})$/u, ([name, year]) => joinDate(year, findMonth(name ?? ''))],
  // 2003 February 6, as in catalogues.
  [
    /^(\d{4}) (\p{L}+)\.?(?: (\d{1,2}))?$/u,
    ([year, name, day]) => joinDate(year, findMonth(name ?? ''), day),
  ],
];

/** Day and month by their order; by their values where only one of them can be a month, or both are equal. */
function readOrdered(
  [first = '', second = '', year]: readonly string[],
  order: DateOrder | null,
): string | null {
  const known = order ?? orderOf(first, second);
  if (known === null) return null;
  const [day, month] = known === 'dmy' ? [first, second] : [second, first];
  return joinDate(year, month, day);
}

function orderOf(first: string, second: string): DateOrder | null {
  if (Number(first) === Number(second) || Number(first) > 12) return 'dmy';
  return Number(second) > 12 ? 'mdy' : null;
}

function joinDate(year = '', month?: string, day?: string): string | null {
  const parts = [
    fullYear(year),
    ...[month, day].flatMap((part) => (part === undefined ? [] : [twoDigits(part)])),
  ];
  // A name that is no month gives a year alone.
  const isWhole = month !== undefined;
  const date = parts.join('-');
  return isWhole && isPartialDate(date) ? date : null;
}

/**
 * Reads a date in one of the known forms.
 * @param order of day and month, as the column has it; null where it is not known
 * @returns null for a text that is none, or that may be two
 */
export function readWrittenDate(given: string, order: DateOrder | null): ReadDate | null {
  const text = given.trim().replace(/\s+/g, ' ');
  // Catalogues put a copyright year, a supplied date and a full stop.
  const bare = text
    .replace(/^\[(.*)\]\.?$/, '$1')
    .replace(/^(?:©|\(c\)|c\.?|cop\.?|p|℗) ?(?=\d{4})/i, '')
    .replace(/(?<=\d{4})\.$/, '');
  if (bare !== text && /^\d{4}$/.test(bare))
    return { value: bare, repair: 'years without the marks of catalogues' };
  if (/^\d{5}(?:\.\d+)?$/.test(bare)) return readSerial(bare);
  const withoutTime = bare.replace(/,? \d{1,2}:\d{2}(?::\d{2})?(?: ?[ap]\.?m\.?)?$/i, '');
  const isTimed = withoutTime !== bare;
  for (const [form, read] of forms) {
    const parts = form.exec(withoutTime);
    const value = parts === null ? null : read(parts.slice(1), order);
    if (value !== null) return { value, repair: isTimed ? 'times of day dropped from dates' : asIso };
  }
  return null;
}

function readSerial(text: string): ReadDate | null {
  const days = Math.floor(Number(text));
  if (days < firstSerial || days > lastSerial) return null;
  const value = new Date(dayZero + days * 86_400_000).toISOString().slice(0, 10);
  return { value, repair: 'numbers of days since 1900, as in spreadsheets, written as dates' };
}

/** What a cell says about the order of day and month in its column; null when it says nothing, `open` when it may be both. */
export function orderInDate(text: string): DateOrder | 'open' | null {
  const [, first, second] = /^(\d{1,2})[/-](\d{1,2})[/-](?:\d{4}|\d{2})(?:[ ,T].*)?$/.exec(text.trim()) ?? [];
  if (first === undefined || second === undefined || Number(first) === Number(second)) return null;
  return orderOf(first, second) ?? 'open';
}
