/**
 * Converts cells to the types of fields, and repairs what spreadsheets and old systems damage in known ways. Unambiguous values
 * are converted, and repairs reported; any other value is kept, and the API's rules report the fault.
 */

import { sharedGermanNames } from '@trellis/schema/resources/german.ts';
import type { Resource } from '@trellis/schema/resources/resource.ts';
import type { JsonSchema } from '@trellis/schema/validation/body-schemas.ts';
import { parseInstant, toInstant } from '@trellis/schema/values/clock.ts';
import { isPartialDate } from '@trellis/schema/values/dates.ts';
import { canonicalizeLocale, isCountry } from '@trellis/schema/values/locale.ts';
import { isSlug, makeSlug } from '@trellis/schema/values/slug.ts';

/** A value, and the repair to report if it was changed. */
interface Repaired<T = string | undefined> {
  /** undefined: the value was dropped. */
  readonly value: T;
  readonly repair?: string;
}

/** The values that German names may stand for, by the names in lower case. */
export type ValueNames = ReadonlyMap<string, readonly string[]>;

const valueNames = new WeakMap<Resource, ValueNames>();

/** The German names of values in the fields of a resource. */
export function valueNamesOf(resource: Resource): ValueNames {
  const known = valueNames.get(resource);
  if (known !== undefined) return known;
  const german = Object.entries({ ...sharedGermanNames.values, ...resource.german?.values });
  const named = Map.groupBy(german, ([, name]) => name.toLowerCase());
  const made = new Map([...named].map(([name, entries]) => [name, entries.map(([value]) => value)]));
  valueNames.set(resource, made);
  return made;
}

/** Converts a value to the type and form of its schema, and adds what was repaired; undefined when it was dropped. */
export function convertValue(
  schema: JsonSchema,
  given: unknown,
  repairs: string[],
  names: ValueNames,
): unknown {
  // NDJSON may contain years as numbers.
  const isYear = schema.format === 'partial-date' && typeof given === 'number';
  const repaired: Repaired<unknown> =
    typeof given === 'string' || isYear ? repairText(schema, String(given).trim()) : { value: given };
  const converted = convertScalar(schema, repaired.value, names);
  for (const { repair } of [repaired, converted]) if (repair !== undefined) repairs.push(repair);
  return converted.value;
}

const repairsByFormat: Readonly<Record<string, (text: string) => Repaired>> = {
  'partial-date': repairPartialDate,
  locale: repairLanguage,
  country: repairCountry,
  'http-url': repairWebAddress,
};

function repairText(schema: JsonSchema, text: string): Repaired {
  const repair = schema.type === 'integer' ? repairInteger : repairsByFormat[String(schema.format)];
  return repair === undefined ? { value: text } : repair(text);
}

/** Converts a text, number or boolean to the type of a schema. */
function convertScalar(schema: JsonSchema, value: unknown, names: ValueNames): Repaired<unknown> {
  if (schema.type === 'boolean') return { value: readFlag(value) ?? value };
  if (typeof value === 'number' || typeof value === 'boolean') {
    return { value: schema.type === 'string' ? String(value) : value };
  }
  if (typeof value !== 'string') return { value };
  if (schema.type === 'integer') return { value: /^-?\d{1,15}$/.test(value) ? Number(value) : value };
  if (schema.enum !== undefined) return repairChoice(schema.enum, value, names);
  if (String(schema.format).endsWith('date-time')) return { value: readInstant(value) ?? value };
  return schema.format === 'slug' ? repairSlug(value, Number(schema.maxLength)) : { value };
}

/** One of a fixed list of values, from the value in any case or its German name. */
function repairChoice(values: readonly unknown[], text: string, names: ValueNames): Repaired {
  const plain = text.toUpperCase().replace(/[ -]+/g, '_');
  if (values.includes(plain)) return { value: plain };
  const named = names.get(text.toLowerCase())?.find((value) => values.includes(value));
  return named === undefined ? { value: plain } : { value: named, repair: 'German names written as values' };
}

/** Parses true and false in the forms of YAML, spreadsheets and people; undefined for anything else. */
export function readFlag(value: unknown): boolean | undefined {
  if (typeof value === 'boolean') return value;
  if (value === 1 || value === 0) return value === 1;
  if (typeof value !== 'string') return undefined;
  if (/^(true|yes|on|y|1|ja|wahr)$/i.test(value.trim())) return true;
  return /^(false|no|off|n|0|nein|falsch)$/i.test(value.trim()) ? false : undefined;
}

function repairSlug(text: string, maxLength: number): Repaired {
  const slug = isSlug(text) ? text : makeSlug(text, maxLength);
  if (slug === '' || slug === text) return { value: text };
  return { value: slug, repair: 'slug written in lower case, with hyphens' };
}

const writtenInstant =
  /^(?<year>\d{4})-(?<month>\d{1,2})-(?<day>\d{1,2})(?:[Tt ]+(?<hour>\d{1,2}):(?<minute>\d{2})(?::(?<second>\d{2})(?:[.,](?<fraction>\d+))?)?)?\s*(?:[Zz]|UTC|GMT|(?<offset>[+-]\d{2}):?(?<minutes>\d{2})?)?$/;

/**
 * Parses a date of front matter as an RFC 3339 instant: `2018-01-04`, `2018-01-04 10:00:00 +0100`. A date without a time is
 * its midnight; a time without an offset is UTC.
 * @returns undefined for anything else, such as days that do not exist
 */
