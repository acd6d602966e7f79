/** Wall clocks of time zones: what `datetime-local` inputs show, and the instants that they mean. */

/** The parts of an instant on the clock of a zone: `2027-03-01T09:00`. @param zone IANA name */
export function toWallTime(instant: Date, zone: string): string {
  const parts = clockOf(zone).formatToParts(instant);
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.find((one) => one.type === type)?.value ?? '';
  return `${part('year').padStart(4, '0')}-${part('month')}-${part('day')}T${part('hour')}:${part('minute')}`;
}

const clocks = new Map<string, Intl.DateTimeFormat>();

/** The clock of a zone; making one takes far longer than reading it. */
function clockOf(zone: string): Intl.DateTimeFormat {
  const known = clocks.get(zone);
  if (known !== undefined) return known;
  const made = new Intl.DateTimeFormat('en-CA', {
    timeZone: zone,
    calendar: 'gregory',
    numberingSystem: 'latn',
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
  });
  clocks.set(zone, made);
  return made;
}

/**
 * The instant at which the clock of a zone shows a time. Of a time that it shows twice, the first; for one that it skips, as
 * in spring, the time that much later.
 * @returns null for an invalid time
 */
export function toInstant(wallTime: string, zone: string): Date | null {
  const asUtc = Date.parse(`${wallTime}Z`);
  if (Number.isNaN(asUtc)) return null;
  const offsetAt = (time: number) =>
    Date.parse(`${toWallTime(new Date(time), zone)}Z`) - Math.floor(time / 60_000) * 60_000;
  const day = 86_400_000;
  // The offsets before and after: with a change of the clock in between they differ.
  const [before, after] = [offsetAt(asUtc - day), offsetAt(asUtc + day)];
  const candidates = [asUtc - before, asUtc - after].sort((a, b) => a - b);
  const exact = candidates.find((time) => toWallTime(new Date(time), zone) === wallTime.slice(0, 16));
  return new Date(exact ?? asUtc - before);
}

/** The time zone of the browser. */
export function ownZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}
