/**
 * Migrates a database without other users, and measures each migration: its duration, the tables that it locks and rewrites, and its disk
 * space.
 */
import type pg from 'pg';
import { connectToWritable } from './connection.ts';
import { type Inspection, migrate } from './migrate.ts';

/** The measurements of a migration. */
export interface WatchedMigration {
  readonly name: string;
  /** Duration without concurrent use of the database, in ms. */
  readonly ms: number;
  /** Existing tables that can be neither read nor written until the migration ends. */
  readonly blocksReads: readonly string[];
  /** Existing tables that can be read but not written. */
  readonly blocksWrites: readonly string[];
  /** Existing tables whose rows were all rewritten. */
  readonly rewrites: readonly string[];
}

/** The measurements of all migrations. */
export interface WatchedMigrations {
  readonly migrations: readonly WatchedMigration[];
  /** The failed migration, after which no other was applied; null without a failure. */
  readonly failed: { readonly name: string; readonly reason: string } | null;
  /** Size of the database before, in bytes. */
  readonly databaseBytes: number;
  /** Peak additional disk space, including the write-ahead log, in bytes. */
  readonly additionalBytes: number;
}

/**
 * Migrates a database.
 * @param adminUrl URL of a superuser for the same database
 * @param release folder of the release; this one when absent
 * @throws Error as `migrate` for what is not the failure of a migration
 */
export async function watchMigrations(
  ownerUrl: string,
  adminUrl: string,
  release: string | undefined,
  log: (line: string) => void,
): Promise<WatchedMigrations> {
  const admin = await connectToWritable(adminUrl);
  try {
    const watch = new Watch();
    const space = new SpaceSampler(admin);
    const databaseBytes = await space.measureDatabase();
    await space.start();
    const failed = await migrate(ownerUrl, log, {
      ...(release === undefined ? {} : { release }),
      inspect: watch,
    }).then(
      () => null,
      (error: unknown) => watch.failure(error),
    );
    return { migrations: watch.migrations, failed, databaseBytes, additionalBytes: await space.end() };
  } finally {
    await admin.end();
  }
}

const sampleMs = 100;

/** Tables with the file that each is in, which a rewrite changes. */
const tableFiles = `SELECT c.oid::integer, c.relname, c.relfilenode::integer AS file FROM pg_class c
  WHERE c.relnamespace = 'trellis'::regnamespace AND c.relkind IN ('r', 'p', 'm')`;
/** The strongest locks of this transaction on tables. The modes are those of PostgreSQL's manual, 13.3.1. */
const heldLocks = `SELECT relation::integer AS oid, bool_or(mode = 'AccessExclusiveLock') AS "blocksReads",
    bool_or(mode IN ('ShareLock', 'ShareRowExclusiveLock', 'ExclusiveLock')) AS "blocksWrites"
  FROM pg_locks WHERE pid = pg_backend_pid() AND locktype = 'relation' AND granted
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database()) GROUP BY relation`;

interface TableFile {
  readonly oid: number;
  readonly relname: string;
  readonly file: number;
}

/** Measures each migration. */
class Watch implements Inspection {
  readonly migrations: WatchedMigration[] = [];
  private current = '';
  private before: readonly TableFile[] = [];
  private begunAt = 0;

  async begins(client: pg.Client, name: string): Promise<void> {
    this.current = name;
    this.before = (await client.query<TableFile>(tableFiles)).rows;
    this.begunAt = performance.now();
  }

  async ends(client: pg.Client, name: string): Promise<void> {
    const ms = Math.round(performance.now() - this.begunAt);
    const { rows: locks } = await client.query<{ oid: number; blocksReads: boolean; blocksWrites: boolean }>(
      heldLocks,
    );
    const after = new Map(
      (await client.query<TableFile>(tableFiles)).rows.map((table) => [table.oid, table.file]),
    );
    const namesOf = (is: (table: TableFile) => boolean) =>
      this.before
        .filter(is)
        .map(({ relname }) => relname)
        .sort();
    const lockOf = ({ oid }: TableFile) => locks.find((lock) => lock.oid === oid);
    this.migrations.push({
      name,
      ms,
      blocksReads: namesOf((table) => lockOf(table)?.blocksReads === true),
      blocksWrites: namesOf((table) => {
        const lock = lockOf(table);
        return lock?.blocksWrites === true && !lock.blocksReads;
      }),
      rewrites: namesOf(({ oid, file }) => after.has(oid) && after.get(oid) !== file),
    });
    this.current = '';
  }

  /** The migration during which an error occurred. @throws the error if it occurred outside a migration */
  failure(error: unknown): NonNullable<WatchedMigrations['failed']> {
    if (this.current === '' || !(error instanceof Error)) throw error;
    return { name: this.current, reason: error.message };
  }
}

/** Samples the disk space of the database and the write-ahead log, including uncommitted files. */
class SpaceSampler {
  private readonly admin: pg.Client;
  private timer: NodeJS.Timeout | undefined;
  private pending: Promise<void> = Promise.resolve();
  private first = 0;
  private most = 0;

  constructor(admin: pg.Client) {
    this.admin = admin;
  }

  async measureDatabase(): Promise<number> {
    return this.read('SELECT pg_database_size(current_database()) AS bytes');
  }

  async start(): Promise<void> {
    await this.sample();
    this.first = this.most;
    this.timer = setInterval(() => {
      this.pending = this.pending.then(() => this.sample()).catch(() => undefined);
    }, sampleMs);
  }

  /** The peak, minus the space used at the start. */
  async end(): Promise<number> {
    clearInterval(this.timer);
    await this.pending;
    await this.sample();
    return this.most - this.first;
  }

  private async sample(): Promise<void> {
    const bytes = await this.read(
      'SELECT pg_database_size(current_database()) + (SELECT coalesce(sum(size), 0)::bigint FROM pg_ls_waldir()) AS bytes',
    );
    this.most = Math.max(this.most, bytes);
  }

  private async read(text: string): Promise<number> {
    const { rows } = await this.admin.query<{ bytes: string }>(text);
    return Number(rows[0]?.bytes ?? 0);
  }
}
