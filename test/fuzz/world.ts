/** Test data of the fuzz tests: two organizations on one server with records of all kinds, and their callers. */

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { resources } from '@trellis/schema/resources/index.ts';
import { allScopes } from '@trellis/schema/rights/scopes.ts';
import { isFreeFormat } from '@trellis/schema/validation/formats.ts';
import { decodeId, encodeId, newUuid } from '@trellis/schema/values/ids.ts';
import {
  attempt,
  createOtherWorld,
  createOwnWorld,
  createRecord,
  type Path,
  placesOf,
  plainSchema,
  type World,
} from '../support/fixtures.ts';
import { createMember, createToken } from '../support/identities.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { createPublishableKey, pageOrigin } from '../support/visitors.ts';
import type { Random } from './random.ts';
import { exampleId, type IdSource } from './values.ts';

/** A caller. */
export interface Caller {
  readonly name: string;
  /** Headers that say who it is. */
  readonly headers: Readonly<Record<string, string>>;
  /** Text that no response to this caller may contain. */
  readonly hidden: string;
}

/** Which callers an interface has. */
export type Interface = 'api' | 'sandbox' | 'identify';

export interface FuzzWorld {
  readonly server: TestServer;
  /** The first of each may do everything. */
  readonly callers: Readonly<Record<Interface, readonly Caller[]>>;
  /** Ids for the paths and bodies of requests. */
  idSource(random: Random): IdSource;
  /** Makes a new record in place of one that may have been deleted. */
  renew(resourceName: string): Promise<void>;
}

/** Starts a server with two organizations; texts of each contain what only its own callers may see. */
export async function openFuzzWorld(): Promise<FuzzWorld> {
  const server = await startTestServer({ streamLifetimeMs: 10 });
  const own = await createOwnWorld(server);
  const other = await createOtherWorld(server);
  const ownText = `canary${randomBytes(8).toString('hex')}`;
  const otherText = `canary${randomBytes(8).toString('hex')}`;
  await markRecords(own, ownText);
  await markRecords(other, otherText);
  const ids = new Map(own.ids);
  // Requests that disable or remove a member must not meet the owner, whose token most of them carry.
  ids.delete('users');
  const api = await createCallers(own, other, 'api', [ownText, otherText]);
  const sandbox = await createCallers(own, other, 'sandbox', [ownText, otherText]);
  await createPlant(server, sandbox[0], ownText);
  await createPlant(server, sandbox.at(-1), otherText);
  return {
    server,
    callers: { api, sandbox, identify: await createPages(own, other, [ownText, otherText]) },
    idSource: (random) => ({
      choose: (prefix) => chooseId(random, prefix, [...ids.values()], [...other.ids.values()]),
    }),
    async renew(resourceName) {
      if (ids.has(resourceName)) ids.set(resourceName, await createRecord({ ...own, ids }, resourceName));
    },
  };
}

/** Puts the text into the world's record of every resource. */
async function markRecords(world: World, text: string): Promise<void> {
  for (const { name } of resources) {
    if (name === 'members') {
      await nameMember(world, text);
      continue;
    }
    if (name === 'invitations') {
      await invite(world, text);
      continue;
    }
    const operation = world.server.server.operations.find(
      ({ method, requirement: { permission } }) =>
        method === 'PATCH' && permission?.resource === name && permission.action === 'update',
    );
    const place = placesOf(operation?.body?.schema ?? {}).find(({ path, schema }) =>
      isFreeText(path, schema),
    );
    assert.ok(operation !== undefined && place !== undefined, `${name} has no text`);
    const body = place.path.reduceRight<unknown>((value, key) => ({ [key]: value }), text);
    const response = await attempt(world, operation, { body });
    assert.equal(response.status, 200, `${name}: ${response.text}`);
  }
}

/** People choose their names themselves; no operation changes that of a member. */
async function nameMember({ server, ids }: World, name: string): Promise<void> {
  const id = decodeId('user', ids.get('members') ?? '');
  await server.database.worker.run('UPDATE trellis.users SET name = $2 WHERE id = $1', [id, name]);
}

/** An invitation is never changed: another one has the text. */
async function invite(world: World, text: string): Promise<void> {
  const operation = world.server.server.operations.find(
    ({ operationId }) => operationId === 'createInvitation',
  );
  assert.ok(operation);
  const body = { email: `${text}@example.com`, roleId: world.ids.get('roles') };
  const response = await attempt(world, operation, { body });
  assert.equal(response.status, 201, response.text);
}

