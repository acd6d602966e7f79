/**
 * Tests of searching with texts that grow when they are folded, or that split, combine or reverse: as queries in every parameter
 * that takes a text, and in records that are indexed.
 */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { limits } from '@trellis/schema/resources/limits.ts';
import { foldText } from '@trellis/schema/values/text.ts';
import { attempt, createOwnWorld, requiredQuery } from '../support/fixtures.ts';
import { runIndexJobs } from '../support/indexing.ts';
import { expectProblem } from '../support/refusals.ts';
import { type Json, startTestServer } from '../support/server.ts';
import { casesFor } from '../support/soak.ts';
import { create, idsOf } from '../support/writes.ts';

// Twenty thousand words of a body took more than the five seconds of production on a busy machine.
const server = await startTestServer({ statementTimeoutMs: 60_000 });
const world = await createOwnWorld(server);
after(() => server.close());

const collection = `/v1/sites/${world.ids.get('sites')}/articles`;

/** Signs that fold to several letters, letters that are composed, marks, joiners, and text from right to left. */
const units = [
  '\ufdfa',
  '\ufdfb',
  ...Array.from({ length: 256 }, (_, index) => String.fromCodePoint(0x3300 + index)),
  '\ufb00',
  '\ufb03',
  'ß',
  'Ǆ',
  'İ',
  '½',
  '℡',
  '한',
  '힣',
  'ệ',
  'a\u0301\u0327',
  '\u0e33',
  '😀',
  '👩🏽\u200d💻',
  '𝔸',
  '𠀀',
  'שָׁלוֹם',
  '\u202eabc\u202c',
  '\u200d',
  '\u200b',
  '\ufeff',
  '漢',
  'a-',
  'a/b.c',
  "'",
  '\\',
  '"',
  '-',
  ':*',
  '!',
  '<->',
  '%',
  '_',
  'or ',
];
const { max } = limits.searchText;
const repeated = (unit: string, between: string) => {
  const one = Array.from(unit + between);
  return Array.from({ length: max }, (_, index) => one[index % one.length]).join('');
};
const texts = units.flatMap((unit) => [unit, repeated(unit, ''), repeated(unit, ' ')]);

/** The operations that have a parameter for any text. */
const places = server.server.operations.flatMap((operation) =>
  operation.queryParameters.flatMap(({ name, schema }) =>
    schema.type === 'string' &&
    schema.enum === undefined &&
    schema.format !== 'date-time' &&
    !['cursor', 'fields'].includes(name) &&
    !operation.operationId.startsWith('stream')
      ? [{ operation, name }]
      : [],
  ),
);

for (const [index, { operation, name }] of places.entries()) {
  test(`${operation.operationId}: any text in ${name} is accepted or refused as invalid`, async () => {
    const statuses = new Set<number>();
    const send = async (text: string) => {
      const response = await attempt(world, operation, { query: requiredQuery(operation, { [name]: text }) });
      assert.ok(
        [200, 400].includes(response.status),
        `${JSON.stringify(text.slice(0, 20))}: ${response.text}`,
      );
      if (response.status === 400) expectProblem(response, 400, 'invalid_parameter');
      statuses.add(response.status);
    };
    // Each of a few texts in every parameter, and of the others a part in each.
    const waiting = [...texts.slice(0, 6), ...casesFor(index, texts)];
    // As many at once as a client has connections: hundreds are refused as overload, rightly.
    const sendInTurn = async () => {
      for (let text = waiting.pop(); text !== undefined; text = waiting.pop()) await send(text);
    };
    await Promise.all(Array.from({ length: 8 }, sendInTurn));
    if (name === 'search' || name === 'query') assert.deepEqual(statuses, new Set([200, 400]));
  });
}

test('a search of every language may be as long as the document says; one that grows beyond it is refused with a sentence', async () => {
  for (const letter of ['a', 'ß', '한', 'ệ', '漢', '𠀀', 'ﬀ', 'Щ', 'ש', 'ก'])
    for (const parameter of ['/search?query', '?search', '?sort=title&search']) {
      const response = await server.call(
        'GET',
        `${collection}${parameter}=${encodeURIComponent(letter.repeat(max))}`,
      );
      assert.equal(response.status, 200, `${letter} ${response.text}`);
    }
  for (const [parameter, name] of [
    ['/search?query', 'query'],
    ['?search', 'search'],
  ] as const) {
    const refused = await server.call(
      'GET',
      `${collection}${parameter}=${encodeURIComponent('\ufdfa'.repeat(max))}`,
    );
    expectProblem(refused, 400, 'invalid_parameter');
    assert.deepEqual(
      refused.json.errors.map((fault: Json) => fault.parameter),
      [name],
    );
    assert.match(refused.json.detail, /at most 600 characters after signs that stand for several letters/);
  }
});

