/** Exports come back: what the console and the command line export changes nothing when it is imported again, for every resource. */

import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { importOf } from '@trellis/importer/destinations.ts';
import { resourcesInOrder } from '@trellis/importer/order.ts';
import type { ImportReport } from '@trellis/importer/report.ts';
import { flattenFields, type Resource, statusOf } from '@trellis/schema/resources/resource.ts';
import type { JsonSchema } from '@trellis/schema/validation/body-schemas.ts';
import { valueAt } from '@trellis/schema/values/paths.ts';
import { guardFormula, unguardFormula } from '@trellis/schema/values/spreadsheet.ts';
import { runExport } from '@trellis/server/commands/export/run.ts';
import { columnsOf } from '@trellis/server/features/views/query.ts';
import { byteOrderMark, toCsv } from '../../packages/console/src/ui/csv.ts';
import { createMember, createOrganization, createToken } from '../support/identities.ts';
import { importFile } from '../support/import-file.ts';
import { type Json, startTestServer, type TestServer } from '../support/server.ts';

/** Texts that spreadsheets, importers and parsers take for something else. */
const awkward = [
  '=1+1',
  "'quoted'",
  "'=1+1",
  "''+x",
  '+49 30 1234567',
  '-x',
  '@home',
  '[]',
  '[1]',
  '[{"a":1}]',
  '{"a":1}',
  'x;=cmd',
  "x;'=cmd",
  'a "b", c; d',
  'two\nlines',
  'null',
  'true',
  '007',
  '1.10',
  '="978"',
  '2008.0',
  'Doe, Jane',
  'Jürgen 管理系统 😀',
];

let server: TestServer;
let folder: string;
let token: string;
let userId: string;
/** The first record of each resource. */
const ids = new Map<string, string>();

