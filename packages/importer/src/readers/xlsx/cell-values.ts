/** The values of spreadsheet cells as texts: what a person sees, but exact and independent of a country's conventions (ECMA-376, 18.8.30). */

/** How the numbers of a cell are shown. */
export interface NumberStyle {
  /** The parts of a date that are shown; null: the number is not a date. */
  readonly date: 'year' | 'month' | 'day' | 'time' | null;
  /** A pattern of zeros and punctuation, such as `00000`, that completes a number; null without one. */
  readonly digits: string | null;
}

const plain: NumberStyle = { date: null, digits: null };
/** The formats with a number instead of a code, in all languages (18.8.30); those between 27 and 58 are dates of East Asia. */
const numbered: Readonly<Record<number, NumberStyle['date']>> = {
  17: 'month',
  18: 'time',
  19: 'time',
  20: 'time',
  21: 'time',
  22: 'time',
};

/** Programs refuse longer codes. */
const longestCode = 255;

/** Reads the style of a number format. @param code null for a format that is known by its number alone */
export function readNumberStyle(id: number, code: string | null): NumberStyle {
  if (code !== null) return readFormatCode(code);
  const isDate = (id >= 14 && id <= 22) || (id >= 27 && id <= 36) || (id >= 50 && id <= 58);
  if (isDate) return { date: numbered[id] ?? 'day', digits: null };
  return id >= 45 && id <= 47 ? { date: 'time', digits: null } : plain;
}

function readFormatCode(code: string): NumberStyle {
  const [positive = ''] = code.slice(0, longestCode).split(';');
  const digits = positive.replaceAll(/\\(.)|"([^"]*)"/g, '$1$2');
  if (/^[0 ()/-]+$/.test(digits) && /0[^0]*0/.test(digits) && !/^[ ()/-]*0 /.test(digits))
    return { date: null, digits };
  // Colours and languages stand in brackets; durations such as [h] do as well.
  const letters = positive.replaceAll(/\\.|"[^"]*"|_.|\*.|\[(?!h+\]|m+\]|s+\])[^\]]*\]/gi, '').toLowerCase();
  if (letters.includes('general') || /[#0?]/.test(letters.replaceAll(/s[.,]0+/g, 's'))) return plain;
  if (/[hs]/.test(letters)) return { date: 'time', digits: null };
  if (/d/.test(letters)) return { date: 'day', digits: null };
  // The era years of Japan and the Buddhist calendar are shown with other letters, together with days.
  if (/y/.test(letters)) return { date: /m/.test(letters) ? 'month' : 'year', digits: null };
  return /m/.test(letters) ? { date: 'day', digits: null } : plain;
}

/**
 * A number as text.
 * @param text the number as the file has it, such as `9.780306406157E12`
 * @param isFrom1904 whether days are counted from 1904 (18.17.4.1)
 */
export function showNumber(text: string, style: NumberStyle, isFrom1904: boolean): string {
  const number = Number(text);
  if (!Number.isFinite(number) || text.trim() === '') return text;
  if (style.date !== null) return showDate(number, style.date, isFrom1904) ?? String(number);
  const exact = Number.isInteger(number) ? number : Number(number.toPrecision(15));
  if (style.digits !== null && Number.isSafeInteger(exact) && exact >= 0)
    return fillDigits(style.digits, String(exact));
  return Math.abs(exact) < 1e21 && Number.isInteger(exact) ? BigInt(exact).toString() : String(exact);
}

/** Puts digits in the places of zeros, from the right; further digits before the first place. */
function fillDigits(pattern: string, digits: string): string {
  let rest = digits;
  const filled = Array.from(pattern)
    .reverse()
    .map((character) => {
      if (character !== '0') return character;
      const digit = rest.at(-1) ?? '0';
      rest = rest.slice(0, -1);
      return digit;
    })
    .reverse();
  filled.splice(
    filled.findIndex((character) => /\d/.test(character)),
    0,
    rest,
  );
  return filled.join('');
}

/** 9999-12-31, in days from 1900. */
const lastDay = 2_958_465;

function showDate(days: number, shown: NonNullable<NumberStyle['date']>, isFrom1904: boolean): string | null {
  if (days < 0 || days > lastDay) return null;
  // The first program of this kind took 1900 for a leap year, and all follow it: day 60 did not exist.
  const base = isFrom1904 ? Date.UTC(1904, 0, 1) : Date.UTC(1899, 11, days < 60 ? 31 : 30);
  const seconds = Math.round(days * 86_400);
  const text = new Date(base + seconds * 1_000).toISOString();
  const [date = '', time = ''] = text.slice(0, 19).split('T');
  if (shown === 'year') return date.slice(0, 4);
  if (shown === 'month') return date.slice(0, 7);
  if (days < 1 && !isFrom1904 && shown === 'time') return time;
  return shown === 'day' || time === '00:00:00' ? date : `${date} ${time}`;
}

/** A text of a workbook, without the escapes for characters that XML does not permit (ECMA-376, 22.9.2.19). */
export function unescapeText(text: string): string {
  return text
    .replaceAll(/_x([0-9A-Fa-f]{4})_/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    .replaceAll('\r\n', '\n')
    .replaceAll('\0', '');
}

/** The index of a column from 0, and the number of the row, of a reference such as `AB12`; null for other text. */
export function readReference(text: string): { readonly column: number; readonly row: number } | null {
  const [, letters, row] = /^\$?([A-Z]{1,3})\$?(\d{1,7})$/.exec(text) ?? [];
  if (letters === undefined) return null;
  const column = Array.from(letters).reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1;
  return { column, row: Number(row) };
}

/** `AB` for 27. */
export function nameColumn(index: number): string {
  const last = String.fromCharCode(65 + (index % 26));
  return index < 26 ? last : nameColumn(Math.floor(index / 26) - 1) + last;
}
