/**
 * Nobody gives what they do not have: every permission of the matrix by every way of giving one, every scope by a token that lacks it.
 * What is expected follows from plain sets of permissions, not from the code that decides.
 */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, test } from 'node:test';
import { builtInRoleIds } from '@trellis/schema/resources/roles.ts';
import { webhookEndpoints } from '@trellis/schema/resources/webhook-endpoints.ts';
import { listPermissions, type Role, rightsOf, roles } from '@trellis/schema/rights/permissions.ts';
import { allScopes } from '@trellis/schema/rights/scopes.ts';
import { encodeId } from '@trellis/schema/values/ids.ts';
import { createMember, createToken } from '../../support/identities.ts';
import { startTestServer, type TestResponse } from '../../support/server.ts';
import { succeed } from '../../support/writes.ts';

const server = await startTestServer();
const { worker } = server.database;
after(() => server.close());

interface Grant {
  readonly resource: string;
  readonly action: string;
  readonly own?: boolean;
}

/** A permission as a text; that on all records contains that on one's own. */
const wordsOf = ({ resource, action, own }: Grant): string[] =>
  own === true ? [`${resource} ${action} own`] : [`${resource} ${action} own`, `${resource} ${action} all`];
const setOf = (grants: readonly Grant[]) => new Set(grants.flatMap(wordsOf));
const isWithin = (some: readonly Grant[], others: readonly Grant[]) => setOf(some).isSubsetOf(setOf(others));

const builtIn = (role: Role): readonly Grant[] => listPermissions(rightsOf(role));
const everything = builtIn('OWNER');
/** Manages people, and may do nothing with content. */
const managing = everything.filter(({ resource }) =>
  ['members', 'invitations', 'roles', 'clients', 'tokens'].includes(resource),
);

interface Caller {
  readonly name: string;
  readonly grants: readonly Grant[];
  readonly token: string;
}

const callers: Caller[] = [];
/** A service member for each built-in role. */
const targets = new Map<Role, string>();
let clientId = '';

before(async () => {
  clientId = encodeId('client', server.organization.clientId);
  const manager = await succeed(server, 'POST', '/v1/roles', {
    key: 'manager',
    name: 'Manager',
    grants: managing,
  });
  for (const role of roles) {
    const userId = await createMember(worker, server.organization, role);
    const { token } = await createToken(worker, server.organization, userId);
    callers.push({ name: role, grants: builtIn(role), token });
    const roleId = encodeId('role', builtInRoleIds[role]);
    const service = await succeed(server, 'POST', '/v1/members', { name: `Service ${role}`, roleId });
    targets.set(role, service.json.id);
  }
  const userId = await createMember(worker, server.organization, 'VIEWER');
  await succeed(server, 'PATCH', `/v1/members/${encodeId('user', userId)}`, { roleId: manager.json.id });
  const { token } = await createToken(worker, server.organization, userId);
  callers.push({ name: 'manager', grants: managing, token });
});

const may = ({ grants }: Caller, resource: string, action: string) =>
  isWithin([{ resource, action }], grants);

/** Expects a success, or a refusal for want of a right. */
function expectDecision(response: TestResponse, isAllowed: boolean, label: string): void {
  const shown = `${label}: ${response.text}`;
  if (isAllowed) assert.ok(response.status < 300, shown);
  else assert.equal(response.json?.code, 'permission_denied', shown);
}

test('a role is made by those who may do what it may', async () => {
  // Which only built-in roles have permissions on.
  const given = everything.filter(({ resource }) => resource !== webhookEndpoints.name);
  for (const caller of callers) {
    for (const { resource, action } of given) {
      const read: Grant = { resource, action: 'read' };
      const hasRead = given.some((grant) => grant.resource === resource && grant.action === 'read');
      const grants = [...(action !== 'read' && hasRead ? [read] : []), { resource, action }];
      const response = await server.call('POST', '/v1/roles', {
        token: caller.token,
        body: { key: `r-${randomUUID()}`, name: 'Some role', grants },
      });
      const isAllowed = may(caller, 'roles', 'create') && isWithin(grants, caller.grants);
      expectDecision(response, isAllowed, `${caller.name} makes a role that may ${action} ${resource}`);
      if (isAllowed) await server.call('DELETE', `/v1/roles/${response.json.id}`);
    }
  }
});

test('a role is given, by a change, an invitation, a service member or its token, by those who may do what it may', async () => {
  for (const caller of callers) {
    const { token, name } = caller;
    for (const role of roles) {
      const isWithinOwn = isWithin(builtIn(role), caller.grants);
      const roleId = encodeId('role', builtInRoleIds[role]);
      const memberId = encodeId('user', await createMember(worker, server.organization, 'VIEWER'));
      expectDecision(
        await server.call('PATCH', `/v1/members/${memberId}`, { token, body: { roleId } }),
        // The member's role before counts as well.
        may(caller, 'members', 'update') && isWithinOwn && isWithin(builtIn('VIEWER'), caller.grants),
        `${name} gives a member the role ${role}`,
      );
      const email = `${randomUUID()}@example.com`;
      expectDecision(
        await server.call('POST', '/v1/invitations', { token, body: { email, roleId } }),
        may(caller, 'invitations', 'create') && isWithinOwn,
        `${name} invites to the role ${role}`,
      );
      const invited = await succeed(server, 'POST', '/v1/invitations', {
        email: `${randomUUID()}@example.com`,
        roleId,
      });
      expectDecision(
        await server.call('POST', `/v1/invitations/${invited.json.id}/resend`, { token }),
        may(caller, 'invitations', 'create') && isWithinOwn,
        `${name} sends an invitation to the role ${role} again`,
      );
      expectDecision(
        await server.call('POST', '/v1/members', { token, body: { name: 'Some program', roleId } }),
        may(caller, 'members', 'create') && isWithinOwn,
        `${name} makes a service member with the role ${role}`,
      );
      const body = { name: 'Some token', clientId, scopes: ['sites:read'], userId: targets.get(role) };
      expectDecision(
        await server.call('POST', '/v1/tokens', { token, body }),
        may(caller, 'tokens', 'create') && may(caller, 'members', 'update') && isWithinOwn,
        `${name} makes a token of a service member with the role ${role}`,
      );
      const made = await succeed(server, 'POST', '/v1/tokens', body);
      expectDecision(
        await server.call('POST', `/v1/tokens/${made.json.id}/rotate`, { token, body: {} }),
        may(caller, 'tokens', 'create') && may(caller, 'members', 'update') && isWithinOwn,
        `${name} replaces a token of a service member with the role ${role}`,
      );
    }
  }
});

test('a token is made and replaced by those that have its scopes', async () => {
  const make = (token: string, scopes: readonly string[]) =>
    server.call('POST', '/v1/tokens', { token, body: { name: 'Some token', clientId, scopes } });
  const whole = await succeed(server, 'POST', '/v1/tokens', {
    name: 'With every scope',
    clientId,
    scopes: allScopes,
  });
  for (const scope of allScopes) {
    const scopes = allScopes.filter((other) => other !== scope);
    const { token } = await createToken(worker, server.organization, server.ownerId, { scopes });
    for (const response of [
      await make(token, [scope]),
      await make(token, allScopes),
      await server.call('POST', `/v1/tokens/${whole.json.id}/rotate`, { token, body: {} }),
    ])
      assert.equal(response.json?.code, 'insufficient_scope', `${scope}: ${response.text}`);
    const others = await make(token, scopes);
    if (scope === 'tokens:manage') assert.equal(others.json?.code, 'insufficient_scope', others.text);
    else assert.equal(others.status, 201, others.text);
  }
});
