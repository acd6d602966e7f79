/**
 * Faults of bodies that exceed a limit: combining marks in every declared text, at most a hundred faults, empty texts,
 * read-only members, and empty objects in a PATCH.
 */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { maxFaults, Problem } from '@trellis/schema/problem.ts';
import { articles } from '@trellis/schema/resources/articles.ts';
import { books } from '@trellis/schema/resources/books.ts';
import { contacts } from '@trellis/schema/resources/contacts.ts';
import { knowledgeFiles } from '@trellis/schema/resources/knowledge-files.ts';
import { webhookEndpoints } from '@trellis/schema/resources/webhook-endpoints.ts';
import type { JsonSchema } from '@trellis/schema/validation/body-schemas.ts';
import { createBodyCheck } from '@trellis/schema/validation/check-body.ts';
import { refuseFaults } from '@trellis/schema/validation/faults.ts';
import { isFreeFormat } from '@trellis/schema/validation/formats.ts';
import { createInputReader } from '@trellis/schema/validation/input.ts';
import { foldText } from '@trellis/schema/values/text.ts';
import { readParameters } from '@trellis/server/kernel/http/parameters.ts';
import { operationsWithoutServer } from '@trellis/server/node/api/operations-without-server.ts';
import { type Path, placesOf, plainSchema, pointerOf, resourceOf } from '../support/fixtures.ts';
import { bodySchemas, foreignPointer } from '../support/operations.ts';

const operations = operationsWithoutServer('http://localhost:3000');

/** Letters with a number of combining marks of different classes. */
const marked = (count: number) => `ab${'\u0300\u0316'.repeat(count / 2)}`;

function bodyAt([key, ...rest]: Path, value: unknown): unknown {
  if (key === undefined) return value;
  return key === '0' ? [bodyAt(rest, value)] : { [key]: bodyAt(rest, value) };
}

function faultsAt(check: ReturnType<typeof createBodyCheck>, path: Path, value: unknown): string[] {
  const { faults } = check(bodyAt(path, value));
  return faults.flatMap(({ pointer, code }) => (pointer === pointerOf(path) ? [code] : []));
}

for (const { operationId, schema } of bodySchemas) {
  test(`${operationId}: more than thirty combining marks in a row are refused in every text`, () => {
    const check = createBodyCheck(schema);
    for (const { path, schema: place } of placesOf(schema)) {
      const { type, maxLength } = plainSchema(place);
      if (type !== 'string') continue;
      const label = pointerOf(path);
      // Texts without a length are enumerated values and timestamps, which are not normalized.
      const expected =
        typeof maxLength !== 'number' || maxLength < 8
          ? /^(combining_marks|maxLength|enum|format)$/
          : /^combining_marks$/;
      assert.match(faultsAt(check, path, marked(32)).join(), expected, label);
      assert.ok(!faultsAt(check, path, marked(30)).includes('combining_marks'), label);
      // Texts that are far too long are not examined further.
      const long = faultsAt(check, path, marked(100_000)).join();
      assert.match(long, /^(maxLength|x-max-bytes|combining_marks|enum|format)$/, label);
    }
  });

  test(`${operationId}: every text, list and object has a limit`, () => {
    for (const { path, schema: place } of placesOf(schema)) {
      const { type, maxLength, maxItems, enum: values, format, properties, ...rules } = plainSchema(place);
      // The credential of a passkey has members of its own, and is limited by the size of the body.
      if (pointerOf(path) === foreignPointer) continue;
      const isBounded =
        type === 'string'
          ? typeof (maxLength ?? rules['x-max-bytes']) === 'number' ||
            values !== undefined ||
            /date-time$/.test(format ?? '')
          : type === 'array'
            ? typeof maxItems === 'number'
            : type !== 'object' || properties !== undefined;
      assert.ok(isBounded, pointerOf(path));
    }
  });
}

