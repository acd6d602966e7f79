/** Tests of the OpenAPI document: it is complete, accepted by linters, and consistent with its examples. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ProblemCode, problemCatalogue } from '@trellis/schema/problem.ts';
import { allScopes } from '@trellis/schema/rights/scopes.ts';
import { formats } from '@trellis/schema/validation/formats.ts';
import { buildOpenApi } from '@trellis/server/kernel/contract/openapi.ts';
import { isWrite } from '@trellis/server/kernel/http/operation.ts';
import { apiWithoutServer } from '@trellis/server/node/api/operations-without-server.ts';
import { lintWithRedocly } from '../support/linters.ts';
import type { Json } from '../support/server.ts';
import { createSchemaValidator } from '../support/validate-response.ts';

const origin = 'http://localhost:3000';
const api = apiWithoutServer(origin);
const { operations } = api;
const document: Json = JSON.parse(JSON.stringify(buildOpenApi(api, origin)));
const described: { path: string; method: string; operation: Json }[] = Object.entries<Json>(
  document.paths,
).flatMap(([path, item]) =>
  Object.entries<Json>(item).map(([method, operation]) => ({ path, method, operation })),
);

test('every operation of the server is described, and nothing else', () => {
  assert.deepEqual(
    described.map(({ path, method, operation }) => `${method} ${path} ${operation.operationId}`).sort(),
    operations
      .map(({ method, path, operationId }) => `${method.toLowerCase()} ${path} ${operationId}`)
      // No operation of a token's: browsers call it.
      .concat('post /v1/visitors/identify identifyVisitor')
      // Readers call it without one.
      .concat('get /pictures/{organization}/{file}/{content} getPicture')
      .sort(),
  );
});

test('operation ids are camelCase and unique; every operation has one tag, and every tag a description', () => {
  const ids = described.map(({ operation }) => operation.operationId);
  assert.equal(new Set(ids).size, ids.length);
  for (const id of ids) assert.match(id, /^[a-z]+([A-Z][a-z]+)+$/);
  const tags = new Map(document.tags.map((tag: Json) => [tag.name, tag.description]));
  for (const { operation } of described) {
    assert.equal(operation.tags.length, 1);
    assert.ok(tags.get(operation.tags[0]), `${operation.operationId} has the tag ${operation.tags[0]}`);
  }
});

const everywhere: ProblemCode[] = [
  'unknown_parameter',
  'invalid_header',
  'token_missing',
  'token_invalid',
  'organization_suspended',
  'rate_limited',
  'internal_error',
  'overloaded',
  'database_unavailable',
];
const onWrites: ProblemCode[] = [
  'idempotency_key_required',
  'idempotency_key_invalid',
  'idempotency_in_progress',
  'idempotency_key_reused',
  'body_too_large',
  'unsupported_media_type',
];

test('every operation lists the statuses and codes that it can return', () => {
  for (const source of operations) {
    const operation = document.paths[source.path][source.method.toLowerCase()];
    const codes = [...everywhere, ...source.problems, ...(isWrite(source) ? onWrites : [])];
    if (source.pathParameters.length > 0) codes.push('not_found');
    if (source.requirement.scopes.length > 0) codes.push('insufficient_scope');
    if (source.body !== null) codes.push('malformed_json');
    for (const code of codes) {
      const response = operation.responses[problemCatalogue[code].status];
      assert.ok(response?.description.includes(`\`${code}\``), `${source.operationId} lists ${code}`);
      const { content } = document.components.responses[nameOf(response.$ref)];
      assert.ok(content['application/problem+json'].examples[code], `${code} has an example`);
    }
    assert.ok(operation.responses[source.success.status], `${source.operationId} lists its success`);
    for (const header of source.success.headers) {
      assert.ok(
        operation.responses[source.success.status].headers[header],
        `${source.operationId}: ${header}`,
      );
    }
    assert.equal(operation.responses['304'] !== undefined, source.conditional);
  }
});

test('a problem may have every code of the catalogue and no other', () => {
  assert.deepEqual(document.components.schemas.Problem.properties.code.enum, Object.keys(problemCatalogue));
});

test('writes need an Idempotency-Key, reads have none', () => {
  for (const source of operations) {
    const operation = document.paths[source.path][source.method.toLowerCase()];
    const header = parametersOf(operation).find(({ name }) => name === 'Idempotency-Key');
    assert.equal(header?.required ?? false, isWrite(source), source.operationId);
  }
});

test('writes document Prefer return=minimal', () => {
  for (const source of operations) {
    const operation = document.paths[source.path][source.method.toLowerCase()];
    const hasPrefer = parametersOf(operation).some(({ name }) => name === 'Prefer');
    const { headers } = operation.responses[source.success.status];
    assert.equal(hasPrefer, isWrite(source), source.operationId);
    assert.equal(headers['Preference-Applied'] !== undefined, isWrite(source), source.operationId);
  }
});

test('descriptions name the rights that changes require in addition to the scope of the operation', () => {
  const descriptionOf = (operationId: string): string =>
    described.find(({ operation }) => operation.operationId === operationId)?.operation.description;
  assert.match(
    descriptionOf('updateArticle'),
    /Also requires `articles:publish`.*IN_REVIEW to APPROVED, DRAFT;/,
  );
  assert.doesNotMatch(descriptionOf('updateArticle'), /SCHEDULED to[^;]*DRAFT/);
  assert.match(descriptionOf('updateIssue'), /which requires `articles:publish`/);
  assert.match(
    descriptionOf('updateIssue'),
    /`status` to or from PUBLISHED,.* requires a role that may publish/,
  );
  assert.doesNotMatch(descriptionOf('updateMagazine'), /may publish/);
  const { status } = document.components.schemas.VersionDataPatch.properties;
  for (const row of [
    'DRAFT | IN_REVIEW |  |',
    'IN_REVIEW | APPROVED | `articles:publish` |',
    'SCHEDULED | DRAFT |  |',
    'PUBLISHED | UNPUBLISHED | `articles:publish` |',
    'SUPERSEDED | ARCHIVED | `articles:publish` |',
  ]) {
    assert.ok(status.description.split('\n').includes(`| ${row}`), row);
  }
});

/** Names of components that are bodies, or objects inside them. */
const bodyNames = /(Create|Patch|Input)$/;

