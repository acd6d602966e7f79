/**
 * Why: the same number is written in countless ways, and only with its country does a national one mean anything. Stored
 * beside what was typed is E.164 (https://www.itu.int/rec/T-REC-E.164), by which numbers are compared and found.
 *
 * Taken is the `min` metadata: it knows prefixes and lengths, all that parsing needs, in half the size. `max` would
 * also tell which ranges are in use, but such lists age: a contact's new number would be refused until the next update.
 */

import parsePhoneNumber, {
  AsYouType,
  type CountryCode,
  isSupportedCountry,
  parseDigits,
} from 'libphonenumber-js/min';

const e164 = /^\+[1-9][0-9]{1,14}$/;

/** What numbers are written with. Anything else, letters above all, makes a text no part of one. */
const writtenNumber = /^[\p{Decimal_Number}\p{Dash_Punctuation} \u2212+()\uff08\uff09[\].,/~]+$/u;

/** Two digits or one are in nearly every number. */
const minQueryDigits = 3;

/**
 * A phone number in E.164: `+493012345678`. It may be written with spaces, hyphens, points, slashes, parentheses and a
 * trunk prefix such as `(0)`, in full-width or Arabic digits, and with an extension (`ext. 12`, `x12`, `;ext=12`), which
 * E.164 has no place for and is left out: the number as typed keeps it.
 *
 * @param country ISO 3166-1 code of the country that a number without `+` is in; null when not known.
 * @returns null when the text isn't just a number, its country isn't known, or it has a wrong length for its country.
 *   Whether the number is in use isn't checked.
 */
export function parsePhone(number: string, country: string | null): string | null {
  const parsed = parsePossible(cleanNumber(number), country);
  // What doesn't read back as itself had too many zeros in front, or lacked the area code.
  return parsed !== null && parsePossible(parsed, null) === parsed ? parsed : null;
}

/**
 * What to look for when somebody searches for a number or a part of one, in any notation: the digits of a matching
 * E.164 number contain one of the results. `030 1234` is found as `301234`; with Russia as the country `8 495 123` is
 * found as `8495123` (somewhere inside a number) or `7495123` (its beginning).
 *
 * @param country ISO 3166-1 code of the country that a number without `+` is in; null when not known.
 * @returns one or two texts of at least three ASCII digits; none when the text is no part of a phone number.
 */
export function parsePhoneQuery(text: string, country: string | null): string[] {
  const complete = parsePhone(text, country) ?? '';
  const written = cleanNumber(text);
  // The zeros in front lead out of a place or a country and aren't part of the number.
  const typed = parseDigits(written).replace(/^0+/, '');
  if (!writtenNumber.test(written) || !isLongEnough(typed)) {
    // With a label for its extension it is still a number.
    return complete === '' ? [] : [parseDigits(complete)];
  }
  const dialled = new AsYouType(isNumbered(country) ? country : undefined);
  dialled.input(written);
  const fromCountryCode = parseDigits(complete || (dialled.getNumberValue() ?? ''));
  if (written.includes('+')) {
    return [fromCountryCode].filter(isLongEnough);
  }
  return fromCountryCode.includes(typed) ? [typed] : [typed, fromCountryCode].filter(isLongEnough);
}

function isLongEnough(digits: string): boolean {
  return digits.length >= minQueryDigits;
}

/** The parser knows neither the direction marks that address books put around numbers nor every full-width plus. */
function cleanNumber(text: string): string {
  return text
    .replace(/\p{Format}+/gu, '')
    .replace(/\s+/g, ' ')
    .replaceAll('\uff0b', '+')
    .trim();
}

/** In E.164, when its length is possible. */
function parsePossible(number: string, country: string | null): string | null {
  const parsed = parsePhoneNumber(number, {
    ...(isNumbered(country) ? { defaultCountry: country } : {}),
    extract: false,
  });
  return parsed?.isPossible() && e164.test(parsed.number) ? parsed.number : null;
}

/** Not all countries have a numbering plan of their own: Antarctica doesn't. */
function isNumbered(country: string | null): country is CountryCode {
  return country !== null && isSupportedCountry(country);
}
