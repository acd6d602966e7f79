/** Tests of the fields of books: identifiers, dates, prices, and the uniqueness of ISBNs. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createMember, createToken } from '../support/identities.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { create, expectRefusal, idsOf, succeed, tryValues, typesOf, write } from '../support/writes.ts';

let server: TestServer;

before(async () => {
  server = await startTestServer();
});
after(() => server.close());

const books = '/v1/books';

async function createBook(body: object = {}): Promise<string> {
  return `${books}/${(await create(server, books, { title: 'A book', ...body })).id}`;
}

/** A token of an editor with these scopes only. */
async function createNarrowToken(...scopes: readonly string[]): Promise<string> {
  const { worker } = server.database;
  const userId = await createMember(worker, server.organization, 'EDITOR');
  return (await createToken(worker, server.organization, userId, { scopes })).token;
}

test('a book with only a title has all other members, empty', async () => {
  const book = await create(server, books, { title: '  Frankenstein ' });
  const { id, version, createdAt, updatedAt, createdBy, updatedBy, ...members } = book;
  assert.match(id, /^book_[0-7][0-9a-hjkmnp-tv-z]{25}$/);
  assert.equal(version, 1);
  assert.equal(createdAt, updatedAt);
  assert.equal(createdBy, updatedBy);
  assert.deepEqual(members, {
    externalId: null,
    importId: null,
    title: 'Frankenstein',
    subtitle: null,
    description: null,
    language: null,
    contributors: [],
    isbn13: null,
    isbn10: null,
    doi: null,
    edition: null,
    seriesTitle: null,
    seriesPosition: null,
    format: null,
    pageCount: null,
    publisher: null,
    imprint: null,
    publicationDate: null,
    subjects: [],
    prices: [],
    coverFileId: null,
    fileIds: [],
    status: 'DRAFT',
    tradeStatus: null,
  });
  const untitled = await write(server, 'POST', books, { body: { subtitle: 'x' } });
  expectRefusal(untitled, 422, 'validation_failed', ['/title']);
});

test('the check digit of an ISBN is verified, thirteen digits are stored, and the ISBN-10 is derived', async () => {
  const path = await createBook();
  await tryValues(
    server,
    path,
    'isbn13',
    [
      ['978-0-14-143947-1', '9780141439471'],
      ['978 0 8044 2957 3', '9780804429573'],
      ['9791090636071', '9791090636071'],
      ['0-14-143947-5', '9780141439471'],
      ['ISBN-13: 978-0-14-143947-1 (pbk.)', '9780141439471'],
      [null, null],
      ['', null],
    ],
    [
      '9780141439472',
      '9780141439741',
      '0141439474',
      '978014143947',
      '97801414394711',
      '979-0-060-11561-5',
      '9771234567003',
      '97801414394AB',
      9780141439471,
    ],
  );
  const older: [string, string | null][] = [
    ['9780141439471', '0141439475'],
    ['979-10-90636-07-1', null],
    ['978-0-8044-2957-3', '080442957X'],
  ];
  for (const [isbn13, isbn10] of older) {
    const { json, events } = await succeed(server, 'PATCH', path, { isbn13 });
    assert.equal(json.isbn10, isbn10, isbn13);
    assert.ok(events[0]?.changedFields.includes('isbn10'), isbn13);
  }
  assert.equal((await succeed(server, 'PATCH', path, { isbn13: null })).json.isbn10, null);
  const given = await write(server, 'PATCH', path, { body: { isbn10: '0141439475' } });
  expectRefusal(given, 422, 'unknown_field', ['/isbn10']);
  const created = await write(server, 'POST', books, { body: { title: 'x', isbn10: '0141439475' } });
  expectRefusal(created, 422, 'unknown_field', ['/isbn10']);
});

test('a DOI is stored as a bare name in lower case', async () => {
  await tryValues(
    server,
    await createBook(),
    'doi',
    [
      ['10.1000/182', '10.1000/182'],
      ['https://doi.org/10.1000/ABC.De', '10.1000/abc.de'],
      ['http://dx.doi.org/10.1038%2Fnphys1170', '10.1038/nphys1170'],
      [
        'doi:10.1002/(SICI)1097-4636(199823)43:4<338::AID-JBM16>3.0.CO;2-T',
        '10.1002/(sici)1097-4636(199823)43:4<338::aid-jbm16>3.0.co;2-t',
      ],
      ['DOI 10.1000.10/123', '10.1000.10/123'],
      ['', null],
    ],
    ['11.1000/182', '10.1000', '10.1000/', '10.1/x', '10.1000/a b', 'https://example.com/10.1000/182', 'x'],
  );
});

