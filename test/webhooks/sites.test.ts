/** Tests of webhook endpoints that receive the events of certain sites. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { decodeId, encodeId, newUuid } from '@trellis/schema/values/ids.ts';
import { uuidArray } from '@trellis/server/kernel/database/values.ts';
import { AdminClient } from '../support/admin-client.ts';
import { createMember, createOrganization, createToken } from '../support/identities.ts';
import { expectProblem } from '../support/refusals.ts';
import type { Json, TestServer } from '../support/server.ts';
import { until } from '../support/until.ts';
import { endpointsPath as path, WebhookServer } from '../support/webhook-server.ts';

let webhooks: WebhookServer;
let server: TestServer;

before(async () => {
  webhooks = await WebhookServer.start();
  ({ server } = webhooks);
});
after(() => webhooks.close());

async function send(method: string, target: string, body?: object, token?: string): Promise<Json> {
  const response = await server.call(method, target, {
    ...(body === undefined ? {} : { body }),
    ...(token === undefined ? {} : { token }),
  });
  assert.ok(response.status < 300, `${method} ${target}: ${response.text}`);
  return response.json;
}

/** What an endpoint has got or will get: type and subject of each event, in the order of the log. */
async function received(endpoint: Json): Promise<string[]> {
  const rows = await server.database.worker.run(
    'SELECT event FROM trellis.webhook_deliveries WHERE endpoint_id = $1',
    [decodeId('whe', endpoint.id)],
  );
  const events: Json[] = rows.map(([event]) => JSON.parse(event ?? ''));
  return events
    .sort((one, other) => one.position - other.position)
    .map(({ type, subjectId }) => `${type} ${subjectId}`);
}

const seen = (type: string, { id }: Json) => `${type} ${decodeId(id.split('_')[0], id)}`;

test('an endpoint with sites gets the events of these sites and of what is below them, and nothing else', async () => {
  const [a, b] = [await webhooks.createSite(), await webhooks.createSite()];
  await until('their events are in the log, which no endpoint made from now on gets', async () => {
    const rows = await server.database.worker.run('SELECT FROM trellis.events WHERE subject_id = ANY ($1)', [
      uuidArray([a, b].map(({ id }) => decodeId('site', id) ?? '')),
    ]);
    return rows.length === 2;
  });
  const begin = new Date().toISOString();
  const everything = await webhooks.create({ eventTypes: ['*'] });
  const ofA = await webhooks.create({ eventTypes: ['*'], siteIds: [a.id] });
  const ofBoth = await webhooks.create({ eventTypes: ['article.*', 'site.*'], siteIds: [b.id, a.id] });
  const none = await webhooks.create({ eventTypes: ['*'], siteIds: [a.id] });
  const client = await AdminClient.open(server.database);
  await client.query(
    "UPDATE trellis.webhook_subscriptions SET site_ids = '{}' WHERE organization_id = $1 AND endpoint_id = $2",
    [server.organization.id, decodeId('whe', none.id)],
  );
  await client.end();

  const article = (site: Json) =>
    send('POST', `/v1/sites/${site.id}/articles`, { versionData: { title: 'News' } });
  const [articleA, articleB] = [await article(a), await article(b)];
  const tag = await send('POST', `/v1/sites/${a.id}/tags`, { name: 'Tag' });
  const category = await send('POST', `/v1/sites/${b.id}/categories`, { name: 'Category' });
  await send('POST', '/v1/crm/contacts', { lastName: 'Lovelace' });
  const magazine = await send('POST', '/v1/magazines', { title: 'Nature' });
  await send('POST', `/v1/magazines/${magazine.id}/issues`, { volume: '1', number: '1' });
  await send('PATCH', `/v1/sites/${b.id}`, { name: 'B' });
  await send('DELETE', `/v1/sites/${a.id}/articles/${articleA.id}`);
  await send('DELETE', `/v1/sites/${a.id}/tags/${tag.id}`);
  await send('DELETE', `/v1/sites/${a.id}`);
  assert.deepEqual(
    (await send('GET', `${path}/${ofA.id}`)).siteIds,
    [a.id],
    'a deleted site stays in the list',
  );
  await send('POST', `/v1/trash/${a.id}/restore`);
  const last = await article(a);

  const about = async (endpoint: Json) =>
    (await received(endpoint)).filter((one) => !one.startsWith('webhook-'));
  await until('the last event has been distributed', async () =>
    (await received(everything)).includes(seen('article.created', last)),
  );
  const expectedOfA = [
    seen('article.created', articleA),
    seen('tag.created', tag),
    seen('article.deleted', articleA),
    seen('tag.deleted', tag),
    seen('site.deleted', a),
    seen('site.restored', a),
    seen('article.created', last),
  ];
  assert.deepEqual(await received(ofA), expectedOfA);
  assert.deepEqual(await received(ofBoth), [
    seen('article.created', articleA),
    seen('article.created', articleB),
    seen('site.updated', b),
    seen('article.deleted', articleA),
    seen('site.deleted', a),
    seen('site.restored', a),
    seen('article.created', last),
  ]);
  assert.deepEqual(await received(none), [], 'an empty list is nothing, not everything');
  assert.equal((await about(everything)).length, 13);

  const later = await webhooks.create({ eventTypes: ['*'], siteIds: [b.id] });
  const expectedOfB = [
    seen('article.created', articleB),
    seen('category.created', category),
    seen('site.updated', b),
  ];
  const replayed = await send('POST', `${path}/${later.id}/replay`, { from: begin });
  assert.equal(replayed.events, expectedOfB.length);
  assert.deepEqual(await received(later), expectedOfB);
  await send('PATCH', `${path}/${later.id}`, { siteIds: [a.id] });
  const again = await send('POST', `${path}/${later.id}/replay`, { from: begin });
  assert.equal(again.events, expectedOfA.length);
  await send('PATCH', `${path}/${later.id}`, { siteIds: null });
  const book = await send('POST', '/v1/books', { title: 'Walden' });
  await until('null is everything again', async () =>
    (await received(later)).includes(seen('book.created', book)),
  );
});

