/** The user on whose behalf an endpoint acts: what it gets after another user redirects it, or the user loses permissions. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { builtInRoleIds } from '@trellis/schema/resources/roles.ts';
import { allScopes } from '@trellis/schema/rights/scopes.ts';
import { decodeId, encodeId } from '@trellis/schema/values/ids.ts';
import { AddressGuard } from '@trellis/server/features/webhooks/address-guard.ts';
import { buildPayload } from '@trellis/server/features/webhooks/payload.ts';
import { type ClaimedDelivery, EndpointTurn } from '@trellis/server/features/webhooks/queue.ts';
import type { Loop } from '@trellis/server/kernel/background/roles.ts';
import type { Relay } from '@trellis/server/kernel/events/relay.ts';
import { countWaiting } from '../support/events.ts';
import { createMember, createToken } from '../support/identities.ts';
import { type Receiver, respondWith, startReceiver } from '../support/receiver.ts';
import { type Json, startTestServer, type TestServer } from '../support/server.ts';
import { until } from '../support/until.ts';
import {
  attemptsOf,
  deliveriesOf,
  makeDue,
  sealer,
  startTestDelivery,
  startWebhookRelay,
  testModels,
  testOrigin,
} from '../support/webhooks.ts';

const path = '/v1/webhook-endpoints';
let server: TestServer;
let relay: Relay;
let delivery: Loop;

before(async () => {
  const guard = new AddressGuard({ allowPrivate: ['127.0.0.0/8'] });
  server = await startTestServer({ webhooks: { guard, sealer } });
  const { database } = server;
  relay = startWebhookRelay(database);
  delivery = startTestDelivery(database, { guard });
});
after(async () => {
  await delivery.stop();
  await relay.stop();
  await server.close();
});

async function join(role: 'ADMIN' | 'OWNER'): Promise<{ userId: string; token: string }> {
  const { worker } = server.database;
  const userId = await createMember(worker, server.organization, role);
  return { userId, token: (await createToken(worker, server.organization, userId)).token };
}

async function request(method: string, target: string, token: string, body?: object): Promise<Json> {
  const response = await server.call(method, target, { token, ...(body === undefined ? {} : { body }) });
  assert.ok(response.status < 300, response.text);
  return response.json;
}

const createFile = async (token: string, visibility: string): Promise<string> =>
  (await request('POST', '/v1/knowledge-files', token, { name: 'Plan', visibility })).id;

const createEndpoint = (own: Receiver, token: string, payload = 'FULL'): Promise<Json> =>
  request('POST', path, token, { url: own.url, eventTypes: ['knowledge-file.*'], payload });

const stored = ({ id }: Json) => ({
  organizationId: server.organization.id,
  id: decodeId('whe', id) ?? '',
  secret: '',
});

const subjectsOf = (own: Receiver) => own.calls.map(({ body }) => JSON.parse(body).subject);

async function personOf(endpoint: Json): Promise<string | null | undefined> {
  const [row] = await server.database.worker.run(
    'SELECT acts_for FROM trellis.webhook_subscriptions WHERE endpoint_id = $1',
    [stored(endpoint).id],
  );
  return row?.[0];
}

test('redirecting another user’s endpoint gives no access to what only that user may read, not even to waiting deliveries', async () => {
  const mine = await startReceiver(respondWith(500));
  const theirs = await startReceiver();
  const owner = await join('OWNER');
  const admin = await join('ADMIN');
  const { worker } = server.database;
  try {
    const endpoint = await createEndpoint(mine, owner.token);
    const waiting = await createFile(owner.token, 'PRIVATE');
    await until(
      'an attempt is recorded',
      async () => (await attemptsOf(worker, stored(endpoint))).length > 0,
    );
    await request('PATCH', `${path}/${endpoint.id}`, admin.token, { url: theirs.url });
    await makeDue(worker, stored(endpoint));
    await createFile(owner.token, 'PRIVATE');
    const shared = await createFile(owner.token, 'ORGANIZATION');
    await theirs.received(1);
    const { items } = await until('what waited has ended', async () => {
      const found = await request('GET', `${path}/${endpoint.id}/deliveries?status=FAILED`, owner.token);
      return found.items.length > 0 && found;
    });
    assert.deepEqual(subjectsOf(mine), [waiting]);
    assert.deepEqual(subjectsOf(theirs), [shared]);
    assert.equal(JSON.parse(theirs.calls[0]?.body ?? '{}').data.record.id, shared);
    assert.deepEqual(
      items.map(({ attempts }: Json) => attempts.map(({ number, error }: Json) => [number, error])),
      [
        [
          [1, null],
          [2, 'It was not sent: the user on whose behalf the endpoint acts may not read the record.'],
        ],
      ],
    );
    await request('DELETE', `${path}/${endpoint.id}`, owner.token);
  } finally {
    await mine.close();
    await theirs.close();
  }
});

test('an endpoint of a member with a role of the organization receives events of the shared views that the member sees', async () => {
  const { worker } = server.database;
  const reading = (...resources: string[]) =>
    ['views', 'events', ...resources].map((resource) => ({ resource, action: 'read' }));
  /** An endpoint of somebody who was an administrator when it was made, and has since got another role. */
  const endpointOf = async (key: string, grants: readonly object[]) => {
    const receiver = await startReceiver();
    const member = await join('ADMIN');
    const body = { url: receiver.url, eventTypes: ['view.*'], payload: 'THIN' };
    const endpoint = await request('POST', path, member.token, body);
    const role = await request('POST', '/v1/roles', server.token, { key, name: key, grants });
    await request('PATCH', `/v1/members/${encodeId('user', member.userId)}`, server.token, {
      roleId: role.id,
    });
    return { receiver, endpoint };
  };
  const within = await endpointOf('reads-contacts', reading('contacts'));
  const outside = await endpointOf('reads-books', reading('books'));
  const saveView = async (shared: boolean): Promise<string> =>
    (
      await request('POST', '/v1/views', server.token, {
        name: `Seen ${shared}`,
        resource: 'contacts',
        shared,
      })
    ).id;
  try {
    await saveView(false);
    const shared = await saveView(true);
    await within.receiver.received(1);
    await until('everything is in the log', async () => (await countWaiting(worker)) === 0);
    assert.deepEqual(subjectsOf(within.receiver), [shared]);
    assert.deepEqual(await deliveriesOf(worker, stored(outside.endpoint)), []);
    // Sent again from the log, which asks the same question.
    const replayed = await request('POST', `${path}/${within.endpoint.id}/replay`, server.token, {
      from: new Date(Date.now() - 60_000).toISOString(),
      to: new Date(Date.now() + 60_000).toISOString(),
    });
    assert.equal(replayed.events, 1);
    await within.receiver.received(2);
    assert.deepEqual(subjectsOf(within.receiver), [shared, shared]);
  } finally {
    for (const { receiver, endpoint } of [within, outside]) {
      await request('DELETE', `${path}/${endpoint.id}`, server.token);
      await receiver.close();
    }
  }
});

