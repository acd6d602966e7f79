/**
 * Tests of access to every operation: with every kind of caller that must be refused, and with the minimum rights that
 * must suffice.
 */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { type Action, actions, type Grant } from '@trellis/schema/resources/grants.ts';
import { grantOf, roles } from '@trellis/schema/rights/permissions.ts';
import { allScopes } from '@trellis/schema/rights/scopes.ts';
import { plantOperations } from '@trellis/server/features/sandbox/http/operations.ts';
import { identifyOperation } from '@trellis/server/features/visitors/http/document.ts';
import type { Audience } from '@trellis/server/kernel/identity/actor.ts';
import { makeToken } from '@trellis/server/kernel/identity/tokens.ts';
import { attempt, createOwnWorld, freshIds, operationsFor, ownParameter } from '../../support/fixtures.ts';
import { createMember, createToken } from '../../support/identities.ts';
import { changesNothing, expectChallenge, expectProblem, isSuccess } from '../../support/refusals.ts';
import { startTestServer } from '../../support/server.ts';
import { casesFor } from '../../support/soak.ts';
import { TenantTables } from '../../support/tenant-tables.ts';

/** Operations that any valid token may call; this list may only shrink. */
const openToAnyToken = [
  'getMe',
  'getWaiting',
  'listTrash',
  'getOpenApi',
  'getAsyncApi',
  'getVisitorLookupChangelog',
];
/** What everybody who is signed in may call for their own sessions; test/http/sessions.test.ts tries whose they see. */
const ofPeople = ['listSessions', 'getSession', 'deleteSession'];
/** The preflight of what browsers call; test/http/visitors*.test.ts tries both. The list may only shrink. */
const preflights = ['OPTIONS /v1/visitors/identify'];

const server = await startTestServer();
const { organization, ownerId } = server;
const { worker } = server.database;
const tables = await TenantTables.open(server.database);
const world = await createOwnWorld(server);
const operations = operationsFor(world);
after(async () => {
  await tables.close();
  await server.close();
});

async function tokenOf(userId: string, scopes: readonly string[], audiences: readonly Audience[] = ['api']) {
  return (await createToken(worker, organization, userId, { scopes, audiences })).token;
}

/** Tokens that are refused without a database query. */
const malformedTokens = [
  `${makeToken(organization.id).slice(0, -1)}!`,
  `${makeToken(organization.id).slice(0, -6)}000000`,
  'x',
  `${makeToken(organization.id)}x`,
  `trl_pat_${'0'.repeat(4_000)}`,
];
const sandboxToken = await tokenOf(ownerId, allScopes, ['sandbox']);
/** For each scope a token that has all others. */
const tokenWithout = new Map<string, string>();
for (const scope of allScopes) {
  tokenWithout.set(
    scope,
    await tokenOf(
      ownerId,
      allScopes.filter((other) => other !== scope),
    ),
  );
}
const scopelessToken = await tokenOf(ownerId, []);
const members = await Promise.all(
  roles.map(async (role) => {
    const userId = await createMember(worker, organization, role);
    return { role, token: await tokenOf(userId, allScopes) };
  }),
);

test('every route is an operation of an interface, or is public and read-only', () => {
  const known = [...server.server.operations, ...plantOperations, identifyOperation].map(
    ({ method, path }) => `${method} ${path.replace(/\{(\w+)\}/g, ':$1')}`,
  );
  for (const [path, methods] of server.server.routes) {
    // Pages sign people in there; test/sign-in/ tries each of them.
    if (path.startsWith('/auth/')) continue;
    for (const method of methods) {
      if (method === 'HEAD' && methods.has('GET')) continue;
      const isOperation = known.includes(`${method} ${path}`);
      const isPublic = method === 'GET' && !/^\/v\d/.test(path);
      if (preflights.includes(`${method} ${path}`)) continue;
      assert.ok(isOperation || isPublic, `${method} ${path} is no operation, so nothing here tries it`);
    }
  }
});

