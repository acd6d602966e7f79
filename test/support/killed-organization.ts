/** An organization behind a server that the fault tests kill, with a connection that sees all rows. */
import { Database } from '@trellis/server/kernel/database/database.ts';
import { createTestDatabase, type TestDatabase } from './database.ts';
import { createMember, createOrganization, createToken } from './identities.ts';
import { KillableServer } from './killable-server.ts';

export interface KilledOrganization {
  readonly database: TestDatabase;
  readonly admin: Database;
  /** Not started yet. */
  readonly server: KillableServer;
  /** A token of its owner. */
  readonly token: string;
  close(): Promise<void>;
}

/** Creates all of it. @param key of the organization */
export async function createKilledOrganization(key: string): Promise<KilledOrganization> {
  const database = await createTestDatabase();
  const admin = new Database({
    url: database.adminUrl,
    poolSize: 1,
    prepare: false,
    acquireTimeoutMs: 5_000,
    applicationName: 'trellis fault test',
    log: () => undefined,
  });
  const organization = await createOrganization(database.worker, key);
  const owner = await createMember(database.worker, organization, 'OWNER');
  const { token } = await createToken(database.worker, organization, owner);
  const server = await KillableServer.create(database.urls.api);
  return {
    database,
    admin,
    server,
    token,
    async close() {
      await server.kill();
      await admin.close();
      await database.drop();
    },
  };
}
