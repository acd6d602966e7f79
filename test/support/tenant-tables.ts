/**
 * Why: a refused write must change nothing, in no table of no organization, and a successful one must tell exactly its
 * own events. Both are seen from behind row-level security.
 */
import pg from 'pg';
import type { TestDatabase } from './database.ts';

/** Rows and a hash over all of them, by table. */
export type Snapshot = Readonly<Record<string, string>>;

/** An event as it stands in the outbox. */
export interface TestEvent {
  readonly type: string;
  readonly subjectId: string;
  readonly subjectVersion: number;
  readonly changedFields: readonly string[];
}

/** A superuser's view of the database. */
export class TenantTables {
  private readonly client: pg.Client;
  private readonly query: string;

  private constructor(client: pg.Client, tables: readonly string[]) {
    this.client = client;
    this.query = tables
      .map(
        (
          table,
        ) => `SELECT '${table}', count(*) || ' rows, ' || coalesce(md5(string_agg(row, '' ORDER BY row)), '-')
          FROM (SELECT md5((to_jsonb(t) - 'last_used_at')::text) AS row FROM trellis.${table} t) rows`,
      )
      .join(' UNION ALL ');
  }

  /** Finds every table with an organization. */
  static async open(database: TestDatabase): Promise<TenantTables> {
    const client = new pg.Client({ connectionString: database.adminUrl });
    await client.connect();
    const { rows } = await client.query<{ name: string }>(
      `SELECT c.relname AS name FROM pg_class c
       JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'organization_id'
       WHERE c.relnamespace = 'trellis'::regnamespace AND c.relkind = 'r' ORDER BY 1`,
    );
    return new TenantTables(
      client,
      rows.map(({ name }) => name),
    );
  }

  /** State of all tables; `last_used_at` of tokens, which is kept in the background, is left out. */
  async snapshot(): Promise<Snapshot> {
    const { rows } = await this.client.query<string[]>({ text: this.query, rowMode: 'array' });
    return Object.fromEntries(rows);
  }

  /** Events of one request, in the order of the subjects' versions. */
  async eventsOf(requestId: string): Promise<TestEvent[]> {
    const { rows } = await this.client.query<TestEvent>(
      `SELECT type, subject_id AS "subjectId", subject_version AS "subjectVersion", changed_fields AS "changedFields"
       FROM trellis.outbox WHERE request_id = $1 ORDER BY subject_id, subject_version`,
      [requestId],
    );
    return rows;
  }

  /** Runs a statement as the superuser. */
  async run(text: string, values: readonly unknown[] = []): Promise<Record<string, unknown>[]> {
    const { rows } = await this.client.query<Record<string, unknown>>(text, [...values]);
    return rows;
  }

  close(): Promise<void> {
    return this.client.end();
  }
}
