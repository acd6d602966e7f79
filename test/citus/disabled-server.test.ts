/**
 * A server of a prepared Citus cluster (see support/citus.ts) that is away and disabled meanwhile. Nothing else may use the cluster.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { builtInRoleIds } from '@trellis/schema/resources/roles.ts';
import { encodeId } from '@trellis/schema/values/ids.ts';
import { createOrganization } from '@trellis/server/administration/organizations.ts';
import { changeUserStatus } from '@trellis/server/administration/user-status.ts';
import { disableServer, enableServer } from '@trellis/server/database/distribution/disabled-servers.ts';
import { moveOrganization, readPlacement } from '@trellis/server/database/distribution/placement.ts';
import { readDistribution } from '@trellis/server/database/distribution/status.ts';
import { problemOfFailure } from '@trellis/server/database/failures.ts';
import { migrate } from '@trellis/server/database/migrate.ts';
import { makeToken } from '@trellis/server/identity/tokens.ts';
import { Secret, TOTP } from 'otpauth';
import pg from 'pg';
import { type AwayScene, makeAwayScene } from '../support/away-server.ts';
import { givePassword, TestBrowser } from '../support/browser-client.ts';
import { runOn, withoutCitus } from '../support/citus.ts';
import { whileCrashed } from '../support/crashed-server.ts';
import { createMember } from '../support/identities.ts';
import { until } from '../support/until.ts';

/** Two requests; Citus alone takes five seconds to refuse one. */
const patienceMs = 4_000;

