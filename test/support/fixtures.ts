/**
 * Valid requests for every operation, for tests that enumerate the operations. Made from the operation's example and
 * the resource's declaration, so that a new operation or resource is covered without further code.
 */

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { resources } from '@trellis/schema/resources/index.ts';
import { picturePathOf } from '@trellis/schema/resources/pictures.ts';
import { flattenFields, type Resource } from '@trellis/schema/resources/resource.ts';
import { rightFor } from '@trellis/schema/rights/check-right.ts';
import type { JsonSchema } from '@trellis/schema/validation/body-schemas.ts';
import { isFreeFormat } from '@trellis/schema/validation/formats.ts';
import { decodeId, encodeId } from '@trellis/schema/values/ids.ts';
import { makeLink } from '@trellis/server/features/sign-in/links.ts';
import { step } from '@trellis/server/kernel/database/batch.ts';
import type { Operation, OperationDescription } from '@trellis/server/kernel/http/operation.ts';
import { isWrite } from '@trellis/server/kernel/http/operation.ts';
import { TestBrowser } from './browser-client.ts';
import { createMember, createOrganization, createToken, type TestOrganization } from './identities.ts';
import { wasTurnedAway } from './refusals.ts';
import type { TestResponse, TestServer } from './server.ts';
import { createPublishableKey, createVisitor } from './visitors.ts';

/** Ids by resource name (`users` included): one record of each, children below their parents. */
export type Ids = ReadonlyMap<string, string>;

/** An organization for a test: a token, and one record of every resource. */
export interface World {
  readonly server: TestServer;
  readonly organization: TestOrganization;
  readonly token: string;
  readonly ids: Ids;
}