test('an endpoint whose user got a role that may not read a kind of record receives no events of it, not even replayed', async () => {
  const { worker } = server.database;
  const own = await startReceiver();
  const grants = ['events', 'sites'].map((resource) => ({ resource, action: 'read' }));
  const role = await request('POST', '/v1/roles', server.token, { key: 'sites', name: 'Sites', grants });
  const member = await join('ADMIN');
  const createSite = async (key: string): Promise<string> =>
    (
      await request('POST', '/v1/sites', server.token, {
        name: 'Site',
        key,
      })
    ).id;
  try {
    const body = { url: own.url, eventTypes: ['contact.*', 'site.*'], payload: 'THIN' };
    const endpoint = await request('POST', path, member.token, body);
    await request('PATCH', `/v1/members/${encodeId('user', member.userId)}`, server.token, {
      roleId: role.id,
    });
    await request('POST', '/v1/crm/contacts', server.token, { lastName: 'Doe' });
    const site = await createSite('readable');
    await own.received(1);
    await until('everything is in the log', async () => (await countWaiting(worker)) === 0);
    const from = new Date(Date.now() - 300_000).toISOString();
    await request('POST', `${path}/${endpoint.id}/replay`, server.token, { from });
    await own.received(2);
    const last = await createSite('last');
    await until('the last event is sent', async () => subjectsOf(own).includes(last));
    assert.deepEqual(new Set(subjectsOf(own)), new Set([site, last]));
    assert.deepEqual(
      new Set((await deliveriesOf(worker, stored(endpoint))).map(({ type }) => type)),
      new Set(['site.created']),
    );
    await request('DELETE', `${path}/${endpoint.id}`, server.token);
  } finally {
    await own.close();
  }
});

