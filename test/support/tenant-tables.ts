/**
 * Records changes of rows and events in the tables with an organization, as a superuser without row-level security. Changes
 * are counted by triggers, in the transaction that makes them; in a distributed database (see citus.ts) by triggers of the shards.
 */
import pg from 'pg';
import { citusNodes } from './citus.ts';
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
const createTriggers = (table: string, name: string) => `
  CREATE TRIGGER test_rows AFTER INSERT OR DELETE ON trellis.${table}
    FOR EACH ROW EXECUTE FUNCTION test_changes.record('${name}');
  CREATE TRIGGER test_values AFTER UPDATE ON trellis.${table} FOR EACH ROW
    WHEN (to_jsonb(OLD) - 'last_used_at' IS DISTINCT FROM to_jsonb(NEW) - 'last_used_at')
    EXECUTE FUNCTION test_changes.record('${name}');`;

/** SQL: the tables `c` with an organization. Triggers of a partitioned table apply to its partitions as well. */
const fromTables = `FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'organization_id'
  WHERE c.relnamespace = 'trellis'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition`;
const selectTables = `SELECT c.relname AS table, c.relname AS name ${fromTables}`;
/** The same on a server of a distributed database: the tables of its shards, whose names end in a number. */
const selectShards = `SELECT c.relname AS table, regexp_replace(c.relname, '_[0-9]+$', '') AS name ${fromTables}
  AND NOT EXISTS (SELECT FROM pg_dist_partition p WHERE p.logicalrelid = c.oid)`;
/** Has a server of a distributed database show its shards, and keep to itself what is created. */
const workOnShards = 'SET citus.override_table_visibility = off; SET citus.enable_ddl_propagation = off';

export class TenantTables {
  private readonly client: pg.Client;
  /** To where the rows are: the client itself, or one for each server of a distributed database. */
  private readonly recorders: readonly pg.Client[];

  private constructor(client: pg.Client, recorders: readonly pg.Client[]) {
    this.client = client;
    this.recorders = recorders;
  }

  /** Records changes of every table with an organization from now on; call it once for each database. */
  static async open(database: TestDatabase): Promise<TenantTables> {
    const client = await connect(database.adminUrl);
    if (!(await database.worker.isDistributed())) {
      await record(client, selectTables);
      return new TenantTables(client, [client]);
    }
    const recorders: pg.Client[] = [];
    for (const url of citusNodes(database.name).slice(1)) {
      const recorder = await connect(url);
      recorders.push(recorder);
      await recorder.query(workOnShards);
      await record(recorder, selectShards);
    }
    return new TenantTables(client, recorders);
  }

  /** Returns the changes since the last call; `{}` for none. */
  async takeChanges(): Promise<Changes> {
    const changes: Record<string, number> = {};
    for (const recorder of this.recorders) {
      const { rows } = await recorder.query<{ name: string; count: number }>(
        `WITH taken AS (DELETE FROM test_changes.changes RETURNING name)
         SELECT name, count(*)::integer FROM taken GROUP BY name ORDER BY name`,
      );
      for (const { name, count } of rows) changes[name] = (changes[name] ?? 0) + count;
    }
    return changes;
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
    for (const client of new Set([this.client, ...this.recorders])) await client.end();
  }
}

async function connect(connectionString: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  return client;
}

async function record(client: pg.Client, select: string): Promise<void> {
  const { rows } = await client.query<{ table: string; name: string }>(select);
  const triggers = rows.map(({ table, name }) => createTriggers(table, name));
  await client.query(createRecorder + triggers.join(''));
}