test('a publication date is a year, a month or a day that exists', async () => {
  await tryValues(
    server,
    await createBook(),
    'publicationDate',
    [
      ['1818', '1818'],
      ['2023-02', '2023-02'],
      ['2024-02-29', '2024-02-29'],
      ['2000-02-29', '2000-02-29'],
      [null, null],
    ],
    [
      '2023-02-29',
      '1900-02-29',
      '2023-04-31',
      '2023-13',
      '2023-00',
      '2023-01-00',
      '2023-1-1',
      '23',
      '0000',
      '2023-02-28T00:00:00Z',
      '20230228',
      2023,
    ],
  );
});

test('a language is a tag of BCP 47 in its canonical form', async () => {
  await tryValues(
    server,
    await createBook(),
    'language',
    [
      ['en-us', 'en-US'],
      ['iw', 'he'],
      ['zh-hant-tw', 'zh-Hant-TW'],
      ['ca-valencia', 'ca-valencia'],
    ],
    ['en_US', 'english language', 'e', 'en-', '-en', 'en--US', 'deutschland', 7],
  );
});

test('amounts are decimals as text, currencies in use, territories countries, and each market has one price', async () => {
  const path = await createBook();
  const price = (member: object) => [{ amount: '1', currency: 'EUR', ...member }];
  const kept = (member: object) => [{ amount: '1', currency: 'EUR', territory: null, ...member }];
  const amounts = ['19.90', '0', '0.000001', '999999999999999.999999'];
  const currencies = ['EUR', 'JPY', 'VED', 'XCG'];
  const territories = ['DE', 'GB', 'SS'];
  await tryValues(
    server,
    path,
    'prices',
    [
      ...amounts.map((amount) => [price({ amount }), kept({ amount })] as const),
      ...currencies.map((currency) => [price({ currency }), kept({ currency })] as const),
      ...territories.map((territory) => [price({ territory }), kept({ territory })] as const),
      [price({ currency: 'eur', territory: 'Germany' }), kept({ territory: 'DE' })],
      [
        [...price({}), ...price({ territory: 'DE' }), ...price({ currency: 'CHF' })],
        [...kept({}), ...kept({ territory: 'DE' }), ...kept({ currency: 'CHF' })],
      ],
      [[], []],
    ],
    [
      ...[
        19.9,
        '19,90',
        '-1',
        '+1',
        '1e3',
        '01',
        '.5',
        '1.',
        '1.1234567',
        '1000000000000000',
        '',
        ' ',
        '１',
      ].map((amount) => price({ amount })),
      ...['HRK', 'XXX', 'XAU', 'EU', 'EURO', '€', 978].map((currency) => price({ currency })),
      ...['XK', 'EU', 'Europe', 'DEX'].map((territory) => price({ territory })),
      price({ tax: '7' }),
      [{ amount: '1' }],
      [{ currency: 'EUR' }],
      Array.from({ length: 51 }, () => ({ amount: '1', currency: 'EUR' })),
    ],
  );
  const twice = [...price({ territory: 'DE' }), ...price({}), ...price({ territory: 'DE', amount: '2' })];
  expectRefusal(await write(server, 'PATCH', path, { body: { prices: twice } }), 422, 'validation_failed', [
    '/prices/2',
  ]);
});

