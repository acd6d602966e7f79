/** Generated values that match a JSON Schema, and unusual texts. */
import { isFreeFormat } from '@trellis/schema/validation/formats.ts';
import type { Json } from '../support/server.ts';
import type { Random } from './random.ts';

/** Ids that replace the example of a schema. */
export interface IdSource {
  /** An id with this prefix: mostly of an own record, sometimes of another organization's, an absent or a wrong one. */
  choose(prefix: string): string;
}

/** Ids in examples of the document; they name nothing. */
export const exampleId = /^([a-z_]+)_(?:01h455vb4pex5vsknk084sn02q|0{25}\d)$/;
/** The longest text that is made to fill a limit, in characters. */
const longestText = 5_000;

/** Texts that mean something to Unicode, JSON, SQL, LIKE, tsquery, HTML or a file system. */
const hostileTexts: readonly string[] = [
  'e\u0301',
  'a\u0300\u0316\u0317',
  '\u{1F469}\u200D\u{1F680}',
  '\u{1F3F4}\u{E0067}\u{E0062}',
  '\u202Eabc\u202C',
  '\uFEFFtext',
  '\u200B',
  '\uFFFD',
  '\uFFFF',
  '\u0085',
  '\u2028',
  'İıſßẞﬀ',
  'ﷺ',
  '한글',
  'ᄒ'.repeat(20),
  '%_\\',
  "'; DROP TABLE trellis.sites; --",
  '$1 $$ {{x}}',
  '" \\" \\\\',
  'a & b | !c <-> d:*',
  '<script>alert(1)</script>',
  '../../etc/passwd',
  'null',
  'NaN',
  '0',
  ' padded ',
  '\t',
  '\r\n',
];

/** Texts that no text field takes. */
const forbiddenTexts: readonly string[] = [
  '\u0000',
  'a\u0000b',
  '\u0001',
  '\u001b[31m',
  '\u007f',
  '\ud800',
  'x\udfff',
];

/** A text of about that length at most; hostile ones are longer or shorter than that. */
export function makeText(random: Random, least: number, most: number): string {
  if (random.chance(0.005)) return random.pick(forbiddenTexts);
  if (random.chance(0.2)) return random.pick(hostileTexts);
  const limit = Math.min(most, longestText);
  if (random.chance(0.06))
    return random.pick(['x', 'é', '😀']).repeat(random.chance(0.8) ? limit : limit + 1);
  const words = ['green', 'fern', 'Übersicht', '標題', '1.0', 'x'];
  const length = random.integer(1, 4);
  const text = Array.from({ length }, () => random.pick(words)).join(' ');
  return text.length < least ? text.padEnd(least, 'x') : text.slice(0, Math.max(least, limit));
}

/** A value of the schema, or nearly: what the schema cannot say (formats) is taken from its examples. */
export function makeValue(schema: Json, random: Random, ids: IdSource, hint?: unknown): unknown {
  const example = schema.examples?.[0] ?? schema.example ?? hint;
  if (schema.const !== undefined) return schema.const;
  if (schema.enum !== undefined) return random.pick(schema.enum);
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices !== undefined) {
    const values = choices.filter(({ type }: Json) => type !== 'null');
    const isNull = values.length < choices.length && random.chance(0.15);
    return isNull ? null : makeValue(random.pick(values), random, ids, example);
  }
  switch (schema.type) {
    case 'object':
      return makeObject(schema, random, ids, example);
    case 'array':
      return makeArray(schema, random, ids, example);
    case 'string':
      return makeString(schema, random, ids, example);
    case 'integer':
      return makeNumber(schema, random);
    case 'number':
      return random.chance(0.5) ? makeNumber(schema, random) : makeNumber(schema, random) / 2;
    case 'boolean':
      return random.chance(0.5);
    default:
      return example ?? null;
  }
}

function makeObject(schema: Json, random: Random, ids: IdSource, example: Json): unknown {
  const required: string[] = schema.required ?? [];
  const share = random.pick([0.1, 0.3, 1]);
  const names = Object.keys(schema.properties ?? {});
  const chosen = names.filter((name) => required.includes(name) || random.chance(share));
  if (chosen.length === 0 && names.length > 0) chosen.push(random.pick(names));
  return Object.fromEntries(
    chosen.map((name) => [name, makeValue(schema.properties[name], random, ids, example?.[name])]),
  );
}

function makeArray(schema: Json, random: Random, ids: IdSource, example: Json): unknown {
  const most = schema.maxItems ?? 10;
  const isFull = most <= 200 && random.chance(0.05);
  const length = Math.max(schema.minItems ?? 0, isFull ? most : random.integer(0, Math.min(3, most)));
  return Array.from({ length }, () => makeValue(schema.items ?? {}, random, ids, example?.[0]));
}

function makeString(schema: Json, random: Random, ids: IdSource, example: unknown): string {
  const { minLength = 0, maxLength = 200, format, pattern } = schema;
  const prefix = typeof example === 'string' ? exampleId.exec(example)?.[1] : undefined;
  if (prefix !== undefined) return ids.choose(prefix);
  if (format === 'date-time' && random.chance(0.5)) return makeInstant(random);
  if (format === 'slug') return `slug-${random.integer(1, 1e9)}`;
  const isFormal = !isFreeFormat(format) || pattern !== undefined;
  if (isFormal && typeof example === 'string' && random.chance(0.96)) return example;
  return makeText(random, minLength, maxLength);
}

function makeInstant(random: Random): string {
  const day = 86_400_000;
  return new Date(Date.now() + random.integer(-3_650, 3_650) * day).toISOString();
}

function makeNumber(schema: Json, random: Random): number {
  const least = schema.minimum ?? -1_000;
  const most = schema.maximum ?? 1_000_000;
  return random.pick([
    least,
    most,
    random.integer(least, most),
    random.integer(least, Math.min(most, least + 20)),
  ]);
}
