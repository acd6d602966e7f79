/** What the values of a whole column decide: separators of names and subjects, the order of dates, decimal signs; and values as printed. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildRecord } from '@trellis/importer/build-record.ts';
import { type ColumnSettings, noChoices } from '@trellis/importer/columns.ts';
import { repairInteger, repairLanguage, repairPartialDate } from '@trellis/importer/convert.ts';
import { openMapping } from '@trellis/importer/mapping.ts';
import { previewColumns } from '@trellis/importer/preview.ts';
import { openCsv } from '@trellis/importer/readers/csv.ts';
import { readWrittenAmount } from '@trellis/importer/written-numbers.ts';
import { books } from '@trellis/schema/resources/books.ts';
import { contacts } from '@trellis/schema/resources/contacts.ts';
import { toFile } from '../support/source-file.ts';

/** A table of books with one column beside the title. */
function openColumn(column: string, cells: readonly string[], delimiter = ',') {
  const lines = cells.map((cell, at) => `Book ${at}${delimiter}"${cell.replaceAll('"', '""')}"`);
  const content = [`title${delimiter}${column}`, ...lines, ''].join('\n');
  return openCsv(toFile('books.csv', content), { columns: null, delimiter });
}

/** The values of a field in each row, or why there is none. */
async function readColumn(
  column: string,
  field: string,
  cells: readonly string[],
  { settings = {}, delimiter }: { settings?: ColumnSettings; delimiter?: string } = {},
): Promise<unknown[]> {
  const source = await openColumn(column, cells, delimiter);
  const mapping = await openMapping(books, source, { ...noChoices, columnSettings: { [column]: settings } });
  const found: unknown[] = [];
  for await (const row of source.read()) {
    assert.ok('fields' in row, 'the row can be read');
    const { values, faults } = buildRecord(books, mapping.map(row, false), false);
    found.push(faults[0] ?? values.get(field) ?? null);
  }
  return found;
}

/** The names of the contributors in each row. */
async function readNames(cells: readonly string[], settings: ColumnSettings = {}): Promise<string[][]> {
  const found = await readColumn('Author', 'contributors', cells, { settings });
  return found.map((list) => (Array.isArray(list) ? list.map(({ name }) => name) : []));
}

test('an inverted name is one name, in a column of such names', async () => {
  const inverted = [
    'Musterfrau, Anna B.',
    'Garcia Marquez, Gabriel',
    'Tolkien, John Ronald Reuel',
    'van Gogh, Vincent',
    'de la Cruz, María José',
    'Autorin, Berta, 1975-',
    'Autor, Carl, 1901-1980.',
    'Rowling, J. K., author.',
    'Vonnegut, Kurt, Jr.',
    'Elsevier, Inc.',
    'El Colegio de México, A.C.',
  ];
  assert.deepEqual(
    await readNames(inverted),
    inverted.map((name) => [name]),
  );
  for (const name of inverted) assert.deepEqual(await readNames([name]), [[name]], `${name} alone`);
});

test('what separates names is decided by the column', async () => {
  const cases: readonly (readonly [readonly string[], readonly (readonly string[])[]])[] = [
    [
      ['Muster, Erich D.; Beispiel, Otto', 'Musterfrau, Anna B.', 'Einer, Otto'],
      [['Muster, Erich D.', 'Beispiel, Otto'], ['Musterfrau, Anna B.'], ['Einer, Otto']],
    ],
    [
      ['Muster, Erich D. and Beispiel, Otto', 'Musterfrau, Anna B.'],
      [['Muster, Erich D.', 'Beispiel, Otto'], ['Musterfrau, Anna B.']],
    ],
    [
      ['Ada Muster & Ben Beispiel', 'Cleo Muster', 'Simon & Schuster'],
      [['Ada Muster', 'Ben Beispiel'], ['Cleo Muster'], ['Simon & Schuster']],
    ],
    [
      ['Ada Muster, Ben Beispiel', 'Cleo Muster, Dan Muster, and Eva Muster', 'King, Stephen'],
      [['Ada Muster', 'Ben Beispiel'], ['Cleo Muster', 'Dan Muster', 'Eva Muster'], ['King, Stephen']],
    ],
    [
      ['Ada Muster|Ben Beispiel', 'Muster, Cleo'],
      [['Ada Muster', 'Ben Beispiel'], ['Muster, Cleo']],
    ],
    [
      ['Ada Muster\nBen Beispiel', 'Muster, Cleo'],
      [['Ada Muster', 'Ben Beispiel'], ['Muster, Cleo']],
    ],
    [
      ['Department of Health and Human Services', 'Ada Muster'],
      [['Department of Health and Human Services'], ['Ada Muster']],
    ],
  ];
  for (const [cells, names] of cases) assert.deepEqual(await readNames(cells), names, cells.join(' / '));
});

