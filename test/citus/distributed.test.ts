/**
 * A distributed database on a prepared Citus cluster (see support/citus.ts): distributing one with rows, all kinds of requests through the
 * coordinator, and isolation asked of the shards on every server.
 */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { Database } from '@trellis/server/database/database.ts';
import { distribute } from '@trellis/server/database/distribution/distribute.ts';
import { readDistribution } from '@trellis/server/database/distribution/status.ts';
import {
  citusNodes,
  dropCitusDatabase,
  prepareCitusDatabase,
  runOn,
  withoutCitus,
} from '../support/citus.ts';
import { createMember, createOrganization, createToken } from '../support/identities.ts';
import { type Json, startTestServer, type TestServer } from '../support/server.ts';
import { connectAs, shardsOn } from '../support/shards.ts';

const passwords = { owner: 'test-owner', api: 'test-api', worker: 'test-worker', auth: 'test-auth' };

test('rows are distributed as they were, and what is distributed stays so', {
  skip: withoutCitus,
}, async () => {
  const name = `trellis_test_${randomBytes(6).toString('hex')}`;
  const [coordinator = ''] = citusNodes();
  await prepareCitusDatabase(name, passwords);
  after(() => dropCitusDatabase(name));
  const [own = ''] = citusNodes(name);
  const worker = new Database({
    url: own,
    poolSize: 2,
    prepare: true,
    acquireTimeoutMs: 30_000,
    applicationName: 'trellis test',
    log: () => undefined,
  });
  const organizations = await Promise.all(
    ['one', 'two', 'three'].map((key) => createOrganization(worker, key)),
  );
  for (const organization of organizations) await createMember(worker, organization, 'OWNER');
  await worker.close();
  const first = await distribute(coordinator, name, () => undefined);
  assert.ok(first.distributed.length > 50, String(first.distributed));
  assert.deepEqual(first.copied, ['organizations', 'users']);
  const rows = await runOn(own, 'SELECT count(*)::integer AS count FROM trellis.memberships');
  assert.deepEqual(rows, [{ count: 3 }]);
  const mayCreate = `SELECT has_database_privilege('trellis_owner', current_database(), 'CREATE') AS create`;
  for (const url of citusNodes(name)) assert.deepEqual(await runOn(url, mayCreate), [{ create: true }], url);
  const again = await distribute(coordinator, name, () => undefined);
  assert.deepEqual([again.distributed, again.copied, again.rows], [[], [], first.rows]);
});

