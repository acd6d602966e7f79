/**
 * Values of the world: strings, numbers and texts that others have collected, through our fields and functions, beside the libraries that others
 * use for them.
 */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { ImportReport } from '@trellis/importer/report.ts';
import { resources } from '@trellis/schema/resources/index.ts';
import type { Resource } from '@trellis/schema/resources/resource.ts';
import { createBodySchema, type JsonSchema } from '@trellis/schema/validation/body-schemas.ts';
import { unwrap } from '@trellis/schema/validation/faults.ts';
import { normalizeIsbn13 } from '@trellis/schema/values/isbn.ts';
import { readPhone } from '@trellis/schema/values/phone.ts';
import { runExport } from '@trellis/server/commands/export/run.ts';
import { parseText } from '../../packages/console/src/features/articles/preview/parse.ts';
import { createMember, createOrganization, createToken } from '../support/identities.ts';
import { importFile } from '../support/import-file.ts';
import { type Json, startTestServer, type TestServer } from '../support/server.ts';
import { amount } from '../support/soak.ts';

const require = createRequire(import.meta.url);
const listed = require('big-list-of-naughty-strings/blns.json') as readonly string[];
/** In other runs than a soak, every ninth. */
const naughty = listed.filter((_, index) => index % amount(9, 1) === 0);

let server: TestServer;
let folder: string;