test('"and" is part of an institution where a program inverts names and separates them by a mark', async () => {
  const cells = [
    'Muster, Ada; Muster, Ben',
    'Beispiel, Cleo',
    'Muster, Ada',
    'Brighton Museum & Art Gallery',
  ];
  assert.deepEqual(await readNames(cells), [
    ['Muster, Ada', 'Muster, Ben'],
    ['Beispiel, Cleo'],
    ['Muster, Ada'],
    ['Brighton Museum & Art Gallery'],
  ]);
});

test('a separator can be chosen, and is shown', async () => {
  assert.deepEqual(await readNames(['Muster, Ada'], { separator: 'comma' }), [['Muster, Ada']]);
  assert.deepEqual(await readNames(['Ada Muster, Ben Muster'], { separator: 'none' }), [
    ['Ada Muster, Ben Muster'],
  ]);
  assert.deepEqual(await readNames(['Penn & Teller', 'A; B'], { separator: 'and' }), [
    ['Penn', 'Teller'],
    ['A; B'],
  ]);
  const shown = async (cells: readonly string[]) => {
    const { columns } = await previewColumns(books, await openColumn('Author', cells), noChoices, 0);
    return columns.find(({ column }) => column === 'Author')?.reading?.separators ?? null;
  };
  assert.deepEqual(await shown(['Muster, Ada; Muster, Ben']), ['semicolon']);
  assert.deepEqual(await shown(['Muster, Ada']), ['none']);
  assert.deepEqual(await shown(['Ada Muster']), null);
});

test('subjects with commas stay whole where the column has another separator, or headings of libraries', async () => {
  const codes = async (cells: readonly string[]) => {
    const found = await readColumn('Subjects', 'subjects', cells);
    return found.map((list) => (Array.isArray(list) ? list.map(({ code }) => code) : list));
  };
  assert.deepEqual(await codes(['Art, Modern; Painting', 'Music, Baroque']), [
    ['Art, Modern', 'Painting'],
    ['Music, Baroque'],
  ]);
  const heading = 'United States -- History -- Civil War, 1861-1865';
  assert.deepEqual(await codes([heading]), [[heading]]);
  assert.deepEqual(await codes(['FIC019000, FIC027000']), [['FIC019000', 'FIC027000']]);
});

test('dates as printed are read', () => {
  const dates: Readonly<Record<string, string>> = {
    '20030206': '2003-02-06',
    'February 2003': '2003-02',
    'Feb 2003': '2003-02',
    'Sept. 2003': '2003-09',
    'März 2027': '2027-03',
    'March 2027': '2027-03',
    '02/26/2003': '2003-02-26',
    '26/02/2003': '2003-02-26',
    '03/03/2003': '2003-03-03',
    c2009: '2009',
    '©2003': '2003',
    '[2003]': '2003',
    '2003.': '2003',
    '2003-02-06T00:00:00Z': '2003-02-06',
    '6 February 2003': '2003-02-06',
    'May 1, 2008': '2008-05-01',
    '15 mars 2027': '2027-03-15',
    '15. März 2027': '2027-03-15',
    '6 de febrero de 2003': '2003-02-06',
    '12 Mar 2024': '2024-03-12',
    '15-Mar-2027': '2027-03-15',
    '15.03.2027': '2027-03-15',
    '06.02.03': '2003-02-06',
    '1.5.1998': '1998-05-01',
    '2/26/2003 12:00:00 AM': '2003-02-26',
    '03/2027': '2027-03',
    '45292': '2024-01-01',
  };
  for (const [text, date] of Object.entries(dates)) assert.equal(repairPartialDate(text).value, date, text);
  for (const text of [
    '03/04/2027',
    '13/13/2027',
    '30 February 2003',
    'Frobuary 2003',
    'next year',
    '[2003?]',
    '99999',
  ]) {
    assert.equal(repairPartialDate(text).value, text, text);
  }
});

test('the order of day and month is decided by the column, and asked where it is open', async () => {
  const read = (cells: readonly string[], settings: ColumnSettings = {}) =>
    readColumn('Date', 'publicationDate', cells, { settings });
  assert.deepEqual(await read(['03/04/2027', '15/03/2027']), ['2027-04-03', '2027-03-15']);
  assert.deepEqual(await read(['03/04/2027', '03/15/2027']), ['2027-03-04', '2027-03-15']);
  const [open, equal] = await read(['03/04/2027', '03/03/2027']);
  assert.equal(equal, '2027-03-03');
  assert.match(
    String(open),
    /^publicationDate: "03\/04\/2027" may be day\/month\/year or month\/day\/year\./,
  );
  assert.deepEqual(await read(['03/04/2027'], { dates: 'dmy' }), ['2027-04-03']);
  assert.deepEqual(await read(['03/04/2027'], { dates: 'mdy' }), ['2027-03-04']);
  const [, contradicting] = await read(['03/04/2027', '03/15/2027'], { dates: 'dmy' });
  assert.match(
    String(contradicting),
    /^publicationDate: "03\/15\/2027" is not day\/month\/year, as the other dates/,
  );
  // Of dates of both kinds, those that can be only one are read.
  const [first, second, third] = await read(['15/03/2027', '03/15/2027', '03/04/2027']);
  assert.deepEqual([first, second], ['2027-03-15', '2027-03-15']);
  assert.match(String(third), /may be/);
});

