/**
 * Sample values with their stored form. The stored form (normalized, completed) must not be computed by the tested code: it
 * is written down, or follows from how the value was assembled.
 */

import type { JsonSchema } from '@trellis/schema/validation/body-schemas.ts';
import { isFreeFormat } from '@trellis/schema/validation/formats.ts';

/** Returns a number from 0 to `choices` - 1. A draw with the seed 0 always returns 0, the simplest choice. */
export type Draw = (choices: number) => number;

/** A value as it is sent, and as the record must have it. */
export interface Sample {
  readonly sent: unknown;
  readonly kept: unknown;
  /** Whether the value is refused in any body. */
  readonly faulty: boolean;
}

/** Returns an id of the resource to refer to, which may exist or not, or null for none. */
export type PickReference = (resource: string, sameParent: boolean, draw: Draw) => string | null;

/** Draws from a seed (xorshift), the same numbers each time. */
export function drawFrom(seed: number): Draw {
  let state = seed | 0;
  return (choices) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % choices;
  };
}

/** Words as sent, as stored and as folded for searching; some have the special characters of LIKE. */
const words: readonly (readonly [sent: string, kept: string, folded: string])[] = [
  ['Rose', 'Rose', 'rose'],
  ['rosé', 'rosé', 'rose'],
  ['E\u0301clair', 'Éclair', 'eclair'],
  ['Straße', 'Straße', 'strasse'],
  ['ŁÓDŹ', 'ŁÓDŹ', 'lodz'],
  ['100%', '100%', '100%'],
  ['a_b', 'a_b', 'a_b'],
  ['c\\d', 'c\\d', 'c\\d'],
  ['Привет', 'Привет', 'привет'],
  ['日本', '日本', '日本'],
  ['ﬁre', 'ﬁre', 'fire'],
  ['***', '***', '***'],
];

/** Bodies of articles, which are stored as sent, with their number of words. */
const bodies: readonly (readonly [text: string, count: number, folded: string])[] = [
  ['Rose', 1, 'rose'],
  ['# Hello\r\n\n first paragraph ', 3, '# hello\r\n\n first paragraph '],
  ['', 0, ''],
  ['e\u0301t\u00e9, \ttea\n', 2, 'ete, \ttea\n'],
];

/** E-mail addresses as typed, as compared, and as folded for searching. */
const emails: readonly (readonly [typed: string, compared: string, folded: string])[] = [
  ['ada@example.com', 'ada@example.com', 'ada@example.com'],
  ['Ada@Example.COM', 'ada@example.com', 'ada@example.com'],
  ['bob@example.org', 'bob@example.org', 'bob@example.org'],
  ['eve@bücher.example', 'eve@xn--bcher-kva.example', 'eve@bucher.example'],
  ['EVE@xn--bcher-kva.example', 'eve@xn--bcher-kva.example', 'eve@xn--bcher-kva.example'],
  ['zoe@a.example', 'zoe@a.example', 'zoe@a.example'],
];

/** Phone numbers with the country that they need, if any, and in E.164. */
const phones: readonly (readonly [number: string, country: string | null, e164: string])[] = [
  ['+49 30 1234567', null, '+49301234567'],
  ['030 / 123 45 67', 'DE', '+49301234567'],
  ['(415) 555-2671', 'US', '+14155552671'],
  ['+44 20 7946 0018', null, '+442079460018'],
];

/** ISBN-13 in several notations, with the ISBN-10 of the same book. */
const isbns: readonly (readonly [sent: string, kept: string, isbn10: string | null])[] = [
  ['9783161484100', '9783161484100', '316148410X'],
  ['978-3-16-148410-0', '9783161484100', '316148410X'],
  ['978 0 306 40615 7', '9780306406157', '0306406152'],
  ['9780804429573', '9780804429573', '080442957X'],
  ['979-10-90636-07-1', '9791090636071', null],
];

const inDays = (days: number) => new Date(Math.floor(Date.now() / 1000) * 1000 + days * 86_400_000);

/** Formats an instant as RFC 3339 with an offset of two hours. */
function withOffset(instant: Date): string {
  return new Date(instant.getTime() + 7_200_000).toISOString().replace('.000Z', '+02:00');
}

const soon = inDays(30);
const later = inDays(400);
const instantsToCome = [
  [soon.toISOString(), soon.toISOString()],
  [withOffset(later), later.toISOString()],
] as const;
const same = (...texts: string[]) => texts.map((text): readonly [string, string] => [text, text]);