test('no endpoint acts for a service member, whose rights depend on who made its token', async () => {
  const admin = await join('ADMIN');
  const owner = await join('OWNER');
  const service = await request('POST', '/v1/members', admin.token, {
    name: 'Program',
    roleId: encodeId('role', builtInRoleIds.ADMIN),
  });
  const clientId = encodeId('client', server.organization.clientId);
  const { secret } = await request('POST', '/v1/tokens', admin.token, {
    name: 'Program',
    clientId,
    userId: service.id,
    scopes: allScopes,
  });
  const own = await startReceiver();
  try {
    const endpoint = await createEndpoint(own, owner.token);
    const target = `${path}/${endpoint.id}`;
    const body = { url: own.url, eventTypes: ['*'], payload: 'THIN' };
    const attempts: readonly [string, string, object?][] = [
      ['POST', path, body],
      ['PATCH', target, { url: `${own.url}?other` }],
      ['PATCH', target, { eventTypes: ['*'] }],
      ['PATCH', target, { payload: 'THIN' }],
      ['POST', `${target}/rotate-secret`],
    ];
    for (const [method, to, sent] of attempts) {
      const options = { token: secret, ...(sent === undefined ? {} : { body: sent }) };
      const { status, json } = await server.call(method, to, options);
      assert.deepEqual([status, json.code], [403, 'permission_denied'], `${method} ${to}`);
    }
    assert.equal(await personOf(endpoint), owner.userId);
    await request('POST', `${target}/test`, secret);
    await request('PATCH', target, secret, { description: 'Watched by a program' });
    assert.equal(await personOf(endpoint), owner.userId);
    await request('DELETE', target, owner.token);
  } finally {
    await own.close();
  }
});

test('an endpoint acts for the user who last changed its address, payload, types or secret', async () => {
  const own = await startReceiver();
  const owner = await join('OWNER');
  const admin = await join('ADMIN');
  try {
    const changes: readonly [object, boolean][] = [
      [{ description: 'Still mine' }, false],
      [{ status: 'DISABLED' }, false],
      [{ status: 'ENABLED', url: own.url }, false],
      [{ url: `${own.url}?other` }, true],
      [{ payload: 'FULL' }, true],
      [{ eventTypes: ['site.*'] }, true],
    ];
    for (const [change, takes] of changes) {
      const endpoint = await createEndpoint(own, owner.token, 'THIN');
      assert.equal(await personOf(endpoint), owner.userId);
      const changed = await request('PATCH', `${path}/${endpoint.id}`, admin.token, change);
      assert.equal(await personOf(endpoint), takes ? admin.userId : owner.userId, JSON.stringify(change));
      assert.equal(changed.createdBy, endpoint.createdBy);
      await request('DELETE', `${path}/${endpoint.id}`, owner.token);
    }
    const endpoint = await createEndpoint(own, owner.token);
    await request('POST', `${path}/${endpoint.id}/rotate-secret`, admin.token);
    assert.equal(await personOf(endpoint), admin.userId, 'who learns the secret');
    await request('DELETE', `${path}/${endpoint.id}`, owner.token);
  } finally {
    await own.close();
  }
});

