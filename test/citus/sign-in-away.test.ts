/**
 * A person with organizations on two servers of a prepared Citus cluster (see support/citus.ts), one of which is frozen: they sign in and work in the other
 * organization. Nothing else may use the cluster meanwhile.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { builtInRoleIds } from '@trellis/schema/resources/roles.ts';
import { encodeId } from '@trellis/schema/values/ids.ts';
import { distribute } from '@trellis/server/database/distribution/distribute.ts';
import { makeAwayScene } from '../support/away-server.ts';
import { givePassword, type TestAccount, TestBrowser } from '../support/browser-client.ts';
import { runOn, withoutCitus } from '../support/citus.ts';
import { createMember } from '../support/identities.ts';
import type { TestServer } from '../support/server.ts';
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
    ({ server, account, away, here, frozen } = await makeAwayScene());
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

  test('who belongs to no organization there accepts invitations, confirms, changes the password and signs out; who has entered one there gets 503', async () => {
    const { auth, worker } = server.database;
    const member = await givePassword(auth, await createMember(worker, server.organization, 'EDITOR'));
    const browser = new TestBrowser(server);
    const other = new TestBrowser(server);
    for (const one of [browser, other]) await one.signIn(member);
    const both = new TestBrowser(server);
    await both.signIn(account);
    await both.enter(away);
    // Somebody with an account, who is a member of nothing yet.
    const guest = await givePassword(auth, await createMember(worker, server.organization, 'EDITOR'));
    await runOn(
      server.database.adminUrl,
      `DELETE FROM trellis.memberships WHERE user_id = '${guest.userId}'`,
    );
    const roleId = encodeId('role', builtInRoleIds.EDITOR);
    const invited = await server.call('POST', '/v1/invitations', { body: { email: guest.email, roleId } });
    assert.equal(invited.status, 201, invited.text);
    const link = invited.json.link.split('#')[1];

    await whileStopped(frozen, async () => {
      const { password } = member;
      const newcomer = new TestBrowser(server);
      const signedIn = await newcomer.post('/auth/password', {
        email: guest.email,
        password: guest.password,
      });
      assert.equal(signedIn.status, 200, signedIn.text);
      assert.equal((await newcomer.post('/auth/invitations/read', { link })).status, 200);
      const accepted = await newcomer.post('/auth/invitations/accept', { link });
      assert.equal(accepted.status, 204, accepted.text);
      await newcomer.enter(here);
      assert.equal((await newcomer.get('/v1/sites')).status, 200);
      const before = browser.secret;
      const confirmed = await browser.post('/auth/session/step-up', { password });
      assert.equal(confirmed.status, 200, confirmed.text);
      assert.notEqual(browser.secret, before);
      const changed = await browser.call('PUT', '/auth/factors/password', {
        password: 'nine quiet harbours wait',
        currentPassword: password,
      });
      assert.equal(changed.status, 204, changed.text);
      // The change has ended the other session, also in the organization.
      assert.equal((await other.get('/v1/sites')).status, 401);
      assert.equal((await browser.get('/v1/sites')).status, 200);
      const left = await browser.call('DELETE', '/auth/session');
      assert.equal(left.status, 204, left.text);

      const refused = await both.call('DELETE', '/auth/session');
      assert.equal(refused.status, 503, refused.text);
      // Signing in anew goes on, although the session that the browser has cannot be ended.
      const again = new TestBrowser(server);
      again.cookie = both.cookie;
      const { email, password: own } = account;
      const signedInAgain = await again.post('/auth/password', { email, password: own });
      assert.equal(signedInAgain.status, 200, signedInAgain.text);
      assert.notEqual(again.secret, both.secret);
    });

    // Nothing of it was done.
    assert.equal((await both.get('/auth/session')).status, 200);
    await until('the server is back', async () => (await both.get('/v1/sites')).status === 200);
    assert.equal((await both.call('DELETE', '/auth/session')).status, 204);
    assert.equal((await both.get('/v1/sites')).status, 401);
  });

  test('a session that enters another organization while it is being ended has no token there afterwards', async () => {
    const browser = new TestBrowser(server);
    await browser.signIn(account);
    const { adminUrl, auth } = server.database;
    // As if the other one had never been entered.
    await runOn(
      adminUrl,
      `UPDATE trellis.organizations_of_people SET organization_ids = array_remove(organization_ids, '${away}')`,
    );
    const { queryInBackground } = auth;
    let entered = 0;
    auth.queryInBackground = async (steps) => {
      const results = await queryInBackground.call(auth, steps);
      if (steps[0]?.statement.name !== 'organizations_of_person' || entered > 0) return results;
      entered += 1;
      await browser.enter(away);
      return results;
    };
    const left = await browser.call('DELETE', '/auth/session').finally(() => {
      auth.queryInBackground = queryInBackground;
    });
    assert.deepEqual([left.status, entered], [204, 1], left.text);
    const valid = await runOn(
      adminUrl,
      `SELECT t.organization_id FROM trellis.tokens t JOIN trellis.sessions s ON s.id = t.session_id
       WHERE s.ended_at IS NOT NULL AND t.revoked_at IS NULL`,
    );
    assert.deepEqual(valid, []);
  });

  test('the organizations of before are found when a person first needs them', async () => {
    const { adminUrl, name } = server.database;
    const noted = () =>
      runOn(
        adminUrl,
        `SELECT ARRAY(SELECT DISTINCT unnest(organization_ids) ORDER BY 1)::text AS ids, is_complete
         FROM trellis.organizations_of_people WHERE user_id = '${server.ownerId}'`,
      );
    const before = await noted();
    assert.equal(before[0]?.ids, `{${[here, away].sort().join()}}`);
    const table = 'trellis.organizations_of_people';
    for (const { forgotten, isDistributed } of [
      { forgotten: `DELETE FROM ${table}`, isDistributed: false },
      {
        forgotten: `UPDATE ${table} SET organization_ids = '{${here}}', is_complete = false`,
        isDistributed: false,
      },
      // Distributing again finds what is missing.
      { forgotten: `DELETE FROM ${table}`, isDistributed: true },
      { forgotten: `UPDATE ${table} SET organization_ids = '{${here}}'`, isDistributed: true },
    ]) {
      const browser = new TestBrowser(server);
      await browser.signIn(account);
      await browser.enter(away);
      await runOn(adminUrl, `${forgotten} WHERE user_id = '${server.ownerId}'`);
      if (isDistributed) {
        await distribute(adminUrl, name, () => undefined);
        assert.deepEqual(await noted(), before);
      }
      assert.equal((await browser.call('DELETE', '/auth/session')).status, 204);
      assert.deepEqual(await noted(), before);
      assert.equal((await browser.get('/v1/sites')).status, 401);
    }
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