test('every body of a request has a description of its parts and an example', () => {
  let bodies = 0;
  for (const { operation } of described) {
    const { requestBody } = operation;
    if (requestBody === undefined) continue;
    bodies += 1;
    for (const [type, content] of Object.entries<Json>(requestBody.content)) {
      assert.ok('example' in content, `${operation.operationId} ${type}`);
      assert.ok(requestBody.description ?? content.schema.$ref, `${operation.operationId} ${type}`);
    }
  }
  assert.ok(bodies >= 20, `${bodies} bodies`);
});

test('the required scopes of an operation are named and exist', () => {
  for (const source of operations) {
    const operation = document.paths[source.path][source.method.toLowerCase()];
    assert.deepEqual(operation['x-required-scopes'], source.requirement.scopes);
    for (const scope of operation['x-required-scopes']) {
      assert.ok(allScopes.includes(scope));
      assert.ok(operation.description.includes(`\`${scope}\``));
    }
  }
});

test('a create links to the read of what it created', () => {
  const creates = described.filter(({ operation }) => operation.responses['201'] !== undefined);
  assert.ok(creates.length >= 4);
  for (const { path, operation } of creates) {
    const [link] = Object.values<Json>(operation.responses['201'].links);
    const read = described.find((candidate) => candidate.operation.operationId === link.operationId);
    assert.equal(read?.path, `${path}/{id}`);
    const needed = parametersOf(read?.operation).filter((parameter) => parameter.in === 'path');
    assert.deepEqual(Object.keys(link.parameters).sort(), needed.map(({ name }) => name).sort());
    assert.equal(link.parameters.id, '$response.body#/id');
  }
});

test('bodies are closed at every depth and bounded everywhere', () => {
  const bodies = described.flatMap(({ operation }) =>
    Object.values<Json>(operation.requestBody?.content ?? {}),
  );
  assert.ok(bodies.length >= 8);
  const components = Object.entries<Json>(document.components.schemas).filter(([name]) =>
    bodyNames.test(name),
  );
  const inBodies = bodies.map(({ schema }): [string, Json] => [nameOf(schema.$ref ?? 'content'), schema]);
  for (const [name] of inBodies)
    assert.ok(name === 'content' || components.some(([known]) => known === name), name);
  for (const [name, schema] of [...components, ...inBodies]) {
    walkSchema(schema, name, (inner, place) => {
      // Objects inside bodies are components of bodies themselves.
      if (inner.$ref !== undefined) assert.match(nameOf(inner.$ref), bodyNames, place);
      // The bound of the content of a file is the operator's.
      if (inner.format === 'binary') return;
      if (inner.type === 'object') assert.equal(inner.additionalProperties, false, `${place} is closed`);
      if (inner.type === 'array') assert.ok(inner.maxItems > 0, `${place} has maxItems`);
      if (inner.type === 'integer') assert.ok(inner.minimum < inner.maximum, `${place} has a range`);
      if (inner.type === 'string') {
        const bounded = inner.maxLength > 0 || inner.enum?.length > 0 || inner.format === 'date-time';
        assert.ok(bounded, `${place} has a length`);
      }
      assert.equal(inner.default, undefined, `${place}: a default makes generated clients require it`);
    });
  }
});