test('every operation needs scopes and a permission, except those that any token may call', () => {
  for (const { operationId, requirement, method } of operations) {
    if (openToAnyToken.includes(operationId) || ofPeople.includes(operationId)) continue;
    assert.notEqual(requirement.scopes.length, 0, operationId);
    assert.ok(requirement.permission !== null, operationId);
    const reads = requirement.scopes.every((scope) => scope.endsWith(':read'));
    const manages = requirement.scopes.every((scope) => scope.endsWith(':manage'));
    assert.equal(reads, method === 'GET' && !manages, `${operationId} needs ${requirement.scopes}`);
    assert.equal(requirement.permission.action === 'read', method === 'GET', operationId);
    for (const scope of requirement.scopes) assert.ok(allScopes.includes(scope), scope);
  }
  const ids = server.server.operations.map(({ operationId }) => operationId);
  assert.equal(new Set(ids).size, ids.length);
});

/** What administrators alone see. */
const settings = ['webhook-endpoints', 'organizations', 'invitations', 'roles', 'clients', 'tokens'];

/** What a VIEWER, who changes nothing else, may do with views: those of their own change nothing that others see. */
const viewsOfViewers: Readonly<Record<Action, Grant | null>> = {
  read: 'all',
  create: 'all',
  update: 'own',
  delete: 'own',
  publish: null,
};

test('a viewer has views of their own and shares none', () => {
  for (const action of actions)
    assert.equal(grantOf('VIEWER', 'views', action), viewsOfViewers[action], action);
});

