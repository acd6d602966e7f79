/** Statements of the superuser on a test's database, which can hold locks that requests wait for. */
import pg from 'pg';
import type { TestDatabase } from './database.ts';

/** A connection for statements. */
export class AdminClient {
  private readonly client: pg.Client;
  /** Has no transactions, in which PostgreSQL would always show the processes that there were at first. */
  private readonly observer: pg.Client;

  private constructor(client: pg.Client, observer: pg.Client) {
    this.client = client;
    this.observer = observer;
  }

  static async open({ adminUrl }: Pick<TestDatabase, 'adminUrl'>): Promise<AdminClient> {
    return new AdminClient(await connect(adminUrl), await connect(adminUrl));
  }

  query<T extends pg.QueryResultRow>(text: string, values: readonly unknown[] = []) {
    return this.client.query<T>(text, [...values]);
  }

  /** How many processes of PostgreSQL wait for locks in this database: those of other databases are other tests' affair. */
  async countWaiting(): Promise<number> {
    const { rows } = await this.observer.query<{ count: number }>(
      `SELECT count(*)::integer FROM pg_stat_activity
       WHERE datname = current_database() AND cardinality(pg_blocking_pids(pid)) > 0`,
    );
    return rows[0]?.count ?? 0;
  }

  async end(): Promise<void> {
    await this.client.end();
    await this.observer.end();
  }
}

async function connect(connectionString: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  return client;
}
