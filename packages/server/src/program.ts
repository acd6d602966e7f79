/** The command line: finds the command, runs it, and turns errors into a message and an exit code. */
import { Command, CommanderError } from 'commander';
import packageFile from '../../../package.json' with { type: 'json' };
import { type CommandContext, type CommonOptions, describeFailure } from './commands/command-line.ts';
import type { DocumentKind } from './commands/openapi.ts';
import { readEnvironment } from './kernel/config/config.ts';

/**
 * The commands by name, in the order of the help. Each is imported on demand: importing all takes longer than most
 * run.
 */
const commandLoaders: Readonly<Record<string, (context: CommandContext) => Promise<Command>>> = {
  serve: async (context) => (await import('./commands/serve/command.ts')).serveCommand(context),
  migrate: async (context) => (await import('./commands/migrate.ts')).migrateCommand(context),
  upgrade: async (context) => (await import('./commands/upgrade.ts')).upgradeCommand(context),
  database: async (context) => (await import('./commands/database.ts')).databaseCommand(context),
  organization: async (context) => (await import('./commands/organization.ts')).organizationCommand(context),
  'service-member': async (context) =>
    (await import('./commands/service-member.ts')).serviceMemberCommand(context),
  user: async (context) => (await import('./commands/user.ts')).userCommand(context),
  client: async (context) => (await import('./commands/client.ts')).clientCommand(context),
  token: async (context) => (await import('./commands/token.ts')).tokenCommand(context),
  action: async (context) => (await import('./commands/action.ts')).actionCommand(context),
  import: async (context) => (await import('./commands/import/command.ts')).importCommand(context),
  export: async (context) => (await import('./commands/export/command.ts')).exportCommand(context),
  backup: async (context) => (await import('./commands/backup.ts')).backupCommand(context),
  restore: async (context) => (await import('./commands/restore.ts')).restoreCommand(context),
  events: async (context) => (await import('./commands/events/command.ts')).eventsCommand(context),
  webhooks: async (context) => (await import('./commands/webhooks/command.ts')).webhooksCommand(context),
  openapi: async (context) => (await import('./commands/openapi.ts')).openapiCommand(context, buildDocument),
  doctor: async (context) => (await import('./commands/doctor.ts')).doctorCommand(context),
  demo: async (context) => (await import('./commands/demo.ts')).demoCommand(context),
};

/** Where a command line runs, with the variables of the process as its environment. */
export interface ProgramContext extends CommandContext {
  /** The folder whose `.env` completes the environment. */
  readonly folder: string;
}

/** Runs a command line. Returns its exit code: 0 success, 1 failure, 2 wrong usage. */
export async function runCommandLine(
  words: readonly string[],
  { folder, ...given }: ProgramContext,
): Promise<number> {
  const program = new Command('trellis').description(packageFile.description).version(packageFile.version);
  try {
    const context: CommandContext = { ...given, environment: readEnvironment(folder, given.environment) };
    await addCommands(program, context, words);
    await program.parseAsync(words, { from: 'user' });
    return 0;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    const failure = describeFailure(error, program.opts<CommonOptions>().verbose === true);
    given.stderr(failure.text);
    return failure.exitCode;
  }
}

/** Builds a document of this release. Imported on demand, because the documents describe all of the server. */
async function buildDocument(kind: DocumentKind, address: string): Promise<object> {
  if (kind === 'sandbox')
    return (await import('./features/sandbox/http/document.ts')).buildSandboxDocument(address);
  const api = (await import('./node/api/operations-without-server.ts')).apiWithoutServer(address);
  if (kind === 'events') return (await import('./kernel/contract/asyncapi.ts')).buildAsyncApi(api, address);
  return (await import('./kernel/contract/openapi.ts')).buildOpenApi(api, address);
}

async function addCommands(
  program: Command,
  context: CommandContext,
  words: readonly string[],
): Promise<void> {
  program
    .exitOverride()
    .option('--data-dir <folder>', 'folder of the embedded database and the secrets (TRELLIS_DATA_DIR)')
    .option('--port <number>', 'TCP port of the server; 0 picks a free one (PORT)')
    .option('--host <address>', 'address to listen on (TRELLIS_HOST)')
    .option('--json', 'write JSON for machines')
    .option('--verbose', 'print more detail, and stack traces of errors');
  // The help, and suggestions for an unknown command, need all commands.
  const [name = ''] = program.parseOptions([...words]).operands;
  const loader = Object.hasOwn(commandLoaders, name) ? commandLoaders[name] : undefined;
  const loaders = loader === undefined ? Object.values(commandLoaders) : [loader];
  const commands = await Promise.all(loaders.map((load) => load(context)));
  for (const command of commands) program.addCommand(command);
  // Commander throws on wrong usage, so the exit code is set in one place; global options apply to subcommands.
  for (const command of [program, ...withSubcommands(commands)]) {
    command
      .exitOverride()
      .configureOutput({ writeOut: context.stdout, writeErr: context.stderr })
      .showHelpAfterError('(run with --help for usage)')
      .configureHelp({ showGlobalOptions: true });
  }
}

function withSubcommands(commands: readonly Command[]): Command[] {
  return commands.flatMap((command) => [command, ...withSubcommands(command.commands)]);
}