for (const { operationId, queryParameters } of operations) {
  for (const { name, schema } of queryParameters) {
    test(`${operationId}: more than thirty combining marks in a row are refused in ${name}`, () => {
      for (const text of [marked(32), marked(4_000)]) {
        const query = `${name}=${encodeURIComponent(text)}`;
        assert.throws(
          () => readParameters(query, queryParameters),
          (error) => error instanceof Problem && error.code === 'invalid_parameter',
        );
      }
      const query = `${name}=${encodeURIComponent(marked(6))}`;
      if (schema.type === 'string' && schema.enum === undefined && isFreeFormat(schema.format))
        assert.ok(
          readParameters(
            query,
            queryParameters.filter(({ required, name: other }) => !required || other === name),
          ),
        );
    });
  }
}

test('an accepted text is accepted again when it is sent back', () => {
  const reader = createInputReader(articles);
  // Devanagari QA decomposes into a letter and a mark, which is then the first of the run.
  const edge = `\u0958${'\u0316'.repeat(29)}`;
  const first = reader.create({ versionData: { title: edge } });
  assert.deepEqual(first.faults, []);
  assert.deepEqual(reader.create({ versionData: { title: first.values['versionData.title'] } }).faults, []);
  assert.equal(reader.create({ versionData: { title: `${edge}\u0316` } }).faults[0]?.code, 'combining_marks');
  assert.equal(foldText(edge), 'क');
});

test('at most a hundred faults are reported', () => {
  const reader = createInputReader(books);
  const many = (count: number, item: unknown) => Array.from({ length: count }, () => item);
  const faultsOf = (body: unknown) => {
    const { faults } = reader.create(body);
    assert.ok(faults.length <= maxFaults && JSON.stringify(faults).length < 40_000);
    return faults.map(({ pointer, code }) => `${pointer} ${code}`);
  };
  for (const item of [{}, 1, null, [], { name: 1 }])
    assert.deepEqual(faultsOf({ title: 'x', contributors: many(200_000, item) }), ['/contributors maxItems']);
  const unknown = Object.fromEntries(many(5_000, 0).map((_, index) => [`n${index}`, {}]));
  assert.equal(faultsOf({ title: 'x', ...unknown }).length, maxFaults);
  assert.equal(faultsOf({ title: 'x', contributors: many(100, { a: 1, b: 2, c: 3 }) }).length, maxFaults);
  assert.equal(faultsOf({ title: 'x', contributors: many(100, {}) }).length, maxFaults);
  const files = createInputReader(knowledgeFiles).create({
    name: 'x',
    allowedUserIds: many(200, 0).map((_, index) => `u${index}`),
  });
  assert.equal(files.faults.length, maxFaults);
  assert.deepEqual(faultsOf({ title: many(1_000, {}), subtitle: { a: { b: 1 } } }), [
    '/title type',
    '/subtitle type',
  ]);
});

test('faults quote a bounded part of what the caller sent', () => {
  const name = 'x'.repeat(500_000);
  const [fault] = createInputReader(books).create({ title: 'x', [name]: 1 }).faults;
  assert.deepEqual(fault, {
    pointer: '',
    code: 'unknown_field',
    detail: `Unknown field "${'x'.repeat(64)}…".`,
  });
  assert.throws(
    () => readParameters(`${name}=1`, []),
    (error) =>
      error instanceof Problem && JSON.stringify(error.errors).length < 400 && error.message.length < 400,
  );
  const query = Array.from({ length: 5_000 }, (_, index) => `p${index}=1`).join('&');
  assert.throws(
    () => readParameters(query, []),
    (error) => error instanceof Problem && error.errors.length === maxFaults && error.message.length < 400,
  );
});

