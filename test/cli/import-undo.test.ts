/** The undo of an import as a whole: what it created and changed, what somebody has changed since, and the import after it. */
import assert from 'node:assert/strict';
import { appendFile, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before, beforeEach, test } from 'node:test';
import { noChoices } from '@trellis/importer/columns.ts';
import type { ImportReport } from '@trellis/importer/report.ts';
import type { UndoReport } from '@trellis/importer/undo.ts';
import { UsageError } from '@trellis/server/commands/command-line.ts';
import { importPath, type PathImportOptions } from '@trellis/server/commands/import/import-path.ts';
import { undoPath } from '@trellis/server/commands/import/undo-file.ts';
import { createMember, createOrganization, createToken } from '../support/identities.ts';
import { assertNoOrphans } from '../support/orphans.ts';
import { type Json, startTestServer, type TestServer } from '../support/server.ts';

let server: TestServer;
let folder: string;
let token: string;
let reader: string;
let organizations = 0;

before(async () => {
  server = await startTestServer();
});
after(async () => {
  await assertNoOrphans(server.database.adminUrl);
  await server.close();
});
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'trellis-undo-'));
  organizations += 1;
  const { worker } = server.database;
  const organization = await createOrganization(worker, `undo-${organizations}`);
  const owner = await createMember(worker, organization, 'OWNER');
  token = (await createToken(worker, organization, owner)).token;
  reader = (
    await createToken(worker, organization, owner, { scopes: ['crm.contacts:read', 'crm.companies:read'] })
  ).token;
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const connection = () => ({ baseUrl: server.url, token });

async function imported(name: string, content: string | null, more: Partial<PathImportOptions> = {}) {
  if (content !== null) await writeFile(join(folder, name), content);
  const options: PathImportOptions = {
    path: join(folder, name),
    ...noChoices,
    resource: 'contacts',
    parents: {},
    columns: null,
    delimiter: null,
    dryRun: false,
    existing: 'merge',
    duplicates: 'reject',
    statuses: false,
    concurrency: 4,
    rejectedFile: null,
    alwaysWriteRejected: false,
    undoFolder: folder,
    ...more,
  };
  const report = await importPath(options, {
    connection: connection(),
    stderr: () => {},
    isTerminal: false,
    wait: async () => undefined,
  });
  assert.ok(report !== null);
  return report;
}

const undo = (path: string | null) =>
  undoPath(path ?? assert.fail('nothing was kept'), connection(), () => {});
const counts = ({ created, updated, unchanged, rejected }: ImportReport) => [
  created,
  updated,
  unchanged,
  rejected,
];
const numbers = ({ deleted, restored, kept }: UndoReport) => [deleted, restored, kept];

async function send(method: string, path: string, body?: object): Promise<Json> {
  const response = await server.call(method, `/v1${path}`, {
    token,
    ...(body === undefined ? {} : { body }),
  });
  assert.ok(response.status < 300, response.text);
  return response.json;
}
const readAll = async (path: string): Promise<Json[]> => (await send('GET', `${path}?limit=100`)).items;

const people =
  'last name,email,city,company,job title\nNeu,neu@example.com,Bonn,Acme,\nAlt,alt@example.com,Kiel,Acme,Chef\nAuch,auch@example.com,,Solo,\n';
const old = {
  lastName: 'Altmann',
  emails: [{ address: 'alt@example.com', label: 'work', isPrimary: true }],
  jobTitle: 'Clerk',
  tags: ['vip'],
};

/** What of a record an undo has to bring back. */
const content = ({ version: _version, updatedAt: _updatedAt, updatedBy: _updatedBy, ...rest }: Json) => rest;

