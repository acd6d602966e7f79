/** Imports over records that exist: a row changes the members that it has, in the item that it stands for, and removes nothing unasked. */
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, beforeEach, test } from 'node:test';
import type { ColumnChoices } from '@trellis/importer/columns.ts';
import { listImportOf } from '@trellis/importer/destinations.ts';
import { type ListMode, mergeList } from '@trellis/importer/merge-list.ts';
import { describeReport, type ImportReport } from '@trellis/importer/report.ts';
import { resourceByName } from '@trellis/schema/resources/index.ts';
import { flattenFields } from '@trellis/schema/resources/resource.ts';
import { createMember, createOrganization, createToken } from '../support/identities.ts';
import { importFile } from '../support/import-file.ts';
import { type Json, startTestServer, type TestServer } from '../support/server.ts';

let server: TestServer;
let folder: string;
let token: string;
let organizations = 0;

before(async () => {
  server = await startTestServer();
  folder = await mkdtemp(join(tmpdir(), 'trellis-merge-'));
});
after(async () => {
  await server.close();
  await rm(folder, { recursive: true, force: true });
});
beforeEach(async () => {
  organizations += 1;
  const { worker } = server.database;
  const organization = await createOrganization(worker, `merges-${organizations}`);
  const owner = await createMember(worker, organization, 'OWNER');
  token = (await createToken(worker, organization, owner)).token;
});

interface Case {
  readonly field: string;
  readonly mode?: ListMode;
  readonly before: readonly unknown[];
  readonly given: readonly unknown[];
  readonly after: readonly unknown[];
}

const ada = { address: 'Ada@example.org', label: 'work', isPrimary: true };
const bo = { address: 'bo@example.org', label: null, isPrimary: false };
const phone = { number: '030 1234567', country: 'DE', label: 'desk', isPrimary: false };
const berlin = { street: 'A 1', city: 'Berlin', region: null, postalCode: '10117', country: 'DE' };
const wien = { street: 'B 2', city: 'Wien', region: null, postalCode: '1010', country: 'AT' };
const all = { amount: '9.99', currency: 'EUR', territory: null };
const swiss = { amount: '12.00', currency: 'CHF', territory: 'CH' };
const mary = { name: 'Mary Shelley', role: 'EDITOR', position: 2 };

/** By resource. */
const merges: Readonly<Record<string, Readonly<Record<string, Case>>>> = {
  contacts: {
    'an address in other letters is the same one, and keeps its members': {
      field: 'emails',
      before: [ada, bo],
      given: [{ address: 'ADA@example.ORG' }],
      after: [ada, bo],
    },
    'a new address is added at the end': {
      field: 'emails',
      before: [ada],
      given: [{ address: 'new@example.org', label: 'home' }],
      after: [ada, { address: 'new@example.org', label: 'home', isPrimary: false }],
    },
    'a label of the row is that of its address': {
      field: 'emails',
      before: [ada, bo],
      given: [{ address: 'bo@example.org', label: 'home' }],
      after: [ada, { ...bo, label: 'home' }],
    },
    'the primary address of the row is the only primary one': {
      field: 'emails',
      before: [ada, bo],
      given: [{ address: 'bo@example.org', isPrimary: true }],
      after: [
        { ...ada, isPrimary: false },
        { ...bo, isPrimary: true },
      ],
    },
    'a list that is replaced loses what the row does not have, and keeps the members of the rest': {
      field: 'emails',
      mode: 'replace',
      before: [bo, ada],
      given: [{ address: 'new@example.org' }, { address: 'ada@example.org' }],
      after: [{ address: 'new@example.org', label: null, isPrimary: false }, ada],
    },
    'a whole list is what the row has': {
      field: 'emails',
      mode: 'whole',
      before: [bo, ada],
      given: [{ address: 'ada@example.org' }],
      after: [{ address: 'ada@example.org', label: null, isPrimary: false }],
    },
    'a number in another notation is the same one': {
      field: 'phones',
      before: [{ ...phone, e164: '+49301234567' }],
      given: [{ number: '+49 (0)30 1234567', label: 'mobile' }, { number: '+49 30 7654321' }],
      after: [
        { ...phone, label: 'mobile' },
        { number: '+49 30 7654321', country: null, label: null, isPrimary: false },
      ],
    },
    'a number of the country of the organization is found': {
      field: 'phones',
      before: [
        { number: '+1 202 555 0123', country: null, label: 'us', isPrimary: false, e164: '+12025550123' },
      ],
      given: [{ number: '(202) 555-0123' }],
      after: [{ number: '+1 202 555 0123', country: null, label: 'us', isPrimary: false }],
    },
    'a city is that of the address with that city': {
      field: 'addresses',
      before: [berlin, wien],
      given: [{ city: 'WIEN', postalCode: '1020' }],
      after: [berlin, { ...wien, city: 'WIEN', postalCode: '1020' }],
    },
    'a city that no address has is that of the first one': {
      field: 'addresses',
      before: [berlin, wien],
      given: [{ city: 'Hamburg' }],
      after: [{ ...berlin, city: 'Hamburg' }, wien],
    },
    'a second address of the row is another one': {
      field: 'addresses',
      before: [berlin],
      given: [{ city: 'Rom' }, { street: 'A 1', city: 'Berlin' }],
      after: [berlin, { street: null, city: 'Rom', region: null, postalCode: null, country: null }],
    },
    'the address that has most in common is taken first': {
      field: 'addresses',
      before: [berlin, { ...berlin, street: 'C 3' }],
      given: [{ city: 'Berlin' }, { street: 'A 1', city: 'Berlin', region: 'BE' }],
      after: [
        { ...berlin, region: 'BE' },
        { ...berlin, street: 'C 3' },
      ],
    },
    'labels are added, each once': {
      field: 'tags',
      before: ['alt', 'neu'],
      given: ['neu', 'drei'],
      after: ['alt', 'neu', 'drei'],
    },
  },
  books: {
    'a price is that of its currency and country': {
      field: 'prices',
      before: [all, swiss],
      given: [
        { amount: '8.00', currency: 'EUR' },
        { amount: '1.00', currency: 'EUR', territory: 'AT' },
      ],
      after: [{ ...all, amount: '8.00' }, swiss, { amount: '1.00', currency: 'EUR', territory: 'AT' }],
    },
    'a price for all countries leaves that of one country': {
      field: 'prices',
      before: [swiss],
      given: [{ amount: '11.00', currency: 'CHF' }],
      after: [swiss, { amount: '11.00', currency: 'CHF', territory: null }],
    },
    'whoever is named is there already, in whatever role': {
      field: 'contributors',
      before: [mary],
      given: [{ name: 'Mary Shelley' }],
      after: [mary],
    },
    'whoever has another role is named again': {
      field: 'contributors',
      before: [mary, { name: 'Bo', role: 'AUTHOR', position: null }],
      given: [
        { name: 'bo' },
        { name: 'Mary Shelley', role: 'AUTHOR' },
        { name: 'Mary Shelley' },
        { name: 'Cy' },
      ],
      after: [
        mary,
        { name: 'bo', role: 'AUTHOR', position: null },
        { name: 'Mary Shelley', role: 'AUTHOR', position: null },
        { name: 'Cy', role: 'AUTHOR', position: null },
      ],
    },
    'a code is that of its scheme': {
      field: 'subjects',
      before: [{ scheme: 'BISAC', code: 'FIC004000', label: 'Classics' }],
      given: [{ code: 'FIC004000' }, { code: 'FIC004000', scheme: 'THEMA' }],
      after: [
        { scheme: 'BISAC', code: 'FIC004000', label: 'Classics' },
        { scheme: 'THEMA', code: 'FIC004000', label: null },
      ],
    },
  },
};

