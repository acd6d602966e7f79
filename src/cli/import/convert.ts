/**
 * Why: front matter and spreadsheets say the same things in many forms (`yes`, `2018-01-04 10:00`, `a, b`). A form that
 * leaves no doubt is brought into the API's own and, where somebody could miss the difference, said to be mended; any
 * other is left as it stands, and the API's rules name the fault.
 */
import { parseInstant, toInstant } from '../../lib/clock.ts';
import { canonicalizeLocale } from '../../lib/locale.ts';
import { isSlug, makeSlug } from '../../lib/slug.ts';
import type { JsonSchema } from '../../pipeline/body-schemas.ts';
import type { Field } from '../../resources/fields.ts';

/** A value in the form of its target, with a note where that is not what stood there. */
export interface Converted {
  /** null clears the field; undefined leaves it alone. */
  readonly value: unknown;
  readonly mended?: string;
}

/** Brings a value into the form of a field. What cannot be brought there is returned as it is. */
export function convertValue(field: Field, value: unknown): Converted {
  if (value === null || value === undefined || (value === '' && !field.verbatim)) {
    return { value: field.nullable ? null : undefined };
  }
  const schema = field.schema as JsonSchema;
  switch (field.kind) {
    case 'boolean':
      return { value: readFlag(value) ?? value };
    case 'integer':
      return {
        value: typeof value === 'string' && /^-?\d{1,15}$/.test(value.trim()) ? Number(value) : value,
      };
    case 'instant':
      return { value: typeof value === 'string' ? (readInstant(value) ?? value) : value };
    case 'uuids':
      return { value: readList(value) };
    case 'json':
      return { value: schema.type === 'array' ? readList(value) : value };
    default:
      return convertText(schema, value);
  }
}

function convertText(schema: JsonSchema, value: unknown): Converted {
  if (typeof value === 'number' || typeof value === 'boolean') return { value: String(value) };
  if (typeof value !== 'string') return { value };
  const text = value.trim();
  if (schema.enum !== undefined) return { value: text.toUpperCase().replace(/[ -]+/g, '_') };
  if (schema.format === 'slug' && !isSlug(text)) {
    const slug = makeSlug(text, Number(schema.maxLength));
    return slug === '' ? { value } : { value: slug, mended: 'slug written in lower case, with hyphens' };
  }
  if (schema.format === 'locale' && canonicalizeLocale(text) === null) {
    const tag = canonicalizeLocale(text.replaceAll('_', '-').replace(/\..*$/, ''));
    return tag === null ? { value } : { value: tag, mended: 'language written as a BCP 47 tag' };
  }
  return { value };
}

/** true and false in the forms that YAML, spreadsheets and people use; undefined for anything else. */
export function readFlag(value: unknown): boolean | undefined {
  if (typeof value === 'boolean') return value;
  if (value === 1 || value === 0) return value === 1;
  if (typeof value !== 'string') return undefined;
  if (/^(true|yes|on|y|1)$/i.test(value.trim())) return true;
  return /^(false|no|off|n|0)$/i.test(value.trim()) ? false : undefined;
}

/** A list, or a text with commas between the items. Empty items are none. */
export function readList(value: unknown): unknown[] {
  if (value === null || value === undefined) return [];
  if (Array.isArray(value)) return value.filter((item) => item !== null && item !== '');
  if (typeof value !== 'string') return [value];
  return value
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
}

const writtenInstant =
  /^(\d{4})-(\d{1,2})-(\d{1,2})(?:[Tt ]+(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,](\d+))?)?)?\s*(?:([Zz]|UTC|GMT)|([+-]\d{2}):?(\d{2})?)?$/;

/**
 * An RFC 3339 instant for a date as front matter writes it: `2018-01-04`, `2018-01-04 10:00:00 +0100`. A date without a
 * time is its midnight, a time without an offset is UTC.
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
