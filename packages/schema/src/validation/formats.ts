/**
 * The formats of text in fields, filters and imports: what each accepts, how it is stored, and how it is compared.
 */

import { limits } from '../resources/limits.ts';
import { parseInstant } from '../values/clock.ts';
import { explainCountry, readCountry } from '../values/country.ts';
import { isCurrency } from '../values/currencies.ts';
import { isPartialDate } from '../values/dates.ts';
import { decimalDetail, explainDecimal, isDecimal } from '../values/decimal.ts';
import { normalizeDoi } from '../values/doi.ts';
import { normalizeDomain, toAsciiDomain } from '../values/domain-name.ts';
import { normalizeEmail } from '../values/email.ts';
import { isTypePattern, splitTypes } from '../values/event-type.ts';
import { cleanName, removeInvisible, trimInvisible } from '../values/invisible.ts';
import { normalizeIsbn13 } from '../values/isbn.ts';
import { normalizeIssn } from '../values/issn.ts';
import { canonicalizeLocale, canonicalizeTimeZone } from '../values/locale.ts';
import { parsePhone } from '../values/phone.ts';
import { isSlug } from '../values/slug.ts';
import { normalizeHttpUrl } from '../values/url.ts';

/** A format of text, named by the keyword `format` of a schema. */
export interface Format {
  accepts(value: string): boolean;
  /** Removes what people do not see of a text, before anything else. By default all of it. */
  readonly clean?: (value: string) => string;
  /** Converts an accepted text to its stored form; absent if it is stored as it is. */
  readonly normalize?: (value: string) => string;
  /**
   * Converts a text to the form in which it is compared, where that is not the stored form; null for a text that equals none.
   * `country`: ISO 3166-1 code of the organization, or null.
   */
  readonly key?: (value: string, country: string | null) => string | null;
  /** The message for a refused text. */
  readonly detail: string;
  /** A message that says more about a refused text. */
  readonly explain?: (value: string) => string;
}

/** The end of the time in which a transition can be scheduled: the same date and time some years later, in UTC. */
function latestSchedule(): number {
  const latest = new Date();
  return latest.setUTCFullYear(latest.getUTCFullYear() + limits.scheduleYears);
}

