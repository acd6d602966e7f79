/** What finds the record of a row: its id, its externalId, unique values, and what it was imported from before. */
import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { noChoices, readMapRule } from '@trellis/importer/columns.ts';
import { foundBy } from '@trellis/importer/find-record.ts';
import { uniqueWords } from '@trellis/importer/identity.ts';
import { resourcesInOrder } from '@trellis/importer/order.ts';
import type { ImportReport } from '@trellis/importer/report.ts';
import { importPath, type PathImportOptions } from '@trellis/server/commands/import/import-path.ts';
import { createOtherWorld, createOwnWorld, type World } from '../support/fixtures.ts';
import { type Json, startTestServer, type TestServer } from '../support/server.ts';

let server: TestServer;
let folder: string;
let own: World;
let other: World;

before(async () => {
  server = await startTestServer();
  folder = await mkdtemp(join(tmpdir(), 'trellis-identity-'));
  own = await createOwnWorld(server);
  other = await createOtherWorld(server);
});
after(async () => {
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

/** Imports a file with this content. */
async function imported(
  name: string,
  content: string,
  more: Partial<PathImportOptions>,
  world = own,
): Promise<ImportReport> {
  await writeFile(join(folder, name), content);
  return importedPath(join(folder, name), more, world);
}

async function importedPath(
  path: string,
  more: Partial<PathImportOptions>,
  { token } = own,
): Promise<ImportReport> {
  const options: PathImportOptions = {
    path,
    resource: 'contacts',
    parents: {},
    ...noChoices,
    columns: null,
    delimiter: null,
    dryRun: false,
    existing: 'merge',
    duplicates: 'reject',
    statuses: false,
    concurrency: 4,
    rejectedFile: null,
    alwaysWriteRejected: false,
    ...more,
  };
  const report = await importPath(options, {
    connection: { baseUrl: server.url, token },
    stderr: () => assert.fail('nothing may be shown without a terminal'),
    isTerminal: false,
    wait: async () => undefined,
  });
  assert.ok(report !== null);
  return report;
}

const counts = ({ created, updated, unchanged, rejected }: ImportReport) => [
  created,
  updated,
  unchanged,
  rejected,
];
const reasonsOf = (report: ImportReport) => report.rejections.map(({ reasons }) => reasons.join(' '));

async function send(method: string, path: string, body?: object, { token } = own): Promise<Json> {
  const response = await server.call(method, `/v1${path}`, {
    token,
    ...(body === undefined ? {} : { body }),
  });
  assert.ok(response.status < 300, response.text);
  return response.json;
}

for (const resource of resourcesInOrder) {
  test(`the column id finds a record of ${resource.name}, and in another organization it is its externalId`, async () => {
    const path = resource.path.replace(/\{\w+\}/, own.ids.get(resource.parent?.resource ?? '') ?? '');
    const record = await send('GET', `${path}/${own.ids.get(resource.name)}`);
    const parents = (world: World) =>
      resource.parent === null
        ? {}
        : { [parentOf(resource.parent.resource)]: world.ids.get(resource.parent.resource) ?? '' };
    const line = `${JSON.stringify({ ...record, externalId: null })}\n`;
    const options = { resource: resource.name, parents: parents(own) };
    const again = await imported(`${resource.name}.ndjson`, line, options);
    assert.deepEqual([again.rejections, again.created, again.rows], [[], 0, 1]);

    // References and unique values belong to the first organization, so the other one gets no more than what is required.
    const needed = Object.fromEntries(
      Object.entries(record).filter(([name]) => ['id', ...requiredOf(resource.name)].includes(name)),
    );
    const elsewhere = { resource: resource.name, parents: parents(other) };
    const there = `${JSON.stringify({ ...needed, externalId: null })}\n`;
    assert.deepEqual(counts(await imported('there.ndjson', there, elsewhere, other)), [1, 0, 0, 0]);
    const below = resource.path.replace(/\{\w+\}/, other.ids.get(resource.parent?.resource ?? '') ?? '');
    const found = await send('GET', `${below}?externalId=${record.id}`, undefined, other);
    assert.deepEqual(
      found.items.map(({ externalId }: Json) => externalId),
      [record.id],
    );
    assert.deepEqual(counts(await imported('there.ndjson', there, elsewhere, other)), [0, 0, 1, 0]);
  });
}

const parentOf = (name: string) => resourcesInOrder.find((one) => one.name === name)?.singular ?? '';

/** Fields without which the API creates no record. */
const requiredOf = (name: string): readonly string[] =>
  ({ articles: ['versionData'], contacts: ['lastName'], issues: ['number', 'year'] })[name] ?? [
    'name',
    'title',
    'key',
  ];

test('a column id of another system is no id: it is reported as not imported, and mapped by hand it is a fault', async () => {
  const table = 'id,last name\n17,Seventeen\n';
  const report = await imported('other.csv', table, {});
  assert.deepEqual(
    [counts(report), report.notImported],
    [[1, 0, 0, 0], [{ field: 'id', rows: 1, example: '17' }]],
  );
  const forced = await imported('other.csv', table, { map: [readMapRule('id=id')] });
  assert.deepEqual(reasonsOf(forced), ['id: "17" is not an id of contacts.']);
  const keyed = await imported('keyed.csv', 'id,last name\n18,Eighteen\n', { key: 'id' });
  assert.deepEqual(counts(keyed), [1, 0, 0, 0]);
});

test('the id of a deleted record, and of another kind of record, finds nothing', async () => {
  const { id } = await send('POST', '/crm/contacts', { lastName: 'Gone' });
  await send('DELETE', `/crm/contacts/${id}`);
  assert.deepEqual(counts(await imported('gone.csv', `id,last name\n${id},Gone\n`, {})), [1, 0, 0, 0]);
  assert.deepEqual(counts(await imported('gone.csv', `id,last name\n${id},Gone\n`, {})), [0, 0, 1, 0]);
  const company = `id,last name\n${own.ids.get('companies')},Of no company\n`;
  const report = await imported('company.csv', company, {});
  assert.deepEqual(
    [counts(report), report.notImported],
    [[1, 0, 0, 0], [{ field: 'id', rows: 1, example: own.ids.get('companies') }]],
  );
});

test('an id that two rows have is refused in the second one', async () => {
  const { id } = await send('POST', '/crm/contacts', { lastName: 'Once' });
  const report = await imported('twice.csv', `id,last name,externalId\n${id},One,a\n${id},Twice,b\n`, {});
  assert.deepEqual(counts(report), [0, 1, 0, 1]);
  assert.match(reasonsOf(report).join(''), /^id "con_\w+" is also in line 2/);
});

const people = (rows: string) => `first name,last name,phone,city,email\n${rows}\n`;
const foundIn = (report: ImportReport) => Object.fromEntries(report.found.map(({ by, rows }) => [by, rows]));

/** The contacts with a last name. */
async function named(lastName: string): Promise<Json[]> {
  const { items } = await send('GET', `/crm/contacts?limit=100&search=${lastName}`);
  return items.filter((item: Json) => item.lastName === lastName);
}

/** Unique values that the examples of the API do not have. */
const uniqueExamples: Readonly<Record<string, object>> = {
  books: { isbn13: '9780141439471' },
  magazines: { issnOnline: '1476-4687' },
  companies: { domains: ['unique.example.com'] },
  contacts: { emails: [{ address: 'unique@example.com' }] },
};

for (const resource of resourcesInOrder.filter((one) => Object.keys(uniqueWords(one)).length > 0)) {
  test(`a record of ${resource.name} is found by a unique value, and keeps its externalId`, async () => {
    const path = resource.path.replace(/\{\w+\}/, own.ids.get(resource.parent?.resource ?? '') ?? '');
    const given = uniqueExamples[resource.name];
    if (given !== undefined) await send('PATCH', `${path}/${own.ids.get(resource.name)}`, given);
    const record = await send('GET', `${path}/${own.ids.get(resource.name)}`);
    const { id: _id, version: _version, ...rest } = record;
    const parentId = own.ids.get(resource.parent?.resource ?? '') ?? '';
    const parents = resource.parent === null ? {} : { [parentOf(resource.parent.resource)]: parentId };
    const line = `${JSON.stringify({ ...rest, externalId: undefined })}\n`;
    const report = await imported('unique.ndjson', line, { resource: resource.name, parents });
    assert.deepEqual([report.rejections, report.created], [[], 0]);
    assert.ok(Object.values(uniqueWords(resource)).includes(report.found[0]?.by ?? ''));
    assert.equal((await send('GET', `${path}/${record.id}`)).externalId, record.externalId);
  });
}

test('a file whose mapping is corrected finds the records of its first import', async () => {
  const table = 'Given,Family,Place\nMax,Mappel,Bonn\nMia,Mappel,Kiel\n';
  const wrong = await imported('mapping.csv', table, {
    map: [readMapRule('Given=lastName'), readMapRule('Family=firstName'), readMapRule('Place=')],
  });
  assert.deepEqual(counts(wrong), [2, 0, 0, 0]);
  const right = {
    map: [
      readMapRule('Given=firstName'),
      readMapRule('Family=lastName'),
      readMapRule('Place=addresses.city'),
    ],
  };
  const again = await imported('mapping.csv', table, right);
  assert.deepEqual([counts(again), foundIn(again)], [[0, 2, 0, 0], { [foundBy.row]: 2 }]);
  const records = await named('Mappel');
  assert.deepEqual(records.map(({ firstName }) => firstName).sort(), ['Max', 'Mia']);
  assert.ok(records.every(({ addresses }) => addresses.length === 1));
});

test('a row in which a cell was corrected finds the record of an earlier import of the file', async () => {
  const first = people(
    'Ada,Zelle,+49 30 111111,Bonn,\nBo,Zelle,+49 30 222222,,bo.zelle@exmaple.com\nCy,Zelle,,Kiel,',
  );
  assert.deepEqual(counts(await imported('cells.csv', first, {})), [3, 0, 0, 0]);
  const corrected = people(
    'Ada,Zelle,+49 30 111111,Berlin,\nBo,Zelle,+49 30 222222,,bo.zelle@example.com\nCy,Zelle,,Ulm,',
  );
  const report = await imported('cells.csv', corrected, {});
  assert.deepEqual(report.rejections, []);
  assert.equal(report.created, 0);
  assert.deepEqual(foundIn(report), { 'firstName, lastName, phones': 2, [foundBy.lineage]: 1 });
  assert.equal((await named('Zelle')).length, 3);
  assert.deepEqual(counts(await imported('cells.csv', corrected, {})), [0, 0, 3, 0]);
});

test('people of the same name who are in one file stay apart, and a new one does not take the record of another', async () => {
  const first = people('Max,Doppel,,,max1@example.com\nMax,Doppel,,,max2@example.com');
  assert.deepEqual(counts(await imported('namesakes.csv', first, {})), [2, 0, 0, 0]);
  const more = people(
    'Max,Doppel,,,max3@example.com\nMax,Doppel,,,max1@example.com\nMax,Doppel,,,max2@example.com',
  );
  assert.deepEqual(counts(await imported('namesakes.csv', more, {})), [1, 0, 2, 0]);
  // One address is corrected: the record that no other row has is meant.
  const corrected = more.replace('max2@example.com', 'max2@example.org');
  const report = await imported('namesakes.csv', corrected, {});
  assert.deepEqual([report.created, foundIn(report)[foundBy.lineage]], [0, 1]);
  assert.equal((await named('Doppel')).length, 3);
});

test('a name alone is no identity: the row is refused with the record, and can say which of the two is meant', async () => {
  const { id } = await send('POST', '/crm/contacts', { firstName: 'Eva', lastName: 'Allein' });
  const report = await imported('alone.csv', people('Eva,Allein,,Bonn,'), {});
  assert.deepEqual(counts(report), [0, 0, 0, 1]);
  assert.deepEqual(reasonsOf(report), [
    `May stand for a record that exists: Eva Allein (${id}). Give its id if it does, or an externalId if it does not.`,
  ]);
  const same = await imported('same.csv', `id,first name,last name,city\n${id},Eva,Allein,Bonn\n`, {});
  assert.deepEqual(counts(same), [0, 1, 0, 0]);
  const another = await imported('another.csv', 'externalId,first name,last name\neva-2,Eva,Allein\n', {});
  assert.deepEqual(counts(another), [1, 0, 0, 0]);
  // An e-mail address that nobody has is a new person.
  assert.deepEqual(
    counts(await imported('mail.csv', people('Eva,Allein,,,eva.allein@example.com'), {})),
    [1, 0, 0, 0],
  );
});

test('a row that matches two records, or the record of another key, is refused with both named', async () => {
  const one = await send('POST', '/crm/contacts', {
    lastName: 'Eins',
    externalId: 'eins',
    emails: [{ address: 'eins@example.com' }],
  });
  const two = await send('POST', '/crm/contacts', {
    lastName: 'Zwei',
    emails: [{ address: 'zwei@example.com' }],
  });
  const cases = [
    [`id,last name,email\n${one.id},Eins,zwei@example.com\n`, `by its id "${one.id}", and Zwei (${two.id})`],
    [
      'externalId,last name,email\neins,Eins,zwei@example.com\n',
      `by its externalId "eins", and Zwei (${two.id})`,
    ],
    [`id,externalId,last name\n${two.id},eins,Zwei\n`, `and Eins (${one.id}) by its externalId "eins"`],
    ['externalId,last name,email\nother,Eins,eins@example.com\n', 'whose externalId is "eins", not "other"'],
  ];
  for (const [table = '', reason = ''] of cases) {
    for (const dryRun of [true, false]) {
      const report = await imported('conflict.csv', table, { dryRun });
      assert.deepEqual(counts(report), [0, 0, 0, 1]);
      assert.ok(reasonsOf(report)[0]?.includes(reason), reasonsOf(report)[0]);
    }
  }
  for (const { id, version } of [one, two])
    assert.equal((await send('GET', `/crm/contacts/${id}`)).version, version);
});

test('a key that is given later replaces a derived one, and no other', async () => {
  const table = 'No,Last name\n7,Schluessel\n';
  assert.deepEqual(counts(await imported('later.csv', table, {})), [1, 0, 0, 0]);
  assert.deepEqual(counts(await imported('later.csv', table, { key: 'No' })), [0, 1, 0, 0]);
  const [record] = await named('Schluessel');
  assert.equal(record?.externalId, '7');
  const renamed = await imported('own.csv', `id,externalId,last name\n${record?.id},8,Schluessel\n`, {});
  assert.deepEqual(counts(renamed), [0, 1, 0, 0]);
  assert.equal((await named('Schluessel'))[0]?.externalId, '8');
});

test('rows that are equal are one record, and two imports of a file at the same time as well', async () => {
  const rows = Array.from(
    { length: 20 },
    (_, row) => `Nr${row},Gleichzeitig,,Ort ${row},${row % 2 === 0 ? `g${row}@example.com` : ''}`,
  );
  const table = people([...rows, rows[0] ?? ''].join('\n'));
  const reports = await Promise.all([1, 2].map(() => imported('parallel.csv', table, {})));
  assert.deepEqual(
    reports.map(({ rejections }) => rejections),
    [[], []],
  );
  assert.equal((await named('Gleichzeitig')).length, 20);
  assert.deepEqual(counts(await imported('parallel.csv', table, {})), [0, 0, 21, 0]);
});

test('a folder of posts and the folder above it are the same posts, in both orders', async () => {
  const { key } = await send('POST', '/sites', { name: 'Moves', key: 'moves' });
  const options = { resource: 'articles', parents: { site: key } };
  const post = (title: string, body: string) => `---\ntitle: ${title}\n---\n${body}\n`;
  const write = async (path: string, text: string) => {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  };
  await write('garden/blog/2015-03-04-hello-world.md', post('Hello', 'One'));
  await write('garden/blog/more/second.md', post('Second', 'Two'));
  await write('garden/blog/index-page/index.md', post('Third', 'Three'));
  const importFolder = (path: string) => importedPath(join(folder, path), options);
  assert.deepEqual(counts(await importFolder('garden/blog')), [3, 0, 0, 0]);
  const above = await importFolder('garden');
  assert.deepEqual([above.rejections, counts(above)], [[], [0, 0, 3, 0]]);
  assert.deepEqual(foundIn(above), { [foundBy.file]: 3 });
  assert.deepEqual(counts(await importFolder('garden/blog')), [0, 0, 3, 0]);

  // Files of one name in two folders are two posts, whichever folder was imported before.
  await write('garden/de/second.md', post('Zweiter', 'Zwei'));
  await write('garden/notes/fourth.md', post('Fourth', 'Four'));
  assert.deepEqual(counts(await importFolder('garden')), [2, 0, 3, 0]);
  const below = await importFolder('garden/notes');
  assert.deepEqual([below.rejections, counts(below)], [[], [0, 0, 1, 0]]);
  assert.deepEqual(counts(await importFolder('garden')), [0, 0, 5, 0]);
});
