/** Invalid values of imports: the row is rejected, and leaves nothing behind, or the value is left out and listed, as was chosen. */
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, beforeEach, test } from 'node:test';
import type { ColumnChoices } from '@trellis/importer/columns.ts';
import { describeReport, type ImportReport } from '@trellis/importer/report.ts';
import { createMember, createOrganization, createToken } from '../support/identities.ts';
import { importFile } from '../support/import-file.ts';
import { type Json, startTestServer, type TestServer } from '../support/server.ts';

let server: TestServer;
let folder: string;
let token: string;
let organizations = 0;

before(async () => {
  server = await startTestServer();
  folder = await mkdtemp(join(tmpdir(), 'trellis-invalid-'));
});
after(async () => {
  await server.close();
  await rm(folder, { recursive: true, force: true });
});
beforeEach(async () => {
  organizations += 1;
  const { worker } = server.database;
  const organization = await createOrganization(worker, `invalid-${organizations}`);
  const owner = await createMember(worker, organization, 'OWNER');
  token = (await createToken(worker, organization, owner)).token;
});

async function imported(
  content: string,
  more: Partial<ColumnChoices> & { resource?: string; dryRun?: boolean } = {},
): Promise<ImportReport> {
  const path = join(folder, 'rows.csv');
  await writeFile(path, content);
  return importFile({ url: server.url, token }, { path, resource: 'contacts', statuses: false, ...more });
}

const call = (method: string, path: string, body?: object) =>
  server.call(method, path, { token, ...(body === undefined ? {} : { body }) });

async function listAll(path: string): Promise<Json[]> {
  return (await call('GET', `${path}?limit=100`)).json.items;
}

const counts = ({ created, updated, unchanged, rejected }: ImportReport) => [
  created,
  updated,
  unchanged,
  rejected,
];
/** By column: each value with its record. */
const omittedIn = ({ omitted }: ImportReport) =>
  Object.fromEntries(
    omitted.map(({ field, values }) => [
      field,
      // In a dry run, a new record is named by its key as well.
      values.map(({ record, value }) => `${record?.replace(/^.* · /, '')}: ${value}`),
    ]),
  );
const omit = { allColumns: { invalid: 'omit' } } as const;

const contacts = `key,first name,email,phone,country,stage,owner
1,Ada,ada at example,+49 30 1234567,Germany,lead,
2,Bo,bo@example.org,12,Atlantis,king,
3,Cy,cy@example.org,call me,DE,,user_01h455vb4pex5vsknk084sn02q
`;

for (const dryRun of [true, false]) {
  test(`values of optional fields are left out and listed by column, ${dryRun ? 'in the dry run' : 'and the rest is imported'}`, async () => {
    const choices = {
      key: 'key',
      ...omit,
      map: [
        { from: 'owner', to: 'ownerUserId' },
        { from: 'stage', to: 'lifecycleStage' },
      ],
      dryRun,
    };
    const report = await imported(contacts, choices);
    assert.deepEqual(counts(report), [3, 0, 0, 0]);
    const { owner, ...others } = omittedIn(report);
    assert.deepEqual(others, {
      email: ['Ada: ada at example'],
      phone: ['Bo: 12', 'Cy: call me'],
      country: ['Bo: Atlantis'],
      stage: ['Bo: KING'],
    });
    // Whether the owner exists, only the server finds out.
    assert.deepEqual(owner, dryRun ? undefined : ['Cy: user_01h455vb4pex5vsknk084sn02q']);
    assert.match(
      describeReport(report),
      /eft out of rows:\n {2}email: 1 value\n {4}line 2 \(.*Ada\): "ada at example", because: Must be/,
    );
    const found = await listAll('/v1/crm/contacts');
    assert.equal(found.length, dryRun ? 0 : 3);
    const again = dryRun ? null : await imported(contacts, choices);
    assert.deepEqual(again === null ? null : counts(again), dryRun ? null : [0, 0, 3, 0]);
  });
}

