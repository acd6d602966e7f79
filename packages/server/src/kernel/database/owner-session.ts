/** A connection of the schema's owner for backups: statements one by one, and COPY of whole tables as streams of bounded memory. */
import type { Readable, Writable } from 'node:stream';
import type pg from 'pg';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';
import { connectToWritable } from './connection.ts';

/** Values are written in a form that depends on neither the server nor its settings. */
const settings: Readonly<Record<string, string>> = {
  // The policies for backups show all rows.
  'trellis.backup': 'on',
  timezone: 'UTC',
  datestyle: 'ISO, YMD',
  intervalstyle: 'postgres',
  bytea_output: 'hex',
  extra_float_digits: '1',
  client_encoding: 'UTF8',
  search_path: "''",
  // The duration of a backup is unlimited.
  statement_timeout: '0',
  idle_in_transaction_session_timeout: '0',
  lock_timeout: '0',
};

export class OwnerSession {
  private readonly client: pg.Client;
  /** Why the connection ended, if it did. */
  private failure: Error | undefined;

  private constructor(client: pg.Client) {
    this.client = client;
    client.on('error', (error) => {
      this.failure = error;
    });
  }

  /** @param ownerUrl URL of the role that owns the schema; it may name several hosts */
  static async open(ownerUrl: string): Promise<OwnerSession> {
    const session = new OwnerSession(await connectToWritable(ownerUrl));
    await session.run(
      Object.entries(settings)
        .map(([name, value]) => `SET ${name} = ${value === "''" ? value : `'${value}'`}`)
        .join('; '),
    );
    return session;
  }

  /** Runs one or several statements without parameters. */
  async run(text: string): Promise<void> {
    this.check();
    await this.client.query(text);
  }

  /** The rows of a statement; values are texts, as PostgreSQL writes them. */
  async rows(text: string, values: readonly string[] = []): Promise<(string | null)[][]> {
    this.check();
    const { rows } = await this.client.query<(string | null)[]>({
      text,
      values: [...values],
      rowMode: 'array',
      types: { getTypeParser: () => (value: string) => value },
    });
    return rows;
  }

  /** Whether a condition holds. */
  async holds(condition: string): Promise<boolean> {
    const [row] = await this.rows(`SELECT ${condition}`);
    return row?.[0] === 't';
  }

  /** The rows of a query, in the text format of COPY. The stream has to be read to its end before the next statement. */
  copyOut(query: string): Readable {
    this.check();
    return this.client.query(copyTo(`COPY (${query}) TO STDOUT`));
  }

  /** Accepts rows of these columns, in the same format. */
  copyIn(table: string, columns: string): Writable {
    this.check();
    return this.client.query(copyFrom(`COPY ${table} (${columns}) FROM STDIN`));
  }

  /** Ends the connection, and with it its transaction and its locks. */
  async close(): Promise<void> {
    await this.client.end().catch(() => undefined);
  }

  private check(): void {
    if (this.failure !== undefined) throw this.failure;
  }
}
