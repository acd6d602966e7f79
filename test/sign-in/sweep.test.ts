/** The sweep of what signing in leaves behind: what cannot be deleted now does not keep the rest. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { makeLink } from '@trellis/server/features/sign-in/links.ts';
import { sweepSignIn } from '@trellis/server/features/sign-in/sweep.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { createMember, createOrganization } from '../support/identities.ts';

let database: TestDatabase;
before(async () => {
  database = await createTestDatabase({ poolSize: 4 });
});
after(() => database.drop());

test('rows that somebody has locked keep no others', async () => {
  const { auth, worker } = database;
  const organization = await createOrganization(worker, 'acme');
  const userId = await createMember(worker, organization, 'EDITOR');
  await makeLink(auth, 'SIGN_IN', userId, 'https://trellis.test');
  await auth.run(`UPDATE trellis.sign_in_links SET expires_at = now() - interval '2 days'`);
  await auth.run(`INSERT INTO trellis.sign_in_challenges (secret_hash, kind, user_id, data, expires_at)
    VALUES (sha256('challenge'), 'EXTERNAL', NULL, '{}', now() - interval '1 hour')`);
  await auth.run(`INSERT INTO trellis.sign_in_delays (subject, failures, blocked_until, updated_at)
    VALUES (sha256('subject'), 1, now() - interval '3 hours', now() - interval '3 hours')`);
  const counts = () =>
    auth.run(`SELECT (SELECT count(*) FROM trellis.sign_in_links), (SELECT count(*) FROM trellis.sign_in_challenges),
      (SELECT count(*) FROM trellis.sign_in_delays)`);

  await auth.backgroundTransaction(
    [{ statement: { name: '', text: 'SELECT FROM trellis.sign_in_links FOR UPDATE' }, values: [] }],
    async (_locked, transaction) => {
      await assert.rejects(sweepSignIn(auth), AggregateError);
      await transaction.commit([]);
    },
  );
  assert.deepEqual(await counts(), [['1', '0', '0']]);
  await sweepSignIn(auth);
  assert.deepEqual(await counts(), [['0', '0', '0']]);
});
