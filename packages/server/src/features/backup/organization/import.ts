/**
 * Imports an organization into an installation that serves others. The contents of files are stored first, and the rows in temporary
 * tables; then one transaction inserts the rows, reads them again and compares them. Before its commit nobody sees any of it, and
 * nothing has to be cleaned up but contents, which are removed.
 *
 * Everything in the archive may be forged by who knows the passphrase. Names of tables and columns are those of the database, types and constraints
 * are checked by PostgreSQL, and a policy of row-level security permits rows of the imported organization only.
 */
import { pipeline } from 'node:stream/promises';
import { actions } from '@trellis/schema/resources/grants.ts';
import { permissions } from '@trellis/schema/rights/permissions.ts';
import { readAppliedMigrations } from '../../../kernel/database/migrate.ts';
import { OwnerSession } from '../../../kernel/database/owner-session.ts';
import { createEventPartition, inStoredOrder, readTables } from '../../../kernel/database/tables.ts';
import type { SecretSealing } from '../../../kernel/feature.ts';
import { maxPageSize, type ObjectStore } from '../../../kernel/objects/object-store.ts';
import { checkKey } from '../../access/checks.ts';
import type { ArchiveReader } from '../archive.ts';
import { restoreContents } from '../contents.ts';
import { checkTable, type TableDigest, TableDigester } from '../digests.ts';
import { BackupError } from '../errors.ts';
import type { OrganizationManifest, StoredTable } from '../manifest.ts';
import { checkMigrations, keepContents } from '../snapshot.ts';
import { type MatchedAccounts, makeAccounts, matchAccounts, readAccounts } from './accounts.ts';
import { checkAbsent, checkOrigin, checkSize } from './before-import.ts';
import { orphansOf, parts } from './parts.ts';
import { changeRows, limitRows, type Row } from './rows.ts';
import { changeSecrets } from './secrets.ts';
import { type OrganizationSummary, summarizeOrganization } from './summary.ts';
import { type OrganizationTable, organizationTables } from './tables.ts';

export interface ImportOptions {
  readonly archive: ArchiveReader<OrganizationManifest>;
  /** URL of the role that owns the schema. */
  readonly ownerUrl: string;
  /** Where the contents of files are put. */
  readonly objects: ObjectStore;
  /** The key of the organization here; null: the one that it has. */
  readonly key: string | null;
  /** The most rows that the export may have, of all tables; 20 million when absent. */
  readonly maxRows?: number;
  /** Seals the secrets of webhooks under a key of this installation. */
  readonly secrets: SecretSealing;
  /** How long a backup, and removals of contents, may delay the import, in ms; 10 s when absent. */
  readonly lockTimeoutMs?: number;
  readonly onProgress: (text: string) => void;
}

/** What was imported. */
export interface ImportSummary extends OrganizationSummary {
  /** Accounts that were created. */
  readonly newAccounts: number;
  /** Addresses of people who had an account here, and are members with it. */
  readonly existingAccounts: readonly string[];
  /** Their tokens, which were revoked. */
  readonly revokedTokens: number;
}

const defaultLockTimeoutMs = 10_000;
const defaultMaxRows = 20_000_000;
/** Partitions of the event log that an import may create: twenty years. */
const maxPartitions = 1_040;