test('a row that contradicts the order of its column is rejected, also beyond the rows that decide', async () => {
  const cells = [...Array.from({ length: 1_100 }, () => '15/03/2027'), '03/15/2027'];
  const found = await readColumn('Date', 'publicationDate', cells);
  assert.deepEqual(
    found.slice(0, -1).filter((date) => date !== '2027-03-15'),
    [],
  );
  assert.match(String(found.at(-1)), /is not day\/month\/year/);
});

test('prices as printed are read', () => {
  const amounts: Readonly<Record<string, readonly [string | null, string | null]>> = {
    '9,99 EUR': ['9.99', 'EUR'],
    '€ 9.99': ['9.99', 'EUR'],
    '19,99 €': ['19.99', 'EUR'],
    'EUR 1.234,56': ['1234.56', 'EUR'],
    '1,234.56 USD': ['1234.56', 'USD'],
    "CHF 1'234.50": ['1234.50', 'CHF'],
    '1 234,50 EUR': ['1234.50', 'EUR'],
    $12: ['12', 'USD'],
    '$5.00': ['5.00', 'USD'],
    'CA$19.99': ['19.99', 'CAD'],
    '£7.5': ['7.5', 'GBP'],
    '12,- €': ['12', 'EUR'],
    'eur 12': ['12', 'EUR'],
    '19.99': ['19.99', null],
    '1.234.567,89': ['1234567.89', null],
    '0,500 EUR': ['0.500', 'EUR'],
    '1.234 EUR': [null, 'EUR'],
  };
  for (const [text, [amount, currency]] of Object.entries(amounts)) {
    const read = readWrittenAmount(text, null);
    assert.deepEqual([read?.amount, read?.currency], [amount, currency], text);
  }
  for (const text of ['free', '12 bananas', '12 constructor', '1,2,3', '€', 'EUR 5 USD', '9..9'])
    assert.equal(readWrittenAmount(text, null), null, text);
});

test('the decimal sign is decided by the column or the delimiter, and asked where it is open', async () => {
  const read = (cells: readonly string[], more: { settings?: ColumnSettings; delimiter?: string } = {}) =>
    readColumn('Price', 'prices', cells, more);
  const euros = (amount: string) => [{ amount, currency: 'EUR' }];
  assert.deepEqual(await read(['1.234 EUR', '9,99 EUR']), [euros('1234'), euros('9.99')]);
  assert.deepEqual(await read(['1.234 EUR', '9.99 EUR']), [euros('1.234'), euros('9.99')]);
  assert.deepEqual(await read(['1.234 EUR'], { delimiter: ';' }), [euros('1234')]);
  const [open] = await read(['1.234 EUR']);
  assert.match(String(open), /^prices\.amount: "1\.234 EUR" may have a decimal sign or one of thousands\./);
  assert.deepEqual(await read(['1.234 EUR'], { settings: { decimal: 'comma' } }), [euros('1234')]);
  assert.deepEqual(await read(['1.234 EUR'], { settings: { decimal: 'point' } }), [euros('1.234')]);
  assert.deepEqual(await read(['9,99 EUR', 'EUR 12.50', '$5.00']), [
    euros('9.99'),
    euros('12.50'),
    [{ amount: '5.00', currency: 'USD' }],
  ]);
  assert.deepEqual(await read(['9,99 EUR; $12']), [[...euros('9.99'), { amount: '12', currency: 'USD' }]]);
});

test('numbers of pages and languages as printed are read', () => {
  const pages: Readonly<Record<string, string>> = {
    '1.204': '1204',
    '1,204': '1204',
    '1 204': '1204',
    '352 p.': '352',
    '352 S.': '352',
    'xii, 352 pages ; 23 cm': '352',
    '2008.0': '2008',
  };
  for (const [text, number] of Object.entries(pages)) assert.equal(repairInteger(text).value, number, text);
  for (const text of ['169-177', 'xii p.', '1.5', '12,34'])
    assert.equal(repairInteger(text).value, text, text);
  const languages: Readonly<Record<string, string>> = {
    'English; German': 'en',
    'Portuguese, English': 'pt',
    'English (US)': 'en-US',
    Français: 'fr',
    español: 'es',
    ger: 'de',
    'de/en': 'de',
  };
  for (const [text, tag] of Object.entries(languages)) assert.equal(repairLanguage(text).value, tag, text);
});

