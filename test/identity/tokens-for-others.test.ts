/** The migration of tokens: those that somebody made for somebody else end, each with an event in its organization, and no others do. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { encodeId } from '@trellis/schema/values/ids.ts';
import { migrate } from '@trellis/server/database/migrate.ts';
import pg from 'pg';
import { createMember, createOrganization, createToken } from '../support/identities.ts';
import { runIndexJobs } from '../support/indexing.ts';
import { startTestServer, type TestServer } from '../support/server.ts';

let server: TestServer;
let admin: pg.Client;
before(async () => {
  server = await startTestServer();
  admin = new pg.Client({ connectionString: server.database.adminUrl });
  await admin.connect();
});
after(async () => {
  await admin?.end();
  await server?.close();
});

/** Restores the tables of the previous release. */
const goBack = `
  DROP POLICY service_members_made ON trellis.users;
  DROP POLICY service_members_named ON trellis.users;
  ALTER TABLE trellis.users DROP COLUMN service_of CASCADE, ALTER COLUMN email SET NOT NULL, ALTER COLUMN email_normalized SET NOT NULL;
  ALTER TABLE trellis.memberships DROP COLUMN responsible_user_id CASCADE;
  DELETE FROM trellis.migrations WHERE name LIKE '0043%'`;

test('a token that somebody made for somebody else is ended by the migration, with an event', async () => {
  const { worker } = server.database;
  const other = await createOrganization(worker, 'other');
  const ended: string[] = [];
  const kept: string[] = [];
  for (const organization of [server.organization, other]) {
    const user = await createMember(worker, organization, 'EDITOR');
    const maker = await createMember(worker, organization, 'ADMIN');
    for (const [createdBy, ids] of [
      [maker, ended],
      [user, kept],
      [null, kept],
    ] as const) {
      const { id } = await createToken(worker, organization, user);
      await admin.query('UPDATE trellis.tokens SET created_by = $2 WHERE id = $1', [id, createdBy]);
      ids.push(id);
    }
  }
  await admin.query('DELETE FROM trellis.outbox');
  await admin.query(goBack);
  await migrate(server.database.urls.owner, () => undefined);
  const { rows } = await admin.query<{ id: string; revoked: boolean }>(
    'SELECT id, revoked_at IS NOT NULL AS revoked FROM trellis.tokens WHERE id = ANY ($1)',
    [[...ended, ...kept]],
  );
  const idsOf = (revoked: boolean) => rows.filter((row) => row.revoked === revoked).map(({ id }) => id);
  assert.deepEqual(idsOf(true).sort(), [...ended].sort());
  assert.deepEqual(idsOf(false).sort(), [...kept].sort());
  const { rows: events } = await admin.query(
    'SELECT type, subject_id, readers, organization_id FROM trellis.outbox ORDER BY subject_id',
  );
  const organizations = [server.organization.id, other.id];
  assert.deepEqual(
    events,
    ended
      .map((subjectId, index) => ({
        type: 'token.deleted',
        subject_id: subjectId,
        readers: ['OWNER', 'ADMIN'],
        organization_id: organizations[index],
      }))
      .sort((one, another) => (one.subject_id < another.subject_id ? -1 : 1)),
  );
  await runIndexJobs(server.database);
  const listed = await server.call('GET', '/v1/tokens?limit=100');
  const shown: string[] = listed.json.items.map(({ id }: { id: string }) => id);
  assert.ok(kept.slice(0, 2).every((id) => shown.includes(encodeId('token', id))));
  assert.ok(ended.every((id) => !shown.includes(encodeId('token', id))));
});
