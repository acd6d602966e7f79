/** The oldest PostgreSQL that is supported: where its programs are, and which tests run on it again. */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';

/** Major version of the oldest PostgreSQL that is supported. */
export const oldestSupported = 15;

/**
 * Tests whose outcome may depend on the version of PostgreSQL. The others test code above the database, which is the same
 * whatever runs below.
 */
export const dependsOnPostgresql: readonly string[] = [
  // Migrations, the catalogue, privileges and row-level security.
  'test/database/isolation.test.ts',
  'test/database/schema.test.ts',
  'test/cli/doctor.test.ts',
  // Several statements before one Sync, and what the driver sees when the server goes away.
  'test/database/batch.test.ts',
  'test/database/dynamic-statements.test.ts',
  'test/database/joined-steps.test.ts',
  'test/faults/stop-database.test.ts',
  // What a standby says about itself.
  'test/faults/replicas.test.ts',
  // Locks and concurrent transactions.
  'test/http/contract/idempotency-race.test.ts',
  'test/pipeline/locked-records.test.ts',
  'test/events/relay.test.ts',
  'test/webhooks/delivery.test.ts',
  // COPY, and snapshots.
  'test/backup/backup.test.ts',
  // Partitions.
  'test/events/retention.test.ts',
  // SQL functions, lists and searches, whose plans differ.
  'test/http/contract/cursors.test.ts',
  'test/http/alphabetical-order.test.ts',
  'test/knowledge/search-oracle.test.ts',
  'test/webhooks/scans.test.ts',
  // All operations, and all resources.
  'test/http/enumeration/idempotency.test.ts',
  'test/model/sequences.test.ts',
];

/** Folder with its `bin/`; undefined where this machine does not have it. */
export function findOldestPostgresql(): string | undefined {
  const folder = `/usr/lib/postgresql/${oldestSupported}`;
  const isInstalled = () => existsSync(`${folder}/bin/postgres`);
  if (isInstalled()) return folder;
  const canInstall =
    process.env.CI !== undefined && process.getuid?.() === 0 && existsSync('/usr/bin/apt-get');
  if (!canInstall) return undefined;
  process.stdout.write(`installing PostgreSQL ${oldestSupported}\n`);
  try {
    install();
  } catch (error) {
    process.stdout.write(
      `PostgreSQL ${oldestSupported} could not be installed: ${(error as Error).message}\n`,
    );
  }
  return isInstalled() ? folder : undefined;
}

function install(): void {
  const run = (program: string, ...words: string[]) =>
    execFileSync(program, words, {
      stdio: 'ignore',
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    });
  run('apt-get', 'update');
  // Only the programs are wanted: Debian would otherwise create and start a cluster of its own.
  const configure = `mkdir -p /etc/postgresql-common
    echo "create_main_cluster = false" > /etc/postgresql-common/createcluster.conf`;
  run('sh', '-c', configure);
  run('apt-get', 'install', '-y', '--no-install-recommends', `postgresql-${oldestSupported}`);
}
