/** What an import does with records that exist, and with rows that stand for the record of an earlier row. */
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { describeReport, type ImportReport } from '@trellis/importer/report.ts';
import type { PathImportOptions } from '@trellis/server/commands/import/import-path.ts';
import { importFile } from '../support/import-file.ts';
import { type Json, startTestServer, type TestServer } from '../support/server.ts';
import { create } from '../support/writes.ts';

let server: TestServer;
let folder: string;

before(async () => {
  server = await startTestServer();
  folder = await mkdtemp(join(tmpdir(), 'trellis-existing-'));
});
after(async () => {
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

async function imported(
  lines: readonly string[],
  options: Partial<PathImportOptions> = {},
): Promise<ImportReport> {
  const path = join(folder, 'people.csv');
  await writeFile(path, `${lines.join('\n')}\n`);
  return importFile(server, { path, resource: 'contacts', ...options });
}

const counts = ({ created, updated, unchanged, rejected }: ImportReport) => [
  created,
  updated,
  unchanged,
  rejected,
];
const kept = (report: ImportReport) =>
  report.kept.map(({ reason, count, rows }) => [reason, count, rows.map(({ place }) => place)]);

async function contactOf(email: string): Promise<Json> {
  const { json } = await server.call('GET', `/v1/crm/contacts?${new URLSearchParams({ email })}`);
  assert.equal(json.items.length, 1, email);
  return json.items[0];
}

async function contact(firstName: string, jobTitle: string): Promise<string> {
  const email = `${firstName.toLowerCase()}@example.org`;
  await create(server, '/v1/crm/contacts', { firstName, jobTitle, emails: [{ address: email }] });
  return email;
}

const [past, future] = ['2001-02-03 10:00', '2099-01-01T00:00:00Z'];

test('rows change records only where they are newer, if that is chosen, and the report names the others', async () => {
  const [older, newer, undated, same] = [
    await contact('Olga', 'Editor'),
    await contact('Nora', 'Editor'),
    await contact('Una', 'Editor'),
    await contact('Sam', 'Editor'),
  ];
  const rows = [
    'E-mail,Job title,Last Modified Date',
    `${older},Author,${past}`,
    `${newer},Author,${future}`,
    `${undated},Author,`,
    `${undated.replace('una', 'new')},Author,${past}`,
    `${same},Editor,`,
  ];
  const dry = await imported(rows, { existing: 'newer', dryRun: true });
  assert.deepEqual(counts(dry), [1, 1, 3, 0]);
  assert.equal((await contactOf(newer)).jobTitle, 'Editor');
  const report = await imported(rows, { existing: 'newer' });
  assert.deepEqual(counts(report), [1, 1, 3, 0]);
  const expected = [
    ['existing records that were changed later than their rows', 1, ['line 2']],
    ['existing records whose rows do not say when they were last changed', 1, ['line 4']],
  ];
  assert.deepEqual(kept(report), expected);
  assert.deepEqual(kept(dry), expected);
  assert.match(describeReport(report), /Not changed:[\s\S]*line 2 \(Olga/);
  const titles = await Promise.all([older, newer, undated, same].map(contactOf));
  assert.deepEqual(
    titles.map(({ jobTitle, version }) => [jobTitle, version]),
    [
      ['Editor', 1],
      ['Author', 2],
      ['Editor', 1],
      ['Editor', 1],
    ],
  );
  // The time of the last change itself is no value of a record.
  assert.deepEqual(report.notImported, []);
});

test('what is skipped creates nothing that only its row names', async () => {
  const email = await contact('Kim', 'Editor');
  const rows = ['E-mail,Company', `${email},Nobody's Ltd`];
  const report = await imported(rows, { existing: 'skip' });
  assert.deepEqual(counts(report), [0, 0, 1, 0]);
  assert.deepEqual(kept(report), [
    ['existing records that differ from their rows, left as was chosen', 1, ['line 2']],
  ]);
  assert.deepEqual((await server.call('GET', '/v1/crm/companies')).json.items, []);
});

test('rows for the record of an earlier row are rejected, merged, taken if newer, or skipped', async () => {
  const lines = (email: string) => [
    'Key,E-mail,Job title,City,Modified',
    `${email},${email}@example.org,First,Ulm,2020-01-01`,
    `${email},${email}@example.org,Second,,2019-01-01`,
    `${email},${email}@example.org,Third,,2021-01-01`,
    `${email},${email}@example.org,Fourth,,2020-06-01`,
  ];
  const outcomes: unknown[] = [];
  for (const duplicates of ['reject', 'merge', 'newer', 'skip'] as const) {
    const options = { key: 'Key', duplicates, concurrency: 4 };
    const dry = await imported(lines(duplicates), { ...options, dryRun: true });
    const report = await imported(lines(duplicates), options);
    assert.deepEqual([counts(dry), kept(dry)], [counts(report), kept(report)], duplicates);
    const { jobTitle, addresses } = await contactOf(`${duplicates}@example.org`);
    outcomes.push([duplicates, counts(report), jobTitle, addresses[0].city, kept(report)]);
  }
  const repeated = 'rows that stand for the record of an earlier row, skipped as was chosen';
  const olderRow = 'rows that are not newer than an earlier row for the same record';
  assert.deepEqual(outcomes, [
    ['reject', [1, 0, 0, 3], 'First', 'Ulm', []],
    ['merge', [1, 3, 0, 0], 'Fourth', 'Ulm', []],
    ['newer', [1, 1, 2, 0], 'Third', 'Ulm', [[olderRow, 2, ['line 3', 'line 5']]]],
    ['skip', [1, 0, 3, 0], 'First', 'Ulm', [[repeated, 3, ['line 3', 'line 4', 'line 5']]]],
  ]);
});

test('rows that find the same record by different values are rows for one record', async () => {
  const email = await contact('Ida', 'Editor');
  const { id } = await contactOf(email);
  const rows = ['id,E-mail,Job title', `${id},,Author`, `,${email},Reviewer`];
  assert.deepEqual(counts(await imported(rows, { dryRun: true, concurrency: 1 })), [0, 1, 0, 1]);
  assert.deepEqual(counts(await imported(rows, { duplicates: 'merge', concurrency: 1 })), [0, 2, 0, 0]);
  assert.equal((await contactOf(email)).jobTitle, 'Reviewer');
});
