/**
 * Tells other processes that who may do what has changed, so that their reads do not use what they remember for up to two seconds more.
 * It only makes that sooner: nothing depends on it. PostgreSQL serializes transactions that notify, so it is never part of a
 * write, but a statement of its own after changes of administration, which are rare.
 */
import type { Database } from '../database/database.ts';

/** The channel of NOTIFY. Its messages are the uuid of an organization, or empty for all. */
export const accessChannel = 'trellis_access';

/** How long one message of a process waits for others that go with it, in ms. */
const gatherMs = 50;
/** Organizations of one message; of more it says "all". */
const maxTogether = 100;

/** Tells of changes in organizations (uuids), or in all. A failure is no matter: what is remembered expires by itself. */
export async function announceAccess(
  database: Database,
  organizationIds: readonly string[] | 'all',
): Promise<void> {
  const messages = organizationIds === 'all' || organizationIds.length > maxTogether ? [''] : organizationIds;
  const tell = `SELECT pg_notify('${accessChannel}', message) FROM unnest($1::text[]) message`;
  await database
    .run(tell, [`{${messages.map((message) => `"${message}"`).join(',')}}`])
    .catch(() => undefined);
}

/** Tells of the changes of a process, few statements at a time, however many changes there are. */
export class AccessNews {
  private readonly database: Database;
  private readonly changed = new Set<string>();
  private running: Promise<void> | null = null;

  constructor(database: Database) {
    this.database = database;
  }

  /** Tells soon that something has changed in an organization (uuid). */
  tell(organizationId: string): void {
    this.changed.add(organizationId);
    this.running ??= this.run();
  }

  /** Waits until everything is told. */
  async finish(): Promise<void> {
    await this.running;
  }

  private async run(): Promise<void> {
    while (this.changed.size > 0) {
      await new Promise((resolve) => setTimeout(resolve, gatherMs));
      const changed = [...this.changed];
      this.changed.clear();
      await announceAccess(this.database, changed);
    }
    this.running = null;
  }
}
