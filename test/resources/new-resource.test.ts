/**
 * A new resource needs one declaration and one migration, and a plan for each action. This test declares one
 * (test/resources/exhibitions), starts the server with it in the list of resources, and finds it in everything that is derived from
 * declarations. It fails when a new resource needs any other edit.
 */
import './exhibitions/register.ts';
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { noChoices } from '@trellis/importer/columns.ts';
import type { ImportReport } from '@trellis/importer/report.ts';
import type { Database as Pool } from '@trellis/server/kernel/database/database.ts';
import type { Json, TestServer } from '../support/server.ts';

// Imported after the hook: modules loaded before it would have the product's own list.
const { webhookSecrets } = await import('@trellis/server/features/backup/organization/secrets.ts');
const { runExport } = await import('@trellis/server/commands/export/run.ts');
const { importPath } = await import('@trellis/server/commands/import/import-path.ts');
const { createModels } = await import('@trellis/server/features.ts');
const { Database } = await import('@trellis/server/kernel/database/database.ts');
const { OwnerSession } = await import('@trellis/server/kernel/database/owner-session.ts');
const { resources } = await import('@trellis/schema/resources/index.ts');
const { createMember, createOrganization, createToken } = await import('../support/identities.ts');
const { AddressGuard } = await import('@trellis/server/features/webhooks/address-guard.ts');
const { SecretSealer } = await import('@trellis/server/features/webhooks/sealing.ts');
const { backUp, makeStore, openArchive, readRows } = await import('../support/backups.ts');
const { createTestDatabase } = await import('../support/database.ts');
const { exportFrom, importInto, openExport } = await import('../support/moved-organizations.ts');
const { isolationRules } = await import('../support/isolation-rules.ts');
const { lintWithRedocly } = await import('../support/linters.ts');
const { findSchemaFaults } = await import('../support/schema-faults.ts');
const { startTestServer } = await import('../support/server.ts');
const { create, succeed, write } = await import('../support/writes.ts');

