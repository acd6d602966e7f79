/** Catalogue data of publishers and knowledge bases: ONIX for Books 3 and KBART. */
import assert from 'node:assert/strict';
import { readFile as readSample } from 'node:fs/promises';
import { test } from 'node:test';
import { ImportStopped } from '@trellis/importer/errors.ts';
import { toFile } from '../support/source-file.ts';
import { openFile, readFile, readPlaces } from '../support/source-rows.ts';

const onix = await readSample(new URL('../samples/systems/onix.xml', import.meta.url), 'utf8');
const kbart = await readSample(new URL('../samples/systems/kbart.txt', import.meta.url), 'utf8');

test('products become books; those that a message deletes are left out', async () => {
  const source = await openFile(toFile('onix.xml', onix));
  assert.deepEqual(source.resources, ['books']);
  assert.deepEqual(await readPlaces(source), [
    [
      'product 1',
      {
        externalId: 'press.example.one',
        title: 'The Invented Title',
        subtitle: 'A Study & More',
        description: 'First paragraph & more.\nSecond.',
        language: 'ger',
        contributors: [
          { name: 'Ada Example', role: 'AUTHOR' },
          { name: 'Bo Carlsen', role: 'TRANSLATOR' },
          { name: 'Society of Inventors', role: 'OTHER' },
        ],
        isbn13: '9780306406157',
        edition: '2',
        seriesTitle: 'Invented Lectures',
        seriesPosition: '3',
        format: 'PAPERBACK',
        pageCount: '352',
        publisher: 'Example Press',
        imprint: 'Example Imprint',
        publicationDate: '2025-01-31',
        subjects: [
          { scheme: 'THEMA', code: 'FBC', label: 'Classic fiction' },
          { scheme: 'BISAC', code: 'FIC000000' },
        ],
        prices: [
          { amount: '9.99', currency: 'EUR', territory: 'DE' },
          { amount: '8.50', currency: 'GBP' },
          { amount: '9.00', currency: 'EUR', territory: 'AT' },
        ],
        tradeStatus: 'ACTIVE',
        'cover picture': 'https://press.example/cover.jpg',
      },
    ],
  ]);
  assert.deepEqual(Object.fromEntries(source.skipped), {
    audiences: 1,
    'further prices for one currency and country': 1,
    'keywords and subjects without a code': 1,
    'products that the message deletes': 1,
    'texts other than the description': 1,
  });
});

test('short names are read like reference names', async () => {
  const product = (inner: string) =>
    toFile('short.xml', `<ONIXmessage release="3.0"><product><a001>r</a001>${inner}</product></ONIXmessage>`);
  const cases: [inner: string, fields: Record<string, unknown>][] = [
    [
      '<productidentifier><b221>03</b221><b244>9780306406157</b244></productidentifier>',
      { isbn13: '9780306406157' },
    ],
    ['<productidentifier><b221>03</b221><b244>4006381333931</b244></productidentifier>', {}],
    [
      '<productidentifier><b221>06</b221><b244>10.1000/182</b244></productidentifier>',
      { doi: '10.1000/182' },
    ],
    [
      '<descriptivedetail><b012>EA</b012><titledetail><b202>01</b202><titleelement><x409>01</x409><b203>T</b203><b029>S</b029></titleelement></titledetail></descriptivedetail>',
      { title: 'T', subtitle: 'S', format: 'EBOOK' },
    ],
    [
      '<descriptivedetail><contributor><b035>B01</b035><b035>A01</b035><b036>Ada Example</b036></contributor></descriptivedetail>',
      {
        contributors: [
          { name: 'Ada Example', role: 'EDITOR' },
          { name: 'Ada Example', role: 'AUTHOR' },
        ],
      },
    ],
    [
      '<descriptivedetail><contributor><b035>constructor</b035><b036>A</b036></contributor></descriptivedetail><publishingdetail><b394>toString</b394></publishingdetail>',
      { contributors: [{ name: 'A', role: 'OTHER' }] },
    ],
    [
      '<publishingdetail><publisher><b291>01</b291><b081>P</b081></publisher><b394>02</b394><publishingdate><x448>01</x448><b306>202503</b306></publishingdate></publishingdetail>',
      { publisher: 'P', tradeStatus: 'FORTHCOMING', publicationDate: '2025-03' },
    ],
    [
      '<collateraldetail><textcontent><x426>03</x426><d104 textformat="02">&lt;p&gt;A &amp;amp; B&lt;/p&gt;&lt;script&gt;x&lt;/script&gt;</d104></textcontent></collateraldetail>',
      { description: 'A & B' },
    ],
    [
      '<productsupply><supplydetail><price><x462>04</x462><j151>20.00</j151><j152>EUR</j152><territory><x449>DE</x449></territory></price></supplydetail></productsupply>',
      { prices: [{ amount: '20.00', currency: 'EUR', territory: 'DE' }] },
    ],
  ];
  const price = (amount: string, more: string) =>
    `<price><x462>02</x462>${more}<j151>${amount}</j151><j152>AUD</j152></price>`;
  const special = product(
    `<productsupply><supplydetail>${price('15.99', '<j261>06</j261>')}${price('19.99', '<j261>05</j261>')}</supplydetail></productsupply>`,
  );
  assert.deepEqual(await readFile(special), [
    { externalId: 'r', prices: [{ amount: '19.99', currency: 'AUD' }] },
  ]);
  const source = await openFile(special);
  for await (const row of source.read()) assert.ok('fields' in row);
  assert.equal(source.skipped.get('further prices for one currency and country'), 1);
  for (const [inner, fields] of cases) {
    assert.deepEqual(await readFile(product(inner)), [{ externalId: 'r', ...fields }], inner);
  }
});

test('messages that are cut off or declare entities are refused in a sentence', async () => {
  for (const [content, sentence] of [
    [onix.slice(0, 900), /cannot be read beyond line \d+: unclosed tag/],
    [onix.replace('?>', '?><!DOCTYPE x [<!ENTITY a "b">]>'), /declares entities/],
  ] as const) {
    await assert.rejects(readFile(toFile('onix.xml', content)), (error) => {
      assert.ok(error instanceof ImportStopped, String(error));
      assert.match(error.message, sentence);
      return true;
    });
  }
});

test('serials of KBART become magazines with all their periods, monographs books', async () => {
  const source = await openFile(toFile('kbart.txt', kbart));
  assert.deepEqual(source.resources, ['magazines', 'books']);
  const rows = [];
  for await (const row of source.read()) {
    assert.ok('fields' in row);
    const of = (name: string) => row.fields.get(name);
    const years = [of('date_first_issue_online'), of('date_last_issue_online')];
    rows.push([row.place, row.becomes, of('publication_title'), ...years]);
  }
  assert.deepEqual(rows, [
    ['line 2', 'magazines', 'Journal of Invented Results', '1926', undefined],
    ['line 4', 'books', 'Invented Handbook', undefined, undefined],
  ]);
  assert.deepEqual([...source.skipped.values()], [1]);
});