/** @throws BackupError; AdministrationError for a key that is none; errors of PostgreSQL and of the stores */
export async function importOrganization(options: ImportOptions): Promise<ImportSummary> {
  const { archive, ownerUrl, objects, onProgress } = options;
  const { manifest } = archive;
  const key = checkKey(options.key ?? manifest.organization.key);
  checkSize(manifest, options.maxRows ?? defaultMaxRows);
  await checkOrigin(manifest);
  const session = await OwnerSession.open(ownerUrl);
  try {
    await session.run(`SELECT pg_advisory_lock_shared(hashtext('trellis migrate'))`);
    await checkMigrations((await readAppliedMigrations(session)).applied);
    await keepContents(session, options.lockTimeoutMs ?? defaultLockTimeoutMs);
    await checkAbsent(session, manifest.organization.id, key);
    const tables = matchTables(
      organizationTables(await readTables(session), manifest.organization.id, false),
      manifest,
    );
    const accounts = await matchAccounts(session, await readStoredAccounts(archive, tables));
    const staging = new Staging(options, session, accounts, key);
    for (const table of tables) await staging.fill(table);
    await checkStaged(session, tables, accounts);
    await createPartitions(session);
    try {
      const { id } = manifest.organization;
      await restoreContents(archive, objects, id, ({ count }) => onProgress(`${count} files`));
      await insertRows(options, session, tables, accounts);
    } catch (error) {
      await removeContents(options, session);
      throw error;
    }
    const { made, found } = accounts;
    return {
      ...summarizeOrganization(manifest),
      key,
      // Here, and not where it was exported.
      isSuspended: true,
      newAccounts: made.length,
      existingAccounts: [...found.values()],
      revokedTokens: staging.revokedTokens,
    };
  } catch (error) {
    throw describe(error);
  } finally {
    await session.close();
  }
}

/** A table of the database with what the archive has for it, and what was sent to PostgreSQL. */
interface ImportedTable {
  readonly table: OrganizationTable;
  readonly stored: StoredTable;
  /** The names in SQL of the table, of the temporary one, and of the columns. */
  readonly sql: { readonly table: string; readonly staged: string; readonly columns: string };
  /** The rows as they were staged; null: none yet. */
  staged: TableDigest | null;
}

/** @throws BackupError if the archive has other tables or columns */
function matchTables(tables: readonly OrganizationTable[], manifest: OrganizationManifest): ImportedTable[] {
  const stored = new Map(manifest.tables.map((table) => [table.name, table]));
  if (manifest.tables.length !== tables.length || stored.size !== tables.length) {
    throw new BackupError('The export has other tables than those of this release.');
  }
  return tables.map((own) => {
    const found = stored.get(own.name);
    const table = found === undefined ? null : inStoredOrder(own, found.columns);
    if (found === undefined || table === null) {
      throw new BackupError(`The export has no table ${own.name} with the columns of this release.`);
    }
    const sql = {
      table: `trellis."${table.name}"`,
      staged: stagedName(table.name),
      columns: table.columns.map((column) => `"${column}"`).join(', '),
    };
    return { table, stored: found, sql, staged: null };
  });
}

const stagedName = (table: string) => `pg_temp."import_${table}"`;

/** All rows of a table as the archive has them; they are compared with the manifest when they end. */
async function* readStored(
  archive: ArchiveReader,
  { stored }: Pick<ImportedTable, 'stored'>,
): AsyncGenerator<Buffer> {
  const digester = new TableDigester(false);
  yield* limitRows(digester.tap(archive.readParts(stored.parts, stored.bytes)), stored);
  checkTable(stored, digester.finish(), 'in the export');
}

async function readStoredAccounts(
  archive: ArchiveReader<OrganizationManifest>,
  tables: readonly ImportedTable[],
) {
  const users = tables.find(({ table }) => table.name === 'users');
  if (users === undefined) throw new BackupError('The export has no accounts.');
  return readAccounts(readStored(archive, users), archive.manifest.organization.id);
}

/** Fills the temporary tables. */
class Staging {
  revokedTokens = 0;
  private readonly options: ImportOptions;
  private readonly session: OwnerSession;
  private readonly accounts: MatchedAccounts;
  private readonly key: string;
  /** In whole seconds, as PostgreSQL writes an instant. */
  private readonly revokedAt = new Date()
    .toISOString()
    .replace('T', ' ')
    .replace(/\.\d+Z$/, '+00');

  constructor(options: ImportOptions, session: OwnerSession, accounts: MatchedAccounts, key: string) {
    this.options = options;
    this.session = session;
    this.accounts = accounts;
    this.key = key;
  }

