/** Tests of visitors over HTTP and in the database: identification, recognition, what is stored, and erasure. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, test } from 'node:test';
import { decodeId } from '@trellis/schema/values/ids.ts';
import { sweepVisitors } from '@trellis/server/features/visitors/sweep.ts';
import { AdminClient } from '../support/admin-client.ts';
import { createOtherWorld, createOwnWorld, createRecord } from '../support/fixtures.ts';
import { expectProblem } from '../support/refusals.ts';
import { startTestServer, type TestResponse } from '../support/server.ts';
import { TenantTables } from '../support/tenant-tables.ts';
import { until } from '../support/until.ts';
import { createPublishableKey, identify, identifyBody, pageOrigin, signals } from '../support/visitors.ts';

const server = await startTestServer({
  // Four calls at once get a connection each, also when the organization gives way to others.
  poolSize: 32,
  // Calls wait for locks of these tests until a busy machine has begun all of them.
  statementTimeoutMs: 60_000,
});
const tables = await TenantTables.open(server.database);
const world = await createOwnWorld(server);
/** For what waits, and for times. */
const client = await AdminClient.open(server.database);
const siteId = world.ids.get('sites') ?? '';
after(async () => {
  await client.end();
  await tables.close();
  await server.close();
});
const { key } = await createPublishableKey(server, world.organization, siteId);

let browsers = 0;
/** Signals that no other browser of these tests has. */
function ownSignals(): Record<string, unknown> {
  browsers += 1;
  return { ...signals, canvasHash: browsers.toString(16).padStart(16, '0') };
}

test('a browser is a new visitor once, and recognized by its token and by its signals', async () => {
  const mine = ownSignals();
  const first = await identify(server, key, { body: identifyBody({ signals: mine }) });
  assert.equal(first.status, 200, first.text);
  assert.deepEqual(Object.keys(first.json), ['visitorId', 'requestId', 'confidence', 'storedToken']);
  assert.deepEqual(first.json.confidence, { score: 0.5 });
  const { visitorId, storedToken } = first.json;
  const visits: [Record<string, unknown>, number][] = [
    [{ storedToken, signals: mine }, 0.99],
    [{ storedToken, signals: ownSignals() }, 0.95],
    [{ storedToken, signals: {} }, 0.95],
  ];
  for (const [body, score] of visits) {
    const again = await identify(server, key, { body: identifyBody(body) });
    assert.equal(again.json.visitorId, visitorId, again.text);
    assert.equal(again.json.confidence.score, score);
  }
  const other = ownSignals();
  const once = await identify(server, key, { body: identifyBody({ signals: other }) });
  const bySignals = await identify(server, key, { body: identifyBody({ signals: other }) });
  assert.equal(bySignals.json.visitorId, once.json.visitorId);
  assert.equal(bySignals.json.confidence.score, 0.6);
  assert.notEqual(once.json.visitorId, visitorId);
});

test('an older match lowers the score; several recent matches give a new visitor', async () => {
  const mine = ownSignals();
  const body = identifyBody({ signals: mine });
  const old = await identify(server, key, { body });
  await age(old.json.visitorId, '40 days');
  const recent = await identify(server, key, { body });
  assert.notEqual(recent.json.visitorId, old.json.visitorId, 'seen more than 30 days ago');
  assert.equal(recent.json.confidence.score, 0.5);
  const again = await identify(server, key, { body });
  assert.equal(again.json.visitorId, recent.json.visitorId);
  assert.equal(again.json.confidence.score, 0.3, '0.6 for two who look alike');
  // The old one comes back with its token: now two were seen lately.
  const { storedToken } = old.json;
  const back = await identify(server, key, { body: identifyBody({ signals: mine, storedToken }) });
  assert.equal(back.json.visitorId, old.json.visitorId);
  const third = await identify(server, key, { body });
  assert.equal(third.json.confidence.score, 0.5);
  assert.ok(![old, recent].some(({ json }) => json.visitorId === third.json.visitorId));
});

test('pages opened at the same time are one visitor', async () => {
  const body = identifyBody({ signals: ownSignals() });
  // Reads continue and writes wait: all calls have looked for the visitor before the first one stores it.
  const calls = await inTransaction('LOCK TABLE trellis.visitors IN SHARE MODE', async () => {
    const begun = Array.from({ length: 4 }, () => identify(server, key, { body }));
    await waitForWaiting(begun.length);
    return begun;
  });
  const responses = await Promise.all(calls);
  assert.equal(new Set(responses.map(({ json }) => json.visitorId)).size, 1);
});