test('an ISBN is found beside what catalogues and other systems write with it', async () => {
  const forms: Readonly<Record<string, string | null>> = {
    '9780141439471 (pbk.) : $9.95': '9780141439471',
    '0141439475 (pbk.)': '9780141439471',
    '978-3-16-148410-0 3-16-148410-X': '9783161484100',
    '9783161484100, 316148410X': '9783161484100',
    "'9780141439471": '9780141439471',
    'N/A': null,
    '-': null,
  };
  assert.deepEqual(await readColumn('ISBN', 'isbn13', Object.keys(forms)), Object.values(forms));
});

test('the values of Google Contacts are separated by colons, which the preview says', async () => {
  const lines = [
    'Last Name,Labels',
    'Muster,Friends ::: Press; radio ::: * myContacts',
    'Other,* myContacts',
  ];
  const source = await openCsv(toFile('contacts.csv', lines.join('\n')), { columns: null, delimiter: ',' });
  const mapping = await openMapping(contacts, source, noChoices);
  assert.deepEqual(mapping.conventions.get('Labels')?.separators, ['colons', 'semicolon']);
  const tags: unknown[] = [];
  for await (const row of source.read()) {
    assert.ok('fields' in row, 'the row can be read');
    tags.push(buildRecord(contacts, mapping.map(row, false), false).values.get('tags'));
  }
  assert.deepEqual(tags, [['Friends', 'Press', 'radio'], []]);
});

/** The companies that contacts get, by the cells of their column. */
async function readCompanies(
  cells: readonly string[],
  settings: ColumnSettings = {},
): Promise<{ separators: readonly string[] | null; companies: unknown[] }> {
  const lines = cells.map((cell, at) => `Person ${at},"${cell}"`);
  const file = toFile('contacts.csv', ['Last Name,Company', ...lines, ''].join('\n'));
  const source = await openCsv(file, { columns: null, delimiter: ',' });
  const choices = { ...noChoices, columnSettings: { Company: settings } };
  const mapping = await openMapping(contacts, source, choices);
  const companies: unknown[] = [];
  for await (const row of source.read()) {
    assert.ok('fields' in row, 'the row can be read');
    const list = buildRecord(contacts, mapping.map(row, false), false).values.get('companies');
    companies.push(Array.isArray(list) ? list.map(({ name }) => name) : list);
  }
  return { separators: mapping.conventions.get('Company')?.separators ?? null, companies };
}

test('a company whose name contains a separator is one, unless other cells name the parts', async () => {
  const name = 'Müller & Söhne; Bau GmbH';
  assert.deepEqual(await readCompanies([name, 'Acme', 'Beta | Gamma', 'Delta\nOmega']), {
    separators: ['none'],
    companies: [[name], ['Acme'], ['Beta | Gamma'], ['Delta\nOmega']],
  });
  assert.deepEqual(await readCompanies(['Acme; Beta', 'beta', 'Delta']), {
    separators: ['semicolon'],
    companies: [['Acme', 'Beta'], ['beta'], ['Delta']],
  });
  // Half of the cells is not most of them.
  assert.deepEqual(await readCompanies(['Acme; Beta', name, 'Beta']), {
    separators: ['none'],
    companies: [['Acme; Beta'], [name], ['Beta']],
  });
  assert.deepEqual(await readCompanies(['Acme ::: Beta; Works', 'Gamma']), {
    separators: ['colons'],
    companies: [['Acme', 'Beta; Works'], ['Gamma']],
  });
  assert.deepEqual(await readCompanies(['Acme', 'Beta']), {
    separators: null,
    companies: [['Acme'], ['Beta']],
  });
});

test('where companies are separated can be chosen, also where the first rows do not say', async () => {
  const split = async (cell: string, separator: ColumnSettings['separator'] & string) =>
    (await readCompanies([cell], { separator })).companies[0];
  assert.deepEqual(await split('Acme; Beta', 'semicolon'), ['Acme', 'Beta']);
  assert.deepEqual(await split('Acme, Beta, Inc.', 'comma'), ['Acme', 'Beta, Inc.']);
  assert.deepEqual(await split('Acme and Beta', 'and'), ['Acme', 'Beta']);
  assert.deepEqual(await readCompanies(['Acme; Beta', 'Beta'], { separator: 'none' }), {
    separators: ['none'],
    companies: [['Acme; Beta'], ['Beta']],
  });
  assert.deepEqual(await readCompanies(['Acme'], { separator: 'semicolon' }), {
    separators: ['semicolon'],
    companies: [['Acme']],
  });
});
