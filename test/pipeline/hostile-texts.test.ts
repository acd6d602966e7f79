/**
 * Processing time of hostile texts: it grows no faster than the length, in every declared field and query parameter, in
 * every parsed header, and for stored texts.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Problem } from '@trellis/schema/problem.ts';
import { articles } from '@trellis/schema/resources/articles.ts';
import type { JsonSchema } from '@trellis/schema/validation/body-schemas.ts';
import { createBodyCheck } from '@trellis/schema/validation/check-body.ts';
import { countBodyWords } from '@trellis/schema/values/body-words.ts';
import { canonicalizeJson } from '@trellis/schema/values/canonical-json.ts';
import { countWords } from '@trellis/schema/values/characters.ts';
import { parseJson } from '@trellis/schema/values/json.ts';
import { foldText, nearestName, normalizeText } from '@trellis/schema/values/text.ts';
import { cleanText } from '@trellis/server/features/knowledge/extraction/collector.ts';
import { respondWithContent } from '@trellis/server/features/knowledge/http/content.ts';
import { SandboxError } from '@trellis/server/features/sandbox/errors.ts';
import { readNewPlant } from '@trellis/server/features/sandbox/plants.ts';
import { createModels } from '@trellis/server/features.ts';
import { readWriteHeaders } from '@trellis/server/kernel/http/calls.ts';
import { readContentType } from '@trellis/server/kernel/http/content-type.ts';
import { limitsOfMembers, OpenBodies } from '@trellis/server/kernel/http/open-bodies.ts';
import type { Call } from '@trellis/server/kernel/http/operation.ts';
import { readParameters } from '@trellis/server/kernel/http/parameters.ts';
import { readSelection } from '@trellis/server/kernel/http/sparse.ts';
import { FairQueue } from '@trellis/server/kernel/lib/fair-queue.ts';
import { readEntityTags } from '@trellis/server/kernel/pipeline/entity-tags.ts';
import { foldReadable, Lexemes } from '@trellis/server/kernel/pipeline/search/analyzer/lexemes.ts';
import { askWords } from '@trellis/server/kernel/pipeline/search/analyzer/question.ts';
import { createHighlighter } from '@trellis/server/kernel/pipeline/search/highlight.ts';
import { operationsWithoutServer } from '@trellis/server/node/api/operations-without-server.ts';
import { placesOf, plainSchema, pointerOf } from '../support/fixtures.ts';
import { findSuperlinear, grownSizes, hostileUnits } from '../support/growth.ts';
import { bodySchemas } from '../support/operations.ts';
import { casesFor } from '../support/soak.ts';

const operations = operationsWithoutServer('http://localhost:3000');

/** Length of the smaller text, in UTF-16 units. */
const size = 10_000;
/** Length of the smaller header: Node.js accepts 16 KiB of headers. */
const headerSize = 4_000;

/** A text of a length: a valid beginning, and then one hostile unit repeated. */
function textOf(unit: string, length: number, before = ''): string {
  return `${before}${unit.repeat(Math.ceil(length / unit.length))}!`;
}

/** Finds the units for which the time grows too fast. */
function findHostile(
  work: (text: string) => unknown,
  smaller = size,
  befores: readonly string[] = [''],
  units: readonly string[] = hostileUnits,
): string[] {
  return befores.flatMap((before) =>
    units.flatMap((unit) => {
      const texts = new Map(grownSizes(smaller).map((length) => [length, textOf(unit, length, before)]));
      const found = findSuperlinear(smaller, (length) => attempt(() => work(texts.get(length) ?? '')));
      return found === null ? [] : [`${JSON.stringify(before + unit)} ${found}`];
    }),
  );
}

/** Runs work that may refuse its input. */
function attempt(work: () => unknown): void {
  try {
    work();
  } catch (error) {
    if (!(error instanceof Problem || error instanceof SandboxError)) throw error;
  }
}

/** Every kind of text in bodies, with one field that has it: fields with the same schema are read by the same code. */
function textPlaces(): Map<string, { place: string; schema: JsonSchema; example: unknown }> {
  const found = bodySchemas.flatMap(({ operationId, schema }) =>
    placesOf(schema).flatMap(({ path, schema: place }) => {
      const { description: _description, examples = [], ...plain } = plainSchema(place);
      const [example] = place.examples ?? examples;
      return plain.type === 'string'
        ? [
            [
              JSON.stringify(plain),
              { place: `${operationId} ${pointerOf(path)}`, schema: plain, example },
            ] as const,
          ]
        : [];
    }),
  );
  return new Map(found);
}

for (const [index, { place, schema, example }] of [...textPlaces().values()].entries()) {
  test(`${place} and fields like it read any text in linear time`, () => {
    const check = createBodyCheck({
      type: 'object',
      properties: { text: schema },
      additionalProperties: false,
    });
    const befores = typeof example === 'string' ? ['', example] : [''];
    assert.deepEqual(
      findHostile((text) => check({ text }), size, befores, casesFor(index, hostileUnits)),
      [],
    );
  });
}

const parameters = new Map(
  operations.flatMap(({ operationId, queryParameters }) =>
    queryParameters.map(
      (parameter) => [JSON.stringify(parameter.schema), { operationId, parameter }] as const,
    ),
  ),
);
for (const [index, { operationId, parameter }] of [...parameters.values()].entries()) {
  const { name, example } = parameter;
  test(`${operationId}: ${name} and parameters like it read any text in linear time`, () => {
    const read = (text: string) => readParameters(`${name}=${encodeURIComponent(text)}`, [parameter]);
    assert.deepEqual(findHostile(read, headerSize, ['', String(example)], casesFor(index, hostileUnits)), []);
  });
}