for (const [name, cases] of Object.entries(merges)) {
  const resource = resourceByName(name);
  for (const [title, { field, mode = 'add', before: old, given, after: wanted }] of Object.entries(cases)) {
    test(`${name}: ${title}`, () => {
      const [, declared] = flattenFields(resource).find(([one]) => one === field) ?? assert.fail(field);
      const list = { field: declared, declared: listImportOf(resource, field), country: 'US' };
      const merged = mergeList(list, old, given, mode);
      assert.deepEqual(merged, wanted);
      // Importing the row again changes nothing.
      const withForms = merged.map(
        (item) =>
          old.find((one) => typeof one === 'object' && one !== null && 'e164' in one && isPart(item, one)) ??
          item,
      );
      assert.deepEqual(mergeList(list, withForms, given, mode), merged);
    });
  }
}

/** Whether one object has the members of another one. */
function isPart(item: unknown, other: object): boolean {
  return Object.entries(item as object).every(([name, value]) => (other as Json)[name] === value);
}

async function imported(
  name: string,
  content: string,
  more: Partial<ColumnChoices> & { resource?: string | null; dryRun?: boolean } = {},
): Promise<ImportReport> {
  const path = join(folder, name);
  await writeFile(path, content);
  return importFile({ url: server.url, token }, { path, resource: 'contacts', statuses: false, ...more });
}

const call = (method: string, path: string, body?: object) =>
  server.call(method, path, { token, ...(body === undefined ? {} : { body }) });

const counts = ({ created, updated, unchanged, rejected }: ImportReport) => [
  created,
  updated,
  unchanged,
  rejected,
];

const fuller = {
  externalId: 'merge-1',
  firstName: 'Mia',
  lastName: 'Merge',
  emails: [
    { address: 'Merge.a@example.org', label: 'work', isPrimary: true },
    { address: 'merge.b@example.org', label: 'home', isPrimary: false },
  ],
  addresses: [
    { street: 'Am Platz 1', city: 'Berlin', region: null, postalCode: '10117', country: 'DE' },
    { street: 'Ring 2', city: 'Wien', region: null, postalCode: '1010', country: 'AT' },
  ],
  tags: ['alt'],
};

async function createFuller(): Promise<Json> {
  const { status, json } = await call('POST', '/v1/crm/contacts', fuller);
  assert.equal(status, 201);
  return json;
}

