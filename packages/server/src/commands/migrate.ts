/** `trellis migrate`: applies migrations, separately from serving. */
import type { Command } from 'commander';
import { usesExternalDatabase } from '../kernel/config/config.ts';
import { migrate } from '../kernel/database/migrate.ts';
import { InstallationError } from '../kernel/lib/installation-error.ts';
import { openForCommand } from '../node/installation.ts';
import {
  type CommandContext,
  type CommonOptions,
  createCommand,
  printRecord,
  readConfig,
} from './command-line.ts';

/** `trellis migrate`. */
export function migrateCommand(context: CommandContext): Command {
  return createCommand(
    'migrate',
    'Apply the missing migrations. Several nodes may run it at once.',
    'TRELLIS_DATABASE_OWNER_URL=postgres://trellis_owner:…@db/trellis trellis migrate',
  ).action(async (_options: unknown, command: Command) => {
    const options = command.optsWithGlobals<CommonOptions>();
    const config = readConfig(context, options);
    const log = (line: string) => context.stderr(`${line}\n`);
    if (usesExternalDatabase(config) && config.databaseOwnerUrl === null) {
      throw new InstallationError(
        'Migrating needs the role that owns the schema: set TRELLIS_DATABASE_OWNER_URL. ' +
          '"trellis database setup" creates the role and prints its URL.',
      );
    }
    const installation = await openForCommand(config, options.verbose ? log : () => undefined);
    try {
      const applied = installation.urls.owner === null ? [] : await migrate(installation.urls.owner, log);
      printRecord(context, options, { applied, upToDate: true });
    } finally {
      await installation.close();
    }
  });
}
