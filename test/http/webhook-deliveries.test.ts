/** Tests of webhook deliveries over HTTP: tests, retries, replays and lists. */
import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { after, before, test } from 'node:test';
import { decodeId } from '@trellis/schema/values/ids.ts';
import { type Receiver, respondWith, startReceiver } from '../support/receiver.ts';
import type { Json, TestServer } from '../support/server.ts';
import { until } from '../support/until.ts';
import { verifyWebhook } from '../support/verify-webhook.ts';
import { endpointsPath as path, WebhookServer } from '../support/webhook-server.ts';

let webhooks: WebhookServer;
let server: TestServer;
let receiver: Receiver;

before(async () => {
  webhooks = await WebhookServer.start();
  ({ server, receiver } = webhooks);
});
after(() => webhooks.close());

/** The calls of a receiver for events of a type. */
function callsOf(own: Receiver, type: string) {
  return own.calls.filter(({ body }) => JSON.parse(body).type === type);
}

test('a test event is sent to one endpoint once, even if it is disabled, and does not affect its health', async () => {
  const own = await startReceiver(respondWith(410, 'gone fishing'));
  try {
    const { id, secret } = await webhooks.create({ url: own.url, status: 'DISABLED' });
    await webhooks.create({ url: receiver.url, eventTypes: ['*'] });
    const response = await server.call('POST', `${path}/${id}/test`);
    assert.equal(response.status, 200, response.text);
    const [call] = await own.received(1);
    assert.ok(call && verifyWebhook(call.headers, call.body, secret));
    assert.equal(JSON.parse(call.body).type, 'webhook.test');
    assert.equal(JSON.parse(call.body).subject, id);
    const [done] = await until('it has failed', async () => {
      const all = await webhooks.deliveries(id);
      return all[0]?.status === 'FAILED' && all;
    });
    assert.equal(done.id, response.json.id);
    assert.deepEqual([done.subject, done.path], [id, `/v1/webhook-endpoints/${id}`]);
    assert.equal(done.attempts.length, 1);
    assert.equal(done.attempts[0].status, 410);
    assert.equal(done.attempts[0].response, 'gone fishing');
    assert.deepEqual(callsOf(receiver, 'webhook.test'), []);
    const endpoint = await server.call('GET', `${path}/${id}`);
    assert.equal(endpoint.json.disabledReason, null);
    assert.equal(endpoint.json.version, 1);
  } finally {
    await own.close();
  }
});

test('a delivery is retried on request under the same id, but not to a disabled endpoint', async () => {
  const own = await startReceiver(respondWith(500));
  try {
    const { id } = await webhooks.create({ url: own.url });
    await webhooks.createSite();
    const [failed] = await until('an attempt has failed', async () => {
      const all = await webhooks.deliveries(id, '?status=PENDING');
      return all[0]?.attempts.length === 1 && all;
    });
    const [call] = await own.received(1);
    assert.equal(failed.subject, JSON.parse(call?.body ?? '').subject);
    assert.equal(failed.path, `/v1/sites/${failed.subject}`);
    own.respond(respondWith(204));
    const retried = await server.call('POST', `${path}/${id}/deliveries/${failed.id}/retry`);
    assert.equal(retried.status, 200, retried.text);
    assert.equal(retried.json.status, 'PENDING');
    const again = await until(
      'it has succeeded',
      async () => (await webhooks.deliveries(id, '?status=SUCCEEDED'))[0],
    );
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

for (const status of [204, 500])
  test(`what is asked for while a call is under way is sent after it, whether the receiver responds with ${status}`, async () => {
    const held: ServerResponse[] = [];
    const own = await startReceiver((response) => held.push(response));
    try {
      const { id } = await webhooks.create({ url: own.url, eventTypes: ['site.created'] });
      const { createdAt } = await webhooks.createSite();
      const ways = [
        () => server.call('POST', `${path}/${id}/replay`, { body: { from: createdAt } }),
        async () => {
          const [delivery] = await webhooks.deliveries(id, '');
          return server.call('POST', `${path}/${id}/deliveries/${delivery?.id}/retry`);
        },
      ];
      for (const [index, ask] of ways.entries()) {
        await own.received(index + 1);
        const requested = await ask();
        assert.equal(requested.status, 200, requested.text);
        held[index]?.writeHead(status).end();
      }
      await own.received(3);
      held[2]?.writeHead(204).end();
      const [delivery] = await until('it has succeeded', async () => {
        const all = await webhooks.deliveries(id, '?status=SUCCEEDED');
        return all.length === 1 && all;
      });
      assert.deepEqual([delivery?.attempts.length, delivery?.attempts.at(-1).status], [3, 204]);
    } finally {
      await own.close();
    }
  });

test('a replay sends the events of a span again under their ids, including those that were missed', async () => {
  const own = await startReceiver();
  try {
    const { id } = await webhooks.create({ url: own.url, eventTypes: ['site.created'] });
    const before = await webhooks.createSite();
    await own.received(1);
    await server.call('PATCH', `${path}/${id}`, { body: { status: 'DISABLED' } });
    const missed = await webhooks.createSite();
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
  const { id } = await webhooks.create({ eventTypes: ['visitor.erased'], status: 'DISABLED' });
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
