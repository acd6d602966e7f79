/** `trellis organization export|import`: moves one organization with its history into another installation. */
import type { Command } from 'commander';
import {
  findOrganization,
  organizationUuid,
  setOrganizationStatus,
} from '../features/access/organizations.ts';
import { ArchiveReader } from '../features/backup/archive.ts';
import { organizationKind } from '../features/backup/manifest.ts';
import { exportOrganization } from '../features/backup/organization/export.ts';
import { importOrganization } from '../features/backup/organization/import.ts';
import { webhookSecrets } from '../features/backup/organization/secrets.ts';
import { summarizeOrganization } from '../features/backup/organization/summary.ts';
import { verifyArchive } from '../features/backup/verify.ts';
import { createFeatures } from '../features.ts';
import { type Config, usesExternalDatabase } from '../kernel/config/config.ts';
import { readInteger } from '../kernel/config/values.ts';
import type { SecretSealing } from '../kernel/feature.ts';
import { InstallationError } from '../kernel/lib/installation-error.ts';
import type { ObjectStore } from '../kernel/objects/object-store.ts';
import { openBackupPlace } from '../node/backup-place.ts';
import { openFileStore } from '../node/file-store.ts';
import { needsOwner, openDatabase, openForCommand } from '../node/installation.ts';
import {
  addPassphraseOption,
  type BackupCommandOptions,
  printSummary,
  readPassphrase,
  showStage,
} from './backup-options.ts';
import { addSubcommand, type CommandContext, logTo, readConfig, UsageError } from './command-line.ts';

interface ExportCommandOptions extends BackupCommandOptions {
  readonly suspend?: boolean;
  readonly allowMissingFiles?: boolean;
}

interface ImportCommandOptions extends BackupCommandOptions {
  readonly key?: string;
  readonly maxRows?: string;
  readonly verify?: boolean;
}

/** Adds both commands to the group. */
export function addMoveCommands(organization: Command, context: CommandContext): void {
  addPassphraseOption(
    addSubcommand(
      organization,
      'export <key> <place>',
      'copy one organization with its history, encrypted with a passphrase, to an empty folder or s3://BUCKET/PREFIX',
      'trellis organization export acme /moves/acme --suspend --passphrase-file /etc/trellis/passphrase',
    ),
  )
    .option('--suspend', 'suspend it first, so that the export has its final state and what waits to be sent')
    .option('--allow-missing-files', 'make the export even if contents of files are missing or damaged')
    .action(async (key: string, place: string, _options: unknown, command: Command) =>
      runExport(context, key, place, command.optsWithGlobals<ExportCommandOptions>()),
    );
  addPassphraseOption(
    addSubcommand(
      organization,
      'import <place>',
      'bring an exported organization into this installation, also while it serves; it begins suspended',
      'trellis organization import /moves/acme --passphrase-file /etc/trellis/passphrase',
    ),
  )
    .option('--key <key>', 'its key here (default: the one that it has)')
    .option('--max-rows <number>', 'refuse an export that has more rows in all (default: 20 million)')
    .option('--verify', 'read and check the whole export, and import nothing')
    .action(async (place: string, _options: unknown, command: Command) =>
      runImport(context, place, command.optsWithGlobals<ImportCommandOptions>()),
    );
}