test('response schemas are open, and their members have a description and an example', () => {
  for (const [name, schema] of Object.entries<Json>(document.components.schemas)) {
    const isBody = bodyNames.test(name);
    walkSchema(schema, name, (inner, place) => {
      if (!isBody) assert.equal(inner.additionalProperties, undefined, `${place} is open`);
      for (const [key, property] of Object.entries<Json>(inner.properties ?? {})) {
        if (property.$ref !== undefined) continue;
        assert.ok(property.description, `${place}/${key} has a description`);
        assert.ok(property.examples?.length > 0, `${place}/${key} has an example`);
      }
    });
  }
});

test('every example is valid for its schema', () => {
  const validator = createSchemaValidator(document);
  let checked = 0;
  const check = (pointer: string, example: unknown) => {
    const validate = validator.getSchema(`document#${pointer}`);
    assert.ok(validate, pointer);
    assert.ok(validate(example), `${pointer}: ${JSON.stringify(validate.errors)}`);
    checked += 1;
  };
  const walk = (value: Json, pointer: string): void => {
    if (typeof value !== 'object' || value === null) return;
    if (value.schema !== undefined) {
      const examples = Object.values<Json>(value.examples ?? {}).map((example) => example.value);
      if ('example' in value) examples.push(value.example);
      for (const example of examples) check(`${pointer}/schema`, example);
    }
    if (Array.isArray(value.examples)) for (const example of value.examples) check(pointer, example);
    for (const [key, inner] of Object.entries(value)) {
      if (key === 'examples' || key === 'example') continue;
      walk(inner, `${pointer}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`);
    }
  };
  walk(document, '');
  assert.ok(checked > 300, `${checked} examples`);
});

