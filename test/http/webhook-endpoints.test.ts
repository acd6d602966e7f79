/** Tests of webhook endpoints over HTTP: validation, secrets, tests, retries and replays. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { decodeId } from '@trellis/schema/values/ids.ts';
import { type Relay, startRelay } from '@trellis/server/events/relay.ts';
import { AddressGuard } from '@trellis/server/webhooks/address-guard.ts';
import type { Delivery } from '@trellis/server/webhooks/delivery.ts';
import { fanOutToWebhooks } from '@trellis/server/webhooks/fan-out.ts';
import { hostileUrls, malformedUrls } from '../support/hostile-urls.ts';
import { createMember, createToken } from '../support/identities.ts';
import { answerWith, type Receiver, startReceiver } from '../support/receiver.ts';
import { type Json, startTestServer, type TestServer } from '../support/server.ts';
import { until } from '../support/until.ts';
import { verifyWebhook } from '../support/verify-webhook.ts';
import { sealer, startTestDelivery } from '../support/webhooks.ts';

const path = '/v1/webhook-endpoints';
const names: Record<string, string[]> = {};
const guard = new AddressGuard({
  allowPrivate: ['127.0.0.0/8'],
  lookup: async (name) => {
    const found = names[name];
    if (found === undefined) throw new Error('ENOTFOUND');
    return found;
  },
});

let server: TestServer;
let relay: Relay;
let delivery: Delivery;
let receiver: Receiver;

before(async () => {
  server = await startTestServer({ webhooks: { guard, sealer } });
  const { database } = server;
  relay = startRelay({
    database: database.worker,
    fanOut: fanOutToWebhooks,
    log: () => undefined,
    timing: { pollMs: 20, gatherMs: 1 },
  });
  delivery = startTestDelivery(database, { guard });
  receiver = await startReceiver();
});
after(async () => {
  await delivery.stop();
  await relay.stop();
  await receiver.close();
  await server.close();
});

async function create(body: Readonly<Record<string, unknown>> = {}, token?: string): Promise<Json> {
  const response = await server.call('POST', path, {
    body: { url: receiver.url, eventTypes: ['site.*'], ...body },
    ...(token === undefined ? {} : { token }),
  });
  assert.equal(response.status, 201, response.text);
  return response.json;
}

async function createSite(): Promise<Json> {
  const key = `site-${Math.random().toString(36).slice(2)}`;
  const response = await server.call('POST', '/v1/sites', { body: { name: key, key } });
  assert.equal(response.status, 201, response.text);
  return response.json;
}

const callsOf = (own: Receiver, type: string) =>
  own.calls.filter(({ body }) => JSON.parse(body).type === type);

async function deliveries(id: string, query = ''): Promise<Json[]> {
  const response = await server.call('GET', `${path}/${id}/deliveries${query}`);
  assert.equal(response.status, 200, response.text);
  return response.json.items;
}

test('the secret is in the response of the create, in no other response, and nowhere in the database', async () => {
  const key = 'create-once';
  const body = { url: receiver.url, eventTypes: ['visitor.erased'] };
  const created = await server.call('POST', path, { body, key });
  assert.equal(created.status, 201, created.text);
  const { id, secret } = created.json;
  assert.match(secret, /^whsec_/);
  const read = await server.call('GET', `${path}/${id}`);
  assert.equal('secret' in read.json, false);
  const { secret: _secret, ...record } = created.json;
  assert.deepEqual(read.json, record);
  const list = await server.call('GET', path);
  assert.ok(!list.text.includes(secret));
  // The same request again, as after a timeout, is answered the same.
  const replayed = await server.call('POST', path, { body, key });
  assert.equal(replayed.headers.get('idempotent-replayed'), 'true');
  assert.equal(replayed.text, created.text);
  const kept = await server.database.worker.run('SELECT body FROM trellis.idempotency_keys WHERE key = $1', [
    key,
  ]);
  assert.equal(kept.length, 1);
  const secrets = await server.database.worker.run(
    'SELECT secret FROM trellis.webhook_subscriptions WHERE endpoint_id = $1',
    [decodeId('whe', id)],
  );
  assert.equal(secrets.length, 1);
  for (const [text] of [...kept, ...secrets]) assert.ok(text && !text.includes(secret.slice(6)));
});

test('forbidden addresses are refused in every notation, at create and PATCH, without connecting', async () => {
  const { id } = await create({ eventTypes: ['visitor.erased'] });
  const before = receiver.connections();
  const allowed = (url: string) => !/127\.|localhost|7f|2130706433|0177|１２７|ffff:7f00/i.test(url);
  names['evil.example.com'] = ['1.1.1.1', '10.0.0.1'];
  names['metadata.example.com'] = ['169.254.169.254'];
  const named = ['https://evil.example.com/', 'https://metadata.example.com/', 'http://unknown.example.com/'];
  for (const url of [...hostileUrls.filter(allowed), ...malformedUrls, ...named]) {
    const calls = [
      await server.call('POST', path, { body: { url, eventTypes: ['*'] } }),
      await server.call('PATCH', `${path}/${id}`, { body: { url } }),
    ];
    for (const response of calls) {
      assert.equal(response.status, 422, `${url}: ${response.text}`);
      assert.equal(response.json.code, 'validation_failed', url);
      assert.equal(response.json.errors[0].pointer, '/url', url);
    }
  }
  assert.equal((await server.call('GET', `${path}/${id}`)).json.url, receiver.url);
  assert.equal(receiver.connections(), before);
});

test('public host names are accepted, even if they do not resolve', async () => {
  names['hooks.example.com'] = ['1.1.1.1'];
  for (const url of ['https://hooks.example.com/x', 'https://not-yet.example.com/'])
    assert.equal((await create({ url, eventTypes: ['visitor.erased'] })).url, url);
});

test('an unknown event type is refused, with the nearest known one', async () => {
  const response = await server.call('POST', path, {
    body: {
      url: receiver.url,
      eventTypes: ['article.*', 'article.publishd', 'plant.created', 'webhook.test'],
    },
  });
  assert.equal(response.status, 422);
  assert.deepEqual(
    response.json.errors.map(({ pointer }: Json) => pointer),
    ['/eventTypes/1', '/eventTypes/2', '/eventTypes/3'],
  );
  assert.match(response.json.errors[0].detail, /Did you mean "article\.published"\?/);
  const none = await server.call('POST', path, { body: { url: receiver.url, eventTypes: [] } });
  assert.equal(none.status, 422);
  for (const field of ['secret', 'disabledReason', 'secretRotatedAt']) {
    const body = { url: receiver.url, eventTypes: ['*'], [field]: 'x' };
    assert.equal((await server.call('POST', path, { body })).json.code, 'unknown_field', field);
  }
});

test('editors, authors and viewers do not manage endpoints', async () => {
  const { id } = await create({ eventTypes: ['visitor.erased'] });
  for (const role of ['EDITOR', 'AUTHOR', 'VIEWER'] as const) {
    const userId = await createMember(server.database.worker, server.organization, role);
    const { token } = await createToken(server.database.worker, server.organization, userId);
    for (const target of [path, `${path}/${id}`, `${path}/${id}/deliveries`])
      assert.equal((await server.call('GET', target, { token })).json.code, 'permission_denied', role);
  }
});

test('a write through the API arrives, and a PATCH changes what arrives', async () => {
  const own = await startReceiver();
  try {
    const endpoint = await create({ url: own.url, eventTypes: ['site.created'] });
    const site = await createSite();
    const [call] = await own.received(1);
    assert.ok(call && verifyWebhook(call.headers, call.body, endpoint.secret));
    assert.equal(JSON.parse(call.body).data.id, site.id);
    const changed = await server.call('PATCH', `${path}/${endpoint.id}`, {
      body: { eventTypes: ['site.deleted'] },
    });
    assert.equal(changed.status, 200);
    assert.equal('secret' in changed.json, false);
    const other = await createSite();
    await server.call('DELETE', `/v1/sites/${other.id}`);
    await own.received(2);
    assert.deepEqual(
      own.calls.map(({ body }) => JSON.parse(body).type),
      ['site.created', 'site.deleted'],
    );
    await server.call('DELETE', `${path}/${endpoint.id}`);
    assert.equal((await server.call('GET', `${path}/${endpoint.id}/deliveries`)).status, 404);
  } finally {
    await own.close();
  }
});

test('a full payload has the record as the creator may read it', async () => {
  const own = await startReceiver();
  try {
    const endpoint = await create({ url: own.url, payload: 'FULL' });
    const site = await createSite();
    const [call] = await own.received(1);
    const { data } = JSON.parse(call?.body ?? '{}');
    assert.deepEqual(data.record, site);
    await server.call('DELETE', `/v1/sites/${site.id}`);
    await own.received(2);
    assert.equal(JSON.parse(own.calls[1]?.body ?? '{}').data.record, null);
    await server.call('DELETE', `${path}/${endpoint.id}`);
  } finally {
    await own.close();
  }
});

test('events of records that the creator may not read are not sent, others are', async () => {
  const mine = await startReceiver();
  const theirs = await startReceiver();
  const { worker } = server.database;
  const adminId = await createMember(worker, server.organization, 'ADMIN');
  const { token } = await createToken(worker, server.organization, adminId);
  try {
    const types = { eventTypes: ['knowledge-file.created'], payload: 'FULL' };
    await create({ url: mine.url, ...types });
    await create({ url: theirs.url, ...types }, token);
    const file = async (body: object, by: string) => {
      const response = await server.call('POST', '/v1/knowledge-files', {
        body: { name: 'Secret plan', ...body },
        token: by,
      });
      assert.equal(response.status, 201, response.text);
      return response.json.id;
    };
    const hidden = await file({ visibility: 'PRIVATE' }, server.token);
    const restricted = await file({ visibility: 'RESTRICTED', allowedRoles: ['ADMIN'] }, server.token);
    const shared = await file({ visibility: 'ORGANIZATION' }, server.token);
    const idsOf = (own: Receiver) => own.calls.map(({ body }) => JSON.parse(body).data.record.id).sort();
    await mine.received(3);
    await theirs.received(2);
    await until('all are delivered', async () => {
      const [row] = await worker.run(
        `SELECT count(*) FROM trellis.webhook_deliveries WHERE status = 'PENDING' AND type LIKE 'knowledge%'`,
      );
      return row?.[0] === '0';
    });
    assert.deepEqual(idsOf(mine), [hidden, restricted, shared].sort());
    assert.deepEqual(idsOf(theirs), [restricted, shared].sort());
    // Whoever leaves the organization gets nothing more.
    await worker.run('DELETE FROM trellis.memberships WHERE user_id = $1', [adminId]);
    await file({ visibility: 'ORGANIZATION' }, server.token);
    await mine.received(4);
    assert.equal(theirs.calls.length, 2);
  } finally {
    await mine.close();
    await theirs.close();
  }
});

test('both secrets sign for a day after a rotation, an earlier secret does not', async () => {
  const own = await startReceiver();
  try {
    const { id, secret: first } = await create({ url: own.url });
    const rotate = async () => {
      const response = await server.call('POST', `${path}/${id}/rotate-secret`);
      assert.equal(response.status, 200, response.text);
      return response.json;
    };
    const second = await rotate();
    assert.equal(second.version, 2);
    assert.notEqual(second.secret, first);
    await createSite();
    const valid = async (count: number, secret: string) => {
      const call = (await own.received(count))[count - 1];
      assert.ok(call);
      return verifyWebhook(call.headers, call.body, secret);
    };
    assert.deepEqual([await valid(1, first), await valid(1, second.secret)], [true, true]);
    const third = await rotate();
    await createSite();
    assert.deepEqual(
      [await valid(2, first), await valid(2, second.secret), await valid(2, third.secret)],
      [false, true, true],
    );
    // 24 hours later.
    await server.database.api.execute({ organizationId: server.organization.id, userId: null }, [
      {
        statement: {
          name: 'test_age_secret',
          text: `UPDATE trellis.webhook_subscriptions SET previous_secret_until = previous_secret_until - interval '24 hours'
            WHERE organization_id = $1`,
        },
        values: [server.organization.id],
      },
    ]);
    await createSite();
    assert.deepEqual([await valid(3, second.secret), await valid(3, third.secret)], [false, true]);
    await server.call('DELETE', `${path}/${id}`);
  } finally {
    await own.close();
  }
});

test('rotations while events are being sent lose none, and every call has a valid signature', async () => {
  const own = await startReceiver();
  try {
    const { id, secret } = await create({ url: own.url });
    const secrets = [secret];
    for (let round = 0; round < 4; round += 1) {
      const sites = Promise.all([createSite(), createSite(), createSite()]);
      secrets.push((await server.call('POST', `${path}/${id}/rotate-secret`)).json.secret);
      await sites;
    }
    await own.received(12);
    for (const { headers, body } of own.calls)
      assert.ok(secrets.some((one) => verifyWebhook(headers, body, one)));
    assert.equal(new Set(own.calls.map(({ headers }) => headers['webhook-id'])).size, 12);
    await server.call('DELETE', `${path}/${id}`);
  } finally {
    await own.close();
  }
});

test('a test event is sent to one endpoint once, even if it is disabled, and does not affect its health', async () => {
  const own = await startReceiver(answerWith(410, 'gone fishing'));
  try {
    const { id, secret } = await create({ url: own.url, status: 'DISABLED' });
    await create({ url: receiver.url, eventTypes: ['*'] });
    const response = await server.call('POST', `${path}/${id}/test`);
    assert.equal(response.status, 200, response.text);
    const [call] = await own.received(1);
    assert.ok(call && verifyWebhook(call.headers, call.body, secret));
    assert.equal(JSON.parse(call.body).type, 'webhook.test');
    assert.equal(JSON.parse(call.body).subject, id);
    const [done] = await until('it has failed', async () => {
      const all = await deliveries(id);
      return all[0]?.status === 'FAILED' && all;
    });
    assert.equal(done.id, response.json.id);
    assert.equal(done.attempts.length, 1);
    assert.equal(done.attempts[0].status, 410);
    assert.equal(done.attempts[0].answer, 'gone fishing');
    assert.deepEqual(callsOf(receiver, 'webhook.test'), []);
    const endpoint = await server.call('GET', `${path}/${id}`);
    assert.equal(endpoint.json.disabledReason, null);
    assert.equal(endpoint.json.version, 1);
  } finally {
    await own.close();
  }
});

test('a delivery is retried on request under the same id, but not to a disabled endpoint', async () => {
  const own = await startReceiver(answerWith(500));
  try {
    const { id } = await create({ url: own.url });
    await createSite();
    const [failed] = await until('an attempt has failed', async () => {
      const all = await deliveries(id, '?status=PENDING');
      return all[0]?.attempts.length === 1 && all;
    });
    own.respond(answerWith(204));
    const retried = await server.call('POST', `${path}/${id}/deliveries/${failed.id}/retry`);
    assert.equal(retried.status, 200, retried.text);
    assert.equal(retried.json.status, 'PENDING');
    const again = await until('it has succeeded', async () => (await deliveries(id, '?status=SUCCEEDED'))[0]);
    assert.deepEqual(
      again.attempts.map(({ number, status }: Json) => [number, status]),
      [
        [1, 500],
        [2, 204],
      ],
    );
    assert.equal(again.nextAttemptAt, null);
    assert.equal(own.calls[0]?.headers['webhook-id'], own.calls[1]?.headers['webhook-id']);
    assert.equal(own.calls[0]?.headers['webhook-id'], failed.eventId);
    await server.call('PATCH', `${path}/${id}`, { body: { status: 'DISABLED' } });
    const refused = await server.call('POST', `${path}/${id}/deliveries/${failed.id}/retry`);
    assert.equal(refused.json.code, 'invalid_transition');
    const absent = await server.call('POST', `${path}/${id}/deliveries/dlv_x/retry`);
    assert.equal(absent.json.code, 'not_found');
  } finally {
    await own.close();
  }
});

test('a replay sends the events of a span again under their ids, including those that were missed', async () => {
  const own = await startReceiver();
  try {
    const { id } = await create({ url: own.url, eventTypes: ['site.created'] });
    const before = await createSite();
    await own.received(1);
    await server.call('PATCH', `${path}/${id}`, { body: { status: 'DISABLED' } });
    const missed = await createSite();
    await until('it is in the log', async () => {
      const rows = await server.database.worker.run('SELECT FROM trellis.events WHERE subject_id = $1', [
        decodeId('site', missed.id),
      ]);
      return rows.length === 1;
    });
    const replay = (body: object) => server.call('POST', `${path}/${id}/replay`, { body });
    assert.equal((await replay({ from: before.createdAt })).json.code, 'invalid_transition');
    await server.call('PATCH', `${path}/${id}`, { body: { status: 'ENABLED' } });
    const done = await replay({ from: before.createdAt });
    assert.deepEqual([done.status, done.json], [200, { events: 2 }]);
    await own.received(3);
    const ids = own.calls.map(({ headers }) => headers['webhook-id']);
    assert.equal(new Set(ids).size, 2);
    assert.deepEqual(
      own.calls.map(({ body }) => JSON.parse(body).subject).sort(),
      [before.id, before.id, missed.id].sort(),
    );
    const [first] = own.calls;
    const again = own.calls.find((call) => call !== first && call.headers['webhook-id'] === ids[0]);
    assert.equal(again?.body, first?.body);
    assert.deepEqual((await replay({ from: '2020-01-01T00:00:00Z', to: '2020-01-02T00:00:00Z' })).json, {
      events: 0,
    });
    for (const wrong of [{}, { from: 'x' }, { from: '2026-01-02T00:00:00Z', to: '2026-01-01T00:00:00Z' }])
      assert.equal((await replay(wrong)).status, 422);
    await server.call('DELETE', `${path}/${id}`);
  } finally {
    await own.close();
  }
});

test('deliveries are listed newest first, page by page, by status', async () => {
  const { id } = await create({ eventTypes: ['visitor.erased'], status: 'DISABLED' });
  const made: string[] = [];
  for (let count = 0; count < 3; count += 1)
    made.unshift((await server.call('POST', `${path}/${id}/test`)).json.id);
  const first = await server.call('GET', `${path}/${id}/deliveries?limit=2`);
  assert.deepEqual(
    first.json.items.map((one: Json) => one.id),
    made.slice(0, 2),
  );
  const cursor = first.json.pageInfo.nextCursor;
  const second = await server.call('GET', `${path}/${id}/deliveries?limit=2&cursor=${cursor}`);
  assert.deepEqual(
    second.json.items.map((one: Json) => one.id),
    made.slice(2),
  );
  assert.equal(second.json.pageInfo.nextCursor, null);
  const mixed = await server.call('GET', `${path}/${id}/deliveries?status=FAILED&cursor=${cursor}`);
  assert.equal(mixed.json.code, 'cursor_mismatch');
});
