/**
 * Reads instants as site generators and other systems write them. A date without a zone is the wall clock's of the site, as it was in the
 * system that it comes from; nothing is guessed of dates whose month is ambiguous.
 */
import { parseInstant, toInstant } from '@trellis/schema/values/clock.ts';
import { canonicalizeTimeZone } from '@trellis/schema/values/locale.ts';
import { toInstant as instantOfClock } from '@trellis/schema/values/zones.ts';

/** An instant that was read. */
export interface ReadInstant {
  /** RFC 3339 in UTC with milliseconds. */
  readonly instant: string;
  /** Whether the text has no zone, so that it is a time of the site's. */
  readonly isLocal: boolean;
}

/** Longer texts are no dates. */
const longestText = 80;

/** The forms of a day: year first with one kind of separator, German, and English or German with the month in words. */
const days = [
  /^(?<year>\d{4})(?<separator>[-/.])(?<month>\d{1,2})\k<separator>(?<day>\d{1,2})(?![\d.])/,
  /^(?<year>\d{4})(?<month>\d{2})(?<day>\d{2})(?=T|$)/,
  /^(?<day>\d{1,2})\.\s?(?<month>\d{1,2})\.\s?(?<year>\d{4})(?!\d)/,
  /^(?:\p{L}{2,10}\.?,?\s+)?(?<word>\p{L}{3,9})\.?\s+(?<day>\d{1,2})(?:st|nd|rd|th)?(?:,\s*|\s+)(?<year>\d{4})(?!\d)/u,
  /^(?:\p{L}{2,10}\.?,?\s+)?(?<day>\d{1,2})(?:st|nd|rd|th|\.)?\s+(?<word>\p{L}{3,9})\.?,?\s+(?<year>\d{4})(?!\d)/u,
];
const time =
  /^(?:[Tt,\s]|at\s|um\s)*(?<hour>\d{1,2}):?(?<minute>\d{2})(?::?(?<second>\d{2})(?:[.,](?<fraction>\d+))?)?(?:\s?(?<half>[AaPp])\.?[Mm]\.?)?(?:\sUhr)?(?![\d:])/;
const offset = /^(?:Z|UTC|GMT|UT)?(?<sign>[+-])(?<hours>\d{2}):?(?<minutes>\d{2})?$/i;

/** Hours from UTC of the names of zones in RFC 5322 (4.3), and of those of Europe. */
const namedOffsets: Readonly<Record<string, number>> = {
  ...{ Z: 0, UT: 0, UTC: 0, GMT: 0, WET: 0, WEST: 1, CET: 1, CEST: 2, MEZ: 1, MESZ: 2, EET: 2, EEST: 3 },
  ...{ EST: -5, EDT: -4, CST: -6, CDT: -5, MST: -7, MDT: -6, PST: -8, PDT: -7 },
};

/**
 * Reads an instant: `2018-01-04`, `2018-01-04 10:00:00 +0100`, `2018/1/4 10:00`, `Thu, 04 Jan 2018 10:00:00 GMT`, `January 4, 2018`,
 * `2018-01-04 10:00 PST`, `2018-01-04T10:00 Europe/Berlin`. A date without a time is its midnight.
 * @param zone IANA name of the zone of texts that have none; UTC without one
 * @returns undefined for anything else, such as days that do not exist
 */
export function readInstant(text: string, zone: string | null = null): ReadInstant | undefined {
  const written = text.trim();
  if (written.length > longestText) return undefined;
  const day = firstMatch(days, written);
  if (day === null) return undefined;
  const date = readDay(day.groups ?? {});
  const rest = written.slice(day[0].length);
  const clock = time.exec(rest);
  const place = rest.slice(clock?.[0].length ?? 0).trim();
  const hours = clock === null ? '00:00:00' : readTime(clock.groups ?? {});
  if (date === null || hours === null || (clock === null && place !== '' && !/^(Z|UTC)$/i.test(place)))
    return undefined;
  return atPlace(`${date}T${hours}`, place, zone);
}

function firstMatch(patterns: readonly RegExp[], text: string): RegExpExecArray | null {
  for (const pattern of patterns) {
    const found = pattern.exec(text);
    if (found !== null) return found;
  }
  return null;
}

