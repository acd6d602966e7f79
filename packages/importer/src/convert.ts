/**
 * Converts cells to the types of fields, and repairs what spreadsheets and old systems damage in known ways. Unambiguous values
 * are converted, and repairs reported; any other value is kept, and the API's rules report the fault.
 */

import { sharedGermanNames } from '@trellis/schema/resources/german.ts';
import type { Resource } from '@trellis/schema/resources/resource.ts';
import type { JsonSchema } from '@trellis/schema/validation/body-schemas.ts';
import { readCountry } from '@trellis/schema/values/country.ts';
import { isPartialDate } from '@trellis/schema/values/dates.ts';
import { canonicalizeLocale } from '@trellis/schema/values/locale.ts';
import { isSlug, makeSlug } from '@trellis/schema/values/slug.ts';
import { readInstant } from './instants.ts';
import { readWrittenDate } from './written-dates.ts';
import { readWrittenInteger } from './written-numbers.ts';

/** A value, and the repair to report if it was changed. */
export interface Repaired<T = string | undefined> {
  /** undefined: the value was dropped. */
  readonly value: T;
  readonly repair?: string;
}

/** The values that names may stand for, by the names in lower case. */
export type ValueNames = ReadonlyMap<string, readonly NamedValue[]>;

interface NamedValue {
  readonly value: string;
  /** Whether the name is one of another system, so that what it stands for has to be shown. */
  readonly isForeign: boolean;
}

const valueNames = new WeakMap<Resource, ValueNames>();

