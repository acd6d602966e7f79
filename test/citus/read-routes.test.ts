/** Reads on a prepared Citus cluster (see support/citus.ts) go to the server of their organization, without the coordinator. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { newUuid } from '@trellis/schema/values/ids.ts';
import { type Statement, step } from '@trellis/server/database/batch.ts';
import { Database } from '@trellis/server/database/database.ts';
import { ReadRoutes } from '@trellis/server/database/distribution/read-routes.ts';
import { Servers } from '@trellis/server/database/distribution/servers.ts';
import { replaceHost } from '@trellis/server/database/hosts.ts';
import { runOn, withoutCitus } from '../support/citus.ts';
import { CuttingProxy } from '../support/cutting-proxy.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { createMember, createOrganization, type TestOrganization } from '../support/identities.ts';
import { until } from '../support/until.ts';

const readKeys: Statement = {
  name: 'read_role_keys',
  text: `SELECT key FROM trellis.roles WHERE organization_id = $1 AND key = 'OWNER'`,
};
const readPort: Statement = { name: 'read_port', text: 'SELECT inet_server_port()' };
const readSecret: Statement = {
  name: 'read_secret',
  text: 'SELECT secret_hash FROM trellis.invitations WHERE organization_id = $1',
};
const readReaders: Statement = {
  name: 'read_readers',
  text: `SELECT array_to_string(trellis.current_readers(), ',')`,
};
const rename: Statement = {
  name: 'rename_role',
  text: 'UPDATE trellis.roles SET name = name WHERE organization_id = $1',
};

describe('reads of a distributed database', { skip: withoutCitus }, () => {
  let stored: TestDatabase;
  let proxy: CuttingProxy;
  let api: Database;
  let servers: Servers;
  let routes: ReadRoutes;
  const organizations: TestOrganization[] = [];
  const options = {
    poolSize: 2,
    prepare: true,
    acquireTimeoutMs: 5_000,
    applicationName: 'trellis test',
    log: () => undefined,
  };

  before(async () => {
    stored = await createTestDatabase({ distributed: true });
    // With so many, both servers have some.
    for (let index = 0; index < 12; index += 1)
      organizations.push(await createOrganization(stored.worker, `org-${index}`));
    proxy = await CuttingProxy.start(stored.urls.api);
    const url = replaceHost(stored.urls.api, new URL(proxy.url).host);
    api = new Database({ ...options, url });
    servers = new Servers(api, { ...options, url });
    routes = new ReadRoutes(api, servers, { ...options, url });
    api.routeReads(routes);
  });
  after(async () => {
    await routes?.close();
    await servers?.close();
    await api?.close();
    await proxy?.close();
    await stored?.drop();
  });

  const read = async ({ id }: TestOrganization, scope = id) => {
    const [found] = await api.query({ organizationId: scope, userId: null }, [step(readKeys, [id])]);
    return found?.rows.map(([key]) => key);
  };

  test('before their server is known, the coordinator serves them', async () => {
    for (const organization of organizations) assert.deepEqual(await read(organization), ['OWNER']);
  });

  test('each organization has the server that Citus names', async () => {
    const ports = new Set<string | null | undefined>();
    for (const { id } of organizations) {
      await until('its server is known', () => routes.knows(id));
      const [found] = await api.query({ organizationId: id, userId: null }, [step(readPort)]);
      const [place] = await runOn(
        stored.adminUrl,
        `SELECT nodeport::text AS port FROM pg_dist_placement JOIN pg_dist_node USING (groupid)
         WHERE shardid = get_shard_id_for_distribution_column('trellis.roles', '${id}'::uuid)`,
      );
      assert.equal(found?.rows[0]?.[0], place?.port);
      ports.add(found?.rows[0]?.[0]);
    }
    assert.equal(ports.size, 2);
  });

  test('they go on while the coordinator is away, and changes fail', async () => {
    proxy.beforeRequest = () => true;
    proxy.cutAll();
    try {
      for (const organization of organizations) assert.deepEqual(await read(organization), ['OWNER']);
      const [first] = organizations;
      assert.ok(first);
      const scope = { organizationId: first.id, userId: null };
      await assert.rejects(api.execute(scope, [step(rename, [first.id])]));
    } finally {
      proxy.beforeRequest = () => false;
    }
  });

  test('on its server, an organization sees nothing of another one', async () => {
    const [first] = organizations;
    assert.ok(first);
    for (const other of organizations.slice(1)) assert.deepEqual(await read(other, first.id), []);
  });

  test('what an organization may not read on the coordinator, it may not read in its shard', async () => {
    const [first] = organizations;
    assert.ok(first);
    const scope = { organizationId: first.id, userId: null };
    await assert.rejects(api.query(scope, [step(readSecret, [first.id])]), { code: '42501' });
    await assert.rejects(api.query(scope, [step(rename, [first.id])]), { code: '25006' });
  });

  test('where the shard is not, or no longer, the coordinator serves them', async () => {
    const state = servers.state() ?? [];
    // Each server with the shards of the other one.
    const exchanged = state.map((server, index) => ({
      ...server,
      shards: state[(index + 1) % state.length]?.shards ?? [],
    }));
    const late = new ReadRoutes(
      api,
      { state: () => exchanged, onChange: () => () => false },
      { ...options, url: stored.urls.api },
    );
    api.routeReads(late);
    try {
      for (const organization of organizations) {
        await until('its server is known', () => late.knows(organization.id));
        assert.deepEqual(await read(organization), ['OWNER']);
      }
    } finally {
      api.routeReads(routes);
      await late.close();
    }
  });

  test('the reader keys of a user are the same as those that the coordinator names', async () => {
    const [organization] = organizations;
    assert.ok(organization);
    const owner = await createMember(stored.worker, organization, 'OWNER');
    const custom = await createMember(stored.worker, organization, 'EDITOR');
    const role = newUuid();
    await runOn(
      stored.adminUrl,
      `INSERT INTO trellis.roles (organization_id, id, version, created_at, updated_at, key, name, grants, built_in)
       VALUES ('${organization.id}', '${role}', 1, now(), now(), 'custom', 'Custom',
         '[{"resource":"book","action":"read"},{"resource":"book","action":"create"},{"resource":"contact","action":"read"}]', false)`,
      `UPDATE trellis.memberships SET role = '${role}' WHERE organization_id = '${organization.id}' AND user_id = '${custom}'`,
    );
    const keysOf = async (userId: string | null) => {
      const [found] = await api.query({ organizationId: organization.id, userId }, [step(readReaders)]);
      return found?.rows[0]?.[0];
    };
    const users = [owner, custom, newUuid(), null];
    const inShard = await Promise.all(users.map(keysOf));
    api.routeReads({ knows: () => false, read: async () => null });
    const byCoordinator = await Promise.all(users.map(keysOf));
    api.routeReads(routes);
    assert.deepEqual(inShard, byCoordinator);
    assert.match(inShard[1] ?? '', /,read:book,read:contact$/);
  });
});