test('by default a row with an invalid value is rejected, and a column can be left out alone', async () => {
  assert.deepEqual(counts(await imported(contacts, { key: 'key', dryRun: true })), [0, 0, 0, 3]);
  const columnSettings = { email: { invalid: 'omit' } } as const;
  const report = await imported(contacts, { key: 'key', columnSettings });
  assert.deepEqual(counts(report), [1, 0, 0, 2]);
  const exceptEmail = { email: { invalid: 'reject' } } as const;
  const others = await imported(contacts, { key: 'key', ...omit, columnSettings: exceptEmail, dryRun: true });
  assert.deepEqual(
    others.rejections.map(({ place }) => place),
    ['line 2'],
  );
});

test('what a record needs cannot be left out', async () => {
  const table =
    'externalId,title,isbn,price,pages\nb1,,9780141439471,"9.99 EUR",1\nb2,B,9780141439470,cheap,many\n';
  const report = await imported(table, { resource: 'books', ...omit });
  assert.deepEqual(counts(report), [1, 0, 0, 1]);
  assert.deepEqual(report.rejections[0]?.reasons, ['title: This field is required.']);
  assert.deepEqual(omittedIn(report), {
    isbn: ['B: 9780141439470'],
    price: ['B: cheap'],
    pages: ['B: many'],
  });
});

test('the value of one item is left out, and the others are imported', async () => {
  const { json } = await call('POST', '/v1/crm/contacts', {
    externalId: 'p1',
    emails: [{ address: 'old@example.org' }],
    phones: [{ number: '+49 30 1111111' }],
  });
  const table = 'externalId,email,phone\np1,"new@example.org, wrong at x","+49 30 7654321; 1"\n';
  const report = await imported(table, omit);
  assert.deepEqual(
    [counts(report), omittedIn(report)],
    [[0, 1, 0, 0], { email: ['old@example.org: wrong at x'], phone: ['old@example.org: 1'] }],
  );
  const { emails, phones } = (await call('GET', `/v1/crm/contacts/${json.id}`)).json;
  assert.deepEqual(
    [emails.map(({ address }: Json) => address), phones.map(({ number }: Json) => number)],
    [
      ['old@example.org', 'new@example.org'],
      ['+49 30 1111111', '+49 30 7654321'],
    ],
  );
});

test('of a list with too many items the first ones are imported, and the others are listed', async () => {
  const addresses = Array.from({ length: 22 }, (_, index) => `a${index}@many.example`);
  const table = `last name,emails\nMany,"${addresses.join('; ')}"\n`;
  assert.deepEqual(counts(await imported(table)), [0, 0, 0, 1]);
  const report = await imported(table, omit);
  assert.deepEqual(counts(report), [1, 0, 0, 0]);
  assert.deepEqual(omittedIn(report), { emails: ['Many: a20@many.example; a21@many.example'] });
  const [contact] = await listAll('/v1/crm/contacts');
  assert.deepEqual(
    contact?.emails.map(({ address }: Json) => address),
    addresses.slice(0, 20),
  );
});

test('a rejected row leaves no company behind, and a dry run announces none', async () => {
  await call('POST', '/v1/crm/contacts', { emails: [{ address: 'taken@example.org' }], externalId: 'other' });
  const table = [
    'key,last name,email,phone,company',
    'k1,A,taken@example.org,,Taken Ltd',
    'k2,B,wrong at x,,Wrong Ltd',
    'k3,C,,12,Short Ltd',
    'k4,D,d@example.org,,Good Ltd',
    '',
  ].join('\n');
  for (const dryRun of [true, false]) {
    const report = await imported(table, { key: 'key', dryRun });
    assert.deepEqual([counts(report), report.linked], [[1, 0, 0, 3], { companies: 1 }]);
  }
  assert.deepEqual(
    (await listAll('/v1/crm/companies')).map(({ name }) => name),
    ['Good Ltd'],
  );
});
