/** What is read and changed on a prepared Citus cluster (see support/citus.ts) goes to the server of its organization, without the coordinator. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { newUuid } from '@trellis/schema/values/ids.ts';
import { type Statement, step } from '@trellis/server/database/batch.ts';
import { Database } from '@trellis/server/database/database.ts';
import { Servers } from '@trellis/server/database/distribution/servers.ts';
import { ShardRoutes } from '@trellis/server/database/distribution/shard-routes.ts';
import { replaceHost } from '@trellis/server/database/hosts.ts';
import { accessLockStep } from '@trellis/server/identity/access-lock.ts';
import { setUserStatus } from '@trellis/server/identity/sign-in/user-status.ts';
import { runOn, withoutCitus } from '../support/citus.ts';
import { CuttingProxy } from '../support/cutting-proxy.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import {
  createMember,
  createOrganization,
  joinOrganization,
  type TestOrganization,
} from '../support/identities.ts';
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

const takeLock: Statement = { name: 'take_lock', text: 'SELECT trellis.lock_in_organization($1, $2, $3)' };
const renameUsers: Statement = {
  name: 'rename_users',
  text: 'UPDATE trellis.users SET name = name WHERE service_of = $1',
};

describe('organizations of a distributed database', { skip: withoutCitus }, () => {
  let stored: TestDatabase;
  let proxy: CuttingProxy;
  let api: Database;
  let servers: Servers;
  let routes: ShardRoutes;
  const organizations: TestOrganization[] = [];
  const options = {
    // An organization that is slow gets an eighth, and some tests have three of its transactions at once.
    poolSize: 24,
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
    routes = new ShardRoutes(api, servers, { ...options, url });
    api.routeToShards(routes);
  });
  after(async () => {
    await routes?.close();
    await servers?.close();
    await api?.close();
    await proxy?.close();
    await stored?.drop();
  });

  /** Two organizations on different servers. */
  async function oneOnEachServer(): Promise<[TestOrganization, TestOrganization]> {
    const byPort = new Map<string | null | undefined, TestOrganization>();
    for (const organization of organizations) {
      const [found] = await api.query({ organizationId: organization.id, userId: null }, [step(readPort)]);
      byPort.set(found?.rows[0]?.[0], organization);
    }
    const [one, other] = byPort.values();
    assert.ok(one && other);
    return [one, other];
  }

  const read = async ({ id }: TestOrganization, scope = id) => {
    const [found] = await api.query({ organizationId: scope, userId: null }, [step(readKeys, [id])]);
    return found?.rows.map(([key]) => key);
  };

  test('before their server is known, the coordinator serves their reads', async () => {
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

  test('they are read and changed while the coordinator is away', async () => {
    proxy.beforeRequest = () => true;
    proxy.cutAll();
    try {
      for (const organization of organizations) assert.deepEqual(await read(organization), ['OWNER']);
      for (const { id } of organizations) {
        const [renamed] = await api.execute({ organizationId: id, userId: null }, [step(rename, [id])]);
        assert.ok((renamed?.affected ?? 0) > 0);
      }
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

  test('a lock of an organization is the same in its shard and through the coordinator', async () => {
    for (const { id } of organizations.slice(0, 4)) {
      const scope = { organizationId: id, userId: null };
      const hold = (mode: string, everywhere: boolean, work: () => Promise<void>) =>
        api.transaction(scope, [step(takeLock, [id, '1', mode])], work, { everywhere });
      const tryLock = (everywhere: boolean) =>
        api.transaction(scope, [step(takeLock, [id, '1', 'try'])], async ([found]) => found?.rows[0]?.[0], {
          everywhere,
        });
      for (const everywhere of [true, false]) {
        assert.equal(await tryLock(everywhere), 't');
        await hold('exclusive', everywhere, async () => {
          assert.equal(await tryLock(!everywhere), 'f');
        });
        await hold('shared', everywhere, () =>
          hold('shared', !everywhere, async () => assert.equal(await tryLock(everywhere), 'f')),
        );
      }
    }
  });

  test('a shard does not move while it is changed, or a lock of its organization is held', async () => {
    const [one] = await oneOnEachServer();
    const scope = { organizationId: one.id, userId: null };
    const shard = `get_shard_id_for_distribution_column('trellis.roles', '${one.id}'::uuid)`;
    const [place] = await runOn(
      stored.adminUrl,
      `SELECT nodename || ':' || nodeport AS address FROM pg_dist_placement JOIN pg_dist_node USING (groupid) WHERE shardid = ${shard}`,
    );
    // As a move does on all servers, before the shard is elsewhere (ExclusiveLock).
    const moveAt = (url: string) =>
      runOn(url, `SET lock_timeout = '200ms'`, `SELECT lock_shard_metadata(7, ARRAY[${shard}])`);
    const ways = [
      {
        everywhere: false,
        first: step(rename, [one.id]),
        url: replaceHost(stored.adminUrl, String(place?.address)),
      },
      { everywhere: true, first: step(takeLock, [one.id, '1', 'shared']), url: stored.adminUrl },
    ];
    for (const { everywhere, first, url } of ways) {
      await api.transaction(scope, [first], () => assert.rejects(moveAt(url), { code: '55P03' }), {
        everywhere,
      });
      await moveAt(url);
    }
  });

  test('whoever disables a person waits for what has begun in all of their organizations', async () => {
    const [one, other] = await oneOnEachServer();
    const userId = await createMember(stored.worker, one, 'EDITOR');
    await joinOrganization(stored.worker, other.id, userId, 'EDITOR');
    for (const { id } of [one, other]) {
      const order: string[] = [];
      let disabled: Promise<void> | undefined;
      await api.transaction(
        { organizationId: id, userId },
        [accessLockStep('shared', id)],
        async (_, transaction) => {
          disabled = setUserStatus(stored.auth, userId, 'DISABLED', newUuid()).then(
            () => void order.push('disabled'),
          );
          await until('it waits for the lock', async () => {
            const waiting = await Promise.all(
              servers.state()?.map(({ address }) =>
                runOn(
                  replaceHost(stored.adminUrl, address),
                  `SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND NOT granted
                     AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
                ),
              ) ?? [],
            );
            return waiting.flat().length > 0;
          });
          order.push('written');
          await transaction.commit([]);
        },
      );
      await disabled;
      assert.deepEqual(order, ['written', 'disabled']);
      await setUserStatus(stored.auth, userId, 'ACTIVE', newUuid());
    }
  });

  test('what is on every server is not changed in a shard', async () => {
    const [first] = organizations;
    assert.ok(first);
    const scope = { organizationId: first.id, userId: null };
    await assert.rejects(
      api.execute(scope, [step(renameUsers, [first.id])]),
      /the coordinator has to send it/,
    );
  });

  test('where the shard is not, or no longer, the coordinator serves them', async () => {
    const state = servers.state() ?? [];
    // Each server with the shards of the other one.
    const exchanged = state.map((server, index) => ({
      ...server,
      shards: state[(index + 1) % state.length]?.shards ?? [],
    }));
    const late = new ShardRoutes(
      api,
      { state: () => exchanged, onChange: () => () => false },
      { ...options, url: stored.urls.api },
    );
    api.routeToShards(late);
    try {
      for (const organization of organizations) {
        await until('its server is known', () => late.knows(organization.id));
        assert.deepEqual(await read(organization), ['OWNER']);
        const scope = { organizationId: organization.id, userId: null };
        const [renamed] = await api.execute(scope, [step(rename, [organization.id])]);
        assert.ok((renamed?.affected ?? 0) > 0);
      }
    } finally {
      api.routeToShards(routes);
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
    api.routeToShards(null);
    const byCoordinator = await Promise.all(users.map(keysOf));
    api.routeToShards(routes);
    assert.deepEqual(inShard, byCoordinator);
    assert.match(inShard[1] ?? '', /,read:book,read:contact$/);
  });
});
