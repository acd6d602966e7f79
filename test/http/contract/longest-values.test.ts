/**
 * Tests of the longest values: records with the longest values of the widest characters in every text field can be
 * stored, indexed, sorted by, and paged through one by one in every order.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { resourceByName, resources } from '@trellis/schema/resources/index.ts';
import { flattenFields, hasOperation, type Resource } from '@trellis/schema/resources/resource.ts';
import type { JsonSchema } from '@trellis/schema/validation/body-schemas.ts';
import { AddressGuard } from '@trellis/server/features/webhooks/address-guard.ts';
import type { Operation } from '@trellis/server/kernel/http/operation.ts';
import {
  attempt,
  bodyOf,
  createOwnWorld,
  plainSchema,
  requiredQuery,
  resourceOf,
} from '../../support/fixtures.ts';
import { alphabets, longestColumns, longestQuery, longestText } from '../../support/longest-values.ts';
import { type Json, startTestServer } from '../../support/server.ts';
import { sealer } from '../../support/webhooks.ts';

const guard = new AddressGuard({ allowPrivate: ['127.0.0.0/8'], lookup: async () => ['127.0.0.1'] });
const server = await startTestServer({ webhooks: { guard, sealer } });
const world = await createOwnWorld(server);
after(() => server.close());

function operationOf(resource: Resource, prefix: string): Operation {
  const name = prefix === 'list' ? resource.title.plural : resource.title.singular;
  const found = server.server.operations.find(({ operationId }) => operationId === `${prefix}${name}`);
  assert.ok(found, `${prefix}${name}`);
  return found;
}

/** The longest value of a field, if it has one: a text, texts, or objects with texts. */
function longestValue(schema: JsonSchema, letter: () => string): unknown {
  const { type, items, properties } = plainSchema(schema);
  if (type === 'string') return longestText(plainSchema(schema), letter);
  if (type !== 'array' || items === undefined) return null;
  const value = items.type === 'string' ? longestText(items, letter) : null;
  if (value !== null) return [value];
  const address = properties ?? items.properties;
  return address?.address === undefined ? null : [{ address: longestText(address.address, letter) }];
}

/** The longest value of a field of which only some are right, which depend on the rest of the body; null for other fields. */
function longestOf(name: string, schema: JsonSchema, letter: () => string, body: Json): unknown {
  if (name === 'query') return longestQuery(resourceByName(body.resource), letter);
  if (name === 'columns') return longestColumns(resourceByName(body.resource), Number(schema.maxItems));
  return null;
}

const groups: readonly string[] = ['articleData', 'versionData'];
/** Texts of which only some are right, though the schema has no list of them. */
const formal: readonly string[] = ['eventTypes', 'origins', 'scopes'];

function longestBody(
  operation: Operation,
  resource: Resource,
  letter: () => string,
): Record<string, unknown> {
  const body: Record<string, Json> = bodyOf(operation, world.ids);
  for (const [name, field] of flattenFields(resource)) {
    if (field.readOnly || field.reference !== null || field.verbatim || formal.includes(name)) continue;
    const schema = plainSchema(field.schema as JsonSchema);
    const value = longestOf(name, schema, letter, body) ?? longestValue(schema, letter);
    if (value === null) continue;
    const [head = '', inner] = name.split('.');
    if (inner === undefined) body[head] = value;
    else body[head] = { ...body[head], [inner]: value };
    assert.ok(inner === undefined || groups.includes(head));
  }
  return body;
}

for (const resource of resources.filter((each) => hasOperation(each, 'create'))) {
  const create = operationOf(resource, 'create');
  for (const [name, letter] of Object.entries(alphabets)) {
    test(`${create.operationId} accepts the longest values of ${name}`, async () => {
      const body = longestBody(create, resource, letter);
      const response = await attempt(world, create, { body });
      assert.equal(response.status, 201, response.text);
      const again = await attempt(world, operationOf(resource, 'get'), {
        ids: new Map([...world.ids, [resource.name, response.json.id]]),
      });
      assert.deepEqual(again.json.externalId, body.externalId);
    });
  }
}

async function walk(operation: Operation, query: Readonly<Record<string, string>>): Promise<string[]> {
  const ids: string[] = [];
  let cursor = '';
  for (;;) {
    const page = await attempt(world, operation, {
      query: requiredQuery(operation, { ...query, limit: '1', ...(cursor === '' ? {} : { cursor }) }),
    });
    assert.equal(
      page.status,
      200,
      `${JSON.stringify(query)} after ${cursor.length} characters: ${page.text}`,
    );
    ids.push(...page.json.items.map(({ id }: { id: string }) => id));
    // The log of events has a cursor at its end too, for later.
    const { nextCursor, hasNextPage } = page.json.pageInfo;
    if (!hasNextPage) return ids;
    cursor = nextCursor;
  }
}

const paged = server.server.operations.filter(
  ({ queryParameters, operationId }) =>
    /^list/.test(operationId) && queryParameters.some(({ name }) => name === 'cursor'),
);

before(async () => {
  const tryOut = server.server.operations.find(({ operationId }) => operationId === 'testWebhookEndpoint');
  assert.ok(tryOut);
  for (let count = 0; count < 3; count += 1) await attempt(world, tryOut);
});

for (const operation of paged) {
  const { operationId, queryParameters } = operation;
  const sorts = queryParameters.find(({ name }) => name === 'sort')?.schema.enum ?? [null];
  for (const sort of sorts) {
    test(`${operationId}: every cursor is accepted${sort === null ? '' : ` in the order ${sort}`}`, async () => {
      const query: Record<string, string> = sort === null ? {} : { sort: String(sort) };
      const whole = await attempt(world, operation, {
        query: requiredQuery(operation, { ...query, limit: '100' }),
      });
      const expected = whole.json.items.map(({ id }: { id: string }) => id);
      const resource = resourceOf(operation);
      const least = resource === undefined || sort === null ? 0 : hasOperation(resource, 'create') ? 5 : 1;
      assert.ok(expected.length >= least, whole.text.slice(0, 200));
      assert.deepEqual(await walk(operation, query), expected);
    });
  }
}