describe('a server on a distributed database', { skip: withoutCitus }, () => {
  let server: TestServer;
  before(async () => {
    server = await startTestServer({ distributed: true });
  });
  after(() => server.close());

  const send = async (method: string, path: string, body?: object): Promise<Json> => {
    const response = await server.call(method, path, body === undefined ? {} : { body });
    assert.ok(response.status < 300, `${method} ${path}: ${response.status} ${response.text}`);
    return response.json;
  };
  const namesOf = (page: Json) => page.items.map((item: Json) => item.name ?? item.title ?? item.displayName);

  test('publishing: sites, categories, tags and articles are created, changed, listed, found and deleted', async () => {
    const site = await send('POST', '/v1/sites', { name: 'News', key: 'news' });
    const category = await send('POST', `/v1/sites/${site.id}/categories`, { name: 'Root' });
    const leaf = await send('POST', `/v1/sites/${site.id}/categories`, {
      name: 'Leaf',
      parentId: category.id,
    });
    const tag = await send('POST', `/v1/sites/${site.id}/tags`, { name: 'Bees' });
    const articles = `/v1/sites/${site.id}/articles`;
    const article = await send('POST', articles, {
      articleData: { categoryIds: [leaf.id], primaryCategoryId: leaf.id, tagIds: [tag.id] },
      versionData: { title: 'Hives', body: 'A text about beekeeping.' },
    });
    await send('PATCH', `${articles}/${article.id}`, { versionData: { title: 'More hives' } });
    await send('PATCH', `${articles}/${article.id}`, { versionData: { status: 'IN_REVIEW' } });
    for (const query of [
      `?categoryId=${leaf.id}`,
      `?tagId=${tag.id}`,
      '?status=IN_REVIEW',
      '?search=hives',
      '/search?query=beekeeping',
    ])
      assert.equal((await send('GET', `${articles}${query}`)).items.length, 1, query);
    assert.equal((await send('GET', `${articles}/${article.id}/versions`)).items.length, 1);
    await send('DELETE', `${articles}/${article.id}`);
    assert.equal((await send('GET', articles)).items.length, 0);
    const [entry] = (await send('GET', '/v1/trash')).items;
    await send('POST', `/v1/trash/${entry.id}/restore`);
    assert.equal((await send('GET', articles)).items.length, 1);
  });

  test('customers, books, files, views and administration', async () => {
    const company = await send('POST', '/v1/crm/companies', {
      name: 'Hive Ltd',
      domains: ['hive.example'],
      tags: ['a'],
    });
    const contact = await send('POST', '/v1/crm/contacts', {
      firstName: 'Ada',
      lastName: 'Lovelace',
      emails: [{ address: 'ada@hive.example' }],
      tags: ['a', 'b'],
      companies: [{ companyId: company.id }],
    });
    await send('PATCH', `/v1/crm/contacts/${contact.id}`, { firstName: 'Eve', tags: ['c'] });
    assert.equal((await send('GET', '/v1/crm/contacts?email=ada@hive.example')).items.length, 1);
    assert.equal((await send('GET', '/v1/crm/contacts?tag=a')).items.length, 0);
    assert.equal((await send('GET', '/v1/crm/contacts/search?query=eve')).items.length, 1);
    await send('GET', '/v1/crm/contacts/counts?by=lifecycleStage');
    await send('POST', '/v1/books', { title: 'Frankenstein', isbn13: '9780306406157' });
    assert.deepEqual(namesOf(await send('GET', '/v1/books?isbn13=9780306406157')), ['Frankenstein']);
    const magazine = await send('POST', '/v1/magazines', { title: 'Nature' });
    await send('POST', `/v1/magazines/${magazine.id}/issues`, { year: 2026, number: '1' });
    await send('POST', '/v1/views', {
      name: 'Newest',
      resource: 'contacts',
      shared: true,
      query: 'sort=-updatedAt',
    });
    assert.deepEqual(namesOf(await send('GET', '/v1/views')), ['Newest']);
    const endpoint = await send('POST', '/v1/webhook-endpoints', {
      url: 'https://example.com/h',
      eventTypes: ['article.*'],
    });
    await send('GET', `/v1/webhook-endpoints/${endpoint.id}/deliveries`);
    for (const path of [
      'members',
      'roles',
      'clients',
      'tokens',
      'organization',
      'invitations',
      'sessions',
      'activity',
      'waiting',
      'events',
      'me',
    ])
      await send('GET', `/v1/${path}`);
    await send('PATCH', '/v1/organization', { name: 'Renamed' });
  });

  test('a repeated request has the stored response, and a value that is taken names its field', async () => {
    const options = { body: { name: 'Once', key: 'once' }, key: 'a-key-of-one-request' };
    const first = await server.call('POST', '/v1/sites', options);
    const second = await server.call('POST', '/v1/sites', options);
    assert.deepEqual([first.status, second.status], [201, 201]);
    assert.equal(second.text, first.text);
    const taken = await server.call('POST', '/v1/sites', { body: { name: 'Other', key: 'once' } });
    assert.equal(taken.status, 409, taken.text);
    assert.match(taken.text, /"\/key"/);
  });

  test('a private file is seen by its owner and by nobody else, and its text is not found', async () => {
    const file = await send('POST', '/v1/knowledge-files', { name: 'Secret plan', visibility: 'PRIVATE' });
    const { database, organization } = server;
    const other = await createMember(database.worker, organization, 'EDITOR');
    const { token } = await createToken(database.worker, organization, other);
    assert.equal((await server.call('GET', `/v1/knowledge-files/${file.id}`)).status, 200);
    assert.equal((await server.call('GET', `/v1/knowledge-files/${file.id}`, { token })).status, 404);
    const { json } = await server.call('GET', '/v1/knowledge-files/search?query=secret', { token });
    assert.deepEqual(json.items, []);
    assert.equal((await send('GET', '/v1/knowledge-files/search?query=secret')).items.length, 1);
  });

  for (const role of ['trellis_api'])
    test(`on every server, the shards show ${role} no rows without an organization, and only those of the one that is named`, async () => {
      const { database, organization } = server;
      const other = await createOrganization(database.worker, `other-${role.slice(8)}`);
      let own = 0;
      for (const url of citusNodes(database.name)) {
        const client = await connectAs(role, url);
        try {
          for (const name of await shardsOn(url, role)) {
            const count = async () =>
              (await client.query(`SELECT count(*)::integer AS count FROM ${name}`)).rows[0].count;
            assert.equal(await count(), 0, `${name} without an organization`);
            for (const { id } of [other, organization]) {
              await client.query(`SELECT set_config('trellis.organization', $1, false)`, [id]);
              const { rows } = await client.query(
                `SELECT count(*)::integer AS count FROM ${name} WHERE organization_id <> $1`,
                [id],
              );
              assert.equal(rows[0].count, 0, `${name} of others`);
              if (id === organization.id) own += await count();
            }
            await client.query(`SELECT set_config('trellis.organization', '', false)`);
          }
        } finally {
          await client.end();
        }
      }
      assert.equal(own > 0, role !== 'trellis_owner');
    });

  test('the status names the servers and their shards', async () => {
    const servers = await readDistribution(server.database.worker);
    assert.equal(servers?.length, citusNodes().length);
    assert.ok((servers ?? []).filter(({ role }) => role === 'worker').every(({ shards }) => shards > 0));
  });
});