test('a visitor who is erased during identification becomes a new visitor', async () => {
  const first = await identify(server, key, { body: identifyBody({ signals: ownSignals() }) });
  const { visitorId, storedToken } = first.json;
  const id = decodeId('vis', visitorId);
  const calls = await inTransaction(
    `SELECT FROM trellis.visitors WHERE id = '${id}' FOR UPDATE`,
    async () => {
      const begun = [identify(server, key, { body: identifyBody({ signals: {}, storedToken }) })];
      await waitForWaiting(begun.length);
      await client.query('DELETE FROM trellis.visitors WHERE id = $1', [id]);
      return begun;
    },
  );
  const [response] = await Promise.all(calls);
  assert.ok(response);
  const { json } = response;
  assert.notEqual(json.visitorId, visitorId);
  assert.equal(json.confidence.score, 0.5);
  assert.equal((await read(json.visitorId)).status, 200);
});

/** Does work while a transaction holds a lock, and commits it. */
async function inTransaction<T>(lock: string, work: () => Promise<T>): Promise<T> {
  await client.query('BEGIN');
  try {
    await client.query(lock);
    const result = await work();
    await client.query('COMMIT');
    return result;
  } finally {
    // No more than a notice after a commit.
    await client.query('ROLLBACK');
  }
}

/** Waits until so many calls of the server wait for a lock. */
function waitForWaiting(count: number): Promise<boolean> {
  return until(`${count} calls wait`, async () => (await client.countWaiting()) >= count);
}

test('a bot has the score 0, and scripts are bots', async () => {
  for (const userAgent of ['Mozilla/5.0 (compatible; Googlebot/2.1)', 'curl/8.9.1', '']) {
    const body = identifyBody({ signals: ownSignals() });
    const response = await identify(server, key, {
      body,
      headers: { 'user-agent': userAgent, 'sec-ch-ua': null },
    });
    assert.equal(response.json.confidence.score, 0, userAgent);
    const { json } = await read(response.json.visitorId);
    assert.equal(json.device.type, 'bot');
  }
});

test('a visitor is returned as last identified, with exactly the documented members', async () => {
  const first = await identify(server, key, { body: identifyBody({ signals: ownSignals() }) });
  const { visitorId, requestId, storedToken } = first.json;
  const record = await read(visitorId);
  assert.equal(record.status, 200, record.text);
  const { firstSeenAt, lastSeenAt, ...rest } = record.json;
  assert.deepEqual(rest, {
    visitorId,
    requestId,
    confidence: { score: 0.5 },
    browser: { name: 'Chrome', version: '141.0.0.0' },
    device: { type: 'desktop' },
  });
  assert.equal(firstSeenAt, lastSeenAt);
  assert.equal(record.headers.get('etag'), '"1"');
  const iPhone =
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1';
  const second = await identify(server, key, {
    body: identifyBody({ storedToken, signals: {} }),
    headers: {
      'user-agent': iPhone,
      'sec-ch-ua': null,
      'sec-ch-ua-mobile': null,
      'sec-ch-ua-platform': null,
    },
  });
  const later = await read(visitorId);
  assert.equal(later.json.requestId, second.json.requestId);
  assert.deepEqual(later.json.confidence, { score: 0.95 });
  assert.deepEqual(later.json.browser, { name: 'Safari', version: '18.1' });
  assert.deepEqual(later.json.device, { type: 'mobile' });
  assert.equal(later.json.firstSeenAt, firstSeenAt);
  assert.ok(later.json.lastSeenAt >= lastSeenAt);
  assert.equal(later.headers.get('etag'), '"2"');
});

