/**
 * Phone numbers in E.164 (https://www.itu.int/rec/T-REC-E.164), the form in which numbers are compared and searched. It is
 * stored beside the number as typed. A national number is only meaningful together with its country.
 *
 * We use the `min` metadata, which has the prefixes and lengths that parsing needs in half the size. `max` also has the
 * ranges in use, but those become outdated: a contact's new number would be refused until the next update.
 */

import {
  AsYouType,
  type CountryCode,
  isSupportedCountry,
  ParseError,
  parseDigits,
  parsePhoneNumberWithError,
  validatePhoneNumberLength,
} from 'libphonenumber-js/min';
import { removeInvisible } from './invisible.ts';

const e164 = /^\+[1-9][0-9]{1,14}$/;

/** What stands for a phone number: its international form, or none where only its country can dial it. */
export interface PhoneReading {
  readonly e164: string | null;
  /** Why the text is no phone number; null for one. */
  readonly fault: PhoneFault | null;
}

export type PhoneFault = 'text' | 'country' | 'calling code' | 'too short' | 'too long';

/** The faults of phone numbers, as sentences. */
export const phoneFaults: Readonly<Record<PhoneFault, string>> = {
  text: 'Must be one phone number and nothing else, in digits or in letters of its keys. An extension is written as "ext. 12".',
  country: 'Not a valid phone number. Begin it with + and the country code, or give its country.',
  'calling code': 'No country has the code behind the +.',
  'too short': 'Has too few digits for a phone number of this country.',
  'too long': 'Has too many digits for a phone number of this country.',
};

/**
 * The characters that phone numbers are written with. Text with any other, such as letters, is not part of a number.
 */
const writtenNumber = /^[\p{Decimal_Number}\p{Dash_Punctuation} \u2212+()\uff08\uff09[\].,/~]+$/u;

/** `tel:` and what people write before a number. */
const label =
  /^(?:(?:tel|callto|sms)\s*:\s*(?:\/\/)?|(?:tel|telefon|telephone|phone|fon|mobile?|handy|cell|fax)\s*\.?\s*:\s*)/i;

/** Parameters of a `tel:` address (RFC 3966). */
const parameters = /;[a-z-]+(?:=[^;]*)?/gi;