/** Short names of roles; those of built-in ones are in capitals. */
const roleKey = /^([a-z0-9]+(-[a-z0-9]+)*|[A-Z]+)$/;
const hostName = /^(?=.{1,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)*[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;

/** A format whose function returns the stored form of a text, or null for a text that is not accepted. */
function normalizing(normalize: (value: string) => string | null, detail: string): Format {
  return {
    accepts: (value) => normalize(value) !== null,
    normalize: (value) => normalize(value) ?? value,
    detail,
  };
}

/** A host name in lower case, other scripts in punycode; also one of a single label, such as `localhost`. */
function readHostName(value: string): string | null {
  const lowerCase = value.toLowerCase().replace(/\.$/, '');
  return hostName.test(lowerCase) ? lowerCase : toAsciiDomain(lowerCase);
}

/** Why a text is not accepted by a format. */
export function explainFormat(format: string, value: string): string {
  const found = formats[format];
  return found?.explain?.(value) ?? found?.detail ?? `Must have the form ${format}.`;
}

/** All formats; their names appear in the OpenAPI document. */
export const formats: Readonly<Record<string, Format>> = {
  locale: normalizing(canonicalizeLocale, 'Must be a language tag (BCP 47), for example "en-GB".'),
  timezone: normalizing(
    canonicalizeTimeZone,
    'Must be the name of an IANA time zone, for example "Europe/Berlin".',
  ),
  slug: {
    accepts: isSlug,
    detail: 'Must consist of lower-case letters and digits, separated by single hyphens.',
  },
  'role-key': {
    accepts: (value) => roleKey.test(value),
    detail: 'Must consist of the letters a to z and digits, separated by single hyphens.',
  },
  domain: normalizing(readHostName, 'Must be a host name, for example "blog.example.com".'),
  'domain-name': normalizing(
    normalizeDomain,
    'Must be a domain of at least two labels or a link to one, for example "example.com".',
  ),
  'https-url': {
    ...normalizing(
      (value) => normalizeHttpUrl(value, { httpsOnly: true }),
      'Must be an absolute https address.',
    ),
    // A path may be in Persian, for example.
    clean: cleanName,
  },
  'http-url': {
    ...normalizing(
      (value) => normalizeHttpUrl(value, { httpsOnly: false }),
      'Must be an absolute http or https address.',
    ),
    clean: cleanName,
  },
  'email-address': {
    accepts: (value) => normalizeEmail(value) !== null,
    key: normalizeEmail,
    detail: 'Must be an e-mail address, for example "ada@example.com".',
  },
  /** Only for filters. Whether a text is a phone number depends on the country; other texts match nothing. */
  phone: {
    accepts: () => true,
    key: parsePhone,
    detail:
      'Must be a phone number, with the country or as it is dialled in the country of the organization.',
  },
  isbn13: normalizing(
    normalizeIsbn13,
    'Must be an ISBN with a right check digit, for example "978-0-14-143947-1".',
  ),
  issn: normalizing(normalizeIssn, 'Must be an ISSN with a right check digit, for example "0028-0836".'),
  doi: normalizing(normalizeDoi, 'Must be a DOI, for example "10.1000/182".'),
  'partial-date': {
    accepts: isPartialDate,
    detail: 'Must be a date: YYYY, YYYY-MM or YYYY-MM-DD, on a day that exists.',
  },
  country: {
    ...normalizing(
      readCountry,
      'Must be a country, by its code (ISO 3166-1) or name, for example "DE" or "Germany".',
    ),
    explain: explainCountry,
  },
  currency: {
    accepts: (value) => isCurrency(value.toUpperCase()),
    normalize: (value) => value.toUpperCase(),
    detail: 'Must be the code of a currency in use (ISO 4217), for example "EUR".',
  },
  decimal: {
    accepts: isDecimal,
    key: (value) => (value.includes('.') ? value.replace(/\.?0+$/, '') : value),
    detail: decimalDetail,
    explain: explainDecimal,
  },
  color: {
    accepts: (value) => /^#[0-9a-f]{6}$/i.test(value),
    normalize: (value) => value.toLowerCase(),
    detail: 'Must be a colour: # and six hexadecimal digits, for example "#1f6feb".',
  },
  /** What identifies the record in another system. */
  'external-id': { accepts: () => true, detail: 'Any text.' },
  /** The name of a person, a company or a thing: equal names are equal texts. */
  name: { accepts: () => true, clean: cleanName, detail: 'Any text.' },
  label: {
    accepts: () => true,
    clean: cleanName,
    normalize: foldLabel,
    detail: 'Any text; case is ignored.',
  },
  'event-type': {
    accepts: isTypePattern,
    detail: 'Must be an event type such as article.published, or article.* for all types of a resource.',
  },
  'event-types': {
    accepts: (value) => splitTypes(value).every(isTypePattern),
    detail: 'Must be event types such as article.published or article.*, divided by commas.',
  },
  'date-time': {
    accepts: (value) => parseInstant(value) !== null,
    detail: 'Must be an instant with an offset (RFC 3339), for example "2026-03-01T09:00:00Z".',
  },
  'log-start': {
    accepts: (value) => value === 'earliest' || value === 'latest' || parseInstant(value) !== null,
    detail: 'Must be "earliest", "latest", or an instant such as 2026-03-01T00:00:00Z.',
  },
  'future-date-time': {
    accepts: (value) => (parseInstant(value) ?? 0) > Date.now(),
    detail: 'Must be an instant in the future (RFC 3339).',
  },
  'schedule-date-time': {
    accepts: (value) => {
      const instant = parseInstant(value) ?? 0;
      return instant > Date.now() && instant <= latestSchedule();
    },
    detail: `Must be an instant in the future, at most ${limits.scheduleYears} years ahead (RFC 3339).`,
  },
};

/**
 * A label in lower case; letters without a lower case stay. The capital I with a dot is the only letter whose lower case
 * has two code points, which would make a label of the maximum length too long.
 */
function foldLabel(label: string): string {
  return label.replaceAll('\u0130', 'i').toLowerCase().normalize('NFC');
}

/** Formats that accept every text, and only say how it is cleaned. */
const freeFormats: ReadonlySet<string> = new Set(['name', 'external-id']);

/** Whether any text is of that format, or of none. */
export function isFreeFormat(format: string | undefined): boolean {
  return format === undefined || freeFormats.has(format);
}

/** A text of that format, or of none, without what people do not see of it: at its ends, or also inside. */
export function cleanFormat(format: string | undefined, value: string): string {
  if (format === undefined) return trimInvisible(value);
  return (formats[format]?.clean ?? removeInvisible)(value);
}

/** The form in which a text of that format is stored. */
export function normalizeFormat(format: string | undefined, value: string): string {
  if (format === undefined) return value;
  const cleaned = cleanFormat(format, value);
  return formats[format]?.normalize?.(cleaned) ?? cleaned;
}

/** The form in which texts of that format are compared; null for a text that equals none. */
export function comparisonKey(
  format: string | undefined,
  value: string,
  country: string | null,
): string | null {
  const key = format === undefined ? undefined : formats[format]?.key;
  return key === undefined ? normalizeFormat(format, value) : key(cleanFormat(format, value), country);
}