test('sites that there are not, of others, none at all, and types of no site are refused', async () => {
  const site = await webhooks.createSite();
  const { worker } = server.database;
  const foreign = await createOrganization(worker, 'foreign');
  const { token } = await createToken(worker, foreign, await createMember(worker, foreign, 'OWNER'));
  const theirs = await send('POST', '/v1/sites', { name: 'Theirs', key: 'theirs' }, token);
  const url = webhooks.receiver.url;
  const endpoint = await webhooks.create({ eventTypes: ['article.*'], siteIds: [site.id] });
  const refused = async (body: object, status: number, code: string, pointer: string) => {
    for (const [method, target, given] of [
      ['POST', path, { url, eventTypes: ['article.*'], ...body }],
      ['PATCH', `${path}/${endpoint.id}`, body],
    ] as const) {
      const response = await server.call(method, target, { body: given });
      expectProblem(response, status, code, JSON.stringify(given));
      assert.equal(response.json.errors[0].pointer, pointer);
    }
  };
  for (const id of [theirs.id, encodeId('site', newUuid())])
    await refused({ siteIds: [site.id, id] }, 422, 'reference_not_found', '/siteIds/1');
  await refused({ siteIds: [] }, 422, 'validation_failed', '/siteIds');
  await refused({ siteIds: [site.id, site.id] }, 422, 'validation_failed', '/siteIds');
  await refused(
    { siteIds: [site.id], eventTypes: ['site.deleted', 'contact.*', 'issue.published'] },
    422,
    'validation_failed',
    '/eventTypes/1',
  );
  const changed = await server.call('PATCH', `${path}/${endpoint.id}`, {
    body: { eventTypes: ['book.created'] },
  });
  expectProblem(changed, 422, 'validation_failed');
  assert.match(changed.json.errors[0].detail, /belong to no site/);
  assert.deepEqual((await send('GET', `${path}/${endpoint.id}`)).siteIds, [site.id]);
  await send('DELETE', `/v1/sites/${site.id}`);
});

test('who changes the sites receives what they may read, as with the types', async () => {
  const [a, b] = [await webhooks.createSite(), await webhooks.createSite()];
  const { worker } = server.database;
  const userId = await createMember(worker, server.organization, 'ADMIN');
  const { token } = await createToken(worker, server.organization, userId);
  const endpoint = await webhooks.create({ siteIds: [a.id] });
  const actsFor = async () =>
    (
      await worker.run('SELECT acts_for FROM trellis.webhook_subscriptions WHERE endpoint_id = $1', [
        decodeId('whe', endpoint.id),
      ])
    )[0]?.[0];
  assert.notEqual(await actsFor(), userId);
  await send('PATCH', `${path}/${endpoint.id}`, { siteIds: [a.id, b.id] }, token);
  assert.equal(await actsFor(), userId);
});