/** Texts by format, as sent and as stored. */
const formatted: Readonly<Record<string, readonly (readonly [sent: string, kept: string])[]>> = {
  locale: [...same('en', 'de'), ['en-gb', 'en-GB'], ['iw', 'he'], ['ZH-hant-tw', 'zh-Hant-TW']],
  timezone: [...same('UTC', 'Europe/Berlin', 'Asia/Kolkata'), ['ETC/UTC', 'Etc/UTC']],
  slug: same('rose', 'rose-2', 'eclair', 'été', '日本'),
  domain: same('example.com', 'blog.example.com', 'localhost'),
  'domain-name': [
    ['example.com', 'example.com'],
    ['https://www.Example.com:8080/a?b', 'example.com'],
    ['shop.example.org.', 'shop.example.org'],
    ['Bücher.example', 'xn--bcher-kva.example'],
  ],
  'https-url': same('https://example.com/a', 'https://example.org/?q=1#x'),
  'http-url': [...same('http://example.com/'), ['HTTPS://Example.org/ü', 'https://example.org/%C3%BC']],
  'email-address': emails.map(([typed]) => [typed, typed]),
  isbn13: isbns.map(([sent, kept]) => [sent, kept]),
  issn: [
    ['0317-8471', '0317-8471'],
    ['0317 8471', '0317-8471'],
    ['2434-561x', '2434-561X'],
    ['20493630', '2049-3630'],
    ['eISSN: 0378-5955', '0378-5955'],
  ],
  phone: phones.map(([number]) => [number, number]),
  doi: [
    ['10.1000/182', '10.1000/182'],
    ['https://doi.org/10.1000/ABC', '10.1000/abc'],
    ['doi: 10.1000/182', '10.1000/182'],
  ],
  'partial-date': same('2020', '2020-02', '2020-02-29', '2019-12-31', '2021'),
  decimal: same('19.90', '0', '1250000', '0.000001'),
  country: [...same('DE', 'US'), ['Türkiye', 'TR'], ['gbr', 'GB']],
  currency: [...same('EUR', 'USD'), ['chf', 'CHF']],
  color: [...same('#1f6feb'), ['#A0B1C2', '#a0b1c2']],
  label: [...same('vip', 'news'), ['VIP', 'vip'], ['É', 'é']],
  'date-time': [
    ['2011-05-06T07:08:09Z', '2011-05-06T07:08:09.000Z'],
    ['2020-02-29T23:30:00.5+01:00', '2020-02-29T22:30:00.500Z'],
  ],
  'future-date-time': instantsToCome,
  'schedule-date-time': instantsToCome,
};

/** Values for the `search` filter: parts of the texts above, in other case, and in other notations. */
export const searchTexts: readonly string[] = [
  ...[
    'rose',
    'ROSÉ',
    'os',
    'éCL',
    'STRASSE',
    'lodz',
    '0%',
    '_',
    '\\',
    'ПРИ',
    '本',
    'FIRE',
    '*',
    'rose rose',
    'x',
  ],
  ...[
    'EVE@Bücher.example',
    'ada@',
    'example.com',
    'https://www.example.com/x',
    '030 1234567',
    '+1 415',
    '5552',
    // Excluded words have no other notations; these are in the record as typed, or not at all.
    '-2671',
    '-5552',
    '-example.com',
  ],
];

/** Folds a text for searching; works for texts of words in this file or of ASCII. */
export function fold(text: string): string {
  const known = folded.get(text);
  if (known !== undefined) return known;
  return text
    .split(' ')
    .map((word) => folded.get(word) ?? word.toLowerCase())
    .join(' ');
}

const folded = new Map([
  ...words.map(([, kept, plain]): [string, string] => [kept, plain]),
  ...bodies.map(([text, , plain]): [string, string] => [text, plain]),
  ...emails.map(([typed, , plain]): [string, string] => [typed, plain]),
  ...[
    ['ROSÉ', 'rose'],
    ['éCL', 'ecl'],
    ['STRASSE', 'strasse'],
    ['ПРИ', 'при'],
  ].map(([text = '', plain = '']): [string, string] => [text, plain]),
]);

/** Other notations of a search text that is an e-mail address, a domain or link, or a part of a phone number. */
export function notationsOf(search: string, country: string | null): string[] {
  switch (search) {
    case 'EVE@Bücher.example':
      return ['eve@xn--bcher-kva.example'];
    case 'example.com':
    case 'https://www.example.com/x':
      return ['example.com'];
    case '030 1234567':
      return country === 'DE' ? ['301234567', '49301234567'] : ['301234567'];
    case '+1 415':
      return ['1415'];
    case '5552':
      return ['5552'];
    default:
      return [];
  }
}

/** The form by which an e-mail address of this file is compared. */
export function comparedEmail(typed: string): string {
  return emails.find(([known]) => known === typed)?.[1] ?? typed;
}

/** A phone number of this file in E.164; null when its country is neither given nor the organization's. */
export function e164Of(number: string, country: string | null): string | null {
  const [, needed, e164] = phones.find(([known]) => known === number) ?? [number, null, null];
  return needed === null || needed === country ? (e164 ?? null) : null;
}

/** The ISBN-10 of the same book. */
export function isbn10Of(isbn13: unknown): string | null {
  return isbns.find(([, kept]) => kept === isbn13)?.[2] ?? null;
}