/** Whether any text of some length can be written there. */
function isFreeText(path: Path, schema: Parameters<typeof plainSchema>[0]): boolean {
  const { type, format, pattern, enum: values, maxLength = 0, examples = [] } = plainSchema(schema);
  const example = schema.examples?.[0] ?? examples[0];
  const isFormal = !isFreeFormat(format) || pattern !== undefined || values !== undefined;
  if (type !== 'string' || isFormal || Number(maxLength) < 60 || path.includes('0')) return false;
  return typeof example === 'string' && !exampleId.test(example);
}

async function createPlant(server: TestServer, caller: Caller | undefined, name: string): Promise<void> {
  const response = await server.call('POST', '/sandbox/plants', {
    token: null,
    key: null,
    headers: caller?.headers ?? {},
    body: { id: 1, name },
  });
  assert.equal(response.status, 200, response.text);
}

/** The owner first; the owner of the other organization last. */
async function createCallers(
  own: World,
  other: World,
  audience: 'api' | 'sandbox',
  [ownText, otherText]: readonly [string, string],
): Promise<Caller[]> {
  const { worker } = own.server.database;
  const make = async (
    name: string,
    { organization }: World,
    userId: string,
    hidden: string,
    scopes: readonly string[] = allScopes,
  ) => {
    const { token, id } = await createToken(worker, organization, userId, { audiences: [audience], scopes });
    return { name, id, hidden, headers: { authorization: `Bearer ${token}` } };
  };
  const member = (world: World, role: Parameters<typeof createMember>[2]) =>
    createMember(worker, world.organization, role);
  const [both, readScopes] = [
    `${ownText}|${otherText}`,
    allScopes.filter((scope) => scope.endsWith(':read')),
  ];
  const revoked = await make('a revoked token', own, await member(own, 'OWNER'), both);
  await worker.run('UPDATE trellis.tokens SET revoked_at = clock_timestamp() WHERE id = $1', [revoked.id]);
  return [
    await make('an owner', own, own.server.ownerId, otherText),
    await make('an author', own, await member(own, 'AUTHOR'), otherText),
    await make('a viewer', own, await member(own, 'VIEWER'), otherText),
    await make('an owner whose token may only read', own, own.server.ownerId, otherText, readScopes),
    revoked,
    { name: 'nobody', headers: {}, hidden: both },
    { name: 'a wrong token', headers: { authorization: 'Bearer trl_pat_x' }, hidden: both },
    { name: 'another scheme', headers: { authorization: 'Basic dXNlcjpwYXNz' }, hidden: both },
    await make('an owner of another organization', other, await member(other, 'OWNER'), ownText),
  ];
}

/** Pages that identify their visitors. */
async function createPages(
  own: World,
  other: World,
  [ownText, otherText]: readonly [string, string],
): Promise<Caller[]> {
  const page = async (name: string, { server, organization, ids }: World, hidden: string) => {
    const { key } = await createPublishableKey(server, organization, ids.get('sites') ?? '');
    return { name, hidden, headers: { 'x-client-key': key, origin: pageOrigin } };
  };
  const ownPage = await page('a page', own, otherText);
  const both = `${ownText}|${otherText}`;
  return [
    ownPage,
    {
      ...ownPage,
      name: 'a page of another origin',
      headers: { ...ownPage.headers, origin: 'https://x.example' },
    },
    { name: 'no key', headers: { origin: pageOrigin }, hidden: both },
    { name: 'a wrong key', headers: { 'x-client-key': 'trl_pk_x', origin: pageOrigin }, hidden: both },
    await page('a page of another organization', other, ownText),
  ];
}

function chooseId(random: Random, prefix: string, own: readonly string[], other: readonly string[]): string {
  const withPrefix = (ids: readonly string[]) => ids.filter((id) => id.startsWith(`${prefix}_`));
  const absent = encodeId(prefix, newUuid());
  if (random.chance(0.7)) return withPrefix(own)[0] ?? absent;
  if (random.chance(0.4)) return withPrefix(other)[0] ?? absent;
  if (random.chance(0.4)) return absent;
  return random.pick([
    absent.toUpperCase(),
    absent.slice(0, -1),
    `${absent}0`,
    `x${absent}`,
    absent.replace('_', ''),
    `${prefix}_${'z'.repeat(26)}`,
    own[0] ?? '',
    prefix,
    '0',
    'null',
    'x'.repeat(300),
    'é',
    'a b',
  ]);
}
