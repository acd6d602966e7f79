/** The analyzer of searches: words, stems, vectors and questions. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  encodeVectors,
  foldReadable,
  Lexemes,
  scopeOf,
} from '@trellis/server/kernel/pipeline/search/analyzer/lexemes.ts';
import {
  askCharacters,
  askPlainWords,
  askWords,
} from '@trellis/server/kernel/pipeline/search/analyzer/question.ts';
import { readable, readableWithPlaces } from '@trellis/server/kernel/pipeline/search/analyzer/readable.ts';
import { languageOfTag, stemIn, stemsOf } from '@trellis/server/kernel/pipeline/search/analyzer/stems.ts';
import { wordsOf } from '@trellis/server/kernel/pipeline/search/analyzer/words.ts';
import fastCheck from 'fast-check';
import pg from 'pg';
import { checkProperty } from '../lib/property.ts';
import { createTestDatabase } from '../support/database.ts';

const words = (text: string) => wordsOf(foldReadable(text)).map(({ text: word }) => word);

test('words are runs of letters and digits, with the joins of compounds behind their parts', () => {
  const known: readonly (readonly [text: string, ...expected: string[]])[] = [
    ['Don’t panic', 'don', 't', 'dont', 'panic'],
    ['E-Mail–Adresse', 'e', 'mail', 'adresse', 'emailadresse'],
    ['Vertrag_Meier.docx', 'vertrag', 'meier', 'docx', 'meierdocx'],
    ['U.S.A. 1,000.50, 2', 'u', 's', 'a', 'usa', '1', '000', '50', '100050', '2'],
    [
      'a,b col·lecció пʼять חז״ל',
      'a',
      'b',
      'col',
      'leccio',
      'colleccio',
      'п',
      'ять',
      'пять',
      'חז',
      'ל',
      'חזל',
    ],
    ['كـتـاب یک ۱۲', 'كتاب', 'يك', '12'],
    ['Hot🔥 👩🏽‍💻', 'hot', '🔥', '👩🏽', '🏽💻', '💻'],
    ['2024-05-01', '2024', '05', '01', '20240501'],
    ['a - b', 'a', 'b'],
    ['Biblio-\n  thek', 'biblio', 'thek', 'bibliothek'],
    ['a-b-c-d-e-f-g-h-i', 'a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i'],
    ['管理系统', '管理', '理系', '系统', '统'],
    ['第3章', '第', '3', '章'],
    ['x管y', 'x', '管', 'y'],
    ['', ...[]],
    ['—/…', ...[]],
  ];
  for (const [text, ...expected] of known) assert.deepEqual(words(text), expected, text);
  assert.deepEqual(words('x'.repeat(300)), ['x'.repeat(200)]);
});

test('what is read of markup: references as characters, no inline tags, and other tags as they stand', () => {
  const known: readonly (readonly [text: string, read: string])[] = [
    ['caf<b>e</b>', 'cafe'],
    ['M&uuml;nchen &amp; Co', 'München & Co'],
    ['&#77;&#x4d;', 'MM'],
    ['AT&T; R&D', 'AT&T; R&D'],
    ['a<p>b', 'a<p>b'],
    ['Vec<Widget> <small', 'Vec<Widget> <small'],
    ['<a href="x">link</a>', 'link'],
    ['Zeitungs\u00ad\nleser', 'Zeitungsleser'],
  ];
  for (const [text, read] of known) {
    assert.equal(readable(text), read);
    assert.equal(readableWithPlaces(text).text, read);
  }
  const { text, placeOf, endOf } = readableWithPlaces('M&uuml;n<b>c</b>hen!');
  assert.equal(text, 'München!');
  assert.deepEqual([placeOf(0), placeOf(1), placeOf(2), placeOf(7)], [0, 1, 7, 19]);
  assert.deepEqual([endOf(1), endOf(2), endOf(7)], [1, 7, 19]);
});

test('every stemmer takes every folded word', (context) => {
  const letters = fastCheck.oneof(
    fastCheck.string({ unit: 'grapheme', minLength: 3, maxLength: 12 }),
    ...[
      'абвгийеоуцстнящ',
      'αεηιονρσςτυλ',
      'ابتثنويهلم',
      'abceinorstuxyz',
      'कखगनतरलसह',
      'தமிழ்நகர',
      'աբգդենոր',
    ].map((set) => fastCheck.string({ unit: fastCheck.constantFrom(...set), minLength: 3, maxLength: 12 })),
  );
  checkProperty(
    context,
    fastCheck.property(letters, (text) => {
      for (const word of words(text))
        for (const [stem, languages] of stemsOf(word))
          for (const language of languages) assert.equal(stemIn(language, word), stem);
    }),
  );
});

test('languages by their tags', () => {
  assert.deepEqual(['de-AT', 'EN', 'no', 'nn-NO', 'tlh', 'zh-Hans', ''].map(languageOfTag), [
    'de',
    'en',
    'nb',
    'nb',
    null,
    null,
    null,
  ]);
});

test('vectors arrive in PostgreSQL as they were made, also several at once', async () => {
  const database = await createTestDatabase();
  const client = new pg.Client({ connectionString: database.adminUrl });
  await client.connect();
  try {
    const vectors = [
      'Häuser und Haus-Boote',
      '管理',
      "it's a <b>'quoted'</b> \\ text",
      'x '.repeat(300),
      '',
    ].map((text) => {
      const lexemes = new Lexemes('SCOPE-');
      lexemes.addWords(foldReadable(text), 'A');
      lexemes.addStems('de');
      lexemes.addGrams(foldReadable(text).slice(0, 4));
      return lexemes.encode();
    });
    const { rows } = await client.query<{ words: string[]; text: string }>(
      `SELECT ARRAY(SELECT substr(word, 7) FROM unnest(tsvector_to_array(v)) AS word ORDER BY word COLLATE "C") AS words, v::text AS text
       FROM unnest($1::tsvector[]) AS v`,
      [encodeVectors(vectors)],
    );
    assert.deepEqual(rows[0]?.words, [
      '#de',
      '=aus',
      '=hau',
      '=s',
      '=us',
      'boote',
      'haus',
      'hausboote',
      'hauser',
      'und',
      '~boot',
      '~hausboot',
    ]);
    assert.match(rows[0]?.text ?? '', /'SCOPE-hauser':1A/);
    assert.equal(
      (rows[3]?.text.match(/\d+A/g) ?? []).length,
      255,
      'PostgreSQL keeps as many positions of a word',
    );
    assert.equal(rows[4]?.text, `'SCOPE-#de'`);
  } finally {
    await client.end();
    await database.drop();
  }
});

test('PostgreSQL accepts the vector of any texts, also of repeated compounds and beyond the last position', async () => {
  const database = await createTestDatabase();
  const client = new pg.Client({ connectionString: database.adminUrl });
  await client.connect();
  try {
    const signs = fastCheck.constantFrom('0', '0', 'a', '.', '.', '-', ' ', '\n', '管');
    const texts = fastCheck.array(fastCheck.string({ unit: signs, maxLength: 12 }), {
      minLength: 2,
      maxLength: 4,
    });
    const long = 'a b '.repeat(9_000);
    const records = [['0.0.0', '0.0.0'], [long, 'a', long], ...fastCheck.sample(texts, 500)];
    const vectors = records.map((record) => {
      const lexemes = new Lexemes('SCOPE-');
      for (const [index, text] of record.entries())
        lexemes.addWords(foldReadable(text), index === 0 ? 'A' : 'D');
      return lexemes.encode();
    });
    const { rows } = await client.query<{ text: string }>(
      'SELECT v::text AS text FROM unnest($1::tsvector[]) AS v',
      [encodeVectors(vectors)],
    );
    assert.equal(rows.length, records.length);
    assert.equal(rows[0]?.text, `'SCOPE-0':1A,2A,3A,5,6,7 'SCOPE-000':1A,5`);
  } finally {
    await client.end();
    await database.drop();
  }
});

test('a vector never exceeds what PostgreSQL stores, however long the text is', () => {
  for (const text of [
    '管理系统图书馆'.repeat(20_000),
    Array.from({ length: 60_000 }, (_, index) => `w${index}`).join(' '),
  ]) {
    const lexemes = new Lexemes(scopeOf('a', 'b', 'c'));
    lexemes.addWords(text, 'D');
    lexemes.addGrams(text);
    assert.ok(lexemes.encode().length < 1_048_576 + 4);
  }
});

const shown = (text: string) => text.replaceAll('\u0001', '');

test('questions of web-search syntax', () => {
  const known: readonly (readonly [query: string, wanted: string])[] = [
    ['"a b" c1 ', `('a' <-> 'b') & 'c1'`],
    ['-x1', `!'x1'`],
    ['a1 -"b c" d1 ', `'a1' & 'd1' & !('b' <-> 'c')`],
    ['a1 or b1 c1 ', `('a1') | ('b1' & 'c1')`],
    ['w1', `'w1':*`],
    ['e-m1', `(('e' <-> 'm1':*) | 'em1':*)`],
    ['x1/e-m1 ', `('x1' <-> (('e' <-> 'm1') | 'em1'))`],
    ['a@b1', `('a' & 'b1':*)`],
    ['管理系', `('管理' & '理系')`],
    ['管', `'管':*`],
    ['"管理系"', `('管理' <-> '理系')`],
    ['- -- "" …', ''],
    ['or', ''],
  ];
  for (const [query, wanted] of known) assert.equal(shown(askWords(query).wanted), wanted, query);
  assert.equal(
    shown(askPlainWords('foo-bar or ba').wanted),
    `(('foo' <-> 'bar') | 'foobar') & 'or' & 'ba':*`,
  );
  assert.equal(shown(askCharacters("o'r")), `'=o''r'`);
  assert.equal(shown(askCharacters('müs')), `'=müs'`);
  assert.equal(shown(askCharacters('a\\')), `'=a\\\\':*`);
  assert.deepEqual(
    [...new Set(askWords('978-3-15-009900-1').terms.map(({ text }) => text))],
    ['978', '009900', '9783150099001'],
    'no number of one digit is marked',
  );
  assert.match(shown(askWords('houses ').wanted), /'~hous' .*\('hous' & \(.*'#en'/);
  assert.equal(shown(askWords('管理系').ranking), `('管理' & '理系')`);
  assert.equal(
    shown(askWords('管理系统图').ranking),
    `'管理' | '理系' | '系统' | '统图'`,
    'of many words none is compared with another',
  );
  assert.equal(shown(askWords('"a1 b1 c1" d1 e1').ranking), `'a1' | 'b1' | 'c1' | 'd1' | 'e1':*`);
  assert.equal(shown(askWords('a.b@c1').wanted), `('a' & 'b' & 'c1':*)`);
  assert.deepEqual(askWords('0-14-143947-5').operands, []);
  assert.match(shown(askWords('0-14-143947-5').wanted), /'9780141439471':\*/);
});
