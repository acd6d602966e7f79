/** Tables for people come back: in English and German, as CSV and as a workbook, an import of them changes nothing. */
import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { ImportReport } from '@trellis/importer/report.ts';
import { joinList, splitList } from '@trellis/importer/tables/cells.ts';
import {
  idHeading,
  listTableColumns,
  type TableLanguage,
  tableLanguages,
} from '@trellis/importer/tables/columns.ts';
import { resourceByName } from '@trellis/schema/resources/index.ts';
import type { Resource } from '@trellis/schema/resources/resource.ts';
import { columnsOf } from '@trellis/server/features/views/query.ts';
import { RecordNames } from '../../packages/console/src/lists/export/record-names.ts';
import { makeTableFile, type TableFormat } from '../../packages/console/src/lists/export/table-file.ts';
import { createMember, createOrganization, createToken } from '../support/identities.ts';
import { importFile } from '../support/import-file.ts';
import { type Json, startTestServer, type TestServer } from '../support/server.ts';

let server: TestServer;
let folder: string;
let token: string;

/** Texts that spreadsheets, importers and parsers take for something else. */
const awkward = [
  '=1+1',
  "'quoted'",
  '+49 30 1234567',
  '@home',
  '[1]',
  '{"a":1}',
  'x;=cmd',
  'a "b", c; d',
  'two\nlines',
  'null',
  'true',
  '007',
  '="978"',
  'Doe, Jane',
  'A and B',
  '_x0041_',
  'constructor',
  'Jürgen 管理系统 😀 & <b>',
];

