/**
 * A person with organizations on two servers of a prepared Citus cluster (see support/citus.ts), one of which is frozen: they sign in and work in the other
 * organization. Nothing else may use the cluster meanwhile.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { decodeId, encodeId } from '@trellis/schema/values/ids.ts';
import { createOrganization } from '@trellis/server/administration/organizations.ts';
import { givePassword, type TestAccount, TestBrowser } from '../support/browser-client.ts';
import { citusNodes, runOn, withoutCitus } from '../support/citus.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { whileStopped } from '../support/stopped-cluster.ts';
import { until } from '../support/until.ts';

/** How long a request may take while a server is frozen that is not known to be away yet, in ms. */
const patienceMs = 10_000;

describe('signing in while a server is frozen', { skip: withoutCitus }, () => {
  let server: TestServer;
  let account: TestAccount;
  /** Uuids of the organizations on the server that is frozen, and on another one. */
  let away: string;
  let here: string;
  let frozen: { readonly pid: number };

  before(async () => {
    server = await startTestServer({ distributed: true });
    const { adminUrl, auth, name } = server.database;
    account = await givePassword(auth, server.ownerId);
    here = server.organization.id;
    const own = await placeOf(adminUrl, here);
    away = await makeOrganizationElsewhere(server, own);
    const place = await placeOf(adminUrl, away);
    const url = citusNodes(name).find((one) => new URL(one).host === place);
    assert.ok(url);
    const [row] = await runOn(url, `SELECT (pg_read_file('postmaster.pid', 0, 20)::text) AS text`);
    frozen = { pid: Number(String(row?.text).split('\n')[0]) };
  });
  after(() => server?.close());

  test('a person signs in, sees what is missing, and works in the other organization', async () => {
    const before = new TestBrowser(server);
    await before.signIn(account);
    await before.enter(away);
    await untilListed(before, [here, away], true);

    await whileStopped(frozen, async () => {
      const browser = new TestBrowser(server);
      const signedIn = await browser.post('/auth/password', {
        email: account.email,
        password: account.password,
      });
      assert.equal(signedIn.status, 200, signedIn.text);
      const began = performance.now();
      assert.deepEqual(await listed(browser), { ids: [encodeId('org', here)], isComplete: false });
      const took = performance.now() - began;
      assert.ok(took < patienceMs, `the list took ${took} ms`);

      await browser.enter(here);
      const site = { key: 'away', name: 'Away', defaultLocale: 'en' };
      const created = await browser.post('/v1/sites', site);
      assert.equal(created.status, 201, created.text);
      assert.equal((await browser.get(`/v1/sites/${created.json.id}`)).status, 200);
      // Of the session that has entered both.
      assert.equal((await before.post('/auth/session/use')).status, 204);
      before.organizationId = here;
      assert.equal((await before.get(`/v1/sites/${created.json.id}`)).status, 200);
    });

    await untilListed(before, [here, away], true);
    await before.enter(away);
    assert.equal((await before.get('/v1/sites')).status, 200);
  });

  test('the use of a session is noted of its tokens on every server', async () => {
    const browser = new TestBrowser(server);
    await browser.signIn(account);
    await browser.enter(away);
    const { adminUrl } = server.database;
    const tokens = `trellis.tokens WHERE last_used_at < now() - interval '5 minutes' AND session_id IS NOT NULL`;
    await runOn(
      adminUrl,
      `UPDATE trellis.tokens SET last_used_at = now() - interval '10 minutes' WHERE session_id IS NOT NULL`,
    );
    const [{ id } = { id: '' }] = await runOn(
      adminUrl,
      'SELECT id FROM trellis.sessions ORDER BY created_at DESC LIMIT 1',
    );
    const left = () => runOn(adminUrl, `SELECT organization_id FROM ${tokens} AND session_id = '${id}'`);
    assert.equal((await left()).length, 4);
    assert.equal((await browser.post('/auth/session/use')).status, 204);
    assert.deepEqual(await left(), []);
  });
});

/** Host and port of the server that has an organization. */
async function placeOf(adminUrl: string, id: string): Promise<string> {
  const [row] = await runOn(
    adminUrl,
    `SELECT nodename || ':' || nodeport AS place FROM pg_dist_placement JOIN pg_dist_node USING (groupid)
     WHERE shardid = get_shard_id_for_distribution_column('trellis.memberships', '${id}'::uuid)`,
  );
  return String(row?.place);
}

/** Makes organizations until one is on another server, with the owner of the first one. @returns its uuid */
async function makeOrganizationElsewhere({ database, ownerId }: TestServer, place: string): Promise<string> {
  for (let number = 0; number < 40; number += 1) {
    const created = await createOrganization(database.worker, { key: `other-${number}` });
    const id = decodeId('org', created.id) ?? '';
    if ((await placeOf(database.adminUrl, id)) === place) continue;
    await runOn(
      database.adminUrl,
      `INSERT INTO trellis.memberships (organization_id, user_id, role) VALUES ('${id}', '${ownerId}', 'OWNER')`,
    );
    return id;
  }
  throw new Error('40 organizations are on one of two servers');
}

async function listed(browser: TestBrowser): Promise<{ ids: string[]; isComplete: boolean }> {
  const { status, text, json } = await browser.get('/auth/organizations');
  assert.equal(status, 200, text);
  return { ids: json.items.map(({ id }: { id: string }) => id), isComplete: json.isComplete };
}

async function untilListed(browser: TestBrowser, ids: readonly string[], isComplete: boolean): Promise<void> {
  await until('the organizations are listed', async () => {
    const found = await listed(browser);
    return (
      found.isComplete === isComplete &&
      found.ids.sort().join() ===
        ids
          .map((id) => encodeId('org', id))
          .sort()
          .join()
    );
  });
}
