/** Tests of webhook endpoints over HTTP: validation, permissions, payloads and secrets. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { decodeId } from '@trellis/schema/values/ids.ts';
import { AdminClient } from '../support/admin-client.ts';
import { hostileUrls, malformedUrls } from '../support/hostile-urls.ts';
import { createMember, createToken } from '../support/identities.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import type { Json, TestServer } from '../support/server.ts';
import { until } from '../support/until.ts';
import { verifyWebhook } from '../support/verify-webhook.ts';
import { endpointsPath as path, WebhookServer } from '../support/webhook-server.ts';

/** The addresses of host names. */
const names: Record<string, string[]> = {};

let webhooks: WebhookServer;
let server: TestServer;
let receiver: Receiver;

before(async () => {
  webhooks = await WebhookServer.start(names);
  ({ server, receiver } = webhooks);
});
after(() => webhooks.close());

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
  // The same request again, as after a timeout, gets the same response.
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
  const { id } = await webhooks.create({ eventTypes: ['visitor.erased'] });
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
    assert.equal((await webhooks.create({ url, eventTypes: ['visitor.erased'] })).url, url);
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
  const { id } = await webhooks.create({ eventTypes: ['visitor.erased'] });
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
    const endpoint = await webhooks.create({ url: own.url, eventTypes: ['site.created'] });
    const site = await webhooks.createSite();
    const [call] = await own.received(1);
    assert.ok(call && verifyWebhook(call.headers, call.body, endpoint.secret));
    assert.equal(JSON.parse(call.body).data.id, site.id);
    const changed = await server.call('PATCH', `${path}/${endpoint.id}`, {
      body: { eventTypes: ['site.deleted'] },
    });
    assert.equal(changed.status, 200);
    assert.equal('secret' in changed.json, false);
    const other = await webhooks.createSite();
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
    const endpoint = await webhooks.create({ url: own.url, payload: 'FULL' });
    const site = await webhooks.createSite();
    const [call] = await own.received(1);
    const { data } = JSON.parse(call?.body ?? '{}');
    assert.deepEqual(data.record, site);
    await server.call('DELETE', `/v1/sites/${site.id}`);
    await own.received(2);
    const deleted = JSON.parse(own.calls[1]?.body ?? '{}').data.record;
    assert.deepEqual(
      { ...deleted, updatedAt: null, updatedBy: null },
      { ...site, updatedAt: null, updatedBy: null },
    );
    const erased = await webhooks.createSite();
    await server.call('DELETE', `/v1/sites/${erased.id}?erase=true`);
    await own.received(4);
    const last = JSON.parse(own.calls[3]?.body ?? '{}');
    assert.deepEqual([last.type, last.data.id, last.data.record], ['site.deleted', erased.id, null]);
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
    await webhooks.create({ url: mine.url, ...types });
    await webhooks.create({ url: theirs.url, ...types }, token);
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
    // A user who leaves the organization gets nothing more.
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
    const { id, secret: first } = await webhooks.create({ url: own.url });
    const rotate = async () => {
      const response = await server.call('POST', `${path}/${id}/rotate-secret`);
      assert.equal(response.status, 200, response.text);
      return response.json;
    };
    const second = await rotate();
    assert.equal(second.version, 2);
    assert.notEqual(second.secret, first);
    await webhooks.createSite();
    const valid = async (count: number, secret: string) => {
      const call = (await own.received(count))[count - 1];
      assert.ok(call);
      return verifyWebhook(call.headers, call.body, secret);
    };
    assert.deepEqual([await valid(1, first), await valid(1, second.secret)], [true, true]);
    const third = await rotate();
    await webhooks.createSite();
    assert.deepEqual(
      [await valid(2, first), await valid(2, second.secret), await valid(2, third.secret)],
      [false, true, true],
    );
    // 24 hours later.
    const client = await AdminClient.open(server.database);
    await client.query(
      `UPDATE trellis.webhook_subscriptions SET previous_secret_until = previous_secret_until - interval '24 hours'
       WHERE organization_id = $1`,
      [server.organization.id],
    );
    await client.end();
    await webhooks.createSite();
    assert.deepEqual([await valid(3, second.secret), await valid(3, third.secret)], [false, true]);
    await server.call('DELETE', `${path}/${id}`);
  } finally {
    await own.close();
  }
});

test('rotations while events are being sent lose none, and every call has a valid signature', async () => {
  const own = await startReceiver();
  try {
    const { id, secret } = await webhooks.create({ url: own.url });
    const secrets = [secret];
    for (let round = 0; round < 4; round += 1) {
      const sites = Promise.all([webhooks.createSite(), webhooks.createSite(), webhooks.createSite()]);
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