  /** Copies the rows of a table, changed for this installation. Accounts are inserted as they were matched. */
  async fill(table: ImportedTable): Promise<void> {
    if (table.table.name === 'users') return;
    const { sql } = table;
    this.options.onProgress(table.table.name);
    await this.session.run(
      `CREATE TEMP TABLE "import_${table.table.name}" AS SELECT ${sql.columns} FROM ${sql.table} WITH NO DATA`,
    );
    const digester = new TableDigester(false);
    const rows = this.change(table.table, readStored(this.options.archive, table));
    await pipeline(digester.tap(rows), this.session.copyIn(sql.staged, sql.columns));
    table.staged = digester.finish();
  }

  private change({ name, columns }: OrganizationTable, stored: AsyncIterable<Buffer>): AsyncIterable<Buffer> {
    // The text of files is as it was extracted; ids in it are no references.
    if (name === 'knowledge_pages') return stored;
    const rows = this.accounts.ids.replaceIn(stored);
    const place = (column: string) => columns.indexOf(column);
    const changed = (change: (row: Row) => Row) =>
      changeRows(rows, (row) => {
        if (row.length !== columns.length) throw new BackupError(`A row of ${name} has other columns.`);
        return change(row);
      });
    if (name === 'organizations') return changed((row) => row.with(place('key'), this.key));
    if (name === 'webhook_subscriptions') return changeSecrets(columns, this.options.secrets.seal)(rows);
    if (name === 'roles') return changed((row) => checkRole(row, place('grants')));
    if (name !== 'tokens') return rows;
    return changed((row) => this.revokeOfExisting(row, place('user_id'), place('revoked_at')));
  }

  /** Whoever made the archive may know the token, and must not act for an account that was here before. */
  private revokeOfExisting(row: Row, userId: number, revokedAt: number): Row {
    if (!this.accounts.found.has(row[userId] ?? '') || row[revokedAt] !== null) return row;
    this.revokedTokens += 1;
    return row.with(revokedAt, this.revokedAt);
  }
}

/** @throws BackupError for permissions that do not exist: they are read with every request */
function checkRole(row: Row, grants: number): Row {
  let listed: unknown;
  try {
    listed = JSON.parse(row[grants] ?? '');
  } catch {
    listed = null;
  }
  if (!Array.isArray(listed) || !listed.every(isPermission)) {
    throw new BackupError('The export has a role with permissions that do not exist.');
  }
  return row;
}

function isPermission(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const { resource, action, own = false }: Readonly<Record<string, unknown>> = { ...value };
  const isAction = actions.some((known) => known === action);
  return (
    typeof resource === 'string' &&
    Object.hasOwn(permissions, resource) &&
    isAction &&
    typeof own === 'boolean'
  );
}

/** @throws BackupError for rows that no export has, and that neither types nor constraints of the database reject */
async function checkStaged(
  session: OwnerSession,
  tables: readonly ImportedTable[],
  { made, found }: MatchedAccounts,
): Promise<void> {
  for (const { table, sql } of tables) {
    if (table.refused === null) continue;
    if (await session.holds(`EXISTS (SELECT FROM ${sql.staged} WHERE ${table.refused})`)) {
      throw new BackupError(`The export has a row of ${table.name} that is not moved.`);
    }
  }
  for (const part of parts) {
    if (await session.holds(`EXISTS (${orphansOf(part, stagedName)})`)) {
      throw new BackupError(`The export has a row of ${part.table} that belongs to no row of ${part.owner}.`);
    }
  }
  await session.run('CREATE TEMP TABLE import_accounts (id uuid PRIMARY KEY)');
  const ids = [...made.map(({ id }) => id), ...found.keys()];
  await session.rows('INSERT INTO pg_temp.import_accounts SELECT unnest($1::uuid[])', [`{${ids.join()}}`]);
  for (const table of ['memberships', 'tokens']) {
    const others = `EXISTS (SELECT FROM ${stagedName(table)} t WHERE NOT EXISTS (
      SELECT FROM pg_temp.import_accounts a WHERE a.id = t.user_id))`;
    if (await session.holds(others)) {
      throw new BackupError(`The export has a row of ${table} for an account that is not a part of it.`);
    }
  }
  // Whatever is presented is looked up in all organizations.
  for (const [table, column] of [
    ['tokens', 'secret_hash'],
    ['publishable_keys', 'key'],
  ] as const) {
    const used = `EXISTS (SELECT FROM ${stagedName(table)} t JOIN trellis.${table} o ON o.${column} = t.${column})`;
    if (await session.holds(used)) {
      throw new BackupError(`The export has a row of ${table} that another organization here has.`);
    }
  }
}

