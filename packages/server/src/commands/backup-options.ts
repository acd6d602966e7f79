/** What the commands of backups and of moved organizations share: the passphrase, progress, and the summary. */
import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import type { ArchiveKind } from '../features/backup/manifest.ts';
import type { ArchiveSummary } from '../features/backup/summary.ts';
import type { Config } from '../kernel/config/config.ts';
import { type CommandContext, type CommonOptions, printRecord, UsageError } from './command-line.ts';

export interface BackupCommandOptions extends CommonOptions {
  readonly passphraseFile?: string;
}

export function addPassphraseOption(command: Command): Command {
  return command.option(
    '--passphrase-file <path>',
    'file whose first line is the passphrase (default: TRELLIS_BACKUP_PASSPHRASE)',
  );
}

/** @throws UsageError if there is none */
export function readPassphrase(
  config: Config,
  { passphraseFile }: BackupCommandOptions,
  { noun }: ArchiveKind,
): string {
  if (passphraseFile === undefined) {
    if (config.backupPassphrase !== null) return config.backupPassphrase;
    throw new UsageError(
      `The ${noun} is encrypted: set TRELLIS_BACKUP_PASSPHRASE, or name a file with --passphrase-file.`,
    );
  }
  try {
    const [line = ''] = readFileSync(passphraseFile, 'utf8').split(/\r?\n/, 1);
    return line;
  } catch (error) {
    throw new UsageError(`--passphrase-file cannot be read: ${(error as Error).message}`);
  }
}

const redrawMs = 100;

/** Shows what is being done in one line, on a terminal only. */
export function showStage(
  context: CommandContext,
  options: CommonOptions,
): { readonly show: (text: string) => void; readonly end: () => void } {
  if (!context.isTerminal || options.json) return { show: () => undefined, end: () => undefined };
  let drawn = Number.NEGATIVE_INFINITY;
  return {
    show(text) {
      const now = Date.now();
      if (now - drawn < redrawMs) return;
      drawn = now;
      context.stderr(`\r\u001b[2K${text} …`);
    },
    end: () => context.stderr('\r\u001b[2K'),
  };
}

export function printSummary<S extends ArchiveSummary>(
  context: CommandContext,
  options: CommonOptions,
  summary: S,
): void {
  const forPeople = { ...summary, missingFiles: summary.missingFiles.length };
  printRecord(context, options, options.json ? summary : forPeople);
  if (options.json) return;
  for (const missing of summary.missingFiles) {
    context.stderr(`The content of a file is missing (organization and hash): ${missing}\n`);
  }
}