test('contributors, subjects, counts and enumerations have limits', async () => {
  const path = await createBook();
  const named = { name: 'Mary Shelley', role: 'AUTHOR' };
  const roles = ['AUTHOR', 'EDITOR', 'ILLUSTRATOR', 'TRANSLATOR', 'NARRATOR', 'OTHER'];
  await tryValues(
    server,
    path,
    'contributors',
    [
      [[named], [{ ...named, position: null }]],
      [
        roles.map((role) => ({ name: ' N ', role, position: 1 })),
        roles.map((role) => ({ name: 'N', role, position: 1 })),
      ],
      [
        Array.from({ length: 100 }, () => named),
        Array.from({ length: 100 }, () => ({ ...named, position: null })),
      ],
    ],
    [
      [{ role: 'AUTHOR' }],
      [{ name: 'x' }],
      [{ name: ' ', role: 'AUTHOR' }],
      [{ name: 'x', role: 'author' }],
      [{ ...named, position: 1.5 }],
      [{ ...named, email: 'x@example.com' }],
      Array.from({ length: 101 }, () => named),
      named,
    ],
  );
  const subject = { scheme: 'THEMA', code: 'FBC' };
  await tryValues(
    server,
    path,
    'subjects',
    ['THEMA', 'BISAC', 'CUSTOM'].map((scheme) => [
      [{ ...subject, scheme }],
      [{ ...subject, scheme, label: null }],
    ]),
    [[{ ...subject, scheme: 'DEWEY' }], [{ scheme: 'THEMA' }], Array.from({ length: 51 }, () => subject)],
  );
  await tryValues(
    server,
    path,
    'pageCount',
    [
      [1, 1],
      [20_000, 20_000],
      [null, null],
    ],
    [0, -1, 20_001, 1.5, '12'],
  );
  const formats = ['HARDCOVER', 'PAPERBACK', 'EBOOK', 'AUDIOBOOK', null];
  await tryValues(
    server,
    path,
    'format',
    formats.map((value) => [value, value]),
    ['paperback', 'PDF', ''],
  );
  await tryValues(
    server,
    path,
    'title',
    [
      ['a'.repeat(500), 'a'.repeat(500)],
      ['😀'.repeat(500), '😀'.repeat(500)],
      ['e\u0301', '\u00e9'],
    ],
    ['', '  ', 'a'.repeat(501), null, 'a\u0007b'],
  );
  await tryValues(server, path, 'description', [['x\r\ny\tz', 'x\ny\tz']], ['x'.repeat(10_001)]);
  await tryValues(server, path, 'edition', [['e'.repeat(120), 'e'.repeat(120)]], ['e'.repeat(121)]);
  await tryValues(server, path, 'seriesPosition', [['12½', '12½']], ['1'.repeat(33), 12]);
  const file = 'kf_01h455vb4pex5vsknk084sn02q';
  const cover = await write(server, 'PATCH', path, { body: { coverFileId: file, fileIds: [file] } });
  expectRefusal(cover, 422, 'reference_not_found', ['/coverFileId', '/fileIds/0']);
});

test('an ISBN is unique in any notation, and the conflict names the book if the caller may read it', async () => {
  const first = await create(server, books, { title: 'First', isbn13: '978-0-306-40615-7' });
  const writeOnly = await createNarrowToken('books:write');
  const second = await createBook();
  for (const isbn13 of ['9780306406157', '978 0306 40615 7', '978–0–306–40615–7']) {
    for (const [method, path] of [
      ['POST', books],
      ['PATCH', second],
    ] as const) {
      const body = { title: 'Second', isbn13 };
      const taken = await write(server, method, path, { body });
      expectRefusal(taken, 409, 'conflict', ['/isbn13']);
      assert.equal(taken.json.field, 'isbn13');
      assert.equal(taken.json.existingId, first.id);
      const unread = await write(server, method, path, { body, token: writeOnly });
      expectRefusal(unread, 409, 'conflict', ['/isbn13']);
      assert.equal('existingId' in unread.json, false);
      assert.ok(!unread.text.includes(first.id));
    }
  }
  await succeed(server, 'DELETE', `${books}/${first.id}`);
  await succeed(server, 'PATCH', second, { isbn13: '9780306406157' });
});

test('filters and search find a book by its number, status and contributors', async () => {
  const made = await create(server, books, {
    title: 'Der Zauberberg',
    isbn13: '978-3-16-148410-0',
    language: 'de-ch',
    tradeStatus: 'OUT_OF_PRINT',
    contributors: [{ name: 'Thómas Mann', role: 'AUTHOR' }],
    publisher: 'S. Fischer',
    seriesTitle: 'Gesammelte Werke',
  });
  const queries = [
    'isbn13=9783161484100',
    'isbn13=978-3-16-148410-0',
    'language=DE-ch',
    'tradeStatus=OUT_OF_PRINT',
    'status=DRAFT&language=de-CH',
    'search=THOMAS%20mann',
    'search=gesammelte',
    'search=fischer',
  ];
  for (const query of queries) assert.deepEqual(await idsOf(server, `${books}?${query}`), [made.id], query);
  assert.deepEqual(await idsOf(server, `${books}?isbn13=9780804429573`), []);
  const wrong = await server.call('GET', `${books}?isbn13=9783161484101`);
  assert.equal(wrong.status, 400, wrong.text);
  assert.equal(wrong.json.code, 'invalid_parameter');
  const found = await server.call('GET', `${books}/search?query=thomas%20zauber`);
  assert.equal(found.json.items[0].id, made.id);
  assert.deepEqual(found.json.items[0].highlights, [
    { field: 'title', snippet: 'Der <mark>Zauberberg</mark>' },
    { field: 'contributors', snippet: '<mark>Thómas</mark> Mann' },
  ]);
  const removed = await succeed(server, 'DELETE', `${books}/${made.id}`);
  assert.deepEqual(typesOf(removed), ['book.deleted']);
  assert.deepEqual(await idsOf(server, `${books}/search?query=thomas%20zauber`), []);
});