/** Words that occur once each: letters of an alphabet that begins at a code point, with something between them. */
function distinctWords(first: number, letters: number, count: number, between: string): string {
  return Array.from({ length: count }, (_, index) =>
    String.fromCodePoint(
      first + (index % letters),
      first + (Math.floor(index / letters) % letters),
      first + (Math.floor(index / letters / letters) % letters),
    ),
  ).join(between);
}

test('bodies of any text are indexed, and found by their first word', async () => {
  const bodies = [
    'a'.repeat(500_000),
    `first ${'\ufdfa'.repeat(170_000)}`,
    `first ${'\u3300'.repeat(170_000)}`,
    `first ${Array.from({ length: 50_000 }, (_, index) => `\ufdfa${index}`)
      .join(' ')
      .slice(0, 170_000)}`,
    `first ${Array.from({ length: 40_000 }, (_, index) => `\u3300${index}`)
      .join(' ')
      .slice(0, 170_000)}`,
    `first ${'\u3300'.repeat(600)} last`,
    `first ${distinctWords(0x4e00, 20_000, 40_000, ' ')}`,
    `first ${distinctWords(0x4e00, 20_000, 40_000, '-')}`,
    `first ${distinctWords(0x4e00, 20_000, 40_000, '/')}`,
    `first ${distinctWords(0x20000, 40_000, 35_000, ' ')}`,
    `first ${distinctWords(0xac00, 11_000, 40_000, ' ')}`,
    `first ${distinctWords(0x430, 32, 70_000, ' ')}`,
    `first ${distinctWords(0x61, 26, 120_000, '-')}`,
    `first ${distinctWords(0x61, 26, 17_000, '.com/')}`,
    `first ${distinctWords(0x61, 26, 17_000, '@x.de ')}`,
    `first ${Array.from({ length: 20_000 }, (_, index) => String.fromCodePoint(0x4e00 + index)).join(' ')}`,
  ];
  const ids: string[] = [];
  for (const locale of ['de', 'ru', 'tlh'])
    for (const body of bodies)
      ids.push((await create(server, collection, { versionData: { title: 'Odd', body, locale } })).id);
  await runIndexJobs(server.database);
  const found = new Set<string>();
  for (const sort of ['createdAt', '-createdAt'])
    for (const id of await idsOf(server, `${collection}?search=first&limit=100&fields=id&sort=${sort}`))
      found.add(id);
  assert.deepEqual(
    ids.map((id, index) => found.has(id) || index % bodies.length === 0),
    ids.map(() => true),
  );
  const hits = await server.call('GET', `${collection}/search?query=first&limit=1`);
  assert.match(hits.text, /<mark>first<\/mark>/);
});

test('the short texts of a record may be signs that fold to many letters', async () => {
  const signs = (count: number, number: number) =>
    `${number}${Array.from({ length: count }, (_, index) => (index % 2 === 0 ? '\ufdfa' : String.fromCodePoint(0x4e00 + number * 200 + index))).join('')}`;
  const book = await create(server, '/v1/books', {
    title: signs(490, 0),
    subtitle: signs(490, 1),
    contributors: Array.from({ length: 100 }, (_, number) => ({ name: signs(250, number), role: 'AUTHOR' })),
  });
  assert.deepEqual(await idsOf(server, `/v1/books?search=${encodeURIComponent(signs(10, 0))}`), [book.id]);
  await create(server, '/v1/knowledge-files', {
    name: signs(250, 0),
    tags: Array.from({ length: 50 }, (_, number) => signs(60, number)),
    content: signs(20_000, 7),
  });
});

test('a sign that stands for several words is marked once, as it was written', async () => {
  await create(server, collection, { versionData: { title: 'Basmala \ufdfa here' } });
  const { json } = await server.call(
    'GET',
    `${collection}/search?query=${encodeURIComponent('\ufdfa basmala')}`,
  );
  assert.deepEqual(json.items[0].highlights, [
    { field: 'versionData.title', snippet: '<mark>Basmala</mark> <mark>\ufdfa</mark> here' },
  ]);
  assert.equal(foldText('\ufdfa').length, 18);
});

test('short and long texts with as many different words as the index takes are compared together', async () => {
  const site = await create(server, '/v1/sites', { name: 'Full', key: 'full' });
  const path = `/v1/sites/${site.id}/articles`;
  let state = 1;
  // Pairs of three and four bytes, of which none occurs twice in a text of this length.
  const pairs = (count: number) =>
    Array.from({ length: count }, (_, index) => {
      state = (state * 48_271) % 2_147_483_647;
      return String.fromCodePoint((index % 2 === 0 ? 0x20000 : 0x4e00) + (state % 20_000));
    }).join('');
  const texts = { title: `first ${pairs(240)}`, subtitle: pairs(254), summary: pairs(1_998) };
  const { id } = await create(server, path, { versionData: { ...texts, body: pairs(86_000) } });
  for (const query of ['first -absent', '-absent', 'first -absent or absent'])
    assert.deepEqual(await idsOf(server, `${path}/search?query=${encodeURIComponent(query)}`), [id], query);
});