export function readInstant(text: string): string | undefined {
  const parts = writtenInstant.exec(text.trim())?.groups;
  if (parts === undefined) return undefined;
  const { year, month = '', day = '', hour = '0', minute = '00', second = '00' } = parts;
  const { fraction, offset, minutes = '00' } = parts;
  const two = (digits: string) => digits.padStart(2, '0');
  const time = `${two(hour)}:${minute}:${second}${fraction === undefined ? '' : `.${fraction.slice(0, 9)}`}`;
  const zone = offset === undefined ? 'Z' : `${offset}:${minutes}`;
  const instant = parseInstant(`${year}-${two(month)}-${two(day)}T${time}${zone}`);
  return instant === null ? undefined : toInstant(instant);
}

/** A spreadsheet writes 2008 as `2008.0` in a column of numbers with gaps. */
export function repairInteger(text: string): Repaired {
  const whole = /^([+-]?\d{1,15})\.0+$/.exec(text)?.[1];
  return whole === undefined ? { value: text } : { value: whole, repair: 'whole numbers written with ".0"' };
}

/** A partial date from a year as a decimal number, an instant, or a date with slashes or dots. */
export function repairPartialDate(given: string): Repaired {
  const { value: text = given, repair: pointZero } = repairInteger(given);
  if (isPartialDate(text)) {
    return pointZero === undefined ? { value: text } : { value: text, repair: 'years written with ".0"' };
  }
  if (/^-\d{1,4}$|^0+$/.test(text)) {
    return { value: undefined, repair: 'years before 1 dropped, which the API cannot store' };
  }
  if (/^\d{1,3}$/.test(text)) return { value: text.padStart(4, '0'), repair: 'years padded to four digits' };
  const [, day = ''] = /^(\d{4}-\d{2}-\d{2})[T ]\d{2}:\d{2}/.exec(text) ?? [];
  if (isPartialDate(day)) return { value: day, repair: 'times of day dropped from dates' };
  const [, year, month, dayOfMonth] = /^(\d{4})[/.](\d{1,2})(?:[/.](\d{1,2}))?$/.exec(text) ?? [];
  const [, germanDay, germanMonth, germanYear] = /^(\d{1,2})\.(\d{1,2})\.(\d{4})$/.exec(text) ?? [];
  const joined = [year ?? germanYear, month ?? germanMonth, dayOfMonth ?? germanDay]
    .filter((part) => part !== undefined)
    .map((part) => part.padStart(2, '0'))
    .join('-');
  if (isPartialDate(joined)) return { value: joined, repair: 'dates written as YYYY-MM-DD' };
  return { value: text };
}

/**
 * Maximum length of a text that may be a language. What is longer is left to the rules of the API: the time that `Intl` takes to refuse
 * it grows with the square of its length.
 */
const longestLanguage = 100;

/** A BCP 47 tag for an ISO 639-2 code, a locale with an underscore, or the name of a language in English or German. */
export function repairLanguage(text: string): Repaired {
  if (text.length > longestLanguage) return { value: text };
  const named = findCode('language', text);
  if (named !== undefined) return { value: named, repair: 'names of languages written as codes' };
  const tag = canonicalizeLocale(text.replaceAll('_', '-').replace(/\..*$/, ''));
  if (tag === null) return { value: text };
  if (/^[a-z]{3}$/i.test(text) && /^[a-z]{2}$/.test(tag)) {
    return { value: tag, repair: 'languages of three letters written with two (ISO 639-1)' };
  }
  return /[_.]/.test(text) ? { value: tag, repair: 'language written as a BCP 47 tag' } : { value: tag };
}

/** An ISO 3166-1 code for a code in small letters or the name of a country in English or German. */
export function repairCountry(text: string): Repaired {
  const upper = text.toUpperCase();
  if (isCountry(upper)) {
    return upper === text ? { value: text } : { value: upper, repair: 'country codes in capitals' };
  }
  const named = findCode('region', text);
  return named === undefined
    ? { value: text }
    : { value: named, repair: 'names of countries written as codes' };
}

/** Completes `www.example.com` to an address. */
export function repairWebAddress(text: string): Repaired {
  return /^[a-z0-9-]+(\.[a-z0-9-]+)+(\/\S*)?$/i.test(text)
    ? { value: `https://${text}`, repair: 'web addresses completed with https://' }
    : { value: text };
}

const codes = new Map<'language' | 'region', ReadonlyMap<string, string>>();

/** The code of two letters for the English or German name of a language or country. */
function findCode(type: 'language' | 'region', name: string): string | undefined {
  const known = codes.get(type) ?? listCodes(type);
  codes.set(type, known);
  return known.get(name.toLowerCase());
}

function listCodes(type: 'language' | 'region'): Map<string, string> {
  const languages = ['de', 'en'].map(
    (language) => new Intl.DisplayNames(language, { type, fallback: 'none' }),
  );
  const letters = Array.from(type === 'region' ? 'ABCDEFGHIJKLMNOPQRSTUVWXYZ' : 'abcdefghijklmnopqrstuvwxyz');
  return new Map(
    letters
      .flatMap((first) => letters.map((second) => first + second))
      // Skips other codes with the same name, such as UK for GB.
      .filter((code) => (type === 'region' ? isCountry(code) : canonicalizeLocale(code) === code))
      .flatMap((code) =>
        languages.flatMap((names) => {
          const name = names.of(code);
          return name === undefined ? [] : [[name.toLowerCase(), code] as const];
        }),
      ),
  );
}
