/**
 * Records changes of rows and events in the tables with an organization, as a superuser without row-level security. Changes
 * are counted by triggers, in the transaction that makes them.
 */
import pg from 'pg';
import type { TestDatabase } from './database.ts';

/** Numbers of inserted, deleted and changed rows, by table. */
export type Changes = Readonly<Record<string, number>>;

/** An event in the outbox. */
export interface TestEvent {
  readonly type: string;
  readonly subjectId: string;
  readonly subjectVersion: number;
  readonly changedFields: readonly string[];
}

const createRecorder = `
  CREATE SCHEMA test_changes;
  CREATE TABLE test_changes.changes (name text NOT NULL);
  CREATE FUNCTION test_changes.record() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = '' AS $$
  BEGIN
    INSERT INTO test_changes.changes VALUES (TG_ARGV[0]);
    RETURN NULL;
  END $$;`;

/** `last_used_at` of tokens is updated in the background and does not count as a change. */
const createTriggers = (table: string) => `
  CREATE TRIGGER test_rows AFTER INSERT OR DELETE ON trellis.${table}
    FOR EACH ROW EXECUTE FUNCTION test_changes.record('${table}');
  CREATE TRIGGER test_values AFTER UPDATE ON trellis.${table} FOR EACH ROW
    WHEN (to_jsonb(OLD) - 'last_used_at' IS DISTINCT FROM to_jsonb(NEW) - 'last_used_at')
    EXECUTE FUNCTION test_changes.record('${table}');`;

/** The tables with an organization. Triggers of a partitioned table apply to its partitions as well. */
const selectTables = `SELECT c.relname AS name
  FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'organization_id'
  WHERE c.relnamespace = 'trellis'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition`;

export class TenantTables {
  private readonly client: pg.Client;

  private constructor(client: pg.Client) {
    this.client = client;
  }

  /** Records changes of every table with an organization from now on; call it once for each database. */
  static async open({ adminUrl }: TestDatabase): Promise<TenantTables> {
    const client = new pg.Client({ connectionString: adminUrl });
    await client.connect();
    const { rows } = await client.query<{ name: string }>(selectTables);
    await client.query(createRecorder + rows.map(({ name }) => createTriggers(name)).join(''));
    return new TenantTables(client);
  }

  /** Returns the changes since the last call; `{}` for none. */
  async takeChanges(): Promise<Changes> {
    const { rows } = await this.client.query<{ name: string; count: number }>(
      `WITH taken AS (DELETE FROM test_changes.changes RETURNING name)
       SELECT name, count(*)::integer FROM taken GROUP BY name ORDER BY name`,
    );
    return Object.fromEntries(rows.map(({ name, count }) => [name, count]));
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

  async close(): Promise<void> {
    await this.client.end();
  }
}
