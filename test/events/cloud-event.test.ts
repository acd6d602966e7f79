/** Events in the form of CloudEvents, by example and from real writes. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { toCloudEvent } from '@trellis/server/kernel/events/cloud-event.ts';
import type { LoggedEvent } from '@trellis/server/kernel/events/logged-event.ts';
import { TypeID } from 'typeid-js';
import { readWholeLog } from '../support/events.ts';
import { startTestRelay } from '../support/relay.ts';
import { startTestServer } from '../support/server.ts';
import { until } from '../support/until.ts';

const server = await startTestServer();
after(() => server.close());

const uuids = {
  organization: '01890a5d-ac96-774b-bcce-b302099a8057',
  event: '01890a5d-ac96-774b-bcce-b302099a8058',
  article: '01890a5d-ac96-774b-bcce-b302099a8059',
  site: '01890a5d-ac96-774b-bcce-b302099a805a',
  user: '01890a5d-ac96-774b-bcce-b302099a805b',
  client: '01890a5d-ac96-774b-bcce-b302099a805c',
  token: '01890a5d-ac96-774b-bcce-b302099a805d',
};

/** Encodes by the reference implementation of TypeIDs. */
const typeId = (prefix: string, uuid: string) => TypeID.fromUUID(prefix, uuid).toString();

const event: LoggedEvent = {
  organizationId: uuids.organization,
  position: 42,
  id: uuids.event,
  type: 'article.published',
  subjectType: 'article',
  subjectId: uuids.article,
  parentId: uuids.site,
  subjectVersion: 7,
  userId: uuids.user,
  clientId: uuids.client,
  tokenId: uuids.token,
  methods: ['PASSKEY'],
  requestId: 'req-1',
  changedFields: ['state', 'versionData.status'],
  readers: null,
  occurredAt: '2026-03-01T12:00:00.007Z',
};

test('an event is CloudEvents 1.0 JSON without content, with the address of its record', () => {
  const id = typeId('art', uuids.article);
  assert.deepEqual(JSON.parse(JSON.stringify(toCloudEvent(event, 'https://api.example.com'))), {
    specversion: '1.0',
    id: typeId('evt', uuids.event),
    source: `https://api.example.com/v1/organizations/${typeId('org', uuids.organization)}`,
    type: 'article.published',
    subject: id,
    time: '2026-03-01T12:00:00.007Z',
    datacontenttype: 'application/json',
    sequence: '0000000000000000042',
    data: {
      resource: 'article',
      id,
      url: `https://api.example.com/v1/sites/${typeId('site', uuids.site)}/articles/${id}`,
      version: 7,
      changedFields: ['state', 'versionData.status'],
      actor: {
        user: typeId('user', uuids.user),
        client: typeId('client', uuids.client),
        token: typeId('token', uuids.token),
        methods: ['PASSKEY'],
        requestId: 'req-1',
      },
    },
  });
});

test('an event of the system has no user, client and token; an unknown kind of record keeps its uuid and has no address', () => {
  const { data } = toCloudEvent(
    { ...event, userId: null, clientId: null, tokenId: null, methods: null },
    'https://api.example.com',
  );
  assert.deepEqual(data.actor, { user: null, client: null, token: null, methods: null, requestId: 'req-1' });
  const unknown = toCloudEvent({ ...event, subjectType: 'unicorn', type: 'unicorn.seen' }, 'https://x');
  assert.deepEqual([unknown.subject, unknown.data.url], [uuids.article, null]);
});

test('sequences sort as positions do', () => {
  const sequences = [1, 9, 10, 99, 2 ** 53 - 1].map(
    (position) => toCloudEvent({ ...event, position }, 'https://x').sequence,
  );
  assert.deepEqual([...sequences].sort(), sequences);
});

test('writes of the API arrive in the order of versions, with addresses that can be read', async () => {
  const relay = startTestRelay(server.database);
  try {
    const site = await server.call('POST', '/v1/sites', {
      body: { name: 'Feed', key: 'feed', defaultLocale: 'en', domains: [], timezone: 'UTC' },
    });
    assert.equal(site.status, 201, site.text);
    const articles = `/v1/sites/${site.json.id}/articles`;
    const created = await server.call('POST', articles, { body: { versionData: { title: 'One' } } });
    assert.equal(created.status, 201, created.text);
    const article = `${articles}/${created.json.id}`;
    for (const versionData of [{ title: 'Two' }, { status: 'PUBLISHED' }]) {
      const changed = await server.call('PATCH', article, { body: { versionData } });
      assert.equal(changed.status, 200, changed.text);
    }
    const refused = await server.call('PATCH', article, { body: { versionData: { titel: 'Three' } } });
    assert.equal(refused.status, 422);

    const logged = await until('all are logged', async () => {
      const events = await readWholeLog(server.database.api, server.organization.id);
      return events.length >= 4 && events;
    });
    const events = logged.map((one) => toCloudEvent(one, server.url));
    assert.deepEqual(
      events.map(({ type, subject, sequence, data }) => [Number(sequence), type, subject, data.version]),
      [
        [1, 'site.created', site.json.id, 1],
        [2, 'article.created', created.json.id, 1],
        [3, 'article.updated', created.json.id, 2],
        [4, 'article.published', created.json.id, 3],
      ],
    );
    assert.equal(events[3]?.data.actor.user, typeId('user', server.ownerId));
    for (const { subject, data } of events) {
      const read = await server.call('GET', (data.url ?? '').replace(server.url, ''));
      assert.deepEqual([read.status, read.json.id], [200, subject]);
    }
  } finally {
    await relay.stop();
  }
});