test('a full payload needs the permission to read its records, at creation and at every redirecting change', async () => {
  const { worker } = server.database;
  const { userId } = await join('OWNER');
  const tokenWith = async (...scopes: string[]) =>
    (await createToken(worker, server.organization, userId, { scopes: ['webhooks:manage', ...scopes] }))
      .token;
  const token = await tokenWith();
  const reading = await tokenWith('sites:read', 'knowledge-files:read');
  const url = 'http://127.0.0.1:9/hook';
  const full = { url, payload: 'FULL', eventTypes: ['site.*', 'tag.created', 'knowledge-file.ready'] };
  const refused = async (method: string, target: string, body: object, scopes: readonly string[]) => {
    const { status, json } = await server.call(method, target, { token, body });
    assert.deepEqual([status, json.code], [403, 'insufficient_scope'], JSON.stringify(body));
    assert.deepEqual([...json.requiredScopes].sort(), ['webhooks:manage', ...scopes].sort());
  };
  const needed = ['sites:read', 'knowledge-files:read'];
  await refused('POST', path, full, needed);
  const thin = await request('POST', path, token, { ...full, payload: 'THIN' });
  const target = `${path}/${thin.id}`;
  await refused('PATCH', target, { payload: 'FULL' }, needed);
  await request('PATCH', target, token, { eventTypes: ['*'] });
  await request('PATCH', target, token, { eventTypes: ['site.*'] });
  await request('PATCH', target, reading, { payload: 'FULL' });
  await refused('PATCH', target, { url: `${url}?other` }, ['sites:read']);
  await refused('PATCH', target, { eventTypes: ['contact.*', 'company.*'] }, [
    'crm.contacts:read',
    'crm.companies:read',
  ]);
  const { requiredScopes } = (await server.call('PATCH', target, { token, body: { eventTypes: ['*'] } }))
    .json;
  const all = ['sites', 'articles', 'books', 'magazines', 'issues', 'knowledge-files', 'crm.contacts'];
  for (const name of [...all, 'crm.companies']) assert.ok(requiredScopes.includes(`${name}:read`), name);
  await request('PATCH', target, token, { description: 'As it was', status: 'DISABLED' });
  await request('PATCH', target, token, { payload: 'THIN' });
  await request('DELETE', target, token);
});

test('after its user leaves the organization, waiting deliveries are not sent and not claimed repeatedly', async () => {
  const own = await startReceiver(respondWith(500));
  const witness = await startReceiver();
  const { worker } = server.database;
  const leaving = await join('ADMIN');
  try {
    const endpoint = await createEndpoint(own, leaving.token);
    await createFile(server.token, 'ORGANIZATION');
    await until(
      'an attempt is recorded',
      async () => (await attemptsOf(worker, stored(endpoint))).length > 0,
    );
    await worker.run('DELETE FROM trellis.memberships WHERE user_id = $1', [leaving.userId]);
    await makeDue(worker, stored(endpoint));
    const other = await createEndpoint(witness, server.token);
    await createFile(server.token, 'ORGANIZATION');
    await witness.received(1);
    await until('everything is in the log', async () => (await countWaiting(worker)) === 0);
    assert.deepEqual(await new EndpointTurn().claim(worker, 100, 1_000), []);
    assert.equal(own.calls.length, 1);
    assert.deepEqual(
      (await deliveriesOf(worker, stored(endpoint))).map(({ status, attempts }) => [status, attempts]),
      [['PENDING', 1]],
    );
    await request('DELETE', `${path}/${other.id}`, server.token);
  } finally {
    await own.close();
    await witness.close();
  }
});

test('an endpoint whose user may no longer manage endpoints gets thin payloads only', async () => {
  const full = await startReceiver(respondWith(500));
  const thin = await startReceiver();
  const { worker, api } = server.database;
  const admin = await join('ADMIN');
  const setRole = (role: string) =>
    worker.run('UPDATE trellis.memberships SET role = $2 WHERE user_id = $1', [admin.userId, role]);
  try {
    const endpoint = await createEndpoint(full, admin.token);
    const witness = await createEndpoint(thin, admin.token, 'THIN');
    const waiting = await createFile(server.token, 'ORGANIZATION');
    await until(
      'an attempt is recorded',
      async () => (await attemptsOf(worker, stored(endpoint))).length > 0,
    );
    await setRole('EDITOR');
    await makeDue(worker, stored(endpoint));
    await createFile(server.token, 'ORGANIZATION');
    await thin.received(2);
    assert.deepEqual(
      (await new EndpointTurn().claim(worker, 100, 1_000)).filter(
        ({ endpointId }) => endpointId === stored(endpoint).id,
      ),
      [],
    );
    assert.deepEqual(subjectsOf(full), [waiting]);
    const kept = await deliveriesOf(worker, stored(endpoint));
    assert.deepEqual(
      kept.map(({ status, attempts }) => [status, attempts]),
      [['PENDING', 1]],
    );
    // For a delivery claimed just before, the permission is checked again when the record is read.
    const [row] = await worker.run('SELECT event FROM trellis.webhook_deliveries WHERE endpoint_id = $1', [
      stored(endpoint).id,
    ]);
    const taken: ClaimedDelivery = {
      organizationId: server.organization.id,
      endpointId: stored(endpoint).id,
      eventId: kept[0]?.eventId ?? '',
      event: JSON.parse(row?.[0] ?? '{}'),
      attempt: 2,
      dueAt: '2026-01-01T00:00:00Z',
      failedAttempts: 1,
      url: full.url,
      payload: 'FULL',
      actsFor: admin.userId,
      secrets: [],
    };
    const context = { api, models: testModels, origin: testOrigin };
    assert.equal(JSON.parse(await buildPayload(context, taken)).data.record, null);
    await setRole('ADMIN');
    assert.equal(JSON.parse(await buildPayload(context, taken)).data.record.id, waiting);
    await makeDue(worker, stored(endpoint));
    await full.received(2);
    assert.deepEqual(subjectsOf(full), [waiting, waiting]);
    await request('DELETE', `${path}/${endpoint.id}`, server.token);
    await request('DELETE', `${path}/${witness.id}`, server.token);
  } finally {
    await full.close();
    await thin.close();
  }
});