async function runExport(
  context: CommandContext,
  key: string,
  place: string,
  options: ExportCommandOptions,
): Promise<void> {
  const config = readConfig(context, options);
  const passphrase = readPassphrase(config, options, organizationKind);
  const stage = showStage(context, options);
  await using opened = new AsyncDisposableStack();
  const target = opened.adopt(await openBackupPlace(config, place, 'write'), (it) => it.close());
  const { ownerUrl, workerUrl, secrets, objects } = await openInstallation(opened, context, config, options);
  const worker = opened.adopt(
    openDatabase(config, workerUrl, { poolSize: 2, name: 'trellis command' }),
    (it) => it.close(),
  );
  const organizationId = organizationUuid(await findOrganization(worker, key));
  if (options.suspend) {
    await setOrganizationStatus(worker, key, 'SUSPENDED');
    context.stderr(`"${key}" is suspended; "trellis organization resume ${key}" ends that.\n`);
  }
  opened.defer(stage.end);
  const summary = await exportOrganization({
    ownerUrl,
    organizationId,
    objects,
    secrets,
    target,
    passphrase,
    missing: options.allowMissingFiles ? 'note' : 'refuse',
    onProgress: stage.show,
  });
  stage.end();
  printSummary(context, options, summary);
  if (!summary.isSuspended) {
    context.stderr(
      `"${key}" goes on being served here, so this is a copy: its webhook endpoints are disabled in it. With --suspend it can be moved.\n`,
    );
  }
}

async function runImport(
  context: CommandContext,
  place: string,
  options: ImportCommandOptions,
): Promise<void> {
  const config = readConfig(context, options);
  const passphrase = readPassphrase(config, options, organizationKind);
  const stage = showStage(context, options);
  await using opened = new AsyncDisposableStack();
  const source = opened.adopt(await openBackupPlace(config, place, 'read'), (it) => it.close());
  opened.defer(stage.end);
  const archive = await ArchiveReader.open(source, passphrase, organizationKind);
  if (options.verify) {
    await verifyArchive(archive, archive.manifest.organization.id, stage.show);
    stage.end();
    printSummary(context, options, summarizeOrganization(archive.manifest));
    return;
  }
  const { ownerUrl, secrets, objects } = await openInstallation(opened, context, config, options);
  const { existingAccounts, ...summary } = await importOrganization({
    archive,
    ownerUrl,
    objects,
    secrets,
    key: options.key ?? null,
    ...readMaxRows(options),
    onProgress: stage.show,
  });
  stage.end();
  printSummary(context, options, {
    ...summary,
    existingAccounts: options.json ? existingAccounts : existingAccounts.length,
  });
  for (const email of existingAccounts) {
    context.stderr(`${email} had an account here, and is a member with it. Their tokens were revoked.\n`);
  }
  context.stderr(`The organization is suspended; "trellis organization resume ${summary.key}" opens it.\n`);
}

/** @throws UsageError */
function readMaxRows({ maxRows }: ImportCommandOptions): { readonly maxRows?: number } {
  if (maxRows === undefined) return {};
  try {
    return { maxRows: readInteger(maxRows, 1, 999_999_999_999) };
  } catch (error) {
    throw new UsageError(`--max-rows ${(error as Error).message}`);
  }
}

/** Opens what both need of an installation. @param opened closes it @throws InstallationError */
async function openInstallation(
  opened: AsyncDisposableStack,
  context: CommandContext,
  config: Config,
  options: BackupCommandOptions,
): Promise<{ ownerUrl: string; workerUrl: string; secrets: SecretSealing; objects: ObjectStore }> {
  const installation = opened.adopt(await openForCommand(config, logTo(context, options)), (it) =>
    it.close(),
  );
  if (usesExternalDatabase(config) && config.cursorKey === null) {
    throw new InstallationError(
      'Secrets of webhooks are sealed under the key of the installation: set TRELLIS_CURSOR_KEY as for its nodes.',
    );
  }
  const { urls } = installation;
  if (urls.owner === null) throw new InstallationError(needsOwner);
  if (urls.worker === null) {
    throw new InstallationError('This command also needs the worker role: set TRELLIS_DATABASE_WORKER_URL.');
  }
  const sealings = createFeatures({ ...config, ...installation }).flatMap(
    ({ movedSecrets }) => movedSecrets ?? [],
  );
  const [sealing] = sealings;
  if (sealing === undefined)
    throw new InstallationError('No feature of this release opens the secrets of webhooks.');
  const secrets = webhookSecrets(sealing);
  const objects = opened.adopt(await openFileStore(config), (it) => it.close());
  return { ownerUrl: urls.owner, workerUrl: urls.worker, secrets, objects };
}