/** The number of words in a body of this file. */
export function wordsIn(body: unknown): number {
  return bodies.find(([text]) => text === body)?.[1] ?? 0;
}

/** The slug of a title of this file's words; '' when it has neither letters nor digits. */
export function slugOf(title: string): string {
  return (fold(title).match(/[\p{L}\p{N}]+/gu) ?? []).join('-');
}

/** Draws a value that the schema allows; rules across fields may still refuse it. */
export function sampleOf(schema: JsonSchema, draw: Draw, pick: PickReference): Sample {
  const target = schema['x-reference'];
  if (typeof target === 'string') return asIs(pick(target, false, draw));
  if (schema.anyOf !== undefined) {
    const value = schema.anyOf.find(({ type }) => type !== 'null');
    return value === undefined || draw(5) === 4 ? asIs(null) : sampleOf(value, draw, pick);
  }
  if (schema.enum !== undefined) return asIs(chosen(schema.enum, draw));
  switch (schema.type) {
    case 'boolean':
      return asIs(draw(3) === 1);
    case 'integer':
      return asIs(chosen([schema.minimum, Number(schema.minimum) + 1, schema.maximum], draw));
    case 'array':
      return sampleList(schema, draw, pick);
    case 'object':
      return schema.properties?.e164 === undefined
        ? sampleObject(schema, draw, pick)
        : samplePhone(schema, draw, pick);
    default:
      return sampleText(schema, draw);
  }
}

function sampleText(schema: JsonSchema, draw: Draw): Sample {
  if (schema['x-max-bytes'] !== undefined) return asIs(chosen(bodies, draw)[0]);
  if (schema.format !== undefined && !isFreeFormat(schema.format)) {
    const pool = formatted[schema.format];
    if (pool === undefined) throw new Error(`samples.ts has no texts of the format ${schema.format}`);
    const [sent, kept] = chosen(pool, draw);
    return { sent, kept, faulty: false };
  }
  if (schema.pattern !== undefined) return asIs(schema.examples?.[0]);
  const count = Number(schema.maxLength) < 40 ? 1 : 1 + (draw(4) % 3);
  const picked = Array.from({ length: count }, () => chosen(words, draw));
  const kept = picked.map(([, word]) => word).join(' ');
  const text = picked.map(([word]) => word).join(' ');
  return { sent: draw(8) === 7 ? `\t${text}\r\n` : text, kept, faulty: false };
}

function sampleList(schema: JsonSchema, draw: Draw, pick: PickReference): Sample {
  const count = Math.min(draw(4), Number(schema.maxItems));
  const items = Array.from({ length: count }, () => sampleOf(schema.items ?? {}, draw, pick)).filter(
    // Without references for which there is no record.
    ({ sent }) => sent !== null,
  );
  const repeats = ({ kept }: Sample, index: number) => items.findIndex((item) => item.kept === kept) < index;
  const unique =
    schema.uniqueItems !== true || draw(8) === 7 ? items : items.filter((item, at) => !repeats(item, at));
  return {
    sent: unique.map(({ sent }) => sent),
    kept: unique.map(({ kept }) => kept),
    faulty: schema.uniqueItems === true && unique.some(repeats),
  };
}

function sampleObject(schema: JsonSchema, draw: Draw, pick: PickReference): Sample {
  const sent: Record<string, unknown> = {};
  const kept: Record<string, unknown> = {};
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    if (property.readOnly === true) continue;
    const needed = schema.required?.includes(name) ?? false;
    if (!needed && (draw(2) === 0 || (name === 'isPrimary' && draw(2) === 0))) continue;
    const sample = sampleOf(property, draw, pick);
    if (needed && sample.sent === null) return asIs(null);
    sent[name] = sample.sent;
    kept[name] = sample.kept;
  }
  return { sent, kept, faulty: false };
}

/** Draws a phone number. A national number has its own country or none: with another one it would be a different number. */
function samplePhone(schema: JsonSchema, draw: Draw, pick: PickReference): Sample {
  const { sent } = sampleObject(schema, draw, pick);
  const [number, country] = chosen(phones, draw);
  const { country: _drawn, ...others } = sent as Record<string, unknown>;
  const value = {
    ...others,
    number,
    ...(country === null || (country === 'DE' && draw(3) === 0) ? {} : { country }),
  };
  return { sent: value, kept: normalLabel(value), faulty: false };
}

/** Trims the label, as it is stored. */
function normalLabel(value: Record<string, unknown>): Record<string, unknown> {
  return typeof value.label === 'string' ? { ...value, label: value.label.trim().normalize('NFC') } : value;
}

function asIs(value: unknown): Sample {
  return { sent: value, kept: value, faulty: false };
}

/** Draws one of the items; the first is the simplest. */
export function chosen<Item>(items: readonly Item[], draw: Draw): Item {
  const item = items[draw(items.length)];
  if (item === undefined) throw new Error('there is nothing to choose from');
  return item;
}