for (const [index, operation] of operations.entries()) {
  const { operationId, requirement, method } = operation;

  test(`${operationId}: the right request gets a documented response`, async () => {
    const response = await attempt(world, operation, { ids: await freshIds(world, operation) });
    assert.equal(response.status, operation.success.status, response.text);
    assert.equal(response.headers.get('x-request-id'), response.requestId);
    assert.equal(response.headers.get('cache-control'), 'private, no-cache');
    assert.match(response.headers.get('vary') ?? '', /\bAuthorization\b/);
    for (const header of ['ETag', 'Location'] as const) {
      if (operation.success.headers.includes(header)) assert.ok(response.headers.get(header), header);
    }
    const { schemaName, isContent, isEventStream } = operation.success;
    const isEmpty = schemaName === null && !isContent && !isEventStream;
    assert.equal(response.text === '', isEmpty);
  });

  test(`${operationId}: without a token, or with one that is not valid here`, () =>
    changesNothing(tables, async () => {
      for (const authorization of casesFor(index, [undefined, 'Basic dXNlcjpwYXNz', 'trl_pat_x'])) {
        const headers = authorization === undefined ? {} : { authorization };
        const refused = await attempt(world, operation, { token: null, headers });
        expectProblem(refused, 401, 'token_missing', authorization);
        expectChallenge(refused, /^(?!.*error=)/);
      }
      for (const token of [...casesFor(index, malformedTokens), makeToken(organization.id), sandboxToken]) {
        const refused = await attempt(world, operation, { token });
        expectProblem(refused, 401, 'token_invalid', token);
        expectChallenge(refused, /error="invalid_token"/);
      }
    }));

  test(`${operationId}: each missing scope is refused, the needed ones suffice`, async () => {
    await changesNothing(tables, async () => {
      for (const token of [scopelessToken, ...requirement.scopes.map((scope) => tokenWithout.get(scope))]) {
        if (requirement.scopes.length === 0 || token === undefined) continue;
        const refused = await attempt(world, operation, { token });
        expectProblem(refused, 403, 'insufficient_scope');
        expectChallenge(refused, /error="insufficient_scope"/);
        const named = /scope="([^"]*)"/.exec(refused.headers.get('www-authenticate') ?? '')?.[1];
        assert.deepEqual(named?.split(' '), requirement.scopes);
      }
    });
    // The token that is replaced is a service member's, for which its maker must also manage members.
    const further = operationId === 'rotateToken' ? ['members:manage'] : [];
    const token = await tokenOf(ownerId, [...requirement.scopes, ...further], ['sandbox', 'api']);
    const allowed = await attempt(world, operation, { token, ids: await freshIds(world, operation) });
    assert.ok(isSuccess(allowed), allowed.text);
  });

  test(`${operationId}: authorization is refused before the request is validated`, () =>
    changesNothing(tables, async () => {
      if (requirement.scopes.length === 0) return;
      const wrongRequests = [
        { key: null },
        { query: '?nonsense=1' },
        { headers: { 'if-match': 'nonsense', 'if-none-match': 'nonsense' } },
        // Not the media type: it is checked before the scope (docs/decisions/0006).
        ...(operation.body === null ? [] : [{ rawBody: '{' }, { rawBody: '{"nonsense":1}' }]),
      ];
      for (const wrong of wrongRequests) {
        const refused = await attempt(world, operation, { token: scopelessToken, ...wrong });
        expectProblem(refused, 403, 'insufficient_scope', JSON.stringify(wrong));
      }
    }));

  // The matrix says nothing of one's own sessions.
  if (!ofPeople.includes(operationId)) {
    test(`${operationId}: each role may do exactly what the matrix says`, async () => {
      const { permission } = requirement;
      for (const { role, token } of members) {
        const grant = permission === null ? 'all' : grantOf(role, permission.resource, permission.action);
        // What the specification says of every resource, whatever the matrix says.
        if (role === 'OWNER' || (role === 'ADMIN' && permission?.resource !== 'organizations'))
          assert.equal(grant, 'all', role);
        const isSetting = settings.includes(permission?.resource ?? '');
        if (role === 'VIEWER' && permission?.resource === 'views')
          assert.equal(grant, viewsOfViewers[permission.action], permission.action);
        else if (role === 'VIEWER') assert.equal(grant, method === 'GET' && !isSetting ? 'all' : null);
        if (grant !== 'all') {
          // Another user's record: refused without a grant, and with a grant for own records only.
          await changesNothing(tables, async () => {
            if (grant === 'own' && ownParameter(operation) === null) return;
            expectProblem(await attempt(world, operation, { token }), 403, 'permission_denied', role);
            // Whose the record is can only be told by looking at it, which a wrong body does not come to.
            if (operation.body === null || grant === 'own') return;
            const wrong = await attempt(world, operation, { token, rawBody: '{"nonsense":1}' });
            expectProblem(wrong, 403, 'permission_denied', `${role} with a wrong body`);
          });
        }
        if (grant !== null) {
          // Nobody revokes or replaces a token whose user may do more than they may.
          const isOwn = grant === 'own' || permission?.resource === 'tokens';
          const ids = await freshIds(world, operation, isOwn ? token : undefined);
          const allowed = await attempt(world, operation, { token, ids });
          assert.ok(isSuccess(allowed), `${role}: ${allowed.text}`);
        }
      }
    });
  }

  test(`${operationId}: a switched-off module`, async () => {
    if (requirement.module === null) return;
    const set = 'UPDATE trellis.organizations SET modules = $2 WHERE id = $1';
    const [row] = await tables.run('SELECT modules FROM trellis.organizations WHERE id = $1', [
      organization.id,
    ]);
    const all = row?.modules as string[];
    // Reads may remember the organization for two seconds, but not for a token never seen before.
    const token = await tokenOf(ownerId, allScopes);
    await tables.run(set, [organization.id, all.filter((module) => module !== requirement.module)]);
    try {
      await changesNothing(tables, async () => {
        expectProblem(await attempt(world, operation, { token }), 403, 'module_disabled');
      });
    } finally {
      await tables.run(set, [organization.id, all]);
    }
  });
}
