/** What the command line does for signing in: links, and the role of the database. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { migrate } from '@trellis/server/kernel/database/migrate.ts';
import { makeRolePasswords, setUpDatabase } from '@trellis/server/kernel/database/setup.ts';
import pg from 'pg';
import { TestBrowser } from '../support/browser-client.ts';
import { startTestCluster } from '../support/cluster.ts';
import { runCommand, settingsOf } from '../support/program.ts';
import { expectProblem } from '../support/refusals.ts';
import { startTestServer } from '../support/server.ts';

const server = await startTestServer();
const environment: Record<string, string> = {
  ...settingsOf(server.database),
  TRELLIS_BASE_URL: 'https://cms.example.com/v1',
};
after(() => server.close());

test('trellis user sign-in-link makes a link that is good once', async () => {
  const [row] = await server.database.worker.run('SELECT email FROM trellis.users WHERE id = $1', [
    server.ownerId,
  ]);
  const email = row?.[0] ?? '';
  const made = await runCommand(['user', 'sign-in-link', email.toUpperCase(), '--json'], environment);
  assert.equal(made.code, 0, made.stderr);
  const [, link = ''] =
    /^https:\/\/cms\.example\.com\/console\/link#([0-9A-Za-z]{43})$/.exec(made.json().link) ?? [];
  assert.ok(Date.parse(made.json().expiresAt) > Date.now());
  const browser = new TestBrowser(server);
  assert.equal((await browser.post('/auth/links/redeem', { link })).json.user.email, email);
  expectProblem(await browser.post('/auth/links/redeem', { link }), 410, 'link_invalid');

  const unknown = await runCommand(['user', 'sign-in-link', 'nobody@example.com'], environment);
  assert.equal(unknown.code, 1);
  assert.match(unknown.stderr, /^There is no active user "nobody@example.com"/);
  const { TRELLIS_DATABASE_AUTH_URL: _auth, ...without } = environment;
  const refused = await runCommand(['user', 'sign-in-link', email], without);
  assert.equal(refused.code, 1);
  assert.match(refused.stderr, /set TRELLIS_DATABASE_AUTH_URL/);
});

test('a role that is missing is made, and the others stay as they are', async () => {
  const cluster = await startTestCluster();
  try {
    const urls = await setUpDatabase(cluster.adminUrl, 'trellis', makeRolePasswords());
    const admin = new pg.Client({ connectionString: cluster.adminUrl });
    await admin.connect();
    await admin.query('REVOKE ALL ON DATABASE trellis FROM trellis_auth; DROP ROLE trellis_auth');
    await admin.end();
    await assert.rejects(
      migrate(urls.owner, () => undefined),
      /role "trellis_auth" does not exist/,
    );

    const words = ['database', 'setup', '--only-missing', '--admin-url', cluster.adminUrl, '--json'];
    const made = await runCommand(words);
    assert.equal(made.code, 0, made.stderr);
    assert.deepEqual(Object.keys(made.json()), ['TRELLIS_DATABASE_AUTH_URL']);
    await migrate(urls.owner, () => undefined);
    for (const connectionString of [urls.api, urls.worker, made.json().TRELLIS_DATABASE_AUTH_URL]) {
      const client = new pg.Client({ connectionString });
      await client.connect();
      await client.query('SELECT count(*) FROM trellis.organizations');
      await client.end();
    }
    assert.deepEqual((await runCommand(words)).json(), {});
  } finally {
    await cluster.stop();
  }
});