const subset = 'externalId,E-mail,City,Tags\nmerge-1,merge.a@example.org,Berlin,neu\n';

test('a row with few columns removes nothing of a fuller record', async () => {
  const { id } = await createFuller();
  for (const expected of [
    [0, 1, 0, 0],
    [0, 0, 1, 0],
  ]) {
    const report = await imported('subset.csv', subset);
    assert.deepEqual([counts(report), report.removed], [expected, []]);
    const { json } = await call('GET', `/v1/crm/contacts/${id}`);
    assert.deepEqual(
      { emails: json.emails, addresses: json.addresses, tags: json.tags },
      { emails: fuller.emails, addresses: fuller.addresses, tags: ['alt', 'neu'] },
    );
  }
});

test('lists are replaced by column, and what they lose is listed before and after', async () => {
  const { id } = await createFuller();
  const choices = { columnSettings: { Tags: { lists: 'replace' }, 'E-mail': { lists: 'replace' } } } as const;
  const lost = (value: string) => ({ place: 'line 2', record: 'Mia Merge', value, reason: null });
  const removed = [
    { field: 'emails', count: 1, values: [lost('merge.b@example.org, home')] },
    { field: 'tags', count: 1, values: [lost('alt')] },
  ];
  const check = await imported('subset.csv', subset, { ...choices, dryRun: true });
  assert.deepEqual([counts(check), check.removed], [[0, 1, 0, 0], removed]);
  assert.match(
    describeReport(check),
    /Would be removed from records:\n {2}emails: 1 value\n {4}line 2 \(Mia Merge\): "merge\.b@example\.org, home"\n {2}tags: 1 value\n/,
  );
  const report = await imported('subset.csv', subset, choices);
  assert.deepEqual([counts(report), report.removed], [[0, 1, 0, 0], removed]);
  const { json } = await call('GET', `/v1/crm/contacts/${id}`);
  assert.deepEqual([json.emails, json.addresses, json.tags], [[fuller.emails[0]], fuller.addresses, ['neu']]);
});

test('null clears a value or list, and what it clears is listed', async () => {
  const { id } = await createFuller();
  const line = { externalId: 'merge-1', firstName: null, tags: null, addresses: [], emails: [] };
  const report = await imported('clear.ndjson', `${JSON.stringify(line)}\n`);
  assert.deepEqual(
    report.removed.map(({ field, values }) => [field, values.map(({ value }) => value)]),
    [
      ['firstName', ['Mia']],
      ['tags', ['alt']],
    ],
  );
  const { json } = await call('GET', `/v1/crm/contacts/${id}`);
  assert.deepEqual([json.firstName, json.tags, json.emails.length, json.addresses.length], [null, [], 2, 2]);
});

test('an exported record has whole lists, and what they lose is listed', async () => {
  const { id } = await createFuller();
  const exported = { resource: 'contacts', ...(await call('GET', `/v1/crm/contacts/${id}`)).json };
  await call('PATCH', `/v1/crm/contacts/${id}`, {
    tags: ['alt', 'later'],
    emails: [...fuller.emails, { address: 'later@example.org' }],
  });
  const report = await imported('export.ndjson', `${JSON.stringify(exported)}\n`, { resource: null });
  assert.deepEqual(counts(report), [0, 1, 0, 0]);
  assert.deepEqual(
    report.removed.map(({ field, values }) => [field, values.map(({ value }) => value)]),
    [
      ['emails', ['later@example.org']],
      ['tags', ['later']],
    ],
  );
  const { json } = await call('GET', `/v1/crm/contacts/${id}`);
  assert.deepEqual([json.emails, json.tags], [fuller.emails, ['alt']]);
});

test('a row for a record that exists needs no column for its required fields', async () => {
  const book = { title: 'Frankenstein', isbn13: '9780141439471', externalId: 'b-1' };
  const { json } = await call('POST', '/v1/books', book);
  const table = 'externalId,pages\nb-1,220\nb-2,100\n';
  for (const dryRun of [true, false]) {
    const report = await imported('pages.csv', table, { resource: 'books', dryRun });
    assert.deepEqual(counts(report), [0, 1, 0, 1]);
    assert.deepEqual(report.rejections[0]?.reasons, ['title: This field is required.']);
  }
  const after = await call('GET', `/v1/books/${json.id}`);
  assert.deepEqual([after.json.title, after.json.pageCount], ['Frankenstein', 220]);
});

test('a list that would be too long is refused, also by the dry run', async () => {
  const tags = Array.from({ length: 49 }, (_, index) => `tag-${index}`);
  await call('POST', '/v1/crm/contacts', { ...fuller, tags });
  for (const dryRun of [true, false]) {
    const report = await imported('tags.csv', 'externalId,tags\nmerge-1,"tag-0, x, y"\n', { dryRun });
    assert.deepEqual(counts(report), [0, 0, 0, 1]);
    assert.deepEqual(report.rejections[0]?.reasons, [
      'tags: Must have at most 50 items; the record has 49, and the row adds 2.',
    ]);
  }
});
