/** The preview of the columns of a file, without a server: destinations, values and faults in its first rows. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { noChoices } from '@trellis/importer/columns.ts';
import { foundBy } from '@trellis/importer/find-record.ts';
import { createMapping } from '@trellis/importer/mapping.ts';
import { previewColumns } from '@trellis/importer/preview.ts';
import { openCsv } from '@trellis/importer/readers/csv.ts';
import { openNdjson } from '@trellis/importer/readers/ndjson.ts';
import type { Source } from '@trellis/importer/source.ts';
import { destinationsInUse, waysToFind } from '@trellis/importer/ways.ts';
import { articles } from '@trellis/schema/resources/articles.ts';
import { books } from '@trellis/schema/resources/books.ts';
import { contacts } from '@trellis/schema/resources/contacts.ts';
import type { Resource } from '@trellis/schema/resources/resource.ts';
import { toFile } from '../support/source-file.ts';

const preview = (resource: Resource, source: Source) => previewColumns(resource, source, noChoices, 0);

test('the fault of a column counts rows and not their reasons, and has all reasons of the first', async () => {
  const rows = [
    'first name,email',
    'Ada,a at example; b at example',
    'Grace,c at example',
    'Alan,d@example.com',
  ];
  const source = await openCsv(toFile('people.csv', rows.join('\n')), { columns: null, delimiter: ',' });
  const { columns, fault } = await preview(contacts, source);
  assert.equal(fault, null);
  const [name, email] = columns;
  assert.equal(name?.fault, null);
  assert.equal(email?.fault?.rows, 2);
  assert.equal(email.fault.first.place, 'line 2');
  assert.deepEqual(
    email.fault.first.reasons.map((reason) => reason.split(':', 1)),
    [['emails.0.address'], ['emails.1.address']],
  );
});

test('a row with several faults that belong to no column is counted once', async () => {
  const source = await openCsv(toFile('books.csv', 'language\nen\nde\n'), { columns: null, delimiter: ',' });
  const { columns, fault } = await preview(books, source);
  assert.deepEqual([columns[0]?.fault, fault?.rows, fault?.first.place], [null, 2, 'line 2']);
});

test('a column that another one overrides in some rows has the values of those in which it is used', async () => {
  const rows = [
    { title: 'First', name: 'overridden' },
    { name: 'Second' },
    { name: 'Third' },
    { unknown: 1 },
  ];
  const lines = rows.map((row) => `${JSON.stringify(row)}\n`).join('');
  const { columns } = await preview(books, openNdjson(toFile('books.ndjson', lines)));
  assert.deepEqual(
    columns.map(({ column, to, samples }) => [column, to, samples]),
    [
      ['title', 'title', ['First']],
      ['name', 'title', ['Second', 'Third']],
      ['unknown', null, ['1']],
    ],
  );
});

test('only the first rows are read: 200 are shown, and 1,000 decide how columns are read', async () => {
  let read = 0;
  const table = await openCsv(toFile('books.csv', `title\n${'Title\n'.repeat(3_000)}`), {
    columns: null,
    delimiter: ',',
  });
  const counted: Source = {
    ...table,
    async *read() {
      for await (const row of table.read()) {
        read += 1;
        yield row;
      }
    },
  };
  assert.equal((await preview(books, counted)).rows, 200);
  assert.equal(read, 1_200);
});

test('invalid values that are left out are counted by column, and are no faults', async () => {
  const table = 'title,pages,price\nA,many,9.99 EUR\nB,few,8.99 EUR\n';
  const source = await openCsv(toFile('books.csv', table), { columns: null, delimiter: ',' });
  const choices = { ...noChoices, allColumns: { invalid: 'omit' } } as const;
  const { columns, fault } = await previewColumns(books, source, choices, 0);
  assert.deepEqual(
    columns.map(({ column, fault: ofColumn, omitted }) => [
      column,
      ofColumn,
      omitted?.rows ?? 0,
      omitted?.first.place,
    ]),
    [
      ['title', null, 0, undefined],
      ['pages', null, 2, 'line 2'],
      ['price', null, 0, undefined],
    ],
  );
  assert.equal(fault, null);
});

test('what records can be found by depends on the columns, in the order in which they are looked for', () => {
  const ways = (resource: Resource, ...destinations: string[]) => waysToFind(resource, new Set(destinations));
  assert.deepEqual(ways(contacts, 'id', 'externalId', 'fullName', 'phones.number', 'emails.address'), [
    'id',
    'externalId',
    'e-mail address',
    foundBy.row,
    'firstName, lastName, phones',
    foundBy.lineage,
  ]);
  assert.deepEqual(ways(contacts, 'firstName', 'lastName'), [foundBy.row, foundBy.lineage]);
  // The ISBN-13 is computed from the ISBN-10.
  assert.deepEqual(ways(books, 'isbn10', 'title'), ['isbn13', foundBy.row, foundBy.lineage]);
  assert.deepEqual(ways(books, 'isbn13', 'contributors.name', 'title'), [
    'isbn13',
    foundBy.row,
    'title, contributors',
    foundBy.lineage,
  ]);
});

test('a column "id" identifies by the keys that only one system can have made, and by no other number', async () => {
  const uuid = '3f2a9c1d-8b7a-4c5d-9e3f-2a1b00000001';
  const cases: readonly [column: string, value: string, to: string | null][] = [
    ['ID', '0035g00000AbCdEAAV', 'externalId'],
    ['Id', '0035g00000AbCdE', 'externalId'],
    ['id', uuid, 'externalId'],
    ['id', '507f1f77bcf86cd799439011', 'externalId'],
    ['id', 'con_01h455vb4pex5vsknk084sn02q', 'id'],
    ['id', '17', null],
    ['id', '9007199254740993', null],
    ['id', 'ada', null],
    ['Record ID', '17', 'externalId'],
  ];
  for (const [column, value, to] of cases) {
    const text = `${column},last name\n${value},Muster\n`;
    const source = await openCsv(toFile('people.csv', text), { columns: null, delimiter: ',' });
    const { columns } = await preview(contacts, source);
    assert.equal(columns[0]?.to, to, `${column} ${value}`);
    const [first] = waysToFind(
      contacts,
      destinationsInUse(
        new Set(['id', 'lastName']),
        columns.map((one) => ({ to: one.to, rows: one.samples.length })),
      ),
    );
    assert.equal(first, to ?? foundBy.row, `${column} ${value}`);
  }
});

test('a key that a column has by its name is better than one in a column "id"', async () => {
  const text = 'id,externalId,last name\n507f1f77bcf86cd799439011,own,Muster\n';
  const source = await openCsv(toFile('people.csv', text), { columns: null, delimiter: ',' });
  const mapping = createMapping(contacts, source, noChoices);
  for await (const row of source.read()) {
    assert.ok('fields' in row);
    assert.equal(mapping.map(row, false).values.get('externalId'), 'own');
  }
});

test('the preview says what the keys of a reader are', () => {
  assert.deepEqual(waysToFind(articles, new Set(['articleData.slug']), 'the uuid of the post'), [
    'externalId (the uuid of the post)',
    'slug',
  ]);
});
