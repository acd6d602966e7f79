/** Dates in workbooks, which are numbers of days with a style that shows them as a date (ECMA-376, 18.8.30 and 18.17.4). */
import { ignore, readXml } from './xml.ts';

const millisecondsPerDay = 86_400_000;
/** The day before the first, with 29 February 1900, which is counted and did not exist. */
const epoch1900 = Date.UTC(1899, 11, 30);
const epoch1904 = Date.UTC(1904, 0, 1);
/** Numbers that are dates up to the year 9999. */
const largestDate = 2_958_466;

/** The built-in formats of dates and times, also those of East Asia. */
const isBuiltIn = (id: number) =>
  (id >= 14 && id <= 22) || (id >= 27 && id <= 36) || (id >= 45 && id <= 47) || (id >= 50 && id <= 58);

/** Reads the numbers of the styles that show a number as a date. */
export async function readDateStyles(pieces: AsyncIterable<Uint8Array>): Promise<ReadonlySet<number>> {
  const formats = new Set<number>();
  const styles = new Set<number>();
  let isInCells = false;
  let count = 0;
  await readXml(pieces, {
    open({ local }, attributes) {
      if (local === 'numFmt' && showsDate(attributes.formatCode ?? ''))
        formats.add(Number(attributes.numFmtId));
      else if (local === 'cellXfs') isInCells = true;
      else if (local === 'xf' && isInCells) {
        const format = Number(attributes.numFmtId);
        if (isBuiltIn(format) || formats.has(format)) styles.add(count);
        count += 1;
      }
    },
    text: ignore,
    close({ local }) {
      if (local === 'cellXfs') isInCells = false;
    },
  });
  return styles;
}

/** Programs refuse longer formats, and brackets without an end would be looked for from each beginning. */
const longestFormat = 255;

/** Whether a format has a part of a date, beside quoted text, colors and conditions. */
function showsDate(code: string): boolean {
  return /[ymdhs]/i.test(
    code.slice(0, longestFormat).replace(/"[^"]*"|\\.|_.|\[(?!h+\]|m+\]|s+\])[^\]]*\]/gi, ''),
  );
}

/** Writes a date as in ISO 8601, with a time if it has one. @returns null for a number that is none */
export function writeDate(days: number, isFrom1904: boolean): string | null {
  if (!(days >= 0 && days < largestDate)) return null;
  const seconds = Math.round((days * millisecondsPerDay) / 1000);
  const instant = new Date((isFrom1904 ? epoch1904 : epoch1900) + seconds * 1000).toISOString();
  const [date = '', time = ''] = instant.slice(0, 19).split('T');
  if (!isFrom1904 && days < 1) return time;
  return time === '00:00:00' ? date : `${date} ${time}`;
}
