/**
 * Tests of the inputs of every operation of the tenant API: unknown and invalid values are refused at every depth and in every
 * parameter. The inputs are generated from the schemas of the operation.
 */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { flattenFields } from '@trellis/schema/resources/resource.ts';
import type { JsonSchema } from '@trellis/schema/validation/body-schemas.ts';
import { isWrite, type Operation, type QueryParameter } from '@trellis/server/kernel/http/operation.ts';
import {
  attempt,
  bodyOf,
  bodyWith,
  createOwnWorld,
  freshIds,
  isBatch,
  ownParameter,
  type Path,
  placesOf,
  pointerOf,
  requiredQuery,
  resourceOf,
} from '../../support/fixtures.ts';
import {
  casesOf,
  expectOneFault,
  type Tried,
  testBody,
  testUnknownParameters,
} from '../../support/inputs.ts';
import { changesNothing, expectProblem, isSuccess } from '../../support/refusals.ts';
import { startTestServer } from '../../support/server.ts';
import { TenantTables } from '../../support/tenant-tables.ts';

const server = await startTestServer();
const tables = await TenantTables.open(server.database);
const world = await createOwnWorld(server);
after(async () => {
  await tables.close();
  await server.close();
});

/** Members that every record has and no body may contain. */
function readOnlyPaths(operation: Operation): Path[] {
  const resource = resourceOf(operation);
  // What is wrong with an item of a batch is its outcome; test/http/batches-alone.test.ts compares that with a request alone.
  if (resource === undefined || isBatch(operation)) return [];
  const common = ['id', 'version', 'createdAt', 'updatedAt', 'createdBy', 'updatedBy'];
  const parent = resource.parent === null ? [] : [resource.parent.parameter];
  const fields = flattenFields(resource).flatMap(([name, field]) =>
    field.readOnly && !field.isCreatable ? [name] : [],
  );
  return [...common, ...parent, ...fields].map((name) => name.split('.'));
}

