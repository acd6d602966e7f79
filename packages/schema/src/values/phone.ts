/**
 * Phone numbers in E.164 (https://www.itu.int/rec/T-REC-E.164), the form in which numbers are compared and searched. It is
 * stored beside the number as typed. A national number is only meaningful together with its country.
 *
 * We use the `min` metadata, which has the prefixes and lengths that parsing needs in half the size. `max` also has the
 * ranges in use, but those become outdated: a contact's new number would be refused until the next update.
 */

import parsePhoneNumber, {
  AsYouType,
  type CountryCode,
  isSupportedCountry,
  parseDigits,
} from 'libphonenumber-js/min';

const e164 = /^\+[1-9][0-9]{1,14}$/;

/**
 * The characters that phone numbers are written with. Text with any other, such as letters, is not part of a number.
 */
const writtenNumber = /^[\p{Decimal_Number}\p{Dash_Punctuation} \u2212+()\uff08\uff09[\].,/~]+$/u;

/** Nearly every number contains any one or two digits. */
const minQueryDigits = 3;

/**
 * Parses a phone number into E.164: `+493012345678`. Spaces, hyphens, points, slashes, parentheses, a trunk prefix such as
 * `(0)`, full-width and Arabic digits are accepted. An extension (`ext. 12`, `x12`, `;ext=12`) is dropped, since E.164 has
 * no place for it; the number as typed keeps it.
 *
 * @param country ISO 3166-1 code of the country of a number without `+`; null when unknown.
 * @returns null when the text is not just a number, its country is unknown, or its length is wrong for the country.
 *   Whether the number is in use is not checked.
 */
export function parsePhone(number: string, country: string | null): string | null {
  const parsed = parsePossible(cleanNumber(number), country);
  // A number that does not parse as itself had extra leading zeros or lacked the area code.
  return parsed !== null && parsePossible(parsed, null) === parsed ? parsed : null;
}

/**
 * The digits to search for when somebody enters a phone number or a part of one in any notation: a matching E.164 number
 * contains one of the results. `030 1234` is found as `301234`; with Russia as the country, `8 495 123` is found as
 * `8495123` (anywhere in a number) or `7495123` (at its beginning).
 *
 * @param country ISO 3166-1 code of the country of a number without `+`; null when unknown.
 * @returns one or two texts of at least three ASCII digits; none when the text is not part of a phone number.
 */
export function parsePhoneQuery(text: string, country: string | null): string[] {
  const complete = parsePhone(text, country) ?? '';
  const written = cleanNumber(text);
  // Leading zeros are dialling prefixes and not part of the number.
  const typed = parseDigits(written).replace(/^0+/, '');
  if (!writtenNumber.test(written) || !isLongEnough(typed)) {
    // With an extension label, the text can still be a complete number.
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

/**
 * Removes the direction marks that address books add and converts full-width plus signs: the parser knows neither.
 */
function cleanNumber(text: string): string {
  return text
    .replace(/\p{Format}+/gu, '')
    .replace(/\s+/g, ' ')
    .replaceAll('\uff0b', '+')
    .trim();
}

/** The number in E.164, if its length is possible. */
function parsePossible(number: string, country: string | null): string | null {
  const parsed = parsePhoneNumber(number, {
    ...(isNumbered(country) ? { defaultCountry: country } : {}),
    extract: false,
  });
  return parsed?.isPossible() && e164.test(parsed.number) ? parsed.number : null;
}

/** Some countries, such as Antarctica, have no numbering plan of their own. */
function isNumbered(country: string | null): country is CountryCode {
  return country !== null && isSupportedCountry(country);
}
