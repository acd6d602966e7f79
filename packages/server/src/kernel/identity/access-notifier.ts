/**
 * Notifies other processes that rights have changed, so that they drop cached state, which they would otherwise use for up to two
 * seconds. Correctness does not depend on it. PostgreSQL serializes transactions that notify, so a notification is a statement of its
 * own after a change of administration, never part of a write.
 */
import type { Database } from '../database/database.ts';

/** The channel of NOTIFY. Its messages are the uuid of an organization, or empty for all. */
export const accessChannel = 'trellis_access';

/** How long changes are collected for one statement, in ms. */
const gatherMs = 50;
/** The most organizations that are named; for more, the message means all. */
const maxTogether = 100;

/** Notifies of changes in organizations (uuids), or in all. Failures are ignored, because cached state expires by itself. */
export async function notifyAccessChange(
  database: Database,
  organizationIds: readonly string[] | 'all',
): Promise<void> {
  const messages = organizationIds === 'all' || organizationIds.length > maxTogether ? [''] : organizationIds;
  const notify = `SELECT pg_notify('${accessChannel}', message) FROM unnest($1::text[]) message`;
  await database
    .run(notify, [`{${messages.map((message) => `"${message}"`).join(',')}}`])
    .catch(() => undefined);
}

/** Collects the changes of a process and notifies of them in one statement at a time. */
export class AccessNotifier {
  private readonly database: Database;
  private readonly changed = new Set<string>();
  private running: Promise<void> | null = null;

  constructor(database: Database) {
    this.database = database;
  }

  /** Notifies soon of a change in an organization (uuid). */
  notify(organizationId: string): void {
    this.changed.add(organizationId);
    this.running ??= this.run();
  }

  /** Waits until all notifications are sent. */
  async finish(): Promise<void> {
    await this.running;
  }

  private async run(): Promise<void> {
    while (this.changed.size > 0) {
      await new Promise((resolve) => setTimeout(resolve, gatherMs));
      const changed = [...this.changed];
      this.changed.clear();
      await notifyAccessChange(this.database, changed);
    }
    this.running = null;
  }
}