for (const [index, operation] of server.server.operations.entries()) {
  const { operationId, body } = operation;
  const tried: Tried = {
    operation,
    index,
    validBody: () => bodyOf(operation, world.ids),
    send: (variation) => attempt(world, operation, variation),
    changesNothing: (attempts) => changesNothing(tables, attempts),
  };
  testBody(tried);
  testUnknownParameters(tried);

  if (body !== null) {
    test(`${operationId}: read-only members are unknown fields`, () =>
      changesNothing(tables, async () => {
        for (const path of readOnlyPaths(operation)) {
          const response = await attempt(world, operation, {
            body: bodyWith(operation, world.ids, path, 1),
          });
          expectProblem(response, 422, 'unknown_field', pointerOf(path));
          expectOneFault(response, path, 'unknown_field');
        }
      }));

    test(`${operationId}: every field accepts its own example`, async () => {
      for (const { path, schema } of placesOf(body.schema)) {
        if (path.length === 0 || path.includes('0')) continue;
        const ids = await freshIds(world, operation);
        const [example] = schema.examples ?? [];
        if (example === undefined) continue;
        // Ids in examples name nothing; that they are looked up is another test's matter.
        if (/_01h455vb4pex5vsknk084sn02q/.test(JSON.stringify(example))) continue;
        const response = await attempt(world, operation, {
          ids,
          body: bodyWith(operation, ids, path, example),
        });
        const clash = response.json?.code === 'conflict';
        assert.ok(isSuccess(response) || clash, `${pointerOf(path)}: ${response.text}`);
      }
    });
  }

  for (const parameter of operation.queryParameters) {
    test(`${operationId}: the query parameter ${parameter.name}`, async () => {
      const { name } = parameter;
      await tables.takeChanges();
      const ask = (raw: string, ids = world.ids) =>
        attempt(world, operation, {
          ids,
          query: requiredQuery(operation, { [name]: '' }).replace(`${encodeURIComponent(name)}=`, raw),
        });
      // All failures are reported at once, because the first one would hide the others.
      const failures: string[] = [];
      for (const raw of casesOf(index, { wrong: parameter }, wrongValues(parameter))) {
        const { status, text, json } = await ask(raw);
        const codes = ['invalid_parameter', ...(name === 'cursor' ? ['cursor_invalid'] : [])];
        const isNamed = json.errors?.some((fault: { parameter?: string }) => fault.parameter === name);
        if (status !== 400 || !codes.includes(json.code) || !isNamed) {
          failures.push(`${raw} is wrong, but: ${status} ${text.slice(0, 400)}`);
        }
      }
      if (parameter.required) {
        const missing = await attempt(world, operation, { query: '?' });
        expectProblem(missing, 400, 'invalid_parameter');
        assert.deepEqual(
          missing.json.errors.map((fault: { parameter: string; code: string }) => [
            fault.parameter,
            fault.code,
          ]),
          [[name, 'required']],
        );
      }
      assert.deepEqual(await tables.takeChanges(), {});
      for (const raw of casesOf(index, { good: parameter }, goodValues(parameter))) {
        const { status, text, json } = await ask(raw, await freshIds(world, operation));
        // The example has one of the values by which an upsert finds its record; test/http/upserts.test.ts tries each.
        if (name === 'matching' && json.errors?.[0]?.code === 'required') continue;
        // A valid value can refer to something the record does not have, such as a published version.
        const isAbsent = status === 404 && ownParameter(operation) !== null;
        if (status !== operation.success.status && !isAbsent) {
          failures.push(`${raw} is right, but: ${status} ${text.slice(0, 400)}`);
        }
      }
      assert.deepEqual(failures, []);
      if (!isWrite(operation)) assert.deepEqual(await tables.takeChanges(), {});
    });
  }

  for (const parameter of operation.pathParameters.filter(({ resource }) => resource === null)) {
    test(`${operationId}: a wrong ${parameter.name} in the path is not found`, () =>
      changesNothing(tables, async () => {
        for (const value of wrongNumbers) {
          const path = operation.path.replace(
            `{${parameter.name}}`,
            value.startsWith('%') ? value : encodeURIComponent(value),
          );
          const changed = {
            ...operation,
            path,
            pathParameters: operation.pathParameters.filter((other) => other !== parameter),
          };
          expectProblem(await attempt(world, changed, { ids: world.ids }), 404, 'not_found', value);
        }
      }));
  }
}

/** What is no positive int32 in its only spelling. */
const wrongNumbers = [
  '0',
  '-1',
  '01',
  '1.0',
  '1e0',
  '+1',
  ' 1',
  'x',
  '2147483648',
  '9'.repeat(30),
  '%00',
  '%F0%9F%98%80',
];

/** Query strings `name=value`, percent-encoded, whose value the parameter must not take. */
function wrongValues({ name, schema, example }: QueryParameter): string[] {
  const encoded = (values: readonly string[]) =>
    values.map((value) => `${name}=${encodeURIComponent(value)}`);
  const good = encodeURIComponent(String(example));
  const always = [
    ...(isEmptyAllowed(schema) ? [] : [`${name}=`, name]),
    ...(schema.type === 'array' ? [] : [`${name}=${good}&${name}=${good}`]),
    `${name}=%ff`,
    `${name}=%`,
    `${name}=%00`,
    `${name}=${good}%01`,
  ];
  // Where values may have commas, more of them are given in more parameters.
  const each = (raw: string) => (schema['x-repeated'] === true ? raw.replaceAll('%2C', `&${name}=`) : raw);
  return [...always, ...encoded(wrongTexts(schema)).map(each)];
}

function isEmptyAllowed({ type, format, minLength, enum: values, items }: JsonSchema): boolean {
  if (type === 'array' && items !== undefined) return isEmptyAllowed(items);
  return type === 'string' && format === undefined && values === undefined && (minLength ?? 0) === 0;
}