before(async () => {
  server = await startTestServer();
  folder = await mkdtemp(join(tmpdir(), 'trellis-own-'));
  const { worker } = server.database;
  const organization = await createOrganization(worker, 'own-exports');
  const owner = await createMember(worker, organization, 'OWNER');
  token = (await createToken(worker, organization, owner)).token;
  userId = (await call('GET', '/v1/me')).json.user.id;
  ids.set('users', userId);
  for (const resource of resourcesInOrder) await createRecords(resource);
});
after(async () => {
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

const call = (method: string, path: string, body?: object) =>
  server.call(method, path, { token, ...(body === undefined ? {} : { body }) });

const pathOf = (resource: Resource) =>
  `/v1${resource.path.replace(/\{\w+\}/, ids.get(resource.parent?.resource ?? '') ?? '')}`;

/** Creates a record with all fields, one without any that is not required, and one for each awkward text. */
async function createRecords(resource: Resource): Promise<void> {
  const path = pathOf(resource);
  for (const [index, text] of ['', ...awkward, null].entries()) {
    const body = bodyOf(resource, text, index);
    const { status, json } = await call('POST', path, body);
    assert.equal(status, 201, `${resource.name} ${JSON.stringify(body)}: ${JSON.stringify(json)}`);
    if (index === 0) ids.set(resource.name, json.id);
  }
}

/** A body with the examples of all fields, and a text in those that take any; with null only what is required. */
function bodyOf(resource: Resource, text: string | null, index: number): Json {
  const body: Json = {};
  for (const [name, field] of flattenFields(resource)) {
    if (field.readOnly || name === 'externalId' || name === statusOf(resource)?.field) continue;
    const value = valueFor(resource, name, field.schema as JsonSchema, text, index);
    if (value === undefined || (text === null && !field.required)) continue;
    const [group, member] = name.split('.');
    if (member === undefined) body[name] = value;
    else body[group ?? ''] = { ...body[group ?? ''], [member]: value };
  }
  if (resource.name === 'contacts' && text === null) body.emails = [{ address: 'only@example.org' }];
  if (resource.name === 'issues' && text === null) body.number = '99';
  for (const [name, { schema }] of Object.entries(resource.createOnly ?? {})) {
    if ((schema as JsonSchema).type === 'string') body[name] = `content ${index}`;
  }
  return body;
}

/** Fields that are set by themselves, or that other fields rule out. */
const skipped = new Set([
  'versionData.scheduledFor',
  'versionData.unpublishAt',
  'expiresAt',
  'allowedUserIds',
  'allowedRoles',
  'visibility',
  'focalPoint',
  'contents',
  'openAccessDate',
]);

function valueFor(
  resource: Resource,
  name: string,
  schema: JsonSchema,
  text: string | null,
  index: number,
): unknown {
  if (skipped.has(name)) return undefined;
  const [, field] = flattenFields(resource).find(([one]) => one === name) ?? [];
  if (field?.reference != null) {
    const target = field.reference.resource;
    const id = target === 'users' ? userId : ids.get(target);
    return id === undefined ? undefined : field.kind === 'uuids' ? [id] : id;
  }
  return distinct(schema, text, index);
}

/** An example that differs from those of other records, with the text wherever any text may be. */
function distinct(schema: JsonSchema, text: string | null, index: number): unknown {
  const plain =
    (schema.anyOf as readonly JsonSchema[] | undefined)?.find(({ type }) => type !== 'null') ?? schema;
  const [example] = (schema.examples ?? plain.examples ?? []) as readonly unknown[];
  const types = [plain.type].flat();
  if (plain.enum !== undefined || plain.pattern !== undefined) return example;
  if (types.includes('array'))
    return [distinct(plain.items ?? {}, text, index)].filter((item) => item !== undefined);
  if (types.includes('object')) {
    const members = Object.entries(plain.properties ?? {}).filter(([, member]) => member.readOnly !== true);
    return Object.fromEntries(
      members.flatMap(([name, member]) => {
        const value = distinct(member, text, index);
        return value === undefined ? [] : [[name, value]];
      }),
    );
  }
  if (!types.includes('string')) return example;
  return distinctText(plain, String(example ?? 'example'), text ?? 'x', index);
}

function distinctText(
  { format, maxLength }: JsonSchema,
  example: string,
  text: string,
  index: number,
): unknown {
  const unique = `${index}`.padStart(2, '0');
  const [, prefix] = /^([a-z]+_)[0-9a-z]{26}$/.exec(example) ?? [];
  if (prefix !== undefined) return [...ids.values()].find((id) => id.startsWith(prefix));
  switch (format) {
    case undefined:
    case 'label':
      return text === '' ? example : text.slice(0, Number(maxLength));
    case 'slug':
      return `slug-${unique}`;
    case 'email-address':
      return `person${unique}@example.org`;
    case 'domain':
    case 'domain-name':
      return `d${unique}.example.org`;
    case 'doi':
      return `10.1000/${unique}`;
    case 'isbn13':
      return isbnOf(index);
    case 'issn':
      return undefined;
    case 'phone':
      return '+49 30 1234567';
    default:
      return example;
  }
}

function isbnOf(index: number): string {
  const digits = `97801414${String(index).padStart(4, '0')}`;
  const sum = [...digits].reduce((total, digit, at) => total + Number(digit) * (at % 2 === 0 ? 1 : 3), 0);
  return `${digits}${(10 - (sum % 10)) % 10}`;
}

async function listAll(resource: Resource, query: Readonly<Record<string, string>>): Promise<Json[]> {
  const { status, json } = await call(
    'GET',
    `${pathOf(resource)}?${new URLSearchParams({ ...query, limit: '100' })}`,
  );
  assert.equal(status, 200, JSON.stringify(json));
  return json.items;
}

async function imported(name: string, content: string, resource: Resource | null): Promise<ImportReport> {
  const path = join(folder, name);
  await writeFile(path, content);
  const parent =
    resource?.parent == null
      ? null
      : resourcesInOrder.find(({ name: one }) => one === resource.parent?.resource);
  return importFile(
    { url: server.url, token },
    {
      path,
      resource: resource?.name ?? null,
      parents: parent == null ? {} : { [parent.singular]: ids.get(parent.name) ?? '' },
    },
  );
}

const outcome = ({ created, updated, rejected, rejections, notImported, repairs, linked }: ImportReport) => ({
  created,
  updated,
  rejected: rejected === 0 ? 0 : rejections,
  notImported,
  repairs,
  linked,
});
const nothing = { created: 0, updated: 0, rejected: 0, notImported: [], repairs: [], linked: {} };

for (const resource of resourcesInOrder) {
  test(`${resource.name}: the table of the console, with every column, changes nothing`, async () => {
    const fields = ['id', ...columnsOf(resource)];
    const records = await listAll(resource, { fields: fields.join(',') });
    assert.ok(records.length >= awkward.length);
    const rows = records.map((record) => fields.map((name) => valueAt(record, name)));
    const table = `${byteOrderMark}${toCsv([fields, ...rows])}`;
    assert.deepEqual(outcome(await imported(`${resource.name}.csv`, table, resource)), nothing);
    assert.deepEqual(await listAll(resource, { fields: fields.join(',') }), records);
  });

  test(`${resource.name}: the JSON lines of the console change nothing`, async () => {
    const records = await listAll(resource, {});
    const lines = records.map((record) => `${JSON.stringify(record)}\n`).join('');
    assert.deepEqual(outcome(await imported(`${resource.name}.jsonl`, lines, resource)), nothing);
  });
}

test('the export of the command line changes nothing', async () => {
  const output = join(folder, 'organization.ndjson');
  const exported = resourcesInOrder.filter((resource) => importOf(resource).withoutContent !== true);
  const { records } = await runExport(
    { output, resources: exported.map(({ name }) => name) },
    {
      connection: { baseUrl: server.url, token },
      stdout: () => undefined,
      stderr: () => undefined,
      isTerminal: false,
    },
  );
  const report = await imported('organization.ndjson', await readFile(output, 'utf8'), null);
  assert.deepEqual([report.rows, outcome(report)], [records, nothing]);
});

test('a guarded text is the one that it was made of', () => {
  for (const text of awkward) assert.equal(unguardFormula(guardFormula(text)), text);
});

test('what a spreadsheet takes for a formula is guarded, in full width too, and numbers and words are not', () => {
  const formulas = [
    '=1',
    '@a',
    '＝1',
    '＠a',
    '+a',
    '＋a',
    '-a',
    '－a',

    "'=1",
    "''＝1",
    '\ta',
    '\ra',
    '\na',
  ];
  for (const text of formulas) assert.equal(guardFormula(text), `'${text}`);
  for (const [text, safe] of [
    ['x;=cmd', "x;'=cmd"],
    ['=1;+a;1', "'=1;'+a;1"],
    ["x;'@a", "x;''@a"],
    ['x\r\n=1', "x\r\n'=1"],
  ] as const) {
    assert.equal(
      guardFormula(text),
      safe,
      'where semicolons separate cells, and quotation marks are not seen',
    );
    assert.equal(unguardFormula(safe), text);
  }
  for (const text of [
    'a; b',
    'a;1',
    'tel:1;-2',
    'a\n- item\n+ item',
    '',
    '1',
    '-1',
    '+49 (30) 1-2',
    "'a",
    'a=1',
    ' =1',
  ])
    assert.equal(guardFormula(text), text);
});
