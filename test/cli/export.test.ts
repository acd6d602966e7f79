/** What an export holds, and that importing it elsewhere gives the same records again. */
import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { ProblemError } from '@trellis/client/problem.ts';
import type { ImportReport } from '@trellis/importer/report.ts';
import { UsageError } from '@trellis/server/commands/command-line.ts';
import { runExport } from '@trellis/server/commands/export/run.ts';
import { createMember, createOrganization, createToken } from '../support/identities.ts';
import { importFile } from '../support/import-file.ts';
import { type Json, startTestServer, type TestServer } from '../support/server.ts';

let server: TestServer;
let folder: string;
let target: string;

before(async () => {
  server = await startTestServer();
  folder = await mkdtemp(join(tmpdir(), 'trellis-export-'));
  const { worker } = server.database;
  const organization = await createOrganization(worker, 'target');
  const owner = await createMember(worker, organization, 'OWNER');
  target = (await createToken(worker, organization, owner)).token;
});
after(async () => {
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

async function create(path: string, body: object): Promise<Json> {
  const response = await server.call('POST', `/v1${path}`, { body });
  assert.equal(response.status, 201, response.text);
  return response.json;
}

async function patch(path: string, body: object): Promise<void> {
  const response = await server.call('PATCH', `/v1${path}`, { body });
  assert.equal(response.status, 200, response.text);
}

const exportTo = (output: string, token: string, resources: string[] = [], stdout = (_text: string) => {}) =>
  runExport(
    { resources, output },
    {
      connection: { baseUrl: server.url, token },
      stdout,
      stderr: () => assert.fail('nothing is shown where there is no terminal'),
      isTerminal: false,
    },
  );

async function importFrom(path: string, token: string): Promise<ImportReport> {
  return importFile({ url: server.url, token }, { path, rejectedFile: join(folder, 'rejected.ndjson') });
}

async function fill(): Promise<void> {
  const site = await create('/sites', { name: 'Blog', key: 'blog', domains: ['blog.example.com'] });
  const below = `/sites/${site.id}`;
  const child = await create(`${below}/categories`, { name: 'Child' });
  const parent = await create(`${below}/categories`, { name: 'Parent', externalId: 'own-key' });
  await patch(`${below}/categories/${child.id}`, { parentId: parent.id });
  const tag = await create(`${below}/tags`, { name: 'Tag', color: '#1f6feb' });
  const article = await create(`${below}/articles`, {
    articleData: {
      tagIds: [tag.id],
      categoryIds: [child.id],
      primaryCategoryId: child.id,
      authors: [{ name: 'Ada' }],
    },
    versionData: { title: 'Hello', body: ' # Hi \r\n', seo: { title: 'For engines' } },
  });
  await patch(`${below}/articles/${article.id}`, { versionData: { status: 'PUBLISHED' } });
  await create(`${below}/articles`, { versionData: { title: 'Draft' } });
  const holding = await create('/crm/companies', {
    name: 'Holding',
    annualRevenue: { amount: '1.50', currency: 'EUR' },
  });
  const company = await create('/crm/companies', {
    name: 'Company',
    parentCompanyId: holding.id,
    domains: ['example.com'],
  });
  await create('/crm/contacts', {
    firstName: 'Ada',
    emails: [{ address: 'ada@example.com', isPrimary: true }],
    phones: [{ number: '+49 30 1234567', label: 'work' }],
    companies: [{ companyId: company.id, role: 'Analyst' }],
    tags: ['vip'],
  });
  const book = await create('/books', {
    title: 'Frankenstein',
    isbn13: '9780141439471',
    contributors: [{ name: 'Mary Shelley', role: 'AUTHOR', position: 1 }],
    prices: [{ amount: '9.99', currency: 'GBP', territory: 'GB' }],
  });
  await patch(`/books/${book.id}`, { status: 'PUBLISHED' });
  await patch(`/books/${book.id}`, { status: 'UNPUBLISHED' });
  const magazine = await create('/magazines', { title: 'Sea', status: 'ACTIVE' });
  await create(`/magazines/${magazine.id}/issues`, {
    number: '3-4',
    year: 2026,
    contents: [{ articleId: article.id, section: 'Letters' }],
  });
}

/** Records without what another organization cannot have: ids, instants, actors, versions. */
function comparable(text: string): string[] {
  const names = new Map<string, string>();
  const records = text
    .trim()
    .split('\n')
    .map((line): Json => JSON.parse(line));
  for (const record of records) {
    const title =
      record.name ?? record.title ?? record.number ?? record.displayName ?? record.versionData?.title;
    names.set(record.id, `${record.resource} ${title}`);
  }
  return records.map((record) => {
    const { id, version, createdAt, updatedAt, createdBy, updatedBy, externalId, importId, ...rest } = record;
    assert.equal(
      typeof id + typeof version + typeof createdAt + typeof updatedAt,
      'stringnumberstringstring',
    );
    assert.ok(createdBy !== undefined && updatedBy !== undefined && importId !== undefined);
    const own = externalId === 'own-key' ? externalId : null;
    const json = JSON.stringify({ ...rest, externalId: own }, (key, value) =>
      key === 'publishedAt' && value !== null ? 'then' : value,
    );
    return json.replace(
      /[a-z]+_[0-9a-z]{26}/g,
      (known) => names.get(known) ?? assert.fail(`${known} is in no line`),
    );
  });
}

test('an export that is imported into another organization gives the same export', async () => {
  await fill();
  const first = join(folder, 'first.ndjson');
  const report = await exportTo(first, server.token);
  assert.deepEqual(report.resources, {
    sites: 1,
    categories: 2,
    tags: 1,
    companies: 2,
    contacts: 1,
    'knowledge-files': 0,
    articles: 2,
    books: 1,
    magazines: 1,
    issues: 1,
  });
  assert.equal(report.records, 12);
  const imported = await importFrom(first, target);
  assert.deepEqual(imported.rejections, []);
  assert.deepEqual([imported.created, imported.rejected, imported.stopped], [12, 0, null]);
  const second = join(folder, 'second.ndjson');
  await exportTo(second, target);
  const [before, after] = [await readFile(first, 'utf8'), await readFile(second, 'utf8')];
  assert.deepEqual(comparable(after).sort(), comparable(before).sort());

  const again = await importFrom(first, target);
  assert.deepEqual([again.unchanged, again.rejected], [12, 0]);
  const back = await importFrom(first, server.token);
  assert.deepEqual(
    [back.unchanged, back.created],
    [12, 0],
    'in its own organization every record is found by its id',
  );
  assert.deepEqual(
    (await readdir(folder)).filter((name) => name.includes('partial')),
    [],
  );
});

test('an export of some resources goes to a folder or to standard output', async () => {
  const report = await exportTo(join(folder, 'all/'), server.token, ['tags', 'sites']);
  assert.deepEqual(
    report.files.map((file) => file.split('/').at(-1)),
    ['sites.ndjson', 'tags.ndjson'],
  );
  let text = '';
  await exportTo('-', server.token, ['sites'], (part) => {
    text += part;
  });
  assert.equal(text, await readFile(join(folder, 'all', 'sites.ndjson'), 'utf8'));
});

test('a failed export keeps the existing file', async () => {
  const path = join(folder, 'kept.ndjson');
  await writeFile(path, 'kept');
  await assert.rejects(exportTo(path, 'wrong'), ProblemError);
  assert.equal(await readFile(path, 'utf8'), 'kept');
  assert.deepEqual(
    (await readdir(folder)).filter((name) => name.includes('partial')),
    [],
  );
  await assert.rejects(exportTo(path, server.token, ['bucks']), UsageError);
  await assert.rejects(exportTo(join(folder, 'absent', 'file'), server.token), /cannot be written/);
});