/** The differences of an attempt from the valid request. */
export interface Variation {
  readonly ids?: Ids;
  readonly token?: string | null;
  readonly body?: unknown;
  readonly rawBody?: string | Buffer;
  readonly key?: string | null;
  /** Query string with its question mark. */
  readonly query?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A response with its request id, which its events have as well. */
export interface Attempted extends TestResponse {
  readonly requestId: string;
}

/** Calls an operation with the valid request, except for the variation. */
export async function attempt(
  world: World,
  operation: Operation,
  variation: Variation = {},
): Promise<Attempted> {
  const requestId = randomUUID();
  const path = pathOf(operation, variation.ids ?? world.ids) + (variation.query ?? requiredQuery(operation));
  const hasBody = operation.body !== null && variation.rawBody === undefined;
  const body = variation.body ?? (hasBody ? bodyOf(operation, world.ids) : undefined);
  const type = operation.body?.mediaTypes[0];
  const key = variation.key === undefined ? randomUUID() : variation.key;
  for (let tries = 1; ; tries += 1) {
    const response = await world.server.call(operation.method, path, {
      token: variation.token === undefined ? world.token : variation.token,
      key,
      ...(body === undefined ? {} : { body }),
      ...(variation.rawBody === undefined ? {} : { rawBody: variation.rawBody }),
      headers: {
        ...(type === undefined ? {} : { 'content-type': type }),
        'x-request-id': requestId,
        ...variation.headers,
      },
    });
    if (!wasTurnedAway(response) || tries === 20) return { ...response, requestId };
    await sleep(200);
  }
}

/** Creates one record of every resource through the API. */
export async function createWorld(
  server: TestServer,
  caller: { organization: TestOrganization; token: string; userId: string },
): Promise<World> {
  const ids = new Map([['users', encodeId('user', caller.userId)]]);
  const world = { server, organization: caller.organization, token: caller.token, ids };
  const waiting = new Set<Resource>(resources);
  while (waiting.size > 0) {
    const ready = [...waiting].filter(({ parent }) => parent === null || ids.has(parent.resource));
    assert.notEqual(ready.length, 0, 'the parents of resources form a cycle');
    for (const resource of ready) {
      ids.set(resource.name, await createRecord(world, resource.name));
      waiting.delete(resource);
    }
  }
  await uploadPicture(world);
  ids.set('visitors', await createRecord(world, 'visitors'));
  ids.set('sessions', await createRecord(world, 'sessions'));
  ids.set('webhook-deliveries', await createDelivery(world));
  ids.set('trash', await createRecord(world, 'trash'));
  return world;
}

/** A PNG of one pixel. */
const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

/** Gives the knowledge file the content of a picture, of which there is a thumbnail. */
async function uploadPicture(world: World): Promise<void> {
  const operation = world.server.server.operations.find(
    ({ operationId }) => operationId === 'putKnowledgeFileContent',
  );
  assert.ok(operation);
  const response = await attempt(world, operation, { rawBody: pixel });
  assert.equal(response.status, 200, response.text);
}

/** Creates a webhook delivery, which has an id although it is not a resource. */
async function createDelivery(world: World): Promise<string> {
  const operation = world.server.server.operations.find(
    ({ operationId }) => operationId === 'testWebhookEndpoint',
  );
  assert.ok(operation);
  const response = await attempt(world, operation);
  assert.equal(response.status, 200, response.text);
  return response.json.id;
}

/** The world of the server's own organization and owner. */
export function createOwnWorld(server: TestServer): Promise<World> {
  const { organization, token, ownerId } = server;
  return createWorld(server, { organization, token, userId: ownerId });
}

/** Creates another organization on the same server, with an owner and one record of every resource. */
export async function createOtherWorld(server: TestServer): Promise<World> {
  const { worker } = server.database;
  const organization = await createOrganization(worker, `other-${randomUUID()}`);
  const userId = await createMember(worker, organization, 'OWNER');
  const { token } = await createToken(worker, organization, userId);
  return createWorld(server, { organization, token, userId });
}

/** Creates a record and returns its id. */
export async function createRecord(
  world: World,
  resourceName: string,
  variation: Variation = {},
): Promise<string> {
  if (resourceName === 'visitors') return visit(world);
  if (resourceName === 'sessions') return signIn(world);
  if (resourceName === 'trash') return deleteBook(world, variation);
  if (resourceName === 'organizations') return encodeId('org', world.organization.id);
  const operation = world.server.server.operations.find(
    ({ requirement, method }) =>
      method === 'POST' &&
      requirement.permission?.action === 'create' &&
      requirement.permission.resource === resourceName,
  );
  assert.ok(operation, `there is no operation that creates ${resourceName}`);
  const given = { ...seenByAll(world, operation, variation), ...variation };
  let response = await attempt(world, operation, given);
  if (response.json?.code === 'quota_reached') {
    await makeRoom(world, resourceName, operation);
    response = await attempt(world, operation, given);
  }
  assert.equal(response.status, operation.success.status, `${operation.operationId}: ${response.text}`);
  return response.json.id;
}

/** A view of the world's owner is shared: otherwise no other member would find it. A token is a service member's: others may replace it. */
function seenByAll(world: World, operation: Operation, { token, rawBody }: Variation): Variation {
  if (token !== undefined || rawBody !== undefined) return {};
  if (operation.operationId === 'createToken')
    return { body: { ...bodyOf(operation, world.ids), userId: world.ids.get('members') } };
  if (operation.operationId !== 'createView') return {};
  return { body: { ...bodyOf(operation, world.ids), shared: true } };
}

/** Creates a book and deletes it, so that its id is one of the trash. */
async function deleteBook(world: World, { token = world.token }: Variation): Promise<string> {
  const id = await createRecord(world, 'books', { token });
  const deleted = await world.server.call('DELETE', `/v1/books/${id}`, { token });
  assert.equal(deleted.status, 204, deleted.text);
  return id;
}

/** Signs somebody in, and enters the organization: no operation of the API creates sessions. */
async function signIn({ server, organization }: World): Promise<string> {
  const { auth, worker } = server.database;
  const userId = await createMember(worker, organization, 'VIEWER');
  const { secret } = await makeLink(auth, 'SIGN_IN', userId, '');
  const browser = new TestBrowser(server);
  const signedIn = await browser.post('/auth/links/redeem', { link: secret });
  await browser.enter(organization.id);
  return signedIn.json.session.id;
}

/** Deletes the oldest record except the world's own, since some resources have a small limit. */
async function makeRoom(world: World, resourceName: string, { path }: Operation): Promise<void> {
  const token = world.token;
  const list = await world.server.call('GET', `${path}?sort=createdAt&limit=2`, { token });
  const ids: string[] = list.json.items.map(({ id }: { id: string }) => id);
  const oldest = ids.find((id) => id !== world.ids.get(resourceName));
  const removed = await world.server.call('DELETE', `${path}/${oldest}`, { token });
  assert.equal(removed.status, 204, removed.text);
}

const publishableKeys = new WeakMap<World, Promise<string>>();

/** Creates a visitor of the world's site; only browsers can create visitors. */
async function visit(world: World): Promise<string> {
  const { server, organization, ids } = world;
  const made = async () => (await createPublishableKey(server, organization, ids.get('sites') ?? '')).key;
  const key = publishableKeys.get(world) ?? made();
  publishableKeys.set(world, key);
  return createVisitor(server, await key);
}

/** The ids of the world, with a new record for an operation that may change or remove it. */
export async function freshIds(
  world: World,
  operation: Operation,
  token?: string,
): Promise<Map<string, string>> {
  const ids = new Map(world.ids);
  const own = ownParameter(operation);
  if (own !== null && isWrite(operation)) {
    const id = await createRecord(world, own, token === undefined ? {} : { token });
    if (operation.operationId === 'publishKnowledgeFilePicture') await makeReadPicture(world, id);
    ids.set(own, id);
  }
  return ids;
}

/** Makes a knowledge file that every member sees a picture that has been read. */
export async function makeReadPicture(
  { server, organization }: Pick<World, 'server' | 'organization'>,
  id: string,
): Promise<void> {
  const scope = { organizationId: organization.id, userId: null };
  const fileId = decodeId('kf', id) ?? '';
  const sha256 = '0'.repeat(64);
  const [result] = await server.database.api.execute(scope, [
    step(
      {
        name: 'make_read_picture',
        text: `UPDATE trellis.knowledge_files
          SET status = 'NOT_APPLICABLE', media_type = 'image/png', width = 64, height = 32, sha256 = $3, picture_path = $4
          WHERE organization_id = $1 AND id = $2`,
      },
      [organization.id, fileId, sha256, picturePathOf(organization.id, fileId, sha256)],
    ),
  ]);
  assert.equal(result?.affected, 1);
}

/** The path parameter of an item's own id; null for a collection. */
export function ownParameter(operation: Operation): string | null {
  const named = operation.pathParameters.filter(({ resource }) => resource !== null).at(-1)?.resource ?? null;
  return named === 'sessions' || named === 'trash' || named === operation.requirement.permission?.resource
    ? named
    : null;
}

/**
 * All operations, those of a record of the trash with the right that they require for the world's own one, a book: which right it is follows from
 * the id in the path.
 */
export function operationsFor({ server }: Pick<World, 'server'>): readonly Operation[] {
  const books = resources.find(({ name }) => name === 'books');
  assert.ok(books);
  return server.server.operations.map((operation) =>
    operation.pathParameters.some(({ resource }) => resource === 'trash')
      ? { ...operation, requirement: rightFor(books, 'delete') }
      : operation,
  );
}

/** The path of an operation with its parameters replaced. */
export function pathOf(operation: Operation, ids: Ids): string {
  return operation.pathParameters.reduce((path, parameter) => {
    const value = parameter.resource === null ? String(parameter.example) : ids.get(parameter.resource);
    assert.ok(value, `${operation.operationId}: no value for the path parameter ${parameter.name}`);
    return path.replace(`{${parameter.name}}`, encodeURIComponent(value));
  }, operation.path);
}

/** The required query parameters with their examples, as a query string with its question mark; '' for none. */
export function requiredQuery(
  operation: OperationDescription,
  more: Readonly<Record<string, string>> = {},
): string {
  const required = operation.queryParameters
    .filter((parameter) => parameter.required && !(parameter.name in more))
    .map(({ name, example }): [string, string] => [name, String(example)]);
  const query = new URLSearchParams([...required, ...Object.entries(more)]).toString();
  return query === '' ? '' : `?${query}`;
}

let marks = 0;

/** The operation's example with unique values made unique and ids replaced with real ones. */
export function bodyOf(operation: Operation, ids: Ids): Record<string, unknown> {
  const body = structuredClone(operation.body?.example ?? {}) as Record<string, unknown>;
  const resource = resourceOf(operation);
  if (resource === undefined) return body;
  if (!isBatch(operation)) return complete(operation, resource, body, ids);
  for (const item of body.items as Record<string, unknown>[]) {
    if ('id' in item) item.id = ids.get(resource.name);
    item.data = complete(operation, resource, item.data as Record<string, unknown>, ids);
  }
  return body;
}

/** Whether the operation carries out several writes. */
export function isBatch({ body }: Operation): boolean {
  return body?.schemaName === 'BatchCreate';
}

function complete(
  operation: Operation,
  resource: Resource,
  body: Record<string, unknown>,
  ids: Ids,
): Record<string, unknown> {
  marks += 1;
  const together = Object.values(resource.uniqueTogether ?? {}).flat();
  for (const [name, field] of flattenFields(resource)) {
    const path = name.split('.');
    const value = valueAt(body, path);
    if (value === undefined) continue;
    if (field.reference !== null) {
      const id = ids.get(field.reference.resource);
      setAt(body, path, id === undefined ? undefined : Array.isArray(value) ? [id] : id);
    } else if (field.searchable === 'A' || name in resource.unique || together.includes(name)) {
      setAt(body, path, mark(value, field.schema as JsonSchema));
    }
  }
  const { required = [], properties = {} } = operation.body?.schema ?? {};
  for (const [name, { type, maximum = 0 }] of Object.entries(properties)) {
    if (!(name in resource.fields) && type === 'integer' && name in body)
      body[name] = marks % Number(maximum);
  }
  for (const name of required) {
    if (name in resource.fields || properties[name]?.format !== 'date-time') continue;
    body[name] = new Date(Date.parse(String(body[name])) + marks * 1_000).toISOString();
  }
  return body;
}

function mark(value: unknown, { format, pattern, enum: values }: JsonSchema): unknown {
  if (typeof value !== 'string' || values !== undefined) return value;
  if (format === 'slug' || format === 'role-key' || pattern !== undefined) return `${value}-${marks}`;
  if (format === 'http-url') return `${value}?${marks}`;
  if (format === 'email-address') return value.replace('@', `.${marks}@`);
  return isFreeFormat(format) ? `${value} ${marks}` : value;
}

/** The resource of an operation; undefined if it has none. */
export function resourceOf(operation: Operation): Resource | undefined {
  const name = operation.requirement.permission?.resource;
  return resources.find((resource) => resource.name === name);
}

function valueAt(body: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((value, key) => (value as Record<string, unknown> | undefined)?.[key], body);
}

function setAt(body: Record<string, unknown>, path: readonly string[], value: unknown): void {
  const [key = '', ...rest] = path;
  if (rest.length > 0) setAt(body[key] as Record<string, unknown>, rest, value);
  else if (value === undefined) delete body[key];
  else body[key] = value;
}

/** A place in a body, as keys and indexes. */
export type Path = readonly string[];

export function pointerOf(path: Path): string {
  return path.map((key) => `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

/** A valid body with a value at a path; the rest comes from the schema's examples. */
export function bodyWith(operation: Operation, ids: Ids, path: Path, value: unknown): unknown {
  return buildAt(operation.body?.schema ?? {}, path, value, bodyOf(operation, ids));
}

/** A value of a schema with another value at a path; the rest is that of `base` or comes from the schema's examples. */
export function buildAt(schema: JsonSchema, path: Path, value: unknown, base: unknown): unknown {
  const [key, ...rest] = path;
  if (key === undefined) return value;
  const plain = plainSchema(schema);
  if (plain.type === 'array') return [buildAt(plain.items ?? {}, rest, value, undefined)];
  const around = (base ?? schema.examples?.[0] ?? plain.examples?.[0] ?? sampleRequired(plain)) as Record<
    string,
    unknown
  >;
  return { ...around, [key]: buildAt(plain.properties?.[key] ?? {}, rest, value, around[key]) };
}

function sampleRequired(schema: JsonSchema): Record<string, unknown> {
  return Object.fromEntries(
    (schema.required ?? []).map((name) => [name, sampleOf(schema.properties?.[name] ?? {})]),
  );
}

/** A valid value for a schema: its example, or one assembled from the examples of its members. */
function sampleOf(schema: JsonSchema): unknown {
  const [example] = schema.examples ?? [];
  if (example !== undefined) return structuredClone(example);
  const plain = plainSchema(schema);
  return plain.type === 'object' ? sampleRequired(plain) : (plain.examples?.[0] ?? null);
}

/** The part of a nullable schema without null. */
export function plainSchema(schema: JsonSchema): JsonSchema {
  return schema.anyOf?.find(({ type }) => type !== 'null') ?? schema;
}

/** Every path in a schema, including the root, with the schema there. */
export function placesOf(schema: JsonSchema, path: Path = []): { path: Path; schema: JsonSchema }[] {
  const plain = plainSchema(schema);
  const members = Object.entries(plain.properties ?? {}).flatMap(([key, inner]) =>
    placesOf(inner, [...path, key]),
  );
  const items = plain.items === undefined ? [] : placesOf(plain.items, [...path, '0']);
  return [{ path, schema }, ...members, ...items];
}

/** A path in a body that takes the id of a record. */
export interface ReferencePlace {
  readonly path: Path;
  readonly resource: string;
  readonly sameParent: boolean;
}

/** Every place of the operation's body that refers to a record, as the resource and the schema declare it. */
export function referencePlaces(operation: Operation): ReferencePlace[] {
  if (operation.body === null) return [];
  const resource = resourceOf(operation);
  const declared = (resource === undefined ? [] : flattenFields(resource)).flatMap(([name, field]) =>
    field.reference === null || field.readOnly || !hasBodyField(operation, name)
      ? []
      : [{ path: [...name.split('.'), ...(field.kind === 'uuids' ? ['0'] : [])], ...field.reference }],
  );
  const annotated = placesOf(operation.body.schema).flatMap(({ path, schema }) => {
    const target = schema['x-reference'];
    const known = declared.some((place) => pointerOf(place.path) === pointerOf(path));
    return typeof target === 'string' && !known ? [{ path, resource: target, sameParent: false }] : [];
  });
  return [...declared, ...annotated];
}

/** Whether the body of an operation has a field; those of actions are bodies of their own. */
function hasBodyField({ body }: Operation, name: string): boolean {
  return (name.split('.')[0] ?? '') in (body?.schema.properties ?? {});
}

/** An id with the same prefix for which there is no record. */
export function absentId(prefixed: string): string {
  return `${prefixed.slice(0, prefixed.lastIndexOf('_'))}_01h455vb4pex5vsknk084sn02q`;
}

/** A problem without the members that differ between equal refusals, for comparison. */
export function essence(response: TestResponse): unknown {
  const { requestId: _id, instance: _path, ...rest } = response.json;
  return { status: response.status, ...rest };
}
