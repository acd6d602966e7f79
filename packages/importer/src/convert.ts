/**
 * Converts text to the types of fields. Unambiguous forms are converted to the form of the API; any other is kept, and the
 * API's rules report the fault.
 */

import type { JsonSchema } from '@trellis/schema/validation/body-schemas.ts';
import { parseInstant, toInstant } from '@trellis/schema/values/clock.ts';
import { isSlug, makeSlug } from '@trellis/schema/values/slug.ts';
import type { Repaired } from './repair.ts';

/** Parses true and false in the forms of YAML, spreadsheets and people; undefined for anything else. */
export function readFlag(value: unknown): boolean | undefined {
  if (typeof value === 'boolean') return value;
  if (value === 1 || value === 0) return value === 1;
  if (typeof value !== 'string') return undefined;
  if (/^(true|yes|on|y|1)$/i.test(value.trim())) return true;
  return /^(false|no|off|n|0)$/i.test(value.trim()) ? false : undefined;
}

/**
 * Converts a text, number or boolean to the type of a schema. A value that cannot be converted is returned unchanged.
 */
export function convertScalar(schema: JsonSchema, value: unknown): Repaired<unknown> {
  if (schema.type === 'boolean') return { value: readFlag(value) ?? value };
  if (typeof value === 'number' || typeof value === 'boolean') {
    return { value: schema.type === 'string' ? String(value) : value };
  }
  if (typeof value !== 'string') return { value };
  if (schema.type === 'integer') return { value: /^-?\d{1,15}$/.test(value) ? Number(value) : value };
  if (schema.enum !== undefined) return { value: value.toUpperCase().replace(/[ -]+/g, '_') };
  if (String(schema.format).endsWith('date-time')) return { value: readInstant(value) ?? value };
  return schema.format === 'slug' ? convertSlug(value, Number(schema.maxLength)) : { value };
}

function convertSlug(text: string, maxLength: number): Repaired<string> {
  const slug = isSlug(text) ? text : makeSlug(text, maxLength);
  if (slug === '' || slug === text) return { value: text };
  return { value: slug, repair: 'slug written in lower case, with hyphens' };
}

const writtenInstant =
  /^(\d{4})-(\d{1,2})-(\d{1,2})(?:[Tt ]+(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,](\d+))?)?)?\s*(?:([Zz]|UTC|GMT)|([+-]\d{2}):?(\d{2})?)?$/;

/**
 * Parses a date of front matter as an RFC 3339 instant: `2018-01-04`, `2018-01-04 10:00:00 +0100`. A date without a time is
 * its midnight; a time without an offset is UTC.
 * @returns undefined for anything else, such as days that do not exist
 */
export function readInstant(text: string): string | undefined {
  const match = writtenInstant.exec(text.trim());
  if (match === null) return undefined;
  const [
    ,
    year,
    month = '',
    day = '',
    hour = '0',
    minute = '00',
    second = '00',
    fraction,
    ,
    offset,
    minutes,
  ] = match;
  const two = (digits: string) => digits.padStart(2, '0');
  const time = `${two(hour)}:${minute}:${second}${fraction === undefined ? '' : `.${fraction.slice(0, 9)}`}`;
  const zone = offset === undefined ? 'Z' : `${offset}:${minutes ?? '00'}`;
  const instant = parseInstant(`${year}-${two(month)}-${two(day)}T${time}${zone}`);
  return instant === null ? undefined : toInstant(instant);
}