describe('a server that is away and disabled', { skip: withoutCitus }, () => {
  let scene: AwayScene;
  before(async () => {
    scene = await makeAwayScene();
  });
  after(() => scene?.server.close());

  const options = () => {
    const { adminUrl, name } = scene.server.database;
    return { adminUrl, database: name, server: scene.frozen.address, log: () => undefined };
  };
  const enabled = async () => {
    const servers = await readDistribution(scene.server.database.worker);
    return servers?.filter((one) => one.enabled).map((one) => one.server);
  };

  test('one that can be reached, the coordinator and an unknown one are not disabled', async () => {
    const [all, { host }] = [await enabled(), new URL(options().adminUrl)];
    assert.equal(all?.length, 3);
    await assert.rejects(disableServer(options()), /can be reached/);
    await assert.rejects(disableServer({ ...options(), server: host }), /is the coordinator/);
    await assert.rejects(
      disableServer({ ...options(), server: 'nowhere:1' }),
      /nowhere:1 is no server of the cluster; there are 127/,
    );
    assert.equal((await enableServer(options())).isChanged, false);
    assert.deepEqual(await enabled(), all);
  });

  test('accounts are made and disabled and get other factors; the server gets them before it is used again', async () => {
    const { server, account, away, here, frozen } = scene;
    const { auth, worker, urls } = server.database;
    const [row] = await worker.run('SELECT key FROM trellis.organizations WHERE id = $1', [here]);
    const key = row?.[0] ?? '';
    const member = await givePassword(auth, await createMember(worker, server.organization, 'EDITOR'));
    const leaver = await givePassword(auth, await createMember(worker, server.organization, 'EDITOR'));
    const browser = new TestBrowser(server);
    await browser.signIn(member);
    const both = new TestBrowser(server);
    await both.signIn(account);
    await both.enter(away);
    const roleId = encodeId('role', builtInRoleIds.EDITOR);
    const email = 'newcomer@example.com';
    const invited = await server.call('POST', '/v1/invitations', { body: { email, roleId } });
    assert.equal(invited.status, 201, invited.text);
    const accept = () =>
      new TestBrowser(server).post('/auth/invitations/accept-with-new-account', {
        link: invited.json.link.split('#')[1],
        name: 'New Comer',
        password: 'nine quiet harbours wait',
      });
    const setUp = await browser.post('/auth/factors/totp');
    const { challenge, secret } = setUp.json;
    const totp = new TOTP({ secret: Secret.fromBase32(secret) });
    const confirm = () => browser.post('/auth/factors/totp/confirm', { challenge, code: totp.generate() });

    await whileCrashed(frozen.url, async () => {
      assert.equal((await accept()).status, 503);
      assert.deepEqual(await disableServer(options()), {
        server: frozen.address,
        isEnabled: false,
        rows: 0,
        isChanged: true,
      });
      assert.equal((await disableServer(options())).isChanged, false);
      await until('an account is made', async () => {
        const made = await accept();
        assert.ok([503, 200].includes(made.status), made.text);
        return made.status !== 503;
      });
      const confirmed = await confirm();
      assert.equal(confirmed.status, 200, confirmed.text);
      const changed = await changeUserStatus(auth, leaver.email, 'DISABLED');
      assert.deepEqual(changed.organizations, [key]);
      assert.equal((await server.call('GET', '/v1/members')).status, 200);
      // Who has an organization there is not changed, and learns it at once; an operator, from Citus.
      await assert.rejects(changeUserStatus(auth, account.email, 'DISABLED'));
      const began = performance.now();
      assert.equal((await both.call('DELETE', '/auth/session')).status, 503);
      assert.equal((await both.post(`/auth/organizations/${encodeId('org', away)}/enter`)).status, 503);
      const took = performance.now() - began;
      assert.ok(took < patienceMs, `they took ${took} ms`);
      // A token is looked up on the server of the organization that it names.
      assert.equal((await server.call('GET', '/v1/me', { token: makeToken(here) })).status, 401);
      assert.equal((await server.call('GET', '/v1/me', { token: makeToken(away) })).status, 503);
      both.organizationId = here;
      assert.equal((await both.get('/v1/sites')).status, 200);
    });

    // It is back, and not used.
    both.organizationId = away;
    for (let time = 0; time < 20; time += 1) assert.equal((await both.get('/v1/sites')).status, 503);
    const reads = `SELECT count(*)::integer AS users, count(*) FILTER (WHERE status = 'DISABLED')::integer AS disabled,
      count(*) FILTER (WHERE has_mfa)::integer AS protected FROM trellis.users`;
    const [{ shard } = { shard: '' }] = await runOn(
      frozen.url,
      `SELECT 'trellis.users_' || shardid AS shard FROM pg_dist_shard WHERE logicalrelid = 'trellis.users'::regclass`,
    );
    const there = async () => (await runOn(frozen.url, reads.replace('trellis.users', String(shard))))[0];
    const everywhere = (await runOn(options().adminUrl, reads))[0];
    const stale = await there();
    assert.deepEqual(
      [stale?.users, stale?.disabled, stale?.protected],
      [Number(everywhere?.users) - 1, 0, 0],
    );
    assert.deepEqual([everywhere?.disabled, everywhere?.protected], [1, 1]);
    await assert.rejects(
      migrate(urls.owner, () => undefined),
      /not all servers are in use: 127/,
    );
    const placed = { ...options(), key };
    await assert.rejects(moveOrganization(placed, frozen.address), /not all servers are in use/);

    const { rows, isEnabled } = await enableServer(options());
    assert.deepEqual([rows, isEnabled], [3, true]);
    assert.deepEqual(await there(), everywhere);
    await until('the server is used', async () => (await both.get('/v1/sites')).status === 200);
    // What changes from now on is changed there too.
    await untilDone(() => changeUserStatus(auth, leaver.email, 'ACTIVE'));
    assert.equal((await there())?.disabled, 0);
    await untilDone(() => createOrganization(worker, { key: 'afterwards' }));
    const { server: own } = await readPlacement(placed);
    assert.equal((await moveOrganization(placed, own)).isChanged, false);
  });

  test('changes that wait while it is enabled are made there as well', async () => {
    const { server, frozen } = scene;
    const { adminUrl, worker } = server.database;
    const user = await createMember(worker, server.organization, 'EDITOR');
    await whileCrashed(frozen.url, () => disableServer(options()));
    const open = new pg.Client({ connectionString: adminUrl });
    await open.connect();
    await open.query('BEGIN');
    await open.query('UPDATE trellis.users SET updated_at = updated_at WHERE id = $1', [server.ownerId]);
    const enabling = enableServer(options());
    const waiting = (query: string) =>
      until(`${query} waits`, async () => {
        const rows = await runOn(
          adminUrl,
          `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '${query}%'`,
        );
        return rows.length > 0;
      });
    await waiting('SELECT lock_shard_metadata');
    const changing = runOn(adminUrl, `UPDATE trellis.users SET status = 'DISABLED' WHERE id = '${user}'`);
    await waiting('UPDATE trellis.users');
    await open.query('COMMIT');
    await open.end();
    assert.equal((await enabling).isEnabled, true);
    await changing;
    const [{ shard } = { shard: '' }] = await runOn(
      adminUrl,
      `SELECT 'trellis.users_' || shardid AS shard FROM pg_dist_shard WHERE logicalrelid = 'trellis.users'::regclass`,
    );
    const found = await runOn(frozen.url, `SELECT status FROM ${shard} WHERE id = '${user}'`);
    assert.deepEqual(found, [{ status: 'DISABLED' }]);
  });

  test('what a server had prepared when it stopped does not keep it from being enabled', async () => {
    const { server, frozen } = scene;
    const { adminUrl, worker, auth } = server.database;
    const user = await untilDone(() => createMember(worker, server.organization, 'EDITOR'));
    const [row] = await auth.run('SELECT email FROM trellis.users WHERE id = $1', [user]);
    const [{ shard, group } = { shard: '', group: '' }] = await runOn(
      adminUrl,
      `SELECT 'trellis.users_' || s.shardid AS shard, n.groupid AS group FROM pg_dist_shard s, pg_dist_node n
       WHERE s.logicalrelid = 'trellis.users'::regclass AND n.nodeport = ${frozen.address.split(':')[1]}`,
    );
    // As if the coordinator had ended a change and not told this server, the first time, and begun none, the second.
    for (const [name, isNoted] of [
      [`citus_0_${process.pid}_1_0`, true],
      [`citus_0_${process.pid}_2_0`, false],
    ] as const) {
      await runOn(
        frozen.url,
        'SET citus.enable_manual_changes_to_shards = on',
        'BEGIN',
        `UPDATE ${shard} SET has_mfa = true WHERE id = '${user}'`,
        `PREPARE TRANSACTION '${name}'`,
      );
      if (isNoted)
        await runOn(adminUrl, `INSERT INTO pg_dist_transaction (groupid, gid) VALUES (${group}, '${name}')`);
      await whileCrashed(frozen.url, async () => {
        await disableServer(options());
        await untilDone(() => changeUserStatus(auth, row?.[0] ?? '', isNoted ? 'DISABLED' : 'ACTIVE'));
      });
      await enableServer(options());
      const [found] = await runOn(frozen.url, `SELECT status, has_mfa FROM ${shard} WHERE id = '${user}'`);
      assert.deepEqual(found, { status: isNoted ? 'DISABLED' : 'ACTIVE', has_mfa: false });
    }
  });
});

/** Repeats a change that gets 503: connections between servers from before one ended fail once. */
function untilDone<T>(change: () => Promise<T>): Promise<T> {
  return until('the change is made', async () => {
    try {
      return await change();
    } catch (error) {
      assert.equal(problemOfFailure(error)?.status, 503, String(error));
      return false;
    }
  });
}