before(async () => {
  server = await startTestServer();
  folder = await mkdtemp(join(tmpdir(), 'trellis-world-'));
});
after(async () => {
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

/** What nobody sees, and white space. */
const nothing = '[\\s\\p{Default_Ignorable_Code_Point}\\ufff9-\\ufffb\\u2800]*';
const ends = new RegExp(`^${nothing}|${nothing}$`, 'gu');
const anywhere = new RegExp(nothing, 'gu');

/** Whether the stored text is the one that was sent, apart from what its format removes. */
function isSame(schema: JsonSchema, sent: string, stored: unknown): boolean {
  if (schema['x-max-bytes'] !== undefined) return stored === sent;
  const text = sent.replaceAll('\r\n', '\n').normalize('NFC');
  if (schema.format === undefined)
    return stored === text || String(stored ?? '').replace(ends, '') === text.replace(ends, '');
  const seen = (one: string) => one.normalize('NFC').replace(anywhere, '');
  if (schema.format === 'label')
    return seen(String(stored ?? '')) === seen(text.replaceAll('İ', 'i').toLowerCase());
  if (!['name', 'external-id', 'phone'].includes(schema.format)) return true;
  return seen(String(stored ?? '')) === seen(text);
}

/** A body with the text in all places that take one. */
function fill(given: JsonSchema, text: string): unknown {
  const schema = unwrap(given) ?? given;
  if (schema['x-reference'] !== undefined) return undefined;
  switch (schema.type) {
    case 'string':
      if (schema.enum !== undefined) return schema.enum[0];
      if (schema.maxLength === undefined || schema.pattern !== undefined)
        return given.examples?.[0] ?? schema.examples?.[0];
      return text;
    case 'object': {
      const members = Object.entries(schema.properties ?? {}).map(
        ([name, member]) => [name, fill(member, text)] as const,
      );
      const missing = (schema.required ?? []).some((name) =>
        members.some(([key, value]) => key === name && value === undefined),
      );
      return missing ? undefined : Object.fromEntries(members.filter(([, value]) => value !== undefined));
    }
    case 'array': {
      const item = schema.items === undefined ? undefined : fill(schema.items, text);
      return item === undefined || isReference(given) ? undefined : [item];
    }
    default:
      return given.examples?.[0];
  }
}

/** Ids of other records have the length of ids and no format. */
function isReference({ examples }: JsonSchema): boolean {
  return /^\["?[a-z]+_[0-9a-z]{26}/.test(JSON.stringify(examples?.[0] ?? null));
}

/** The texts of a body that are also in the record, with their schemas. */
function* pairs(given: JsonSchema, sent: unknown, stored: unknown): Generator<[JsonSchema, string, unknown]> {
  const schema = unwrap(given) ?? given;
  if (schema.type === 'string' && typeof sent === 'string') yield [schema, sent, stored];
  if (Array.isArray(sent) && schema.items !== undefined)
    for (const [index, item] of sent.entries())
      yield* pairs(schema.items, item, (stored as unknown[])[index]);
  else if (schema.properties !== undefined && typeof sent === 'object' && sent !== null)
    // The content of a file is no member of the record.
    for (const [name, value] of Object.entries(sent))
      if (Object.hasOwn(stored as object, name))
        yield* pairs(schema.properties[name] ?? {}, value, (stored as Record<string, unknown>)[name]);
}

let keys = 0;
function nextKey(): number {
  keys += 1;
  return keys;
}

/** The body without what was rejected; fields that must be there get an example instead. */
function without(body: Json, pointer: string): void {
  const path = pointer.slice(1).split('/');
  const top = path.slice(0, path[0]?.endsWith('Data') ? 2 : 1);
  const parent = top.length === 2 ? body[top[0] ?? ''] : body;
  const name = top.at(-1) ?? '';
  if (name === 'key') parent[name] = `world-${nextKey()}`;
  else if (['name', 'title', 'firstName', 'number'].includes(name)) parent[name] = 'Given';
  else delete parent[name];
}

/** Calls at the same time. */
const atOnce = 16;
const world = resources.filter(({ module, portable }) => module !== null && portable !== false);

test('naughty strings are stored as they are or rejected with a code, and come back by export and import', async (context) => {
  const site = (await server.call('POST', '/v1/sites', { body: { name: 'World', key: 'world-0' } })).json;
  const magazine = (await server.call('POST', '/v1/magazines', { body: { title: 'World' } })).json;
  const pathOf = ({ path }: Resource) =>
    `/v1${path.replace('{siteId}', site.id).replace('{magazineId}', magazine.id)}`;
  let [exact, rejected, created] = [0, 0, 2];
  for (const resource of world) {
    const schema = createBodySchema(resource);
    const one = async (text: string, index: number) => {
      const body = fill(schema, text) as Json;
      if (resource.name === 'issues') body.year = 1_600 + (index % 500);
      // The first one needs a date.
      delete body.tradeStatus;
      const { record, faults } = await create(pathOf(resource), body);
      rejected += faults;
      created += 1;
      const { json } = await server.call('GET', `${pathOf(resource)}/${record.id}`);
      for (const [member, sent, stored] of pairs(schema, body, json)) {
        assert.ok(
          isSame(member, sent, stored),
          `${resource.name}: ${JSON.stringify([member, sent, stored])}`,
        );
        exact += 1;
      }
    };
    for (let start = 0; start < naughty.length; start += atOnce)
      await Promise.all(naughty.slice(start, start + atOnce).map((text, index) => one(text, start + index)));
  }
  context.diagnostic(`${created} records, ${exact} texts as sent, ${rejected} rejected`);
  const output = join(folder, 'world.ndjson');
  await runExport(
    { resources: [], output },
    {
      connection: { baseUrl: server.url, token: server.token },
      stdout: () => {},
      stderr: () => {},
      isTerminal: false,
    },
  );
  const own = await importFrom(output, server.token);
  assert.deepEqual([own.created, own.updated, own.unchanged, own.rejections], [0, 0, created, []]);
  const organization = await createOrganization(server.database.worker, 'elsewhere');
  const owner = await createMember(server.database.worker, organization, 'OWNER');
  const { token } = await createToken(server.database.worker, organization, owner);
  const there = await importFrom(output, token);
  assert.deepEqual([there.created, there.updated, there.rejections], [created, 0, []]);
  const again = await importFrom(output, token);
  assert.deepEqual([again.created, again.updated, again.unchanged, again.rejections], [0, 0, created, []]);
});

/** Creates a record, leaving out what is rejected, which must have a code and a place. */
async function create(path: string, body: Json): Promise<{ record: Json; faults: number }> {
  let faults = 0;
  for (let attempt = 0; attempt < 12; attempt += 1) {
    const response = await server.call('POST', path, { body });
    if (response.status === 201) return { record: response.json, faults };
    assert.ok([409, 422].includes(response.status), `${path}: ${response.text}`);
    assert.match(response.json.code, /^[a-z_]+$/);
    for (const { pointer, code, detail } of response.json.errors) {
      assert.ok(code !== '' && /[.?]$/.test(detail), response.text);
      faults += 1;
      without(body, pointer);
    }
  }
  assert.fail(`${path} rejects ${JSON.stringify(body)}`);
}

async function importFrom(path: string, token: string): Promise<ImportReport> {
  return importFile({ url: server.url, token }, { path, rejectedFile: join(folder, 'rejected.ndjson') });
}

interface GooglePhone {
  PhoneNumberUtil: { getInstance(): GoogleUtil };
  ShortNumberInfo?: unknown;
  PhoneNumberFormat: Readonly<Record<'E164' | 'INTERNATIONAL' | 'NATIONAL' | 'RFC3966', number>>;
  PhoneNumberType: Readonly<Record<string, number>>;
}
interface GoogleUtil {
  getSupportedRegions(): readonly string[];
  getExampleNumberForType(region: string, type: number): object | null;
  format(number: object, format: number): string;
}

test('the example numbers of all regions and types are read in every notation', (context) => {
  const google = require('google-libphonenumber') as GooglePhone;
  const util = google.PhoneNumberUtil.getInstance();
  const { E164, INTERNATIONAL, NATIONAL, RFC3966 } = google.PhoneNumberFormat;
  let count = 0;
  const wrong: string[] = [];
  for (const region of util.getSupportedRegions()) {
    for (const type of Object.values(google.PhoneNumberType)) {
      const number = util.getExampleNumberForType(region, type);
      if (number === null) continue;
      // Since the end of 2024, all numbers of Benin begin with 01; the library has examples of before.
      const expected = util.format(number, E164).replace(/^\+229(?=\d{8}$)/, '+22901');
      const written = util.format(number, E164);
      for (const [text, country] of [
        [written, null],
        [util.format(number, INTERNATIONAL), null],
        [`${util.format(number, INTERNATIONAL)} ext. 12`, null],
        [util.format(number, RFC3966), null],
        [util.format(number, NATIONAL), region],
        [`${util.format(number, NATIONAL)} x123`, region],
      ] as const) {
        const { e164, fault } = readPhone(text, country);
        count += 1;
        if (e164 !== expected || fault !== null)
          wrong.push(`${region} ${text}: ${e164 ?? fault}, not ${expected}`);
      }
    }
  }
  context.diagnostic(`${count} notations`);
  assert.ok(count > 5_000);
  assert.deepEqual(wrong, []);
});

test('the ISBNs that isbn3 knows are read in every notation, and wrong check digits by neither', (context) => {
  const isbn3 = require('isbn3') as {
    parse(
      text: string,
    ): { isbn13: string; isbn13h: string; isbn10: string | undefined; isbn10h: string | undefined } | null;
    groups: Readonly<Record<string, { readonly ranges: readonly (readonly [string, string])[] }>>;
  };
  let count = 0;
  for (const [prefix, { ranges }] of Object.entries(isbn3.groups)) {
    for (const range of ranges) {
      for (const publisher of range) {
        const digits = `${prefix.replaceAll('-', '')}${publisher}`.padEnd(12, '3').slice(0, 12);
        const found = Array.from('0123456789', (check) => digits + check).filter(
          (isbn) => isbn3.parse(isbn) !== null,
        );
        const valid = Array.from('0123456789', (check) => digits + check).filter(
          (isbn) => normalizeIsbn13(isbn) !== null,
        );
        assert.equal(valid.length, 1, digits);
        const parsed = isbn3.parse(valid[0] ?? '');
        if (parsed === null) continue;
        assert.deepEqual(found, valid);
        for (const text of [
          parsed.isbn13,
          parsed.isbn13h,
          parsed.isbn10,
          parsed.isbn10h,
          `ISBN ${parsed.isbn13h}`,
        ]) {
          if (text === undefined) continue;
          assert.equal(normalizeIsbn13(text), parsed.isbn13, text);
          count += 1;
        }
      }
    }
  }
  context.diagnostic(`${count} notations`);
  assert.ok(count > 2_000);
});

test('the examples of the CommonMark specification are shown as it says', (context) => {
  const { tests } = require('commonmark-spec') as {
    tests: readonly { markdown: string; html: string; number: number; section: string }[];
  };
  const wrong = tests.flatMap(({ markdown, html, number, section }) => {
    const written = (text: string) => text.replaceAll('→', '\t');
    const shown = plain(parseText(written(markdown), 'MARKDOWN').blocks);
    return shown === plain(parseText(written(html), 'HTML').blocks) ? [] : [`${number} (${section})`];
  });
  context.diagnostic(`${tests.length} examples`);
  // Addresses without angle brackets are links here, and text there.
  assert.deepEqual(wrong, ['602 (Autolinks)', '608 (Autolinks)', '611 (Autolinks)', '612 (Autolinks)']);
});

/** Nodes as text, without white space between blocks. */
function plain(nodes: unknown): string {
  return JSON.stringify(nodes)
    .replaceAll(/"(?:\\n|\s)*",?/g, '')
    .replaceAll('\\n', ' ')
    .replaceAll(/ +/g, ' ');
}