for (const [what, body, headers] of [
  ['DENIED', { consent: 'DENIED' }, {}],
  ['Global Privacy Control', {}, { 'sec-gpc': '1' }],
] as const) {
  test(`${what}: a new id each time, no token, no hash, deleted after a day`, async () => {
    const mine = ownSignals();
    const known = await identify(server, key, { body: identifyBody({ signals: mine }) });
    const { storedToken } = known.json;
    const refused = await identify(server, key, {
      body: identifyBody({ signals: mine, storedToken, ...body }),
      headers,
    });
    assert.equal(refused.status, 200, refused.text);
    assert.equal(refused.json.storedToken, null);
    assert.equal(refused.json.confidence.score, 0.5);
    assert.notEqual(refused.json.visitorId, known.json.visitorId);
    const [row] = await tables.run(
      `SELECT transient, signals_hash, expires_at - first_seen_at = interval '24 hours' AS a_day
       FROM trellis.visitors WHERE organization_id = $1 AND transient ORDER BY id DESC LIMIT 1`,
      [world.organization.id],
    );
    assert.deepEqual(row, { transient: true, signals_hash: null, a_day: true });
    assert.equal((await read(refused.json.visitorId)).status, 200);
    const again = await identify(server, key, { body: identifyBody({ signals: mine, ...body }), headers });
    assert.notEqual(again.json.visitorId, refused.json.visitorId);
    await age(refused.json.visitorId, '24 hours');
    expectProblem(await read(refused.json.visitorId), 404, 'not_found');
    const swept = await sweepVisitors(server.database.worker, new Date());
    assert.ok(swept.visitors >= 1);
    assert.equal(await countRows(refused.json.visitorId), 0);
    // A visitor who was known before is recognized again with consent.
    const back = await identify(server, key, { body: identifyBody({ signals: mine }) });
    assert.equal(back.json.visitorId, known.json.visitorId);
  });
}

test('erasing removes all data, appends an event without content, and invalidates stored tokens', async () => {
  const mine = ownSignals();
  const first = await identify(server, key, { body: identifyBody({ signals: mine }) });
  const { visitorId, storedToken } = first.json;
  await identify(server, key, { body: identifyBody({ signals: mine, storedToken }) });
  assert.equal(await countRows(visitorId), 3, 'a visitor and two identifications');
  const requestId = randomUUID();
  const path = `/v1/visitors/${visitorId}`;
  const erased = await server.call('DELETE', path, { headers: { 'x-request-id': requestId } });
  assert.equal(erased.status, 204, erased.text);
  assert.equal(await countRows(visitorId), 0);
  assert.deepEqual(await tables.eventsOf(requestId), [
    {
      type: 'visitor.erased',
      subjectId: decodeId('vis', visitorId),
      subjectVersion: 3,
      changedFields: [],
    },
  ]);
  expectProblem(await read(visitorId), 404, 'not_found');
  expectProblem(await server.call('DELETE', path), 404, 'not_found');
  const after = await identify(server, key, { body: identifyBody({ signals: mine, storedToken }) });
  assert.notEqual(after.json.visitorId, visitorId);
  assert.equal(after.json.confidence.score, 0.5);
});

test('a visitor who returns while being erased is a new one or is erased, and nothing fails', async () => {
  for (let round = 0; round < 5; round += 1) {
    const mine = ownSignals();
    const first = await identify(server, key, { body: identifyBody({ signals: mine }) });
    const { visitorId, storedToken } = first.json;
    const [erased, ...visits] = await Promise.all([
      server.call('DELETE', `/v1/visitors/${visitorId}`),
      ...Array.from({ length: 4 }, () =>
        identify(server, key, { body: identifyBody({ signals: mine, storedToken }) }),
      ),
    ]);
    assert.equal(erased.status, 204);
    for (const visit of visits) assert.equal(visit.status, 200, visit.text);
    assert.equal(await countRows(visitorId), 0);
  }
});

test('expired visitors are not found, whether swept or not', async () => {
  const mine = ownSignals();
  const first = await identify(server, key, { body: identifyBody({ signals: mine }) });
  const { visitorId, storedToken } = first.json;
  // The identification was deleted after 30 days; the visitor is still recognized.
  await age(visitorId, '30 days');
  expectProblem(await read(visitorId), 404, 'not_found');
  const recognized = await identify(server, key, { body: identifyBody({ signals: mine, storedToken }) });
  assert.equal(recognized.json.visitorId, visitorId);
  assert.equal((await read(visitorId)).status, 200);
  const expire = 'UPDATE trellis.visitors SET expires_at = expires_at - $2::interval WHERE id = $1';
  await client.query(expire, [decodeId('vis', visitorId), '91 days']);
  expectProblem(await read(visitorId), 404, 'not_found', 'though its identification is there');
  await client.query(expire, [decodeId('vis', visitorId), '-91 days']);
  await age(visitorId, '90 days');
  expectProblem(await read(visitorId), 404, 'not_found');
  expectProblem(await server.call('DELETE', `/v1/visitors/${visitorId}`), 404, 'not_found');
  const fresh = await identify(server, key, { body: identifyBody({ signals: mine, storedToken }) });
  assert.notEqual(fresh.json.visitorId, visitorId);
  assert.equal(fresh.json.confidence.score, 0.5);
  // Two concurrent sweeps delete everything that is due, and nothing else.
  await Promise.all([1, 2].map(() => sweepVisitors(server.database.worker, new Date())));
  assert.equal(await countRows(visitorId), 0);
  assert.equal((await read(fresh.json.visitorId)).status, 200);
});

