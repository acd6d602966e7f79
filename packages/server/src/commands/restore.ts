/** `trellis restore`: restores a backup into an empty installation, or only verifies it. */
import type { Command } from 'commander';
import { ArchiveReader } from '../features/backup/archive.ts';
import { backupKind, type Manifest } from '../features/backup/manifest.ts';
import { checkRelease, restoreBackup } from '../features/backup/restore.ts';
import { type BackupSummary, summarize } from '../features/backup/summary.ts';
import { verifyArchive } from '../features/backup/verify.ts';
import { type Config, usesExternalDatabase } from '../kernel/config/config.ts';
import { InstallationError } from '../kernel/lib/installation-error.ts';
import { openBackupPlace } from '../node/backup-place.ts';
import { openFileStore } from '../node/file-store.ts';
import { openForRestore } from '../node/installation.ts';
import {
  addPassphraseOption,
  type BackupCommandOptions,
  printSummary,
  readPassphrase,
  showStage,
} from './backup-options.ts';
import { type CommandContext, createCommand, logTo, readConfig } from './command-line.ts';

interface Options extends BackupCommandOptions {
  readonly verify?: boolean;
}

/** The keys of a backup. */
interface Keys {
  readonly cursorKey: Buffer;
  readonly visitorKey: Buffer;
}

/** `trellis restore`. */
export function restoreCommand(context: CommandContext): Command {
  return addPassphraseOption(
    createCommand(
      'restore',
      'Restore a backup into an empty installation: a new data directory, or an external database after "trellis database setup". ' +
        'All rows are compared with the backup before they become visible. No node may run.',
      'trellis restore /backups/2026-11-26 --data-dir /srv/trellis --passphrase-file /etc/trellis/passphrase',
    ).argument('<place>', 'the folder of the backup, or s3://BUCKET/PREFIX'),
  )
    .option('--verify', 'read and check the whole backup, and restore nothing')
    .action(async (place: string, _options: unknown, command: Command) => {
      const options = command.optsWithGlobals<Options>();
      const config = readConfig(context, options);
      const passphrase = readPassphrase(config, options, backupKind);
      const stage = showStage(context, options);
      await using opened = new AsyncDisposableStack();
      const source = opened.adopt(await openBackupPlace(config, place, 'read'), (it) => it.close());
      opened.defer(stage.end);
      const archive = await ArchiveReader.open(source, passphrase, backupKind);
      if (options.verify) {
        await verifyArchive(archive, null, stage.show);
        stage.end();
        printSummary(context, options, summarize(archive.manifest));
        return;
      }
      const keys = keysOf(archive);
      checkKeys(config, keys);
      await checkRelease(archive.manifest);
      const log = logTo(context, options);
      const target = opened.adopt(await openForRestore(config, log), (it) => it.close());
      const objects = opened.adopt(await openFileStore(config), (it) => it.close());
      const summary = await restoreBackup({
        archive,
        ownerUrl: target.ownerUrl,
        objects,
        storeKeys: () => target.storeKeys(keys),
        log,
        onProgress: stage.show,
      });
      stage.end();
      printRestored(context, options, summary, usesExternalDatabase(config) ? keys : null);
    });
}

function keysOf({ manifest }: ArchiveReader<Manifest>): Keys {
  return {
    cursorKey: Buffer.from(manifest.keys.cursor, 'hex'),
    visitorKey: Buffer.from(manifest.keys.visitor, 'hex'),
  };
}

/** @throws InstallationError for keys that are set and are not those of the backup */
function checkKeys(config: Config, keys: Keys): void {
  const differs = (own: Buffer | null, stored: Buffer) => own !== null && !own.equals(stored);
  if (!differs(config.cursorKey, keys.cursorKey) && !differs(config.visitorKey, keys.visitorKey)) return;
  throw new InstallationError(
    'TRELLIS_CURSOR_KEY or TRELLIS_VISITOR_KEY is not the one of the backup. Unset both (and TRELLIS_DATABASE_URL, which requires ' +
      'them): the command prints those of the backup when it has restored it.',
  );
}

/** @param keys printed as settings, where the operator has to store them */
function printRestored(
  context: CommandContext,
  options: Options,
  summary: BackupSummary,
  keys: Keys | null,
): void {
  const settings =
    keys === null
      ? {}
      : {
          TRELLIS_CURSOR_KEY: keys.cursorKey.toString('hex'),
          TRELLIS_VISITOR_KEY: keys.visitorKey.toString('hex'),
        };
  if (options.json) {
    context.stdout(`${JSON.stringify({ ...summary, settings })}\n`);
    return;
  }
  printSummary(context, options, summary);
  if (keys === null) return;
  context.stderr('Store these settings where the nodes read them (.env):\n');
  for (const [name, value] of Object.entries(settings)) context.stdout(`${name}=${value}\n`);
}