before(async () => {
  server = await startTestServer();
  folder = await mkdtemp(join(tmpdir(), 'trellis-tables-'));
  const organization = await createOrganization(server.database.worker, 'tables');
  const owner = await createMember(server.database.worker, organization, 'OWNER');
  token = (await createToken(server.database.worker, organization, owner)).token;
  await createRecords((await call('GET', '/v1/me')).json.user.id);
});
after(async () => {
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

const call = (method: string, path: string, body?: object) =>
  server.call(method, path, { token, ...(body === undefined ? {} : { body }) });

async function create(path: string, body: object): Promise<Json> {
  const { status, json } = await call('POST', path, body);
  assert.equal(status, 201, `${JSON.stringify(body)}: ${JSON.stringify(json)}`);
  return json;
}

async function createRecords(userId: string): Promise<void> {
  const acme = await create('/v1/crm/companies', { name: 'Acme', ownerUserId: userId });
  const other = await create('/v1/crm/companies', { name: 'acmé', parentCompanyId: acme.id });
  const only = await create('/v1/crm/companies', {
    name: 'Müller & Söhne',
    domains: ['mueller.example', 'soehne.example'],
    lifecycleStage: 'QUALIFIED',
    parentCompanyId: other.id,
    employeeCount: 1_234,
    annualRevenue: { amount: '1234567.890', currency: 'EUR' },
    phones: [
      { number: '110', country: 'DE', label: 'Notruf' },
      { number: '+49 30 1234567 ext. 8', label: 'work', isPrimary: true },
    ],
    addresses: [
      { street: 'Unter den Linden 77\nHinterhaus', city: 'Berlin', postalCode: '01067', country: 'DE' },
      { street: '1 Main St', region: 'CA', country: 'US' },
    ],
    tags: ['a; b', 'doe, jane', 'says "hi"', 'plain'],
    description: 'First line.\nSecond; line, "quoted".',
  });
  for (const [index, text] of awkward.entries()) {
    await create('/v1/crm/companies', { name: text, description: text, tags: [text] });
    await create('/v1/crm/contacts', {
      firstName: text,
      notes: text,
      source: text,
      emails: [{ address: `p${index}@example.org`, label: text }, { address: `q${index}@example.org` }],
      phones: [{ number: '+49 30 1234567', label: text }],
      addresses: [{ street: text, city: text }],
      companies: [{ companyId: [acme, other, only][index % 3]?.id, role: text, isPrimary: index % 2 === 0 }],
      tags: [text, 'muster, max', 'x; y'],
      lifecycleStage: 'LEAD',
      leadStatus: 'IN_PROGRESS',
      locale: ['de', 'en-GB', 'zh-Hant', 'de-AT', 'sr-Latn-RS'][index % 5],
      timezone: 'Europe/Berlin',
      ownerUserId: userId,
      doNotContact: index % 2 === 0,
    });
    await create('/v1/books', {
      title: text,
      subtitle: text,
      publisher: text,
      language: ['de', 'fr-CA'][index % 2],
      publicationDate: ['2003', '2003-02', '2003-02-06', '0866', '1899-12-30'][index % 5],
      pageCount: 100 + index,
      contributors: [
        { name: text, role: 'AUTHOR' },
        { name: 'Anna Muster; Bo', role: 'TRANSLATOR', position: 2 },
      ],
      subjects: [
        { scheme: 'THEMA', code: 'FBC' },
        { scheme: 'CUSTOM', code: `c, ${index}`, label: text },
      ],
      prices: [
        { amount: '1.234', currency: 'EUR' },
        { amount: '19.90', currency: 'GBP', territory: 'GB' },
        { amount: '999999999999999.999999', currency: 'USD' },
      ],
      format: 'EBOOK',
      tradeStatus: 'OUT_OF_PRINT',
      seriesPosition: '007',
    });
  }
}

async function listAll(resource: Resource): Promise<Json[]> {
  const records: Json[] = [];
  let cursor = '';
  do {
    const query = new URLSearchParams({ limit: '100', ...(cursor === '' ? {} : { cursor }) });
    const { status, json } = await call('GET', `/v1${resource.path}?${query}`);
    assert.equal(status, 200, JSON.stringify(json));
    records.push(...json.items);
    cursor = json.pageInfo.nextCursor ?? '';
  } while (cursor !== '');
  return records;
}

async function exportTable(
  resource: Resource,
  language: TableLanguage,
  format: TableFormat,
): Promise<string> {
  const records = await listAll(resource);
  const names = new RecordNames(resource, async (target) => listAll(target));
  const file = await makeTableFile(
    { resource, language, names, name: resource.name },
    columnsOf(resource),
    records,
    format,
  );
  const path = join(folder, `${resource.name}-${language}.${format}`);
  await writeFile(path, new Uint8Array(await file.content.arrayBuffer()));
  return path;
}

async function importTable(path: string, resource: Resource): Promise<ImportReport> {
  return importFile({ url: server.url, token }, { path, resource: resource.name });
}

for (const name of ['contacts', 'companies', 'books']) {
  for (const language of tableLanguages) {
    for (const format of ['csv', 'xlsx'] as const) {
      test(`${name}: a table in ${language} as ${format} comes back without a change`, async () => {
        const resource = resourceByName(name);
        const before = await listAll(resource);
        const report = await importTable(await exportTable(resource, language, format), resource);
        assert.deepEqual(report.rejections, []);
        assert.deepEqual(
          [report.updated, report.created, report.unchanged, report.linked, report.notImported],
          [0, 0, before.length, {}, []],
        );
        assert.deepEqual(await listAll(resource), before);
      });
    }
  }
}

test('what people change in a table is changed, and a row that they add is a new record', async () => {
  const resource = resourceByName('companies');
  const path = await exportTable(resource, 'de', 'csv');
  const [headings = '', ...rows] = (await readFile(path, 'utf8')).split('\r\n');
  const changed = rows.find((row) => row.startsWith('Müller'))?.replace('Qualifiziert', 'Kunde');
  assert.match(changed ?? '', /;1234;"1234567,8900";EUR;acmé \(com_\w+\);110;Deutschland;Notruf;/);
  const width = headings.split(';').length;
  const added = ['Neu & Co', ...Array.from({ length: width - 1 }, () => '')].join(';');
  await writeFile(path, [headings, changed, added, ''].join('\r\n'));
  const report = await importTable(path, resource);
  assert.deepEqual(report.rejections, []);
  assert.deepEqual([report.updated, report.created, report.removed], [1, 1, []]);
  const companies = await listAll(resource);
  const stored = companies.find(({ name }) => name === 'Müller & Söhne');
  assert.equal(stored?.lifecycleStage, 'CUSTOMER');
  assert.equal(stored?.annualRevenue.amount, '1234567.890');
  assert.ok(companies.some(({ name }) => name === 'Neu & Co'));
});

test('no two columns of a table have one heading, and all say which of a language they are', () => {
  for (const name of ['contacts', 'companies', 'books', 'articles', 'issues', 'magazines'])
    for (const language of tableLanguages) {
      const headings = listTableColumns(resourceByName(name), language).map(({ heading }) => heading);
      assert.equal(new Set(headings).size, headings.length, `${name} ${language}`);
      assert.ok(headings.includes(idHeading));
    }
});

test('the texts of a list come back from one cell', () => {
  for (const items of [[], ['a'], ['a', 'b, c'], ['a; b', '"', 'say "x"; y', 'two\nlines'], ['"a"; "b"']])
    assert.deepEqual(splitList(joinList(items)), items);
});
