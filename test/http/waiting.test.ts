/** What waits for the caller: articles of all sites, and webhook endpoints that fail. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { allScopes } from '@trellis/schema/rights/scopes.ts';
import { decodeId, encodeId } from '@trellis/schema/values/ids.ts';
import pg from 'pg';
import { createMember, createOrganization, createToken } from '../support/identities.ts';
import { type Json, startTestServer, type TestServer } from '../support/server.ts';

let server: TestServer;
let admin: pg.Client;
before(async () => {
  server = await startTestServer();
  admin = new pg.Client(server.database.adminUrl);
  await admin.connect();
});
after(async () => {
  await admin.end();
  await server.close();
});

async function post(path: string, body: object, token = server.token): Promise<Json> {
  const { status, json, text } = await server.call('POST', path, { body, token });
  assert.equal(status, 201, text);
  return json;
}

async function patch(path: string, body: object): Promise<void> {
  const { status, text } = await server.call('PATCH', path, { body });
  assert.equal(status, 200, text);
}

async function readWaiting(query = '', token = server.token): Promise<Json> {
  const { status, json, text } = await server.call('GET', `/v1/waiting${query}`, { token });
  assert.equal(status, 200, text);
  return json;
}

const titlesOf = (articles: readonly Json[]) => articles.map(({ title }) => title);

test('articles of all sites wait, each in its part and order, with their addresses', async () => {
  const { worker } = server.database;
  const editor = await createMember(worker, server.organization, 'EDITOR');
  const { token } = await createToken(worker, server.organization, editor, { scopes: allScopes });
  const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();
  const paths: string[] = [];
  for (const [index, key] of ['news', 'blog', 'help', 'shop', 'docs', 'jobs'].entries()) {
    const site = await post('/v1/sites', { name: key, key });
    const articles = `/v1/sites/${site.id}/articles`;
    paths.push(`${articles}/${(await post(articles, { versionData: { title: `Mine ${key}` } })).id}`);
    await post(articles, { versionData: { title: `Theirs ${key}` } }, token);
    const reviewed = await post(articles, { versionData: { title: `Reviewed ${key}` } });
    await patch(`${articles}/${reviewed.id}`, { versionData: { status: 'IN_REVIEW' } });
    const scheduled = await post(articles, { versionData: { title: `Scheduled ${key}` } });
    for (const status of ['IN_REVIEW', 'APPROVED'])
      await patch(`${articles}/${scheduled.id}`, { versionData: { status } });
    const scheduledFor = inHours(10 - index);
    await patch(`${articles}/${scheduled.id}`, { versionData: { status: 'SCHEDULED', scheduledFor } });
    const published = await post(articles, { versionData: { title: `Published ${key}` } });
    await patch(`${articles}/${published.id}`, { versionData: { status: 'PUBLISHED' } });
  }
  const newest = ['jobs', 'docs', 'shop', 'help', 'blog', 'news'];
  const waiting = await readWaiting();
  assert.deepEqual(
    titlesOf(waiting.drafts),
    newest.map((key) => `Mine ${key}`),
  );
  assert.deepEqual(
    titlesOf(waiting.inReview),
    newest.map((key) => `Reviewed ${key}`),
  );
  // The next first.
  assert.deepEqual(
    titlesOf(waiting.scheduled),
    newest.map((key) => `Scheduled ${key}`),
  );
  assert.deepEqual(waiting.failedSchedules, []);
  assert.deepEqual(waiting.endpoints, []);
  const [last] = waiting.drafts;
  assert.equal(new URL(last.url).pathname, paths.at(-1));
  assert.equal(last.updatedBy, encodeId('user', server.ownerId));
  assert.equal(last.scheduledFor, null);
  assert.ok(waiting.scheduled[0].scheduledFor < waiting.scheduled[1].scheduledFor);
  assert.deepEqual(titlesOf((await readWaiting('?limit=2')).scheduled), ['Scheduled jobs', 'Scheduled docs']);
  assert.deepEqual(
    titlesOf((await readWaiting('', token)).drafts),
    newest.map((key) => `Theirs ${key}`),
  );
  // Whoever has changed somebody's draft goes on with it.
  const { status } = await server.call('PATCH', paths[0] ?? '', {
    body: { versionData: { title: 'Ours' } },
    token,
  });
  assert.equal(status, 200);
  assert.equal((await readWaiting('?limit=1', token)).drafts[0].title, 'Ours');
  assert.equal((await readWaiting('?limit=1')).drafts[0].title, 'Ours');
});

test('who made or submitted an article sees that it came back, with the sentence, and that it was published', async () => {
  const { worker } = server.database;
  const author = await createMember(worker, server.organization, 'AUTHOR');
  const { token } = await createToken(worker, server.organization, author, { scopes: allScopes });
  const site = await post('/v1/sites', { name: 'rounds', key: 'rounds' });
  const articles = `/v1/sites/${site.id}/articles`;
  const [first, second] = [
    await post(articles, { versionData: { title: 'First' } }, token),
    await post(articles, { versionData: { title: 'Second' } }, token),
  ];
  const titlesFor = async (who?: string) => {
    const { returned, published } = await readWaiting('', who);
    return { returned: titlesOf(returned), published: titlesOf(published) };
  };
  for (const { id } of [first, second])
    await patch(`${articles}/${id}`, { versionData: { status: 'IN_REVIEW' } });
  await patch(`${articles}/${first.id}`, { versionData: { status: 'DRAFT', returnNote: 'Too short.' } });
  await patch(`${articles}/${second.id}`, { versionData: { status: 'APPROVED' } });
  await patch(`${articles}/${second.id}`, { versionData: { status: 'PUBLISHED' } });
  assert.deepEqual(await titlesFor(token), { returned: ['First'], published: ['Second'] });
  const owner = encodeId('user', server.ownerId);
  const { returned, published } = await readWaiting('', token);
  assert.deepEqual([returned[0].returnNote, returned[0].updatedBy], ['Too short.', owner]);
  assert.deepEqual([published[0].returnNote, published[0].updatedBy], [null, owner]);
  // Who did it knows.
  assert.deepEqual(await titlesFor(), { returned: [], published: [] });
  await patch(`${articles}/${first.id}`, { versionData: { status: 'IN_REVIEW' } });
  assert.deepEqual((await titlesFor(token)).returned, []);
  await patch(`${articles}/${first.id}`, { versionData: { status: 'APPROVED' } });
});

test('an article whose schedule failed is there with the reason until it is scheduled anew', async () => {
  const [{ id }] = (await readWaiting('?limit=1')).drafts;
  await admin.query('UPDATE trellis.articles SET schedule_error = $1 WHERE id = $2', [
    'The module "cms" was switched off.',
    decodeId('art', id),
  ]);
  const [failed, ...others] = (await readWaiting()).failedSchedules;
  assert.equal(failed.id, id);
  assert.equal(failed.scheduleError, 'The module "cms" was switched off.');
  assert.deepEqual(others, []);
});

test('endpoints that were disabled by the server or have a failed delivery wait; those that work do not', async () => {
  const made = async (name: string) =>
    post('/v1/webhook-endpoints', { url: `https://${name}.example.com/`, eventTypes: ['*'] });
  const [gone, failing, working] = [await made('gone'), await made('failing'), await made('working')];
  const uuidOf = ({ id }: Json) => decodeId('whe', id);
  await admin.query(
    `UPDATE trellis.webhook_endpoints SET status = 'DISABLED', disabled_reason = 'GONE' WHERE id = $1`,
    [uuidOf(gone)],
  );
  for (const [endpoint, status] of [
    [failing, 'FAILED'],
    [working, 'SUCCEEDED'],
  ] as const) {
    const key = [server.organization.id, uuidOf(endpoint)];
    await admin.query(
      `INSERT INTO trellis.webhook_deliveries (organization_id, endpoint_id, event_id, type, event, status, created_at, next_attempt_at)
       VALUES ($1, $2, $2, 'book.created', '{}', $3, now(), now())`,
      [...key, status],
    );
    await admin.query(
      `INSERT INTO trellis.webhook_attempts (organization_id, endpoint_id, event_id, number, attempted_at, status, latency_ms, response)
       SELECT $1, $2, $2, number, timestamptz '2026-11-01T00:00:00Z' + make_interval(days => number), 500 + number, 1, ''
       FROM generate_series(1, 3) number`,
      key,
    );
  }
  const { endpoints } = await readWaiting();
  assert.deepEqual(
    endpoints.map(({ id, target, disabledReason, failedDelivery }: Json) => ({
      id,
      target,
      disabledReason,
      failedDelivery,
    })),
    [
      {
        id: failing.id,
        target: 'https://failing.example.com/',
        disabledReason: null,
        failedDelivery: { eventType: 'book.created', status: 503, attemptedAt: '2026-11-04T00:00:00.000Z' },
      },
      { id: gone.id, target: 'https://gone.example.com/', disabledReason: 'GONE', failedDelivery: null },
    ],
  );
});

test('a part that the caller may not read is null, and nothing of another organization waits', async () => {
  const { worker } = server.database;
  const viewer = await createMember(worker, server.organization, 'VIEWER');
  const { token } = await createToken(worker, server.organization, viewer);
  const seen = await readWaiting('', token);
  assert.equal(seen.endpoints, null);
  assert.deepEqual(seen.drafts, []);
  assert.equal(seen.inReview.length, 6);
  const owner = server.ownerId;
  const books = await createToken(worker, server.organization, owner, { scopes: ['books:read'] });
  assert.deepEqual(await readWaiting('', books.token), {
    drafts: null,
    returned: null,
    published: null,
    inReview: null,
    scheduled: null,
    failedSchedules: null,
    endpoints: null,
  });
  const other = await createOrganization(worker, 'other');
  const outsider = await createToken(worker, other, await createMember(worker, other, 'OWNER'));
  assert.deepEqual(await readWaiting('', outsider.token), {
    drafts: [],
    returned: [],
    published: [],
    inReview: [],
    scheduled: [],
    failedSchedules: [],
    endpoints: [],
  });
});
