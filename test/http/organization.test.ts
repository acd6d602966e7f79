/** Tests of the organization as a record, and of who a token is. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { builtInRoleIds } from '@trellis/schema/resources/roles.ts';
import { listPermissions, rightsOf, roles } from '@trellis/schema/rights/permissions.ts';
import { encodeId } from '@trellis/schema/values/ids.ts';
import { createMember, createToken } from '../support/identities.ts';
import { expectProblem } from '../support/refusals.ts';
import { startTestServer } from '../support/server.ts';

const server = await startTestServer();
after(() => server.close());
const { worker } = server.database;

const change = (body: object, headers = {}) => server.call('PATCH', '/v1/organization', { body, headers });

test('any token learns who it is, whatever its scopes and the role of its user', async () => {
  for (const role of roles) {
    const userId = await createMember(worker, server.organization, role);
    const made = await createToken(worker, server.organization, userId, { scopes: ['books:read'] });
    const { json, status } = await server.call('GET', '/v1/me', { token: made.token });
    assert.equal(status, 200);
    assert.equal(json.organization.id, encodeId('org', server.organization.id));
    assert.deepEqual(json.user, {
      id: encodeId('user', userId),
      name: role,
      email: `${userId}@example.com`,
      kind: 'PERSON',
      responsibleUserId: null,
    });
    assert.deepEqual(json.client, {
      id: encodeId('client', server.organization.clientId),
      name: 'Test',
      kind: 'SERVER',
    });
    assert.equal(json.role.id, encodeId('role', builtInRoleIds[role]));
    assert.equal(json.role.builtIn, true);
    assert.deepEqual(json.role.grants, listPermissions(rightsOf(role)));
    assert.equal(json.tokenId, encodeId('token', made.id));
    assert.deepEqual([json.resources, json.scopes], [['api'], ['books:read']]);
    assert.equal(json.expiresAt, null);
    assert.equal(json.signIn, null);
  }
});

test('the organization is read and changed without an id, with versions', async () => {
  const { json: before, headers } = await server.call('GET', '/v1/organization');
  assert.equal(before.id, encodeId('org', server.organization.id));
  assert.equal(headers.get('etag'), `"${before.version}"`);
  const changed = await change(
    { name: 'Lantern Press', defaultCountry: 'AT' },
    { 'if-match': `"${before.version}"` },
  );
  assert.equal(changed.status, 200, changed.text);
  assert.equal(changed.json.version, before.version + 1);
  assert.equal(changed.json.defaultCountry, 'AT');
  assert.equal(changed.json.key, before.key);
  expectProblem(
    await change({ name: 'Other' }, { 'if-match': `"${before.version}"` }),
    412,
    'version_mismatch',
  );
  expectProblem(await change({ key: 'other' }), 422, 'unknown_field');
  expectProblem(await change({ defaultCountry: 'XX' }), 422, 'validation_failed');
  expectProblem(await server.call('DELETE', '/v1/organization'), 405, 'method_not_allowed');
});

test('a module that is switched off applies to the next request, reads included', async () => {
  const { json } = await server.call('GET', '/v1/organization');
  assert.equal((await server.call('GET', '/v1/books')).status, 200);
  const fewer = json.modules.filter((name: string) => name !== 'publishing');
  assert.equal((await change({ modules: fewer })).status, 200);
  expectProblem(await server.call('GET', '/v1/books'), 403, 'module_disabled');
  assert.equal((await change({ modules: json.modules })).status, 200);
  assert.equal((await server.call('GET', '/v1/books')).status, 200);
});

test('a suspended organization refuses its owner at once', async () => {
  assert.equal((await change({ status: 'SUSPENDED' })).status, 200);
  expectProblem(await server.call('GET', '/v1/books'), 403, 'organization_suspended');
  expectProblem(await change({ status: 'ACTIVE' }), 403, 'organization_suspended');
});