type Groups = Readonly<Record<string, string | undefined>>;

/** `2018-01-04`; null for an unknown month. */
function readDay({ year, month, word, day = '' }: Groups): string | null {
  const number = word === undefined ? Number(month) : monthOf(word);
  return number === undefined ? null : `${year}-${two(String(number))}-${two(day)}`;
}

/** `10:00:00.123`; null for an hour that a clock with two halves does not have. */
function readTime({ hour = '', minute, second = '00', fraction, half }: Groups): string | null {
  const given = Number(hour);
  if (half !== undefined && (given < 1 || given > 12)) return null;
  const shifted = half === undefined ? given : (given % 12) + (half.toLowerCase() === 'p' ? 12 : 0);
  return `${two(String(shifted))}:${minute}:${second}${fraction === undefined ? '' : `.${fraction.slice(0, 9)}`}`;
}

/** The instant of a wall clock at a place, which is an offset, the name of a zone, or nothing. */
function atPlace(wallTime: string, place: string, zone: string | null): ReadInstant | undefined {
  const asUtc = parseInstant(`${wallTime}Z`);
  if (asUtc === null) return undefined;
  // `(Pacific Standard Time)` after an offset only says it again, as in JavaScript.
  const name = place.replace(/\s*\([^()]*\)$/, '');
  const minutes = readOffset(name);
  if (minutes !== undefined) return { instant: toInstant(asUtc - minutes * 60_000), isLocal: false };
  if (name !== '' && canonicalizeTimeZone(name) === null) return undefined;
  const local = name === '' ? zone : name;
  const instant = local === null ? new Date(asUtc) : instantOfClock(wallTime, local);
  return instant === null ? undefined : { instant: toInstant(instant.getTime()), isLocal: name === '' };
}

/** Minutes from UTC. */
function readOffset(name: string): number | undefined {
  const named = namedOffsets[name.toUpperCase()];
  if (named !== undefined && Object.hasOwn(namedOffsets, name.toUpperCase())) return named * 60;
  const { sign, hours, minutes = '0' } = offset.exec(name)?.groups ?? {};
  if (hours === undefined || Number(hours) > 23 || Number(minutes) > 59) return undefined;
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
}

/** The clock by which dates without a zone are read. */
export interface LocalClock {
  /** IANA name; null: UTC. */
  readonly zone: string | null;
  /** What the report says of a row with such a date. */
  readonly note: string;
}

/** The clock of a zone. @param owner noun of the record that has it, such as a site; null without one */
export function createClock(zone: string | null, owner: string | null): LocalClock {
  const place = zone === null || owner === null ? 'UTC' : `${zone}, the time zone of the ${owner}`;
  return { zone, note: `dates without an offset are read in ${place}` };
}

/** The clock of a preview, which does not know it. */
export const unknownClock: LocalClock = createClock(null, null);

/**
 * Reads an instant by a clock, and notes in `repairs` that it was needed.
 * @returns RFC 3339 in UTC with milliseconds; undefined for anything else
 */
export function readByClock({ zone, note }: LocalClock, text: string, repairs: string[]): string | undefined {
  const read = readInstant(text, zone);
  if (read?.isLocal === true && !repairs.includes(note)) repairs.push(note);
  return read?.instant;
}

let monthNames: ReadonlyMap<string, number> | null = null;

/** The number of a month by its English or German name, or its first three letters. */
function monthOf(word: string): number | undefined {
  monthNames ??= listMonths();
  return monthNames.get(word.toLowerCase());
}

function listMonths(): ReadonlyMap<string, number> {
  const names = new Map<string, number>();
  for (const language of ['en', 'en-GB', 'de', 'de-AT']) {
    for (const month of ['long', 'short'] as const) {
      const format = new Intl.DateTimeFormat(language, { month, timeZone: 'UTC' });
      for (let number = 1; number <= 12; number += 1) {
        const name = format
          .format(Date.UTC(2024, number - 1, 1))
          .toLowerCase()
          .replace('.', '');
        names.set(name, number);
        names.set(name.slice(0, 3), number);
      }
    }
  }
  return names;
}

function two(digits: string): string {
  return digits.padStart(2, '0');
}
