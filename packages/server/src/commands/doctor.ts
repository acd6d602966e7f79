/** `trellis doctor`: checks an installation. Each check prints one line, and what to do if it fails. */
import { accessSync, constants, existsSync, statfsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { readDataDirectoryHolder } from '@trellis/embedded-postgres/embedded.ts';
import type { Command } from 'commander';
import { RedisCounts } from '../adapters/redis/redis-counts.ts';
import { type Config, ConfigurationError, usesExternalDatabase } from '../kernel/config/config.ts';
import { ReadOnlyHostError } from '../kernel/database/connection.ts';
import type { Database } from '../kernel/database/database.ts';
import { describeProblem } from '../kernel/database/failures.ts';
import {
  InterruptedRestoreError,
  isSortedByThisIcu,
  readMigrationState,
} from '../kernel/database/migrate.ts';
import { keepsPreparedStatements } from '../kernel/database/pooler-check.ts';
import type { ReplicaCondition } from '../kernel/database/replica.ts';
import { checkServingRole } from '../kernel/database/role-check.ts';
import { OutdatedDatabaseError } from '../kernel/database/schema.ts';
import { describeFileStore, openFileStore } from '../node/file-store.ts';
import { type Installation, openDatabase, openForCommand } from '../node/installation.ts';
import {
  type CommandContext,
  type CommonOptions,
  createCommand,
  logTo,
  readConfig,
  SilentFailure,
} from './command-line.ts';

/** The result of a check. */
interface Finding {
  readonly check: string;
  readonly status: 'ok' | 'warning' | 'failed';
  /** What was found. */
  readonly detail: string;
  /** What to do about it; null when nothing has to be done. */
  readonly remedy: string | null;
}

const smallestFreeMegabytes = 500;
const largestClockDifferenceMs = 5_000;
const oldestMajorVersion = 15;

/** `trellis doctor`. */
export function doctorCommand(context: CommandContext): Command {
  return createCommand('doctor', 'Check this installation and suggest fixes.', 'trellis doctor').action(
    async (_options: unknown, command: Command) => {
      const options = command.optsWithGlobals<CommonOptions>();
      const findings = await examine(context, options);
      if (options.json) context.stdout(`${JSON.stringify(findings)}\n`);
      else for (const finding of findings) context.stdout(describe(finding));
      if (findings.some(({ status }) => status === 'failed')) throw new SilentFailure();
    },
  );
}

function describe({ check, status, detail, remedy }: Finding): string {
  const first = `${status.padEnd(8)} ${check}: ${detail}\n`;
  return remedy === null ? first : `${first}         ${remedy}\n`;
}

async function examine(context: CommandContext, options: CommonOptions): Promise<Finding[]> {
  const node = examineNode();
  let config: Config;
  try {
    config = readConfig(context, options);
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    const faults = error.faults.map((fault) =>
      failed('configuration', fault, 'Correct it in the environment or in .env.'),
    );
    return [node, ...faults];
  }
  const local = [node, ok('configuration', 'no faults'), ...examineDataDirectory(config)];
  if (local.some(({ status }) => status === 'failed')) return local;
  const files = await examineFileStore(config);
  const redis = await examineRedis(config);
  return [...local, files, ...redis, ...(await examineInstallation(config, logTo(context, options)))];
}

function examineNode(): Finding {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  // From 24.7 on, Node.js has argon2.
  if (major > 24 || (major === 24 && minor >= 7)) return ok('node', process.version);
  return failed('node', process.version, 'Start with "npx trellis", which uses the right Node.js.');
}

function examineDataDirectory(config: Config): Finding[] {
  const { dataDir } = config;
  if (!existsSync(dataDir)) {
    return [ok('data directory', `${dataDir} does not exist yet; the first start creates it`)];
  }
  try {
    accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch {
    return [
      failed(
        'data directory',
        `${dataDir} cannot be written by this user`,
        'Run as its owner, or choose another with --data-dir.',
      ),
    ];
  }
  const { bavail, bsize } = statfsSync(dataDir);
  const freeMegabytes = Math.floor((bavail * bsize) / 1_048_576);
  const holder = readDataDirectoryHolder(dataDir);
  return [
    ok('data directory', `${dataDir}, ${holder === null ? 'not in use' : `in use by process ${holder.pid}`}`),
    freeMegabytes >= smallestFreeMegabytes
      ? ok('disk space', `${freeMegabytes} MB free`)
      : failed(
          'disk space',
          `${freeMegabytes} MB free`,
          'Free some space: PostgreSQL stops when the disk is full.',
        ),
    ...['secrets.json', 'demo.json'].flatMap((name) => examinePrivateFile(join(dataDir, name))),
  ];
}

function examinePrivateFile(file: string): Finding[] {
  if (!existsSync(file)) return [];
  const mode = statSync(file).mode & 0o777;
  if ((mode & 0o077) === 0) return [ok('secrets', `${file} is readable by its owner only`)];
  return [failed('secrets', `${file} is readable by others (mode ${mode.toString(8)})`, `chmod 600 ${file}`)];
}

/** Stores, reads, lists and removes a few bytes, as the server does with the contents of files. */
async function examineFileStore(config: Config): Promise<Finding> {
  const { directory, place, remedy } = describeFileStore(config);
  // Not created here: the doctor may run as another user than the server.
  if (config.s3Bucket === null && !existsSync(directory)) {
    return ok('file store', `${directory} does not exist yet; the first start creates it`);
  }
  try {
    const store = await openFileStore(config);
    try {
      await store.check();
      return ok('file store', place);
    } finally {
      await store.close();
    }
  } catch (error) {
    return failed('file store', error instanceof Error ? error.message : String(error), remedy);
  }
}

/** Counts once, as the server does with requests. */
async function examineRedis({ redisUrl }: Config): Promise<Finding[]> {
  if (redisUrl === null) return [];
  try {
    await RedisCounts.check(redisUrl);
    return [ok('redis', `${new URL(redisUrl).host} counts requests`)];
  } catch (error) {
    const detail = `${new URL(redisUrl).host} cannot be used: ${(error as Error).message}`;
    const remedy =
      'Check TRELLIS_REDIS_URL, and that its user may run EVAL, EVALSHA, TIME, GET and SET on keys that begin with trellis:rate:. Until then, rate limits apply per process.';
    return [failed('redis', detail, remedy)];
  }
}

async function examineInstallation(config: Config, log: (line: string) => void): Promise<Finding[]> {
  let installation: Installation;
  try {
    installation = await openForCommand(config, log);
  } catch (error) {
    const remedy = usesExternalDatabase(config)
      ? 'Check that PostgreSQL is running there and that the URL is correct.'
      : 'Run "trellis doctor --verbose" to see the output of PostgreSQL.';
    return [failed('database', describeProblem(error), remedy)];
  }
  try {
    const { api, worker, owner } = installation.urls;
    const findings: Finding[] = [];
    if (api === null) {
      findings.push(failed('serving role', 'not configured', 'Set TRELLIS_DATABASE_URL.'));
    } else {
      findings.push(...(await examineDatabase(config, api)));
      findings.push(...(await examineReplicas(config, api)));
    }
    if (worker === null) {
      const remedy = 'Set TRELLIS_DATABASE_WORKER_URL where organizations and tokens are created.';
      findings.push(warning('background role', 'not configured', remedy));
    }
    if (owner === null) {
      const remedy = 'Set TRELLIS_DATABASE_OWNER_URL where "trellis migrate" is run.';
      findings.push(warning('owning role', 'not configured', remedy));
    }
    return findings;
  } finally {
    await installation.close();
  }
}

async function examineDatabase(config: Config, url: string): Promise<Finding[]> {
  const database = openDatabase(config, url, { poolSize: 1, name: 'trellis doctor' });
  const findings: Finding[] = [];
  try {
    const sent = Date.now();
    const rows = await database.run(`
      SELECT current_setting('server_version'), current_setting('server_version_num')::int / 10000,
        current_setting('max_connections')::int, current_setting('fsync'), current_setting('synchronous_commit'),
        current_setting('server_encoding'), extract(epoch FROM clock_timestamp()) * 1000`);
    const received = Date.now();
    const [version, major, connections, fsync, synchronous, encoding, clock] = rows[0] ?? [];
    const supported = Number(major) >= oldestMajorVersion;
    findings.push(
      supported
        ? ok('database', `PostgreSQL ${version}`)
        : failed(
            'database',
            `PostgreSQL ${version}`,
            `Trellis needs PostgreSQL ${oldestMajorVersion} or later.`,
          ),
    );
    findings.push(await examinePreparedStatements(config, url));
    if (fsync !== 'on' || synchronous === 'off') {
      const detail = `fsync is ${fsync}, synchronous_commit is ${synchronous}`;
      findings.push(
        failed('durability', detail, 'Switch both on: otherwise acknowledged writes can be lost in a crash.'),
      );
    } else findings.push(ok('durability', `fsync on, synchronous_commit ${synchronous}`));
    if (encoding !== 'UTF8') {
      findings.push(failed('encoding', `${encoding}`, 'Create the database with ENCODING UTF8.'));
    }
    if (config.databasePoolSize >= Number(connections)) {
      const detail = `a pool of ${config.databasePoolSize}, but PostgreSQL accepts ${connections}`;
      findings.push(
        failed('connections', detail, 'Lower TRELLIS_DATABASE_POOL_SIZE or raise max_connections.'),
      );
    } else findings.push(ok('connections', `${config.databasePoolSize} of ${connections} for this process`));
    findings.push(examineClock(Number(clock), sent, received));
    findings.push(await examineRole(database));
    const migrations = await examineMigrations(database);
    findings.push(migrations);
    if (migrations.status === 'ok') findings.push(await examineOrder(database));
    return findings;
  } catch (error) {
    const remedy =
      error instanceof ReadOnlyHostError
        ? 'Add the primary to the URL, separated by a comma.'
        : 'Check that PostgreSQL is running there and that the URL is correct.';
    return [...findings, failed('database', describeProblem(error), remedy)];
  } finally {
    await database.close();
  }
}

async function examinePreparedStatements(config: Config, url: string): Promise<Finding> {
  const check = 'prepared statements';
  if (!config.databasePrepare) return ok(check, 'not used (TRELLIS_DATABASE_PREPARE=off)');
  if (await keepsPreparedStatements(url)) return ok(check, 'kept by the connections');
  return failed(
    check,
    'the pooler in front of PostgreSQL does not keep them, so that requests fail with 500',
    'Set TRELLIS_DATABASE_PREPARE=off, or use PgBouncer 1.21 or later with max_prepared_statements.',
  );
}

/** What is wrong with a replica, and what to do; the primary serves what replicas do not. */
const replicaProblems: Readonly<Record<Exclude<ReplicaCondition, 'usable'>, readonly [string, string]>> = {
  behind: ['has not replayed what the primary had a second ago', 'Check that it streams from the primary.'],
  unreachable: ['does not respond', 'Check that it runs, and the address, role and password in the URL.'],
  promoted: [
    'is not a standby',
    'Nothing if it is the primary. Otherwise make it a standby of the primary, or remove it from the URL.',
  ],
  other_timeline: [
    'has not noted yet that it follows the new primary',
    'Run CHECKPOINT on it, or wait for some minutes. If it does not follow the new primary, make it a standby of that.',
  ],
  other_source: [
    'is a standby of another cluster, or the URL names another database or role than TRELLIS_DATABASE_URL',
    'Correct TRELLIS_DATABASE_REPLICA_URL.',
  ],
};

async function examineReplicas(config: Config, url: string): Promise<Finding[]> {
  if (config.databaseReplicaUrl === null) return [];
  const database = openDatabase(config, url, {
    poolSize: 1,
    name: 'trellis doctor',
    replicaUrl: config.databaseReplicaUrl,
  });
  try {
    const state = await database.examineReplicas();
    return (state?.replicas ?? []).map(({ host, condition }) => {
      if (condition === 'usable') return ok('replica', `${host} serves reads`);
      const [detail, remedy] = replicaProblems[condition];
      return warning('replica', `${host} ${detail}`, remedy);
    });
  } finally {
    await database.close();
  }
}

function examineClock(clockMs: number, sentMs: number, receivedMs: number): Finding {
  const difference = Math.max(sentMs - clockMs, clockMs - receivedMs, 0);
  const detail = `${Math.round(difference)} ms from the database's`;
  if (difference <= largestClockDifferenceMs) return ok('clock', detail);
  return warning('clock', detail, 'Synchronize the clocks of both machines (NTP).');
}

async function examineRole(database: Parameters<typeof checkServingRole>[0]): Promise<Finding> {
  try {
    await checkServingRole(database);
    return ok('serving role', 'restricted by row-level security');
  } catch (error) {
    return failed(
      'serving role',
      describeProblem(error),
      'Use the URL of trellis_api in TRELLIS_DATABASE_URL.',
    );
  }
}

async function examineOrder(database: Database): Promise<Finding> {
  if (await isSortedByThisIcu(database))
    return ok('alphabetical order', 'its indexes are of the present version of ICU');
  return warning(
    'alphabetical order',
    'the indexes of lists sorted by title are of another version of ICU, so records may be out of order or missing on later pages',
    'Run "trellis migrate": it rebuilds them.',
  );
}

async function examineMigrations(database: Database): Promise<Finding> {
  try {
    const { pending, newer } = await readMigrationState(database);
    if (newer.length > 0) {
      const detail = `of a later release: ${newer.join(', ')}`;
      return failed('migrations', detail, 'Run the release that the database was migrated to.');
    }
    if (pending.length === 0) return ok('migrations', 'all applied');
    return failed('migrations', `missing: ${pending.join(', ')}`, 'Run "trellis migrate".');
  } catch (error) {
    if (error instanceof InterruptedRestoreError) {
      return failed('migrations', 'a restore was interrupted', 'Run "trellis restore" again.');
    }
    if (error instanceof OutdatedDatabaseError) {
      return failed('migrations', error.message, 'Move the organizations into a new database.');
    }
    return failed(
      'migrations',
      describeProblem(error),
      'Applied migrations are never edited: restore the file.',
    );
  }
}

function ok(check: string, detail: string): Finding {
  return { check, status: 'ok', detail, remedy: null };
}

function warning(check: string, detail: string, remedy: string): Finding {
  return { check, status: 'warning', detail, remedy };
}

function failed(check: string, detail: string, remedy: string): Finding {
  return { check, status: 'failed', detail, remedy };
}