/** The names of values in the fields of a resource: in German, and in other systems. */
export function valueNamesOf(resource: Resource): ValueNames {
  const known = valueNames.get(resource);
  if (known !== undefined) return known;
  const german = Object.entries({ ...sharedGermanNames.values, ...resource.german?.values });
  const others = Object.entries(resource.import?.values ?? {}).flatMap(([value, names]) =>
    names.map((name) => ({ name, value, isForeign: true })),
  );
  const own = german.map(([value, name]) => ({ name, value, isForeign: false }));
  const named = Map.groupBy([...own, ...others], ({ name }) => name.toLowerCase());
  valueNames.set(resource, named);
  return named;
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

/** What people and systems write where they have no value. */
const placeholder = /^(?:n\.?\/?\s?a\.?|-+|–|—|none|null|unknown|unbekannt|k\.\s?a\.|\?+)$/i;

function repairText(schema: JsonSchema, text: string): Repaired {
  const isCounted = schema.type === 'integer' || schema.format === 'partial-date';
  if (isCounted && placeholder.test(text))
    return { value: undefined, repair: 'placeholders such as "N/A" left out' };
  if (schema.type === 'integer' && text === '0' && Number(schema.minimum ?? 0) > 0) {
    return { value: undefined, repair: 'zeros left out where they mean that nothing is known' };
  }
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
  if (String(schema.format).endsWith('date-time')) return { value: readInstant(value)?.instant ?? value };
  return schema.format === 'slug' ? repairSlug(value, Number(schema.maxLength)) : { value };
}

/** One of a fixed list of values, from the value in any case or one of its names. */
function repairChoice(values: readonly unknown[], text: string, names: ValueNames): Repaired {
  const plain = text.toUpperCase().replace(/[ -]+/g, '_');
  if (values.includes(plain)) return { value: plain };
  const { value, isForeign } = names.get(text.toLowerCase())?.find((one) => values.includes(one.value)) ?? {
    value: plain,
    isForeign: false,
  };
  return isForeign ? { value, repair: `"${text}" is read as ${value}` } : { value };
}

/** Parses true and false in the forms of YAML, spreadsheets and people; undefined for anything else. */
export function readFlag(value: unknown): boolean | undefined {
  if (typeof value === 'boolean') return value;
  if (value === 1 || value === 0) return value === 1;
  if (typeof value !== 'string') return undefined;
  if (/^(true|yes|on|y|1|ja|wahr)$/i.test(value.trim())) return true;
  return /^(false|no|off|n|0|nein|falsch)$/i.test(value.trim()) ? false : undefined;
}

/** What says that somebody has not opted out, besides a no: words for a subscription, and the empty date of a database. */
const notOptedOut =
  /^(non|não|nee|falso|faux|never|nie|none|null|subscribed|active|aktiv|opted[- ]?in|0000-00-00.*|-)$/i;

/**
 * Whether somebody has opted out, by the columns that say so: any of them counts. A date or a word for yes is one, and so is anything
 * else that is not a no, because an opt-out must not be lost.
 */
export function readOptOut(value: unknown): boolean | null {
  const values = (Array.isArray(value) ? value : [value]).filter((one) => one !== null && one !== '');
  if (values.length === 0) return null;
  return values.some((one) => readFlag(one) ?? !notOptedOut.test(String(one).trim()));
}

/** A slug from a text that is none. @param language BCP 47, in which its letters are written */
export function repairSlug(text: string, maxLength: number, language: string | null = null): Repaired {
  const slug = isSlug(text) ? text : makeSlug(text, maxLength, language);
  if (slug === '' || slug === text) return { value: text };
  return { value: slug, repair: 'slug written in lower case, with hyphens' };
}

/** A spreadsheet writes 2008 as `2008.0` in a column of numbers with gaps. */
export function repairInteger(text: string): Repaired {
  return repairPointZero(text) ?? readWrittenInteger(text) ?? { value: text };
}

function repairPointZero(text: string): Repaired | null {
  const whole = /^([+-]?\d{1,15})\.0+$/.exec(text)?.[1];
  return whole === undefined ? null : { value: whole, repair: 'whole numbers written with ".0"' };
}

/** A partial date from a year as a decimal number, an instant, or a date in one of the forms of {@link readWrittenDate}. */
export function repairPartialDate(given: string): Repaired {
  const { value: text = given, repair: pointZero } = repairPointZero(given) ?? { value: given };
  if (isPartialDate(text)) {
    return pointZero === undefined ? { value: text } : { value: text, repair: 'years written with ".0"' };
  }
  if (/^-\d{1,4}$|^0+$/.test(text)) {
    return { value: undefined, repair: 'years before 1 dropped, which the API cannot store' };
  }
  if (/^\d{1,3}$/.test(text)) return { value: text.padStart(4, '0'), repair: 'years padded to four digits' };
  const [, day = ''] = /^(\d{4}-\d{2}-\d{2})[T ]\d{2}:\d{2}/.exec(text) ?? [];
  if (isPartialDate(day)) return { value: day, repair: 'times of day dropped from dates' };
  return readWrittenDate(text, null) ?? { value: text };
}

/**
 * Maximum length of a text that may be a language. What is longer is left to the rules of the API: the time that `Intl` takes to refuse
 * it grows with the square of its length.
 */
const longestLanguage = 100;

/** A BCP 47 tag for an ISO 639-2 code, a locale with an underscore, or the name of a language in English or German. */
export function repairLanguage(text: string): Repaired {
  if (text.length > longestLanguage) return { value: text };
  const [first = '', ...more] = text.split(/[,;/|]/).map((part) => part.trim());
  if (more.length > 0) {
    const { value } = repairLanguage(first);
    const isLanguage = value !== undefined && (value !== first || canonicalizeLocale(first) === first);
    return isLanguage ? { value, repair: 'the first of several languages' } : { value: text };
  }
  const [, language = '', region = ''] = /^([^()]+) \(([^()]+)\)$/.exec(text) ?? [];
  const code = findLanguage(language);
  if (code !== undefined) {
    const country = readCountry(region);
    const value = country === null ? code : `${code}-${country}`;
    return { value, repair: 'names of languages written as codes' };
  }
  const named = findLanguage(text);
  if (named !== undefined) return { value: named, repair: 'names of languages written as codes' };
  const tag = canonicalizeLocale(text.replaceAll('_', '-').replace(/\..*$/, ''));
  if (tag === null) return { value: text };
  if (/^[a-z]{3}$/i.test(text) && /^[a-z]{2}$/.test(tag)) {
    return { value: tag, repair: 'languages of three letters written with two (ISO 639-1)' };
  }
  return /[_.]/.test(text) ? { value: tag, repair: 'language written as a BCP 47 tag' } : { value: tag };
}

/** An ISO 3166-1 code for a country in any of its names. */
export function repairCountry(text: string): Repaired {
  const code = readCountry(text);
  if (code === null || code === text) return { value: text };
  return code === text.toUpperCase()
    ? { value: code, repair: 'country codes in capitals' }
    : { value: code, repair: 'names of countries written as codes' };
}

/** Completes `www.example.com` to an address. */
export function repairWebAddress(text: string): Repaired {
  return /^[a-z0-9-]+(\.[a-z0-9-]+)+(\/\S*)?$/i.test(text)
    ? { value: `https://${text}`, repair: 'web addresses completed with https://' }
    : { value: text };
}

let languageCodes: ReadonlyMap<string, string> | undefined;

/** The code of two letters for the English or German name of a language. */
function findLanguage(name: string): string | undefined {
  languageCodes ??= listLanguages();
  return languageCodes.get(name.toLowerCase());
}

function listLanguages(): Map<string, string> {
  const languages = ['de', 'en'].map(
    (language) => new Intl.DisplayNames(language, { type: 'language', fallback: 'none' }),
  );
  const letters = Array.from('abcdefghijklmnopqrstuvwxyz');
  const own = letters
    .flatMap((first) => letters.map((second) => first + second))
    .filter((code) => canonicalizeLocale(code) === code)
    .flatMap((code) => {
      const name = new Intl.DisplayNames(code, { type: 'language', fallback: 'none' }).of(code);
      return name === undefined ? [] : [[name.toLowerCase(), code] as const];
    });
  return new Map([
    ...own,
    ...letters
      .flatMap((first) => letters.map((second) => first + second))
      // Skips other codes with the same name.
      .filter((code) => canonicalizeLocale(code) === code)
      .flatMap((code) =>
        languages.flatMap((names) => {
          const name = names.of(code);
          return name === undefined ? [] : [[name.toLowerCase(), code] as const];
        }),
      ),
  ]);
}
