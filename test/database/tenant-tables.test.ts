/** The recording of table changes, which tests of refusals rely on: it must see every change, and nothing else. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, test } from 'node:test';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { createSite, writeSite } from '../support/events.ts';
import {
  createMember,
  createOrganization,
  createToken,
  type TestOrganization,
} from '../support/identities.ts';
import { TenantTables } from '../support/tenant-tables.ts';

let database: TestDatabase;
let tables: TenantTables;
let organization: TestOrganization;
before(async () => {
  database = await createTestDatabase({ poolSize: 2 });
  tables = await TenantTables.open(database);
  organization = await createOrganization(database.worker, randomUUID());
});
after(async () => {
  await tables.close();
  await database.drop();
});

test('inserted, updated and deleted rows are counted by table', async () => {
  await tables.takeChanges();
  const site = await createSite(database.api, organization.id);
  const created = await tables.takeChanges();
  assert.equal(created.sites, 1);
  await writeSite(database.api, organization.id, site);
  assert.deepEqual(await tables.takeChanges(), { outbox: 1, sites: 1 });
  await tables.run('DELETE FROM trellis.sites WHERE id = $1', [site]);
  assert.equal((await tables.takeChanges()).sites, 1);
  assert.deepEqual(await tables.takeChanges(), {});
});

test('rolled back and unchanged rows are not counted', async () => {
  const site = await createSite(database.api, organization.id);
  await tables.takeChanges();
  await writeSite(database.api, organization.id, site, { rollBack: true });
  await tables.run('UPDATE trellis.sites SET name = name WHERE id = $1', [site]);
  assert.deepEqual(await tables.takeChanges(), {});
});

test('a change of last_used_at of a token is not counted, its revocation is', async () => {
  const owner = await createMember(database.worker, organization, 'OWNER');
  const { id } = await createToken(database.worker, organization, owner);
  await tables.takeChanges();
  await tables.run('UPDATE trellis.tokens SET last_used_at = now() WHERE id = $1', [id]);
  assert.deepEqual(await tables.takeChanges(), {});
  await tables.run('UPDATE trellis.tokens SET revoked_at = now() WHERE id = $1', [id]);
  assert.deepEqual(await tables.takeChanges(), { tokens: 1 });
});