test('a full payload has no record of a module that the organization has left since', async () => {
  const own = await startReceiver();
  const { worker, api } = server.database;
  const setModules = (modules: string) =>
    worker.run('UPDATE trellis.organizations SET modules = $2 WHERE id = $1', [
      server.organization.id,
      modules,
    ]);
  const [before] = await worker.run('SELECT modules FROM trellis.organizations WHERE id = $1', [
    server.organization.id,
  ]);
  try {
    const body = { url: own.url, eventTypes: ['contact.*'], payload: 'FULL' };
    const endpoint = await request('POST', path, server.token, body);
    const { id } = await request('POST', '/v1/crm/contacts', server.token, { lastName: 'Doe' });
    await own.received(1);
    const [row] = await worker.run('SELECT event FROM trellis.webhook_deliveries WHERE endpoint_id = $1', [
      stored(endpoint).id,
    ]);
    const taken: ClaimedDelivery = {
      organizationId: server.organization.id,
      endpointId: stored(endpoint).id,
      eventId: '',
      event: JSON.parse(row?.[0] ?? '{}'),
      attempt: 2,
      dueAt: '2026-01-01T00:00:00Z',
      failedAttempts: 1,
      url: own.url,
      payload: 'FULL',
      actsFor: server.ownerId,
      secrets: [],
    };
    const recordOf = async () =>
      JSON.parse(await buildPayload({ api, models: testModels, origin: testOrigin }, taken)).data.record;
    assert.equal((await recordOf()).id, id);
    await setModules('{}');
    assert.equal(await recordOf(), null);
  } finally {
    await setModules(before?.[0] ?? '{}');
    await own.close();
  }
});

test('stored responses of receivers about a record are erased with the record', async () => {
  const echo = await startReceiver((response, { body }) => response.writeHead(200).end(body));
  const { worker } = server.database;
  try {
    const endpoint = await createEndpoint(echo, server.token);
    const file = await createFile(server.token, 'ORGANIZATION');
    const other = await createFile(server.token, 'ORGANIZATION');
    /** Ids of the records that are repeated in responses. */
    const repeated = async () =>
      (await attemptsOf(worker, stored(endpoint))).flatMap(
        ({ response }) => /"record":\{"id":"([^"]+)"/.exec(response)?.[1] ?? [],
      );
    await until('both responses are kept', async () => (await repeated()).length === 2);
    assert.deepEqual((await repeated()).sort(), [file, other].sort());
    await request('DELETE', `/v1/knowledge-files/${file}`, server.token);
    // The call about the deletion has the record as it was, which is in the trash.
    await until(
      'the response to the deletion is kept',
      async () => echo.calls.length === 3 && (await repeated()).length === 2,
    );
    assert.deepEqual((await repeated()).sort(), [file, other].sort());
    await request('DELETE', `/v1/trash/${file}`, server.token);
    await until('the purge is told', async () => echo.calls.length === 4);
    assert.deepEqual(await repeated(), [other]);
    await request('DELETE', `${path}/${endpoint.id}`, server.token);
  } finally {
    await echo.close();
  }
});