/** Creates the partitions that the events need. An empty one is removed like every old one. */
async function createPartitions(session: OwnerSession): Promise<void> {
  const staged = stagedName('events');
  if (
    await session.holds(
      `EXISTS (SELECT FROM ${staged} WHERE logged_at > clock_timestamp() + interval '1 day')`,
    )
  ) {
    throw new BackupError('The export has an event of the future.');
  }
  const days = await session.rows(
    `SELECT DISTINCT to_char(date_trunc('week', logged_at), 'YYYY-MM-DD') FROM ${staged}
     ORDER BY 1 LIMIT ${maxPartitions + 1}`,
  );
  if (days.length > maxPartitions) throw new BackupError('The export has events of more than twenty years.');
  for (const [day] of days) await createEventPartition(session, day ?? '');
}

/** Inserts all rows, and compares them with what was staged, in one transaction. */
async function insertRows(
  { archive, onProgress }: ImportOptions,
  session: OwnerSession,
  tables: readonly ImportedTable[],
  accounts: MatchedAccounts,
): Promise<void> {
  const { id } = archive.manifest.organization;
  await session.run('BEGIN');
  await session.rows(`SELECT set_config('trellis.import', $1, true)`, [id]);
  for (const { table, sql } of tables) {
    onProgress(table.name);
    if (table.name === 'users') await makeAccounts(session, accounts.made);
    else
      await session.run(`INSERT INTO ${sql.table} (${sql.columns}) SELECT ${sql.columns} FROM ${sql.staged}`);
  }
  for (const { table, sql, staged } of tables) {
    if (staged === null) continue;
    onProgress(`verifying ${table.name}`);
    const digester = new TableDigester(false);
    const owner = table.name === 'organizations' ? 'id' : 'organization_id';
    const rows = session.copyOut(`SELECT ${sql.columns} FROM ${sql.table} WHERE ${owner} = '${id}'`);
    for await (const _ of digester.tap(rows));
    checkTable({ name: table.name, ...staged }, digester.finish(), 'in the database');
  }
  // Sinks have been sent what was logged where the organization comes from.
  await session.run(
    `INSERT INTO trellis.event_sink_cursors (organization_id, sink, position, forwarded_at)
     SELECT p.organization_id, s.sink, p.position, clock_timestamp() FROM trellis.event_positions p,
       (SELECT DISTINCT sink FROM trellis.event_sink_cursors) s WHERE p.organization_id = '${id}'`,
  );
  await session.run('COMMIT');
}

/** Removes the contents of an organization that was not imported. What a killed import leaves is removed a day later. */
async function removeContents({ archive, objects }: ImportOptions, session: OwnerSession): Promise<void> {
  const { id } = archive.manifest.organization;
  try {
    await session.run('ROLLBACK');
    if (await session.holds(`EXISTS (SELECT FROM trellis.organizations WHERE id = '${id}')`)) return;
    for (;;) {
      const page = await objects.list(id, null, maxPageSize);
      for (const { sha256 } of page) await objects.remove(id, sha256);
      if (page.length < maxPageSize) return;
    }
  } catch {
    // The failure of the import is the one to report; a sweep removes the contents.
  }
}

/** A refusal by PostgreSQL says that the archive has rows that no export has, or that something has changed here meanwhile. */
function describe(error: unknown): unknown {
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return error;
  // Classes of SQLSTATE: data exceptions, violated constraints, refused by a policy.
  if (!/^(?:22|23|42501)/.test(error.code)) return error;
  return new BackupError(
    `PostgreSQL rejected the rows of the export (${error.message}). Nothing was imported. It may have been made by another program, or ` +
      'an account or organization was created here meanwhile: then run the command again.',
    { cause: error },
  );
}
