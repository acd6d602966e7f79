/** The maximum number of endpoints of an organization, also for concurrent requests. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { limits } from '@trellis/schema/resources/limits.ts';
import { AddressGuard } from '@trellis/server/features/webhooks/address-guard.ts';
import { createMember, createOrganization, createToken } from '../support/identities.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { createEndpoint, sealer } from '../support/webhooks.ts';

const path = '/v1/webhook-endpoints';
const url = 'http://127.0.0.1:9/hook';
let server: TestServer;

before(async () => {
  const guard = new AddressGuard({ allowPrivate: ['127.0.0.0/8'] });
  server = await startTestServer({ webhooks: { guard, sealer } });
});
after(() => server.close());

const create = (token = server.token) =>
  server.call('POST', path, { token, body: { url, eventTypes: ['site.*'] } });

test('one of several concurrent creates gets the last place, and a deletion frees a place', async () => {
  const { worker, api } = server.database;
  const createdBy = await createMember(worker, server.organization, 'OWNER');
  for (let made = 1; made < limits.webhookEndpoints; made += 1)
    await createEndpoint(api, server.organization.id, { url, createdBy });
  for (let round = 0; round < 3; round += 1) {
    const responses = await Promise.all([create(), create(), create()]);
    const [taken, ...refused] = responses.sort((left, right) => left.status - right.status);
    assert.equal(taken?.status, 201, taken?.text);
    for (const { status, json } of refused) {
      assert.deepEqual([status, json.code], [409, 'quota_reached']);
      assert.equal(json.detail, 'An organization has at most 50 webhook endpoints.');
    }
    // Updates are not limited.
    const changed = await server.call('PATCH', `${path}/${taken?.json.id}`, { body: { description: 'x' } });
    assert.equal(changed.status, 200, changed.text);
    await server.call('DELETE', `${path}/${taken?.json.id}`);
  }
  // Another organization has its own limit.
  const other = await createOrganization(worker, 'other');
  const member = await createMember(worker, other, 'OWNER');
  const { token } = await createToken(worker, other, member);
  assert.equal((await create(token)).status, 201);
});