test('the sweep continues until nothing is left', async () => {
  const { id } = world.organization;
  await tables.run(
    `INSERT INTO trellis.visitors (organization_id, id, site_id, version, transient, first_seen_at, last_seen_at, expires_at)
     SELECT $1, gen_random_uuid(), $2, 1, false, now(), now(), '2026-01-01' FROM generate_series(1, 2500)`,
    [id, decodeId('site', siteId)],
  );
  const swept = await sweepVisitors(server.database.worker, new Date('2026-01-01T00:00:00Z'));
  assert.equal(swept.visitors, 2500);
  const [left] = await tables.run(
    `SELECT count(*)::int FROM trellis.visitors WHERE expires_at <= '2026-01-01'`,
  );
  assert.deepEqual(left, { count: 0 });
});

test('visitors, tokens and keys are invalid in another organization and on another site', async () => {
  const mine = ownSignals();
  const first = await identify(server, key, { body: identifyBody({ signals: mine }) });
  const { visitorId, storedToken } = first.json;
  const foreign = await createOtherWorld(server);
  const { token } = foreign;
  expectProblem(await server.call('GET', `/v1/visitors/${visitorId}`, { token }), 404, 'not_found');
  expectProblem(await server.call('DELETE', `/v1/visitors/${visitorId}`, { token }), 404, 'not_found');
  const foreignKey = await createPublishableKey(server, foreign.organization, foreign.ids.get('sites') ?? '');
  const secondSite = await createRecord(world, 'sites');
  const siblingKey = await createPublishableKey(server, world.organization, secondSite);
  const seen = new Set([visitorId]);
  for (const other of [foreignKey, siblingKey]) {
    const there = await identify(server, other.key, { body: identifyBody({ signals: mine, storedToken }) });
    assert.equal(there.json.confidence.score, 0.5);
    seen.add(there.json.visitorId);
  }
  assert.equal(seen.size, 3);
  const hashes = await tables.run(
    'SELECT count(DISTINCT signals_hash)::int FROM trellis.visitors WHERE id = ANY ($1)',
    [[...seen].map((id) => decodeId('vis', id))],
  );
  assert.deepEqual(hashes, [{ count: 2 }], 'organizations cannot compare their hashes');
});

test("no column of any row holds the caller's address, its signals or its page", async () => {
  const path = `/secret-${randomUUID()}`;
  const mine = { ...ownSignals(), canvasHash: 'feedfacecafe1234', platform: 'Privacy Test 9' };
  const body = identifyBody({ signals: mine, page: { origin: pageOrigin, path } });
  const { json } = await identify(server, key, { body });
  const everything = await tables.run(
    `SELECT c.relname AS name FROM pg_class c WHERE c.relnamespace = 'trellis'::regnamespace AND c.relkind = 'r'`,
  );
  const rows: string[] = [];
  for (const { name } of everything) {
    for (const { row } of await tables.run(`SELECT t::text AS row FROM trellis.${String(name)} t`)) {
      rows.push(String(row));
    }
  }
  const found = (text: string) => rows.filter((row) => row.includes(text));
  assert.equal(found(decodeId('vis', json.visitorId) ?? '').length, 2, 'the search finds what is there');
  for (const text of ['127.0.0.1', '127.0.0', '::1', path, 'Privacy Test 9', mine.canvasHash]) {
    assert.deepEqual(found(text), [], text);
  }
});

test('metrics count identifications by outcome', async () => {
  const text = await server.metrics.render();
  for (const outcome of ['token', 'signals', 'new', 'refused']) {
    assert.match(text, new RegExp(`trellis_visitor_identifications_total\\{outcome="${outcome}"\\} [1-9]`));
  }
  assert.doesNotMatch(text, /127\.0\.0\.1/);
});

function read(visitorId: string): Promise<TestResponse> {
  return server.call('GET', `/v1/visitors/${visitorId}`);
}