test('what an import has created goes to the trash, and what it changed is as it was; it can be imported again', async () => {
  const before = await send('POST', '/crm/contacts', old);
  const report = await imported('people.csv', people);
  assert.deepEqual([counts(report), report.linked], [[2, 1, 0, 0], { companies: 2 }]);
  const createdIds = (await readAll('/crm/contacts')).filter(({ importId }) => importId === report.importId);
  assert.equal(createdIds.length, 2);

  const undone = await undo(report.undoFile);
  assert.deepEqual([numbers(undone), undone.stopped], [[4, 1, 0], null]);
  const left = await readAll('/crm/contacts');
  assert.deepEqual(left.map(content), [content(before)]);
  assert.deepEqual(await readAll('/crm/companies'), []);
  assert.equal((await readAll('/trash')).length, 4);
  assert.deepEqual(
    (await readdir(folder)).filter((name) => name.includes('undo')),
    [`${report.importId}.undone.ndjson`],
  );

  // The server has the first creates stored under the same keys.
  const again = await imported('people.csv', people);
  assert.deepEqual(
    [counts(again), again.linked, again.importId],
    [[2, 1, 0, 0], { companies: 2 }, report.importId],
  );
  assert.deepEqual(numbers(await undo(again.undoFile)), [4, 1, 0]);
  assert.deepEqual((await readAll('/crm/contacts')).map(content), [content(before)]);
});