/** An extension behind a number, in the words of several languages, and what a phone dials after a pause. */
const extension =
  /(?<=[\d)])(?:[\s,;.\p{Pd}/]*(?:ext(?:ension|n)?|x|durchwahl|dw|app(?:arat)?|nst|nebenstelle|klappe|poste|interno|anexo|ramal|доб)[\s.:]*|\s*#\s*|\s*[,;pw]+\s*)\(?\d{1,8}[\s)#]*$/iu;

/** Letters of the keys of a phone, in groups of at least two, as in 1-800-FLOWERS. */
const vanity = /^[+(]*[0-9][0-9 ().\p{Pd}]*[A-Za-z]{2,}[A-Za-z0-9 ().\p{Pd}]*$/u;
const keys = ['', '', 'ABC', 'DEF', 'GHI', 'JKL', 'MNO', 'PQRS', 'TUV', 'WXYZ'];
/** The digits of a number with letters: fewer are those of a text, and more need no letters to be a number. */
const vanityDigits = { min: 3, max: 7 };

/** Nearly every number contains any one or two digits. */
const minQueryDigits = 3;

/** Digits of a number that only its own country can dial: from emergency numbers to the longest of E.164 behind a prefix. */
const nationalDigits = { min: 3, max: 17 };

/**
 * Reads a phone number. Spaces, hyphens, points, slashes, parentheses, a trunk prefix such as `(0)`, full-width and Arabic digits,
 * letters of keys (`1-800-FLOWERS`), `tel:` addresses and former notations (`+52 1` of Mexico) are accepted. An
 * extension (`ext. 12`, `x12`, `;ext=12`, `Durchwahl 12`) is dropped, since E.164 has no place for it; the number as typed keeps it.
 *
 * A number of a known country without an international form is a number all the same: 110, 311, a local number without its area code, a
 * range that our metadata does not know. An international number tells how long it may be, so that one of another length is a mistake.
 *
 * @param country ISO 3166-1 code of the country of a number without `+`; null when unknown.
 */
export function readPhone(number: string, country: string | null): PhoneReading {
  const text = withoutExtension(number);
  const digits = isVanity(text) ? dialLetters(text) : text;
  if (!writtenNumber.test(digits) || countDigits(digits) === 0) return refused('text');
  const found = parseExact(digits, country) ?? parseExact(withoutFormerPrefix(digits, country), country);
  if (found !== null) return { e164: found, fault: null };
  // 00 is the prefix of international calls in most countries.
  const abroad = /^\(?00(?!0)/.test(digits) ? parseExact(digits.replace(/^\(?00\)?/, '+'), null) : null;
  if (abroad !== null) return { e164: abroad, fault: null };
  if (digits.includes('+')) return refused(faultOfInternational(digits));
  const length = countDigits(digits);
  if (length < nationalDigits.min) return refused('too short');
  if (length > nationalDigits.max) return refused('too long');
  return isNumbered(country) ? { e164: null, fault: null } : refused('country');
}

/**
 * The international form of a phone number (E.164): `+493012345678`; null when it has none, see {@link readPhone}.
 *
 * @param country ISO 3166-1 code of the country of a number without `+`; null when unknown.
 */
export function parsePhone(number: string, country: string | null): string | null {
  return readPhone(number, country).e164;
}

function refused(fault: PhoneFault): PhoneReading {
  return { e164: null, fault };
}

/** The number itself: without a label, the parameters of a `tel:` address, and an extension. */
function withoutExtension(number: string): string {
  const written = cleanNumber(number);
  const text = written.replace(label, '');
  const context = /;phone-context=(\+[\d.()-]+)/i.exec(text)?.[1] ?? '';
  const plain = text.replace(parameters, '').replace(extension, '').trim();
  return plain.startsWith('+') ? plain : context + plain;
}

function countDigits(text: string): number {
  return parseDigits(text).length;
}

function isVanity(text: string): boolean {
  const digits = countDigits(text);
  return digits >= vanityDigits.min && digits <= vanityDigits.max && vanity.test(text);
}

/** A number with letters as it is dialled. North American numbers may have more letters than digits that count. */
function dialLetters(text: string): string {
  const digits = text.replace(/[A-Za-z]/g, (letter) =>
    String(keys.findIndex((of) => of.includes(letter.toUpperCase()))),
  );
  const northAmerican = /^(?:\+?1)?[0-9]{10}/.exec(digits.replace(/[^0-9+]/g, ''))?.[0];
  return /^[+(]*(?:1[^0-9]*)?8[0-9]{2}/.test(text) && northAmerican !== undefined ? northAmerican : digits;
}

/** Numbers as they were dialled until a change of the numbering plan, from abroad and at home, and how they begin now. */
const formerNumbers = [
  // 2019: no prefixes of mobile phones and trunk calls.
  { country: 'MX', abroad: /^(?:\+|00)521(?=\d{10}$)/, home: /^(?:01|04[45]|1)(?=\d{10}$)/, now: '+52' },
  // 2024: 01 before all numbers.
  { country: 'BJ', abroad: /^(?:\+|00)229(?=\d{8}$)/, home: /^(?=\d{8}$)/, now: '+22901' },
] as const;

/** A former number as it is dialled now; other numbers as they are. */
function withoutFormerPrefix(digits: string, of: string | null): string {
  const dialled = (digits.includes('+') ? '+' : '') + parseDigits(digits);
  for (const { country, abroad, home, now } of formerNumbers) {
    if (abroad.test(dialled)) return dialled.replace(abroad, now);
    if (country === of && home.test(dialled)) return dialled.replace(home, now);
  }
  return dialled;
}

function faultOfInternational(digits: string): PhoneFault {
  switch (validatePhoneNumberLength(digits)) {
    case 'INVALID_COUNTRY':
      return 'calling code';
    case 'TOO_LONG':
      return 'too long';
    default:
      return 'too short';
  }
}

/** The number in E.164; null if it is not read as itself again: it had extra leading zeros or lacked the area code. */
function parseExact(number: string, country: string | null): string | null {
  const parsed = parsePossible(number, country);
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
  // Letters of a query are words, not keys.
  const complete = (writtenNumber.test(withoutExtension(text)) ? parsePhone(text, country) : null) ?? '';
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

/** The text without what nobody sees, with plain spaces and plus signs: the parser knows no others. */
function cleanNumber(text: string): string {
  return removeInvisible(text).replace(/\s+/g, ' ').replaceAll('\uff0b', '+').trim();
}

/** The number in E.164, if its length is possible. */
function parsePossible(number: string, country: string | null): string | null {
  const parsed = parse(number, country);
  if (parsed instanceof ParseError) return null;
  return parsed.isPossible() && e164.test(parsed.number) ? parsed.number : null;
}

function parse(number: string, country: string | null) {
  try {
    const region = isNumbered(country) ? { defaultCountry: country } : {};
    return parsePhoneNumberWithError(number, { ...region, extract: false });
  } catch (error) {
    if (error instanceof ParseError) return error;
    throw error;
  }
}

/** Some countries, such as Antarctica, have no numbering plan of their own. */
function isNumbered(country: string | null): country is CountryCode {
  return country !== null && isSupportedCountry(country);
}