test('a read is declared as the complete record, and no response as a choice of two', () => {
  const validator = createSchemaValidator(document);
  const validate = validator.getSchema('document#/components/schemas/ArticleList');
  const [record] = document.components.schemas.Article.examples;
  const page = (items: unknown[]) => ({ items, pageInfo: { nextCursor: null, hasNextPage: false } });
  assert.ok(validate?.(page([record])));
  assert.ok(!validate?.(page([{ id: record.id }])), 'what `fields` returns is only described');
  for (const { operation } of described) {
    const successes = Object.keys(operation.responses).filter((status) => status < '300' && status !== '206');
    assert.ok(successes.length >= 1, operation.operationId);
    const contents = successes.map((status) => operation.responses[status].content ?? {});
    assert.equal(new Set(contents.map((content) => JSON.stringify(content))).size, 1, operation.operationId);
    for (const media of Object.values<Json>(contents[0]))
      assert.equal(media.schema.anyOf ?? media.schema.oneOf, undefined, operation.operationId);
  }
  assert.doesNotMatch(JSON.stringify(document), /Selection"/);
  const complete = validator.getSchema('document#/components/schemas/Article');
  const { version, ...incomplete } = record;
  assert.equal(version, 1);
  assert.ok(!complete?.(incomplete), 'a create returns a complete record');
});

test('objects inside records and bodies have names, and the same one where they are the same', () => {
  const { Contact, Company, ContactCreate, ContactPatch, Article, ArticleVersion } =
    document.components.schemas;
  const itemsOf = (schema: Json, name: string) => nameOf(schema.properties[name].items.$ref);
  assert.deepEqual([itemsOf(Contact, 'addresses'), itemsOf(Company, 'addresses')], ['Address', 'Address']);
  assert.equal(itemsOf(Contact, 'emails'), 'EmailAddress');
  assert.equal(itemsOf(Company, 'phones'), 'PhoneNumber');
  assert.equal(itemsOf(ContactCreate, 'addresses'), itemsOf(ContactPatch, 'addresses'));
  assert.equal(nameOf(Article.properties.articleData.$ref), 'ArticleData');
  assert.equal(Article.properties.versionData.$ref, ArticleVersion.properties.versionData.$ref);
  for (const [name, schema] of Object.entries<Json>(document.components.schemas)) {
    walkSchema(schema, name, (inner, place) => {
      if (inner !== schema) assert.ok(inner.type !== 'object' || !inner.properties, `${place} has no name`);
    });
  }
});

test('the patterns in the document hold for every value that the server accepts', () => {
  const accepted: Readonly<Record<string, readonly string[]>> = {
    domain: ['blog.example.com', 'localhost', 'xn--bcher-kva.example', '1.2.3.4'],
    locale: ['en', 'de-AT', 'zh-Hant-TW', 'sl-rozaj-biske-1994', 'en-u-ca-buddhist'],
    'http-url': ['http://example.com', 'HTTPS://example.com/a?b#c', 'https://[::1]:8443/'],
    'email-address': ['ada@example.com', 'Zoë+x@bücher.example', "o'neill@a.b.example"],
    isbn13: [
      '9780141439471',
      '978-0-14-143947-1',
      '978 0 14 143947 1',
      '978\u20110\u201114\u2011143947\u20111',
    ],
    issn: ['0028-0836', '00280836', '2434-561X', '2434561x'],
    doi: ['10.1000/182', 'https://doi.org/10.1000/182', 'doi: 10.1000/ABC(1)'],
    'partial-date': ['2026', '2026-02', '2026-02-28'],
    country: ['DE', 'GB'],
    currency: ['EUR', 'JPY'],
    decimal: ['0', '19.90', '1250000', '0.000001'],
    color: ['#1f6feb', '#1F6FEB'],
    'role-key': ['newsroom', 'night-desk-2'],
    'https-url': ['https://example.com', 'https://bücher.example/ü?q#f', 'https://[::1]:8443/'],
  };
  const patterns = new Map<string, RegExp>();
  for (const schema of Object.values<Json>(document.components.schemas)) {
    walkSchema(schema, '', (inner) => {
      const name = inner.format === 'hostname' ? 'domain' : inner['x-format'];
      if (inner.pattern !== undefined && name !== undefined)
        patterns.set(name, new RegExp(inner.pattern, 'u'));
    });
  }
  assert.deepEqual([...patterns.keys()].sort(), Object.keys(accepted).sort());
  for (const [format, values] of Object.entries(accepted)) {
    for (const value of values) {
      assert.ok(formats[format]?.accepts(value), `${format} accepts ${value}`);
      assert.match(value, patterns.get(format) ?? /^$/);
    }
  }
});

test('the document is clean under redocly lint, recommended-strict', async () => {
  assert.deepEqual(await lintWithRedocly(document), []);
});

test('under another origin the document differs only in the origin', () => {
  const address = 'https://trellis.test';
  const there: Json = buildOpenApi(apiWithoutServer(address), address);
  const here = JSON.parse(JSON.stringify(there).replaceAll(address, origin));
  assert.equal(there.servers[0].url, address);
  assert.deepEqual({ ...here, servers: document.servers }, document);
});

function parametersOf(operation: Json): Json[] {
  return operation.parameters.map((parameter: Json) =>
    parameter.$ref === undefined ? parameter : document.components.parameters[nameOf(parameter.$ref)],
  );
}

function nameOf(reference: string): string {
  return reference.split('/').at(-1) ?? '';
}

/** Visits a schema and everything inside it; references are not followed. */
function walkSchema(schema: Json, place: string, visit: (schema: Json, place: string) => void): void {
  visit(schema, place);
  for (const option of [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])]) walkSchema(option, place, visit);
  if (schema.items !== undefined) walkSchema(schema.items, `${place}[]`, visit);
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    walkSchema(property, `${place}/${name}`, visit);
  }
}

test('the page of events documents that its cursor is never null, and the stream accepts Last-Event-ID', () => {
  const { EventList, EventPageInfo } = document.components.schemas;
  assert.equal(EventList.properties.pageInfo.$ref, '#/components/schemas/EventPageInfo');
  assert.equal(EventPageInfo.properties.nextCursor.type, 'string');
  const { parameters } = document.paths['/v1/events/stream'].get;
  assert.ok(parameters.some((parameter: Json) => parameter.$ref === '#/components/parameters/LastEventId'));
  assert.equal(document.components.parameters.LastEventId.name, 'Last-Event-ID');
});

test('the introduction names every method that requires a key, and every non-standard format', () => {
  const writing = /\*\*Writing\.\*\* Every ([^`]+) requires an `Idempotency-Key`/.exec(
    document.info.description,
  );
  const methods = new Set(operations.filter(isWrite).map(({ method }) => method));
  assert.deepEqual(writing?.[1]?.split(/, | and /).sort(), [...methods].sort());
  const names = new Set<string>();
  const walk = (value: Json): void => {
    if (typeof value !== 'object' || value === null) return;
    if (typeof value['x-format'] === 'string') names.add(value['x-format']);
    for (const inner of Object.values(value)) walk(inner);
  };
  walk(document.components);
  walk(document.paths);
  const [, table = ''] = /^\| Format \|.*\n((?:\|.*\n)+)/m.exec(document.info.description) ?? [];
  const listed = [...table.matchAll(/^\| `([a-z0-9-]+)` \| ./gm)].map(([, name]) => name);
  assert.deepEqual(listed.sort(), [...names].sort());
});