let server: TestServer;
let admin: Pool;
let folder: string;
const sealer = new SecretSealer(randomBytes(32));
let sitePath: string;
let collection: string;
const tokens = { author: '', viewer: '', reader: '', outsider: '' };

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'trellis-exhibitions-'));
  server = await startTestServer({
    webhooks: {
      guard: new AddressGuard({ allowPrivate: [], lookup: async () => ['1.1.1.1'] }),
      sealer,
    },
  });
  admin = new Database({
    url: server.database.adminUrl,
    poolSize: 1,
    prepare: false,
    acquireTimeoutMs: 5_000,
    applicationName: 'trellis test',
    log: () => undefined,
  });
  await addTable(server.database.urls.owner);
  const { worker } = server.database;
  const author = await createMember(worker, server.organization, 'AUTHOR');
  const viewer = await createMember(worker, server.organization, 'VIEWER');
  const other = await createOrganization(worker, 'elsewhere');
  const tokenOf = async (userId: string, options?: { scopes: string[] }) =>
    (await createToken(worker, server.organization, userId, options)).token;
  tokens.author = await tokenOf(author);
  tokens.viewer = await tokenOf(viewer);
  tokens.reader = await tokenOf(server.ownerId, { scopes: ['exhibitions:read'] });
  tokens.outsider = (await createToken(worker, other, await createMember(worker, other, 'OWNER'))).token;
  const site = await create(server, '/v1/sites', { name: 'Museum', key: 'museum' });
  sitePath = `/v1/sites/${site.id}`;
  collection = `${sitePath}/exhibitions`;
});
after(async () => {
  await admin.close();
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

/** Adds the table to a database. It is not registered as a migration, so that the commands of this release serve the database. */
async function addTable(ownerUrl: string): Promise<void> {
  const session = await OwnerSession.open(ownerUrl);
  await session.run(await readFile(new URL('exhibitions/exhibitions.sql', import.meta.url), 'utf8'));
  await session.close();
}

test('the resource consists of its declaration, a line in the list, a migration and the plan of its action', async () => {
  const files = await readdir(new URL('exhibitions/', import.meta.url));
  assert.deepEqual(files.sort(), [
    'exhibitions.sql',
    'exhibitions.ts',
    'feature.ts',
    'insert.ts',
    'list.ts',
    'register.ts',
  ]);
  assert.ok(resources.some(({ name }) => name === 'exhibitions'));
});

test('the migration matches the declaration and isolates organizations', async () => {
  assert.deepEqual(await findSchemaFaults(admin, createModels()), []);
  for (const { rule, finds } of isolationRules(['exhibitions']))
    assert.deepEqual(await admin.run(finds), [], rule);
});

test('both documents describe it, and linters accept them', async () => {
  const { json: document } = await server.call('GET', '/v1/openapi');
  const described = Object.entries<Json>(document.paths).flatMap(([path, item]) =>
    path.includes('/exhibitions') ? Object.values<Json>(item).map(({ operationId }) => operationId) : [],
  );
  assert.deepEqual(described.sort(), [
    'approveExhibition',
    'batchExhibitions',
    'countExhibitions',
    'createExhibition',
    'deleteExhibition',
    'getExhibition',
    'getExhibitionAsOf',
    'listExhibitionHistory',
    'listExhibitions',
    'searchExhibitions',
    'updateExhibition',
    'upsertExhibition',
  ]);
  const { properties } = document.components.schemas.Exhibition;
  assert.deepEqual(Object.keys(properties).slice(0, 5), [
    'id',
    'siteId',
    'title',
    'catalogueNumber',
    'venue',
  ]);
  const { update } = { update: document.paths['/v1/sites/{siteId}/exhibitions/{id}'].patch };
  assert.match(update.description, /Changing `status` to or from OPEN,.* requires a role that may publish/);
  assert.ok(document.tags.some(({ name }: Json) => name === 'Exhibitions'));
  assert.deepEqual(await lintWithRedocly(document), []);
  const { json: events } = await server.call('GET', '/v1/asyncapi');
  const messages = Object.values<Json>(events.channels.eventStream.messages).map(({ name }) => name);
  for (const type of ['created', 'updated', 'deleted', 'opened'])
    assert.ok(messages.includes(`exhibition.${type}`), type);
});

test('the page of permissions shows its actions by role, and its scopes', async () => {
  const page = await (await fetch(`${server.url}/docs/permissions`)).text();
  for (const text of ['exhibitions: read', 'exhibitions: publish', 'exhibitions:read', 'exhibitions:write'])
    assert.ok(page.includes(text), text);
});

test('a record is created, read, updated and deleted, with an event for each write', async () => {
  const made = await succeed(server, 'POST', collection, { title: 'Light and Water', venue: 'Kunsthalle' });
  const { id } = made.json;
  const path = `${collection}/${id}`;
  assert.match(id, /^exh_/);
  assert.equal(made.headers.get('location'), path);
  assert.equal(made.json.status, 'PLANNED');
  const changed = await succeed(server, 'PATCH', path, { venue: 'Old Mill' });
  const opened = await succeed(server, 'PATCH', path, { status: 'OPEN' });
  const read = await server.call('GET', path);
  assert.deepEqual(read.json, opened.json);
  assert.equal(read.headers.get('etag'), '"3"');
  const deleted = await succeed(server, 'DELETE', path);
  assert.equal((await server.call('GET', path)).status, 404);
  const logged = [made, changed, opened, deleted].flatMap(({ events }) => events);
  assert.deepEqual(logged, [
    {
      type: 'exhibition.created',
      subject: id,
      version: 1,
      changedFields: ['title', 'venue', 'status'],
    },
    { type: 'exhibition.updated', subject: id, version: 2, changedFields: ['venue'] },
    { type: 'exhibition.opened', subject: id, version: 3, changedFields: ['status'] },
    { type: 'exhibition.deleted', subject: id, version: 4, changedFields: [] },
  ]);
});

test('a retry gets the stored response and changes nothing', async () => {
  const options = { key: 'exhibition-1', body: { title: 'Once' } };
  const first = await write(server, 'POST', collection, options);
  const second = await write(server, 'POST', collection, options);
  assert.equal(first.status, 201);
  assert.deepEqual([second.status, second.text, second.events], [201, first.text, []]);
  assert.equal(second.headers.get('idempotent-replayed'), 'true');
});

test('a transition that is not declared is refused with the allowed ones', async () => {
  const { id } = await create(server, collection, { title: 'Not yet' });
  const refused = await write(server, 'PATCH', `${collection}/${id}`, { body: { status: 'CLOSED' } });
  assert.equal(refused.status, 409);
  const { code, from, to, allowed } = refused.json;
  assert.deepEqual([code, from, to, allowed], ['invalid_transition', 'PLANNED', 'CLOSED', ['OPEN']]);
  assert.deepEqual(refused.events, []);
  const begun = await write(server, 'POST', collection, { body: { title: 'Open', status: 'OPEN' } });
  assert.equal(begun.json.errors[0].code, 'status_not_allowed');
});

test('its action is done once, with a checked body and the version that it may name', async () => {
  const { id } = await create(server, collection, { title: 'To approve' });
  const path = `${collection}/${id}/approve`;
  const misspelt = await write(server, 'POST', path, { body: { nota: 'Fine' } });
  assert.match(misspelt.json.detail, /Did you mean "note"\?/);
  const outdated = await write(server, 'POST', path, { body: {}, headers: { 'if-match': '"7"' } });
  assert.deepEqual([outdated.status, outdated.json.code, outdated.events], [412, 'version_mismatch', []]);
  const options = { key: 'approval-1', body: { note: 'Fine' } };
  const approved = await write(server, 'POST', path, options);
  const { version, approvalNote, approvedAt } = approved.json;
  assert.deepEqual([approved.status, version, approvalNote], [200, 2, 'Fine'], approved.text);
  assert.ok(approvedAt !== null);
  assert.deepEqual(approved.events, [
    { type: 'exhibition.updated', subject: id, version: 2, changedFields: ['approvedAt', 'approvalNote'] },
  ]);
  const retried = await write(server, 'POST', path, options);
  assert.deepEqual([retried.text, retried.events], [approved.text, []]);
  const again = await write(server, 'POST', path, { body: { note: 'Better' } });
  assert.deepEqual([again.json, again.events], [approved.json, []]);
});

test('its action is a command as well', async () => {
  const { id, siteId } = await create(server, collection, { title: 'By command' });
  const { runCommand } = await import('../support/program.ts');
  const environment = { TRELLIS_URL: server.url, TRELLIS_TOKEN: server.token };
  const run = (...words: string[]) => runCommand(['action', ...words], environment);
  assert.match(
    (await run()).stdout,
    /approveExhibition +\/v1\/sites\/\{siteId\}\/exhibitions\/\{id\}\/approve +note/,
  );
  const done = await run('approveExhibition', siteId, id, '--input', 'note=By hand', '--json');
  assert.equal(done.code, 0, done.stderr);
  assert.equal(done.json().approvalNote, 'By hand');
  const failures = [
    await run('approve', siteId, id),
    await run('approveExhibition', id),
    await run('approveExhibition', siteId, '..'),
    await run('approveExhibition', siteId, id, '--input', 'nota=Fine'),
    await run('approveExhibition', siteId, 'exh_00000000000000000000000000'),
  ];
  assert.deepEqual(
    failures.map(({ code }) => code),
    [2, 2, 2, 2, 1],
  );
  assert.match(failures[3]?.stderr ?? '', /takes the input note, not "nota"/);
});

test('scopes, roles and organizations are enforced', async () => {
  const { id } = await create(server, collection, { title: 'Guarded' });
  const path = `${collection}/${id}`;
  const outcomes = async (token: string) => {
    const body = { title: 'Changed' };
    const responses = [
      await server.call('GET', collection, { token }),
      await server.call('GET', `${collection}/search?query=guarded`, { token }),
      await server.call('GET', path, { token }),
      await server.call('POST', collection, { token, body }),
      await server.call('PATCH', path, { token, body }),
      await server.call('DELETE', path, { token }),
      await server.call('POST', `${path}/approve`, { token, body: {} }),
    ];
    return responses.map(({ status, json }) => `${status} ${json.code ?? ''}`.trim());
  };
  const denied = Array(4).fill('403 permission_denied');
  assert.deepEqual(await outcomes(tokens.viewer), ['200', '200', '200', ...denied]);
  assert.deepEqual(await outcomes(tokens.author), ['200', '200', '200', ...denied]);
  const unscoped = Array(4).fill('403 insufficient_scope');
  assert.deepEqual(await outcomes(tokens.reader), ['200', '200', '200', ...unscoped]);
  assert.deepEqual(await outcomes(tokens.outsider), Array(7).fill('404 not_found'));
  const kept = await server.call('GET', path);
  assert.deepEqual([kept.json.title, kept.json.version], ['Guarded', 1]);
});

test('conflicts, unknown fields and unknown references are refused with their place', async () => {
  const { id } = await create(server, collection, { title: 'First', catalogueNumber: 'A-17' });
  const body = { title: 'Second', catalogueNumber: 'A-17' };
  const taken = await write(server, 'POST', collection, { body });
  const { code, field, existingId } = taken.json;
  assert.deepEqual([taken.status, code, field, existingId], [409, 'conflict', 'catalogueNumber', id]);
  const elsewhere = await create(server, '/v1/sites', { name: 'Annex', key: 'annex' });
  await create(server, `/v1/sites/${elsewhere.id}/exhibitions`, body);
  const misspelt = await write(server, 'POST', collection, { body: { title: 'Third', venu: 'Here' } });
  assert.match(misspelt.json.detail, /Did you mean "venue"\?/);
  const foreign = await server.call('POST', '/v1/knowledge-files', {
    token: tokens.outsider,
    body: { name: 'Theirs', visibility: 'ORGANIZATION' },
  });
  const lost = await write(server, 'POST', collection, {
    body: { title: 'Fourth', coverFileId: foreign.json.id },
  });
  assert.deepEqual([lost.status, lost.json.code], [422, 'reference_not_found']);
  assert.equal(lost.json.errors[0].pointer, '/coverFileId');
});

test('its references and its parent cannot be deleted, and the problem says what uses them', async () => {
  const site = await create(server, '/v1/sites', { name: 'Gallery', key: 'gallery' });
  const file = await create(server, '/v1/knowledge-files', { name: 'Poster' });
  const path = `/v1/sites/${site.id}/exhibitions`;
  await create(server, path, { title: 'One', coverFileId: file.id });
  const used = await write(server, 'DELETE', `/v1/knowledge-files/${file.id}`);
  assert.deepEqual([used.status, used.json.detail], [409, 'Still used by 1 exhibition.']);
  await create(server, path, { title: 'Two' });
  const full = await write(server, 'DELETE', `/v1/sites/${site.id}`);
  assert.deepEqual(full.json.usedBy, [{ resource: 'exhibitions', count: 2 }]);
});

test('lists have filters, sorting, cursors and a text filter; search finds and highlights', async () => {
  const site = await create(server, '/v1/sites', { name: 'Hall', key: 'hall' });
  const path = `/v1/sites/${site.id}/exhibitions`;
  const titles = ['Amber', 'Bronze', 'Copper', 'Diamond', 'Emerald'];
  for (const title of titles) await create(server, path, { title, venue: `Room of ${title}` });
  const page = async (query: string): Promise<Json> => {
    const { status, text, json } = await server.call('GET', `${path}?${query}`);
    assert.equal(status, 200, text);
    return json;
  };
  const found: string[] = [];
  let cursor: string | null = null;
  do {
    const { items, pageInfo }: Json = await page(
      `sort=title&limit=2${cursor === null ? '' : `&cursor=${cursor}`}`,
    );
    found.push(...items.map(({ title }: Json) => title));
    cursor = pageInfo.nextCursor;
  } while (cursor !== null);
  assert.deepEqual(found, titles);
  const counts = await server.call('GET', `${path}/counts?by=status&search=room`);
  assert.deepEqual(counts.json.items[0], { value: 'PLANNED', count: 5, isExact: true }, counts.text);
  const { items: all } = await page('limit=100');
  await succeed(server, 'PATCH', `${path}/${all[0].id}`, { status: 'OPEN' });
  const titlesOf = ({ items }: Json) => items.map(({ title }: Json) => title);
  assert.deepEqual(titlesOf(await page('status=OPEN')), ['Emerald']);
  assert.deepEqual(titlesOf(await page('search=opp&fields=title')), ['Copper']);
  assert.deepEqual(titlesOf(await page('updatedSince=2100-01-01T00:00:00Z')), []);
  assert.equal((await server.call('GET', `${path}?state=OPEN`)).json.code, 'unknown_parameter');
  const { json: search } = await server.call('GET', `${path}/search?query=bronze`);
  assert.deepEqual(
    search.items.map(({ type, title, highlights }: Json) => [type, title, highlights[0].snippet]),
    [['exhibition', 'Bronze', '<mark>Bronze</mark>']],
  );
});

test('webhook endpoints subscribe to its events', async () => {
  const body = { url: 'https://hooks.example.com/', eventTypes: ['exhibition.opened', 'exhibition.*'] };
  await create(server, '/v1/webhook-endpoints', body);
  const unknown = { ...body, eventTypes: ['exhibition.closed'] };
  const refused = await write(server, 'POST', '/v1/webhook-endpoints', { body: unknown });
  assert.deepEqual([refused.status, refused.json.errors[0].code], [422, 'unknown_event_type']);
});

test('the importer reads it from a table by field names, and an export has all of its fields', async () => {
  const site = await create(server, '/v1/sites', { name: 'Import', key: 'import' });
  const table = join(folder, 'exhibitions.csv');
  await writeFile(table, 'title,catalogue number,Venue,status\nWood,W-1,Mill,OPEN\nStone,S-1,,\n');
  const report = await importTable(table, 'import');
  assert.deepEqual([report.created, report.rejected], [2, 0], JSON.stringify(report));
  const path = `/v1/sites/${site.id}/exhibitions`;
  const { json: list } = await server.call('GET', `${path}?sort=title`);
  assert.deepEqual(
    list.items.map(({ title, catalogueNumber, venue, status }: Json) => [
      title,
      catalogueNumber,
      venue,
      status,
    ]),
    [
      ['Stone', 'S-1', null, 'PLANNED'],
      ['Wood', 'W-1', 'Mill', 'OPEN'],
    ],
  );
  const again = await importTable(table, 'import');
  assert.deepEqual([again.created, again.rejected], [0, 0], JSON.stringify(again));
  const lines: Json[] = [];
  const output = join(folder, 'export.ndjson');
  await runExport(
    { resources: ['exhibitions'], output },
    {
      connection: { baseUrl: server.url, token: server.token },
      stdout: () => undefined,
      stderr: () => undefined,
      isTerminal: false,
    },
  );
  for (const line of (await readFile(output, 'utf8')).trimEnd().split('\n')) lines.push(JSON.parse(line));
  const exported = lines.filter((line) => JSON.stringify(line).includes(site.id));
  assert.equal(exported.length, 2);
  assert.ok(JSON.stringify(exported).includes('"catalogueNumber":"W-1"'));
});

test('a backup has it, and so has the export of an organization, which another installation imports', async (context) => {
  await create(server, collection, { title: 'Kept', venue: 'Cellar' });
  const { exhibitions: expected = '' } = await readRows(server.database.adminUrl);
  const backup = await makeStore(context);
  await backUp(server.database.urls.owner, server.objects, backup.store);
  const { manifest } = await openArchive(backup.store);
  const stored = manifest.tables.find(({ name }) => name === 'exhibitions');
  assert.equal(String(stored?.rows), expected.split(' ')[0]);

  const moved = await makeStore(context);
  await exportFrom(server, moved.store, { secrets: webhookSecrets(sealer) });
  const target = await createTestDatabase();
  context.after(() => target.drop());
  await addTable(target.urls.owner);
  const contents = await makeStore(context);
  await importInto(target, contents.store, await openExport(moved.store));
  assert.equal((await readRows(target.adminUrl)).exhibitions, expected);
});

async function importTable(path: string, site: string): Promise<ImportReport> {
  const report = await importPath(
    {
      path,
      resource: 'exhibitions',
      parents: { site },
      ...noChoices,
      columns: null,
      delimiter: null,
      dryRun: false,
      existing: 'merge',
      duplicates: 'reject',
      statuses: true,
      concurrency: 2,
      rejectedFile: null,
      alwaysWriteRejected: false,
    },
    {
      connection: { baseUrl: server.url, token: server.token },
      stderr: () => undefined,
      isTerminal: false,
      wait: async () => undefined,
    },
  );
  assert.ok(report !== null);
  return report;
}