/** Makes everything that is known of a visitor this much older, and a little. */
async function age(visitorId: string, time: string): Promise<void> {
  const id = decodeId('vis', visitorId);
  const by = `(interval '${time}' + interval '1 second')`;
  await client.query(
    `UPDATE trellis.visitors SET first_seen_at = first_seen_at - ${by}, last_seen_at = last_seen_at - ${by},
       expires_at = expires_at - ${by} WHERE id = $1`,
    [id],
  );
  await client.query(
    `UPDATE trellis.identifications SET expires_at = expires_at - ${by} WHERE visitor_id = $1`,
    [id],
  );
}

/** Rows of a visitor and its identifications. */
async function countRows(visitorId: string): Promise<unknown> {
  const [row] = await tables.run(
    `SELECT ((SELECT count(*) FROM trellis.visitors WHERE id = $1)
       + (SELECT count(*) FROM trellis.identifications WHERE visitor_id = $1))::int AS count`,
    [decodeId('vis', visitorId)],
  );
  return row?.count;
}

test('visitors of a site are listed, seen last first, and visits counted by day; nobody who wants neither', async () => {
  const own = await createRecord(world, 'sites');
  const { key: ownKey } = await createPublishableKey(server, world.organization, own);
  const visit = async (body: Record<string, unknown> = {}, headers: Record<string, string> = {}) => {
    const { status, json, text } = await identify(server, ownKey, { body: identifyBody(body), headers });
    assert.equal(status, 200, text);
    return json;
  };
  const mine = ownSignals();
  const first = await visit({ signals: mine });
  const second = await visit({ signals: ownSignals() });
  await visit({ signals: mine, storedToken: first.storedToken });
  const bot = await visit({ signals: ownSignals() }, { 'user-agent': 'Googlebot/2.1' });
  await visit({ signals: ownSignals(), consent: 'DENIED' });
  await visit({ signals: ownSignals() }, { 'sec-gpc': '1' });

  const list = (query: string) => server.call('GET', `/v1/visitors?siteId=${own}${query}`);
  const page = await list('&limit=2');
  assert.equal(page.status, 200, page.text);
  const rest = await list(`&limit=2&cursor=${page.json.pageInfo.nextCursor}`);
  assert.equal(rest.json.pageInfo.nextCursor, null);
  const shown = [...page.json.items, ...rest.json.items];
  assert.deepEqual(
    shown.map(({ visitorId, visits, siteId: site }) => [visitorId, visits, site]),
    [
      [bot.visitorId, 1, own],
      [first.visitorId, 2, own],
      [second.visitorId, 1, own],
    ],
  );
  assert.deepEqual(
    shown.map(({ deviceType }) => deviceType === 'bot'),
    [true, false, false],
  );
  assert.deepEqual((await server.call('GET', `/v1/visitors?siteId=${siteId}`)).json.items.length > 0, true);

  for (const timeZone of ['UTC', 'Pacific/Auckland']) {
    const counts = await server.call('GET', `/v1/visitors/counts?timeZone=${timeZone}`);
    assert.equal(counts.status, 200, counts.text);
    const today = new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' }).format(new Date());
    assert.deepEqual(
      counts.json.items.filter(({ siteId: site }: { siteId: string }) => site === own),
      [{ day: today, siteId: own, visits: 3, visitors: 2 }],
    );
  }
  await moveVisits('15 days');
  const later = await server.call('GET', '/v1/visitors/counts');
  assert.deepEqual(later.json.items, []);
  expectProblem(
    await server.call('GET', '/v1/visitors/counts?timeZone=Nowhere/Else'),
    400,
    'invalid_parameter',
  );
  expectProblem(await server.call('GET', '/v1/visitors'), 400, 'invalid_parameter');
});

test('other organizations have no visitors of this one', async () => {
  const { token } = await createOtherWorld(server);
  const listed = await server.call('GET', `/v1/visitors?siteId=${siteId}`, { token });
  assert.deepEqual(listed.json.items, []);
  const counts = await server.call('GET', '/v1/visitors/counts', { token });
  assert.equal(counts.status, 200, counts.text);
  assert.ok(counts.json.items.every((item: { siteId: string }) => item.siteId !== siteId));
});

/** Lets time pass since all visits of the organization. */
async function moveVisits(interval: string): Promise<void> {
  await client.query('UPDATE trellis.identifications SET counted_at = counted_at - $1::interval', [interval]);
}
