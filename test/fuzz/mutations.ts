/** Mutations that make a valid JSON body invalid or unusual. */
import type { Json } from '../support/server.ts';
import type { Random } from './random.ts';
import { makeText } from './values.ts';

/** Stands in a body for JSON text that no value is written as; the text follows the mark. */
const verbatimMark = '\u0007verbatim:';

/** The body as JSON text, with verbatim parts put in. */
export function writeJson(body: unknown): string {
  const text = JSON.stringify(body) ?? '';
  return text.replaceAll(/"\\u0007verbatim:((?:[^"\\]|\\.)*)"/g, (_, quoted: string) =>
    JSON.parse(`"${quoted}"`),
  );
}

const verbatim = (text: string) => `${verbatimMark}${text}`;

const strangeValues: readonly unknown[] = [
  null,
  true,
  0,
  -1,
  1.5,
  '',
  ' ',
  'x',
  [],
  {},
  [[]],
  [null],
  { '': 1 },
  '12',
  2 ** 31,
  Number.MAX_SAFE_INTEGER,
  verbatim('1e400'),
  verbatim('-1e400'),
  verbatim('1e-400'),
  verbatim('-0'),
  verbatim('12345678901234567890123456789'),
  verbatim('"\\ud800"'),
  verbatim('"\\udc00\\ud800"'),
  verbatim('"\\u0000"'),
  verbatim('{"a":1,"a":2}'),
  verbatim('{"__proto__":{"x":1}}'),
  verbatim(`${'['.repeat(200)}${']'.repeat(200)}`),
  verbatim(`${'{"a":'.repeat(70)}1${'}'.repeat(70)}`),
];

const strangeNames: readonly string[] = [
  'nonsense',
  '__proto__',
  'constructor',
  'toString',
  '',
  'a/b~c',
  'id',
  'é',
  '\u0000',
];

/** Texts that are not JSON, or differ from what they look like. */
const strangeBodies: readonly (string | Buffer)[] = [
  '',
  ' ',
  'null',
  '[]',
  '"text"',
  '1',
  '{',
  '{}',
  '{"a":}',
  '{}{}',
  "{'a':1}",
  '{"a":1,}',
  '[1,',
  '\uFEFF{}',
  '{"a":"\u0001"}',
  Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]),
  Buffer.from('{}', 'utf16le'),
  Buffer.alloc(10),
  '['.repeat(5_000),
  '{"a":'.repeat(5_000),
  `{"a":"${'x'.repeat(1_100_000)}"}`,
  `[${'{},'.repeat(20_000)}{}]`,
];

/** A body of nothing that was made from the schema. */
export function makeStrangeBody(random: Random): string | Buffer {
  return random.pick(strangeBodies);
}

/** Places in a value: the keys that lead there. */
function placesOf(value: Json, path: readonly string[] = []): (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return [path];
  return [path, ...Object.keys(value).flatMap((key) => placesOf(value[key], [...path, key]))];
}

/** Changes the body, which is right, in one to three places. */
export function mutate(body: Json, random: Random): string {
  const changed = structuredClone({ body });
  for (let count = random.integer(1, 3); count > 0; count -= 1) {
    const path = random.pick(placesOf(changed).slice(1));
    const last = path.at(-1) ?? '';
    const around = path.slice(0, -1).reduce<Json>((inside, key) => inside[key], changed);
    around[last] = mutateValue(around[last], random);
    if (random.chance(0.15) && path.length > 1) delete around[last];
  }
  const text = writeJson(changed.body);
  if (!random.chance(0.1)) return text;
  // The first member twice, or an end too early.
  const member = /^\{("[^"]*":)/.exec(text)?.[1];
  const twice = member === undefined ? text : `{${member}null,${text.slice(1)}`;
  return random.pick([twice, text.slice(0, random.integer(0, text.length)), `${text}x`]);
}

function mutateValue(value: Json, random: Random): unknown {
  if (random.chance(0.4)) return structuredClone(random.pick(strangeValues));
  if (typeof value === 'string') {
    return random.pick([
      makeText(random, 0, 300),
      value.repeat(random.integer(0, 3)),
      `${value}${makeText(random, 0, 10)}`,
      'x'.repeat(random.pick([65, 256, 2_001, 70_000])),
      `a${'\u0300'.repeat(random.pick([29, 31, 1_000]))}`,
    ]);
  }
  if (typeof value === 'number')
    return random.pick([-value, value + 1, value * 1_000_000, value + 0.5, String(value)]);
  if (Array.isArray(value))
    return random.pick([[...value, ...value], Array(300).fill(value[0] ?? {}), { 0: value[0] }]);
  if (typeof value === 'object' && value !== null) {
    return { ...value, [random.pick(strangeNames)]: structuredClone(random.pick(strangeValues)) };
  }
  return structuredClone(random.pick(strangeValues));
}