test('what somebody has changed or uses since is kept, with the reason', async () => {
  const before = await send('POST', '/crm/contacts', old);
  const report = await imported('people.csv', people);
  const records = new Map((await readAll('/crm/contacts')).map((one) => [one.lastName, one]));
  await send('PATCH', `/crm/contacts/${records.get('Neu').id}`, { notes: 'Called.' });
  await send('PATCH', `/crm/contacts/${before.id}`, { notes: 'Called.' });
  const [acme] = (await readAll('/crm/companies')).filter(({ name }) => name === 'Acme');
  const undone = await undo(report.undoFile);
  assert.deepEqual(numbers(undone), [2, 0, 3]);
  const reasons = Object.fromEntries(undone.keptRecords.map(({ recordId, reason }) => [recordId, reason]));
  assert.equal(reasons[before.id], 'Somebody has changed it since the import.');
  assert.equal(reasons[records.get('Neu').id], 'Somebody has changed it since the import.');
  assert.match(reasons[acme.id] ?? '', /^It is used by \w+ \(con_/);
  assert.deepEqual(
    (await readAll('/crm/companies')).map(({ name }) => name),
    ['Acme'],
  );
});

test('what somebody has changed between two writes of the import is kept', async () => {
  const { id: recordId } = await send('POST', '/crm/contacts', old);
  for (const notes of ['imported', 'Called.', 'imported again'])
    await send('PATCH', `/crm/contacts/${recordId}`, { notes });
  const entry = { resource: 'contacts', parentId: '', recordId };
  const path = join(folder, 'between.undo.ndjson');
  const lines = [
    { importId: 'between' },
    { ...entry, from: 1, to: 2, before: { notes: null } },
    { ...entry, from: 3, to: 4, before: { notes: 'Called.' } },
  ];
  await writeFile(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  assert.deepEqual(numbers(await undo(path)), [0, 0, 1]);
  assert.equal((await send('GET', `/crm/contacts/${recordId}`)).notes, 'imported again');
});

test('an import that was cut off and an undo that was cut off are completed, also without the last line of the file', async () => {
  await send('POST', '/crm/contacts', old);
  const report = await imported('people.csv', people);
  const path = report.undoFile ?? '';
  // As after a kill between a write and its line, and in the middle of a line.
  const lines = (await readFile(path, 'utf8')).split('\n');
  const kept = lines.filter((line) => !line.includes('"from":0'));
  await writeFile(path, kept.join('\n'));
  await appendFile(path, '{"resource":"contacts","rec');
  const again = await imported('people.csv', null);
  assert.deepEqual(counts(again), [0, 0, 3, 0]);

  const full = token;
  token = reader;
  const refused = await undo(path);
  assert.ok(refused.stopped !== null);
  assert.deepEqual(numbers(refused), [0, 0, 0]);
  token = full;
  assert.deepEqual(numbers(await undo(path)), [4, 1, 0]);
  assert.equal((await readAll('/crm/contacts')).length, 1);
});

test('an undo that is sent twice changes nothing twice', async () => {
  await send('POST', '/crm/contacts', old);
  const report = await imported('people.csv', people);
  const path = report.undoFile ?? '';
  const text = await readFile(path);
  assert.deepEqual(numbers(await undo(path)), [4, 1, 0]);
  const [{ version }] = (await readAll('/crm/contacts')) as [Json];
  // As if it had been killed before the file was renamed.
  await writeFile(path, text);
  assert.deepEqual(numbers(await undo(path)), [0, 1, 0]);
  const [current] = (await readAll('/crm/contacts')) as [Json];
  assert.equal(current.version, version);
});

test('published posts with their tags are undone, and earlier versions of articles come back', async () => {
  await send('POST', '/sites', { name: 'Blog', key: 'blog' });
  const options = { resource: 'articles', parents: { site: 'blog' } };
  await mkdir(join(folder, 'posts'));
  const post = (text: string) => `---\ntitle: First\ntags: [Garden]\n---\n${text}\n`;
  await writeFile(join(folder, 'posts', 'first.md'), post('One'));
  const first = await imported('posts', null, options);
  assert.deepEqual(counts(first), [1, 0, 0, 0]);
  await writeFile(join(folder, 'posts', 'first.md'), post('Two, and longer'));
  const second = await imported('posts', null, options);
  assert.deepEqual(counts(second), [0, 1, 0, 0]);
  assert.notEqual(second.importId, first.importId);
  const [{ id }] = (await readAll('/sites')) as [Json];

  assert.deepEqual(numbers(await undo(second.undoFile)), [0, 1, 0]);
  const [article] = (await readAll(`/sites/${id}/articles`)) as [Json];
  assert.deepEqual([article.versionData.body, article.versionData.status], ['One\n', 'PUBLISHED']);
  // It was changed since the first import, if only by another one.
  assert.deepEqual(numbers(await undo(first.undoFile)), [0, 0, 2]);
});

test('a file that no import has written is refused', async () => {
  await writeFile(join(folder, 'people.csv'), people);
  await assert.rejects(undo(join(folder, 'people.csv')), UsageError);
  await assert.rejects(undo(join(folder, 'absent.ndjson')), UsageError);
});

test('a changed file reaches nothing but records, and no other path of the interface', async () => {
  const site = await send('POST', '/sites', { name: 'Site', key: `undo-${organizations}` });
  const article = await send('POST', `/sites/${site.id}/articles`, { versionData: { title: 'Mine' } });
  const entry = { resource: 'articles', parentId: site.id, recordId: article.id, from: 1, to: 1, before: {} };
  const importId = '019a0000-0000-7000-8000-000000000000';
  const write = async (changed: object) => {
    const path = join(folder, 'changed.undo.ndjson');
    await writeFile(path, `${JSON.stringify({ importId })}\n${JSON.stringify({ ...entry, ...changed })}\n`);
    return undo(path);
  };
  const paths: object[] = [
    { parentId: `${site.id}#` },
    { parentId: `x/../../sites/${site.id}#`, before: { name: 'Taken over' } },
    { parentId: '$&' },
    { parentId: '' },
    { recordId: `../../${site.id}` },
    { resource: 'sites', parentId: 'x', recordId: site.id },
    { resource: 'users' },
    { resource: '__proto__' },
  ];
  for (const changed of paths) {
    const { stopped, restored } = await write(changed);
    assert.match(stopped ?? '', /notes of the import were changed/, JSON.stringify(changed));
    assert.equal(restored, 0);
  }
  assert.equal((await send('GET', `/sites/${site.id}`)).name, 'Site');
  for (const before of ['{"__proto__.taken": "over"}', '{"constructor.prototype.taken": "over"}']) {
    const { kept } = await write({ before: JSON.parse(before) });
    assert.equal(kept, 1);
    assert.equal(Reflect.get({}, 'taken'), undefined);
  }
});