function wrongTexts(schema: JsonSchema): string[] {
  if (schema.type === 'array' && schema.items !== undefined) {
    const tooMany = Array.from({ length: Number(schema.maxItems) + 1 }, () => 'x').join();
    return [tooMany, ...wrongTexts(schema.items)];
  }
  const { minimum, maximum, maxLength, format, enum: values } = schema as JsonSchema & Record<string, number>;
  if (schema.type === 'integer') {
    const bounds = [String((minimum ?? 0) - 1), String((maximum ?? 0) + 1)];
    return [
      ...bounds,
      'abc',
      '1e1',
      '1.5',
      '1.0',
      ' 5',
      '5 ',
      '+5',
      '0x10',
      '٣',
      '9'.repeat(400),
      'NaN',
      '-0',
    ];
  }
  if (schema.type === 'boolean') return ['yes', '1', '0', 'TRUE', ' true', 'null'];
  if (values !== undefined) return ['nonsense', 'draft', 'null', `${(values as unknown as string[])[0]} `];
  const tooLong = maxLength === undefined ? [] : ['x'.repeat(maxLength + 1)];
  // Percent-encoded, more of them would not fit into the head of a request.
  if (maxLength !== undefined && maxLength <= 1_000) tooLong.push('😀'.repeat(maxLength + 1));
  const instants = [
    'yesterday',
    '2026-01-01',
    '2026-01-01T00:00:00',
    '2026-02-30T00:00:00Z',
    '0',
    '+010000-01-01T00:00:00Z',
  ];
  return [
    ...tooLong,
    ...(format === 'date-time' || format === 'log-start' ? instants : []),
    ...(format === 'locale' ? ['x', 'en_'] : []),
  ];
}

/** Values at the edges of what the parameter takes: none may fail. */
function goodValues({ name, schema, example }: QueryParameter): string[] {
  if (name === 'cursor') return [];
  if (schema.type === 'array' && schema.items !== undefined) {
    const each = goodValues({ name, schema: schema.items, example, description: '', required: false });
    // A comma begins another value.
    const one = each.filter((raw) => !raw.includes('%2C'));
    const value = encodeURIComponent(String(example));
    return [...one, `${name}=${value}%2C${value}`, `${name}=${value}&${name}=${value},${value}`];
  }
  const { minimum, maximum, maxLength, format } = schema as JsonSchema & Record<string, number>;
  const values = [String(example)];
  // A number that names a record need not exist at its maximum.
  if (schema.type === 'integer') values.push(String(minimum), ...(name === 'limit' ? [String(maximum)] : []));
  else if (schema.type === 'boolean') values.push('true', 'false');
  else if (schema.enum !== undefined) values.push(...schema.enum.map(String));
  else if (format === 'date-time') values.push(...instants);
  else if (format === 'log-start') values.push('earliest', 'latest', ...instants);
  else if (format === undefined && name !== 'fields') values.push(...hostileTexts(maxLength ?? 200));
  return values.map((value) => `${name}=${encodeURIComponent(value)}`);
}

/** Instants that RFC 3339 allows, to be understood by whatever reads them. */
const instants = [
  '2026-01-01T00:00:00+23:59',
  '2026-01-01T00:00:00-23:59',
  '2026-01-01t00:00:00z',
  '2016-12-31T23:59:60Z',
  '2026-01-01T00:00:00.123456789Z',
  '0001-01-01T00:00:00Z',
  '9999-12-31T23:59:59.999Z',
];

/** Texts that mean something to LIKE, to tsquery, to SQL or to Unicode. */
function hostileTexts(maxLength: number): string[] {
  return [
    '%',
    '_',
    '\\',
    "'",
    '"',
    "';--",
    '-',
    '--',
    '!',
    '&',
    '|',
    '<->',
    ':*',
    'a:*',
    "'a':*",
    '"open',
    'or',
    'or or',
    '-x',
    '-"a b"',
    '( )',
    '*',
    '<',
    '{}',
    '\\u0000',
    '😀',
    'é',
    'é'.normalize('NFD'),
    'İ',
    'ﷺ',
    '\u202eright to left',
    'a'.repeat(maxLength),
    '😀'.repeat(maxLength),
    'a '.repeat(maxLength / 2).trim(),
    '- '.repeat(maxLength / 2).trim(),
  ];
}