test('the bodies of the plant store are read in linear time', () => {
  const json = (value: unknown) => Buffer.from(JSON.stringify(value));
  assert.deepEqual(
    findHostile((text) => readNewPlant(json({ id: 1, name: text }))),
    [],
  );
  assert.deepEqual(
    findHostile((text) => readNewPlant(json({ id: 1, name: 'a', tag: text }))),
    [],
  );
  assert.deepEqual(
    findHostile((text) => readNewPlant(json({ id: 1, name: 'a', [text]: 1 }))),
    [],
  );
});

const models = createModels();

test('stored texts are processed in linear time', () => {
  const works: Readonly<Record<string, (text: string) => unknown>> = {
    normalizeText,
    foldText,
    cleanText,
    countWords,
    'words of Markdown': (text) => countBodyWords(text, 'MARKDOWN'),
    'words of HTML': (text) => countBodyWords(text, 'HTML'),
    askWords: (text) => askWords(text),
    'words of the index': (text) => new Lexemes('scope1').addWords(foldReadable(text), 'A'),
    nearestName: (text) => nearestName(text, ['title', 'versionData']),
    highlight: (text) => createHighlighter([{ text: 'a', isPrefix: true }])([{ field: 'body', text }]),
    'highlight of many words': (text) =>
      createHighlighter(
        Array.from({ length: text.length / 20 }, (_, index) => ({
          text: `w${index}`,
          isPrefix: index % 2 === 0,
        })),
      )([{ field: 'body', text }]),
    canonicalizeJson: (text) => canonicalizeJson({ [text]: text }),
    'JSON strings': (text) => parseJson(Buffer.from(JSON.stringify({ [text]: text }))),
    'invalid JSON': (text) => attemptJson(text),
  };
  for (const [name, work] of Object.entries(works)) {
    // A query has at most 200 characters, which can be 3,600 after folding.
    assert.deepEqual(findHostile(work, name === 'askWords' ? 900 : size), [], name);
  }
  for (const { resource, rules } of models.values()) {
    const { queryForms } = rules;
    if (queryForms !== undefined)
      assert.deepEqual(
        findHostile((text) => queryForms(text, 'DE'), 200),
        [],
        resource.name,
      );
  }
});

function attemptJson(text: string): void {
  try {
    parseJson(Buffer.from(text));
  } catch (error) {
    assert.ok(error instanceof Error && error.name === 'MalformedJsonError');
  }
}

/** A call that has only the members that the parsers read. */
function callWith(headers: Readonly<Record<string, string>>): Call {
  const credentials = { tokenHash: 'token', organizationId: 'organization' };
  return { headers: { 'idempotency-key': 'k', ...headers }, credentials } as unknown as Call;
}

test('headers are parsed in linear time', async () => {
  const works: Readonly<Record<string, (text: string) => unknown>> = {
    'If-Match': (text) => readEntityTags('If-Match', text),
    'If-Match with a tag': (text) => readEntityTags('If-Match', `"1", ${text}`),
    'Idempotency-Key': (text) => readWriteHeaders(callWith({ 'idempotency-key': text })),
    'Idempotency-Key in quotes': (text) => readWriteHeaders(callWith({ 'idempotency-key': `"${text}` })),
    Prefer: (text) => readWriteHeaders(callWith({ prefer: text })),
    'Content-Type': (text) => readContentType(`application/json; charset=${text}`),
    fields: (text) => readSelection(articles, text),
  };
  for (const [name, work] of Object.entries(works)) assert.deepEqual(findHostile(work, headerSize), [], name);
  const downloads = new OpenBodies(limitsOfMembers, new FairQueue());
  const content = {
    etag: '"e"',
    mediaType: 'text/plain',
    sizeBytes: 9,
    open: () => Promise.reject(new Problem('not_found')),
  };
  const ask = (headers: Readonly<Record<string, string>>, fileName: string) =>
    respondWithContent({ downloads }, callWith(headers), { ...content, fileName }).catch((error: unknown) =>
      assert.ok(error instanceof Problem),
    );
  const pending: Promise<unknown>[] = [];
  assert.deepEqual(
    findHostile((text) => pending.push(ask({ range: text }, 'a')), headerSize),
    [],
  );
  assert.deepEqual(
    findHostile((text) => pending.push(ask({}, text)), headerSize),
    [],
  );
  await Promise.all(pending);
});

test('objects and lists are processed in linear time', () => {
  const { schema } = operations.find(({ operationId }) => operationId === 'createBook')?.body ?? {};
  assert.ok(schema);
  const check = createBodyCheck(schema);
  const made: Readonly<Record<string, (count: number) => string>> = {
    'unknown members': (count) => `{${Array.from({ length: count }, (_, index) => `"n${index}":1`).join()}}`,
    'unknown members by number': (count) =>
      `{${Array.from({ length: count }, (_, index) => `"${count - index}":1`).join()}}`,
    'empty objects': (count) => `{"contributors":[${'{},'.repeat(count)}{}]}`,
    numbers: (count) => `{"contributors":[${'1,'.repeat(count)}1]}`,
    'nested lists': (count) => `{"title":${'[[]],'.repeat(count).replace(/^/, '[')}[]]}`,
    ids: (count) => `{"fileIds":[${'"kf_x",'.repeat(count)}"kf_x"]}`,
  };
  for (const [name, make] of Object.entries(made)) {
    const texts = new Map(grownSizes(size).map((count) => [count, Buffer.from(make(count))]));
    const found = findSuperlinear(size, (count) => {
      const { faults } = check(parseJson(texts.get(count) ?? Buffer.alloc(0)));
      assert.ok(faults.length > 0 && faults.length <= 100, name);
    });
    assert.equal(found, null, name);
  }
});
