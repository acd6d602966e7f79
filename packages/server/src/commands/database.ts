/** `trellis database`: prepares an external PostgreSQL and shows the state of the database. */
import type { Command } from 'commander';
import type { Database } from '../kernel/database/database.ts';
import { splitHosts } from '../kernel/database/hosts.ts';
import { pendingMigrations } from '../kernel/database/migrate.ts';
import { makeRolePasswords, setUpDatabase } from '../kernel/database/setup.ts';
import {
  addSubcommand,
  asWorker,
  type CommandContext,
  type CommonOptions,
  createCommand,
  printRecord,
  UsageError,
} from './command-line.ts';

/** `trellis database setup|status`. */
export function databaseCommand(context: CommandContext): Command {
  const database = createCommand(
    'database',
    'Prepare an external PostgreSQL, and show its state.',
    'trellis database setup --admin-url postgres://postgres:secret@db.internal/postgres',
  );
  addSubcommand(
    database,
    'setup',
    'create the database and its roles with minimal rights, and print the settings for the server',
    'trellis database setup --admin-url postgres://postgres:secret@db.internal/postgres --database trellis',
  )
    .requiredOption('--admin-url <url>', 'URL of a role that may create roles and databases')
    .option('--database <name>', 'name of the database', 'trellis')
    .option('--only-missing', 'leave roles that exist as they are; print settings of new ones only')
    .action(async (_options: unknown, command: Command) => {
      const options = command.optsWithGlobals<
        CommonOptions & { adminUrl: string; database: string; onlyMissing?: boolean }
      >();
      checkAdminUrl(options.adminUrl);
      const urls = await setUpDatabase(
        options.adminUrl,
        options.database,
        makeRolePasswords(),
        options.onlyMissing ? 'of new roles' : 'all',
      );
      const settings = {
        TRELLIS_DATABASE_URL: urls.api,
        TRELLIS_DATABASE_WORKER_URL: urls.worker,
        TRELLIS_DATABASE_OWNER_URL: urls.owner,
        TRELLIS_DATABASE_AUTH_URL: urls.auth,
      };
      if (options.json) return printRecord(context, options, settings);
      const set = Object.entries(settings).filter(([, value]) => value !== undefined);
      context.stderr(
        set.length === 0
          ? 'No role was missing.\n'
          : 'The roles have new passwords. Store these settings where the server reads them (.env):\n',
      );
      for (const [name, value] of set) context.stdout(`${name}=${value}\n`);
      context.stderr(
        'Add TRELLIS_CURSOR_KEY and TRELLIS_VISITOR_KEY once, the same on all nodes ("openssl rand -hex 32" generates one). ' +
          'Then run "trellis migrate" and "trellis serve".\n',
      );
    });
  addSubcommand(
    database,
    'status',
    'show version, size, migrations and connections',
    'trellis database status --json',
  ).action(async (_options: unknown, command: Command) => {
    const options = command.optsWithGlobals<CommonOptions>();
    printRecord(context, options, await asWorker(context, options, readStatus));
  });
  return database;
}

async function readStatus(worker: Database) {
  const rows = await worker.run(`
    SELECT current_setting('server_version'), current_database(), pg_database_size(current_database()),
      (SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()),
      current_setting('max_connections'), pg_is_in_recovery()`);
  const [version, name, bytes, connections, maxConnections, standby] = rows[0] ?? [];
  return {
    database: name,
    version,
    megabytes: Math.round(Number(bytes) / 1_048_576),
    connections: Number(connections),
    maxConnections: Number(maxConnections),
    writable: standby === 'f',
    pendingMigrations: await pendingMigrations(worker),
  };
}

/** @throws UsageError */
function checkAdminUrl(adminUrl: string): void {
  const hosts = splitHosts(adminUrl).map((url) => URL.parse(url));
  if (hosts.some((url) => url === null || !/^postgres(ql)?:$/.test(url.protocol))) {
    throw new UsageError('--admin-url must have the form postgres://user:password@host:5432/postgres.');
  }
}