test('an empty text is stored as null in a nullable field and refused elsewhere', () => {
  const { values, faults } = createInputReader(articles).patch({
    versionData: { subtitle: '', summary: ' \n', seo: { title: '' }, body: '' },
    articleData: { canonicalUrl: '' },
  });
  assert.deepEqual(faults, []);
  assert.deepEqual(values, {
    'versionData.subtitle': null,
    'versionData.summary': null,
    'versionData.seo': { title: null },
    // Stored byte for byte.
    'versionData.body': '',
    'articleData.canonicalUrl': null,
  });
  for (const body of [
    { versionData: { title: '' } },
    { versionData: { locale: '' } },
    { articleData: { slug: ' ' } },
  ])
    assert.notDeepEqual(createInputReader(articles).patch(body).faults, []);
  // The rule does not apply to items of lists.
  assert.notDeepEqual(createInputReader(contacts).patch({ tags: [''] }).faults, []);
});

test('the stored form of an address has the documented length', () => {
  const reader = createInputReader(webhookEndpoints);
  const make = (path: string) => ({ url: `https://example.com/${path}`, eventTypes: ['*'] });
  assert.deepEqual(reader.create(make('漢'.repeat(220))).faults, []);
  const [fault, ...others] = reader.create(make('漢'.repeat(1_900))).faults;
  assert.deepEqual(others, []);
  assert.equal(fault?.pointer, '/url');
  assert.equal(fault?.code, 'maxLength');
  assert.match(fault?.detail ?? '', /at most 2000 characters .* not 17120/);
});

for (const operation of operations) {
  const resource = resourceOf(operation);
  const { body, operationId } = operation;
  if (body === null || resource === undefined || !/^(create|update)/.test(operationId)) continue;
  test(`${operationId}: a record sent back is refused with the read-only fields to leave out`, () => {
    const reader = createInputReader(resource);
    const read = operationId.startsWith('create') ? reader.create : reader.patch;
    const faults = read({ id: 'x', version: 1, createdAt: 'x', updatedBy: null, creatdAt: 1 }).faults;
    const unknown = faults.filter(({ code }) => code === 'unknown_field').map(({ detail }) => detail);
    assert.deepEqual(unknown, [
      ...['id', 'version', 'createdAt', 'updatedBy'].map(
        (name) => `The field "${name}" is read-only; leave it out.`,
      ),
      'Unknown field "creatdAt".',
    ]);
  });

  if (!operationId.startsWith('update')) continue;
  test(`${operationId}: no object is empty, at any depth`, () => {
    const reader = createInputReader(resource);
    const objects = placesOf(body.schema).filter(
      ({ path, schema }) => plainSchema(schema).type === 'object' && !path.includes('0'),
    );
    for (const { path } of objects) {
      const { faults } = reader.patch(bodyAt(path, {}));
      assert.deepEqual(
        faults.map(({ pointer, code }) => [pointer, code]),
        [[pointerOf(path), 'empty_patch']],
      );
      assert.throws(
        () => refuseFaults(faults),
        (error) => error instanceof Problem && error.code === 'empty_patch',
      );
    }
  });
}

test('derived members in groups and lists are read-only as well', () => {
  const details = (schema: JsonSchema, body: unknown, readOnly: readonly string[]) =>
    createBodyCheck(schema, readOnly)(body).faults.map(({ detail }) => detail);
  const readOnly = (name: string) => `The field "${name}" is read-only; leave it out.`;
  const article = createInputReader(articles).patch({
    versionData: { title: 'x', wordCount: 1 },
    'versionData/wordCount': 1,
  });
  assert.deepEqual(
    article.faults.map(({ detail }) => detail),
    [readOnly('wordCount'), 'Unknown field "versionData/wordCount".'],
  );
  const contact = createInputReader(contacts).patch({ phones: [{ number: '+49 30 1', e164: '+49301' }] });
  assert.deepEqual(
    contact.faults.map(({ detail }) => detail),
    [readOnly('e164')],
  );
  const replay =
    operations.find(({ operationId }) => operationId === 'replayWebhookEvents')?.body?.schema ?? {};
  assert.deepEqual(details(replay, { from: '2026-01-01T00:00:00Z', version: 1 }, []), [
    'Unknown field "version".',
  ]);
});
