/** `trellis backup`: copies the whole installation while it serves. */
import type { Command } from 'commander';
import { createBackup } from '../features/backup/create.ts';
import { backupKind } from '../features/backup/manifest.ts';
import { usesExternalDatabase } from '../kernel/config/config.ts';
import { InstallationError } from '../kernel/lib/installation-error.ts';
import { openBackupPlace } from '../node/backup-place.ts';
import { openFileStore } from '../node/file-store.ts';
import { needsOwner, openForCommand } from '../node/installation.ts';
import {
  addPassphraseOption,
  type BackupCommandOptions,
  printSummary,
  readPassphrase,
  showStage,
} from './backup-options.ts';
import { type CommandContext, createCommand, logTo, readConfig } from './command-line.ts';

interface Options extends BackupCommandOptions {
  readonly allowMissingFiles?: boolean;
}

/** `trellis backup`. */
export function backupCommand(context: CommandContext): Command {
  return addPassphraseOption(
    createCommand(
      'backup',
      'Copy the whole installation as it is at one moment, also while it serves: all tables, file contents and keys, encrypted ' +
        'with a passphrase. The place is an empty folder, or s3://BUCKET/PREFIX.',
      'trellis backup /backups/2026-11-26 --passphrase-file /etc/trellis/passphrase',
    ).argument('<place>', 'an empty or new folder, or s3://BUCKET/PREFIX'),
  )
    .option('--allow-missing-files', 'make the backup even if contents of files are missing or damaged')
    .action(async (place: string, _options: unknown, command: Command) => {
      const options = command.optsWithGlobals<Options>();
      const config = readConfig(context, options);
      const passphrase = readPassphrase(config, options, backupKind);
      if (usesExternalDatabase(config) && (config.cursorKey === null || config.visitorKey === null)) {
        throw new InstallationError(
          'The keys of the installation are a part of its backup: set TRELLIS_CURSOR_KEY and TRELLIS_VISITOR_KEY as for its nodes.',
        );
      }
      const stage = showStage(context, options);
      await using opened = new AsyncDisposableStack();
      const target = opened.adopt(await openBackupPlace(config, place, 'write'), (it) => it.close());
      const installation = opened.adopt(await openForCommand(config, logTo(context, options)), (it) =>
        it.close(),
      );
      if (installation.urls.owner === null) throw new InstallationError(needsOwner);
      const objects = opened.adopt(await openFileStore(config), (it) => it.close());
      opened.defer(stage.end);
      const summary = await createBackup({
        ownerUrl: installation.urls.owner,
        objects,
        keys: installation,
        target,
        passphrase,
        missing: options.allowMissingFiles ? 'note' : 'refuse',
        onProgress: stage.show,
      });
      stage.end();
      printSummary(context, options, summary);
    });
}
