/** `trellis upgrade --check`: rehearses the migrations of this release on a copy of a backup. */
import { tmpdir } from 'node:os';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { ArchiveReader } from '../features/backup/archive.ts';
import { backupKind } from '../features/backup/manifest.ts';
import { findPendingOf, type Rehearsal, rehearse, requireSpace } from '../features/backup/rehearsal.ts';
import { InstallationError } from '../kernel/lib/installation-error.ts';
import { openLatestBackup } from '../node/backup-place.ts';
import { startTemporaryServer } from '../node/temporary-server.ts';
import {
  addPassphraseOption,
  type BackupCommandOptions,
  readPassphrase,
  showStage,
} from './backup-options.ts';
import {
  type CommandContext,
  createCommand,
  logTo,
  printRecord,
  printTable,
  readConfig,
  SilentFailure,
  UsageError,
} from './command-line.ts';
import { stopOnSignals } from './stop-signal.ts';

interface Options extends BackupCommandOptions {
  readonly check?: boolean;
  readonly workDir: string;
}

/** `trellis upgrade`. */
export function upgradeCommand(context: CommandContext): Command {
  return addPassphraseOption(
    createCommand(
      'upgrade',
      'Rehearse the migrations of this release on a copy of the latest backup. The copy is made in a folder of its own with the embedded PostgreSQL, ' +
        'and removed at the end; nothing of the installation is read or changed. "trellis migrate" carries them out. Exit codes: 0 all of them can be ' +
        'applied, or none is missing; 1 a migration failed, or the result differs from a new database, or the rehearsal was not possible; 2 wrong usage.',
      'trellis upgrade --check /backups --passphrase-file /etc/trellis/passphrase',
    ).argument('<place>', 'the folder of a backup, or of several; or s3://BUCKET/PREFIX of one'),
  )
    .option('--check', 'rehearse, and change nothing')
    .option('--work-dir <folder>', 'where the copy is made', tmpdir())
    .action(async (place: string, _options: unknown, command: Command) => {
      const options = command.optsWithGlobals<Options>();
      if (!options.check)
        throw new UsageError('Use --check to rehearse an upgrade. "trellis migrate" carries it out.');
      await check(context, options, place);
    });
}

async function check(context: CommandContext, options: Options, place: string): Promise<void> {
  const config = readConfig(context, options);
  using stop = stopOnSignals();
  await using opened = new AsyncDisposableStack();
  const { source, name } = await openLatestBackup(config, place);
  opened.adopt(source, (it) => it.close());
  const passphrase = readPassphrase(config, options, backupKind);
  const archive = await ArchiveReader.open(source, passphrase, backupKind);
  const { manifest } = archive;
  const pending = await findPendingOf(manifest);
  const backup = { place: name, createdAt: manifest.createdAt, version: manifest.version };
  if (pending.length === 0) {
    const nothing = { migrations: [], failed: null, differences: [] };
    if (options.json) printRecord(context, options, { backup, pending, ...nothing });
    else
      context.stdout(
        `${describe(backup)}\nIt has all migrations of this release: there is nothing to rehearse.\n`,
      );
    return;
  }
  const folder = resolve(options.workDir);
  await requireSpace(manifest, folder);
  const stage = showStage(context, options);
  opened.defer(stage.end);
  const log = logTo(context, options);
  const server = opened.adopt(await startTemporaryServer(folder, log), (it) => it.close());
  // What waits for the database then fails.
  const end = () => void server.stop();
  stop.signal.addEventListener('abort', end, { once: true });
  let found: Rehearsal;
  try {
    stop.signal.throwIfAborted();
    found = await rehearse({ archive, server, log, onProgress: stage.show });
  } catch (error) {
    if (stop.signal.aborted)
      throw new InstallationError('The rehearsal was stopped, and its copy is removed.');
    throw error;
  }
  stage.end();
  if (options.json) printRecord(context, options, { backup, pending, ...found });
  else printFound(context, options, { backup, pending, found });
  if (found.failed !== null || found.differences.length > 0) throw new SilentFailure();
}

interface Backup {
  readonly place: string;
  readonly createdAt: string;
  readonly version: string;
}

function describe({ place, createdAt, version }: Backup): string {
  const days = Math.floor((Date.now() - Date.parse(createdAt)) / 86_400_000);
  const age = days < 1 ? '' : `, ${days} ${days === 1 ? 'day' : 'days'} ago`;
  return `Backup ${place}, made at ${createdAt}${age} by release ${version}.`;
}

function printFound(
  context: CommandContext,
  options: Options,
  {
    backup,
    pending,
    found,
  }: {
    readonly backup: Backup;
    readonly pending: readonly string[];
    readonly found: Rehearsal;
  },
): void {
  const { migrations, failed, differences } = found;
  const say = (line: string) => context.stdout(`${line}\n`);
  say(describe(backup));
  say(`Missing migrations: ${pending.join(' ')}.`);
  if (migrations.length > 0)
    printTable(context, options, migrations, ['name', 'ms', 'blocksReads', 'blocksWrites', 'rewrites']);
  say(
    `The copy had ${megabytes(found.databaseBytes)}; the migrations needed ${megabytes(found.additionalBytes)} of disk in addition.`,
  );
  if (failed !== null) say(`${failed.name} failed: ${failed.reason}`);
  else if (differences.length === 0) say('The migrated copy is like a new database of this release.');
  else say(['The migrated copy differs from a new database of this release:', ...differences].join('\n'));
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}
