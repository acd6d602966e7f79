/** The preview of the columns of a file, without a server: destinations, values and faults in its first rows. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { previewColumns } from '@trellis/importer/preview.ts';
import { openCsv } from '@trellis/importer/readers/csv.ts';
import { openNdjson } from '@trellis/importer/readers/ndjson.ts';
import type { Source } from '@trellis/importer/source.ts';
import { books } from '@trellis/schema/resources/books.ts';
import { contacts } from '@trellis/schema/resources/contacts.ts';
import type { Resource } from '@trellis/schema/resources/resource.ts';
import { toFile } from '../support/source-file.ts';

const preview = (resource: Resource, source: Source) =>
  previewColumns(resource, source, { map: [], key: null }, 0);

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
      ['name', 'title', ['Second', 'Third']],
      ['title', 'title', ['First']],
      ['unknown', null, ['1']],
    ],
  );
});

test('only the first 200 rows are read', async () => {
  let read = 0;
  const table = await openCsv(toFile('books.csv', `title\n${'Title\n'.repeat(300)}`), {
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
  assert.equal(read, 200);
});
