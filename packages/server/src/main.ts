/**
 * The entry point of the command line. It reads the environment, runs the command, and turns errors into a message and an
 * exit code.
 */
import { createInterface } from 'node:readline/promises';
import { Command, CommanderError } from 'commander';
import packageFile from '../../../package.json' with { type: 'json' };
import { type CommandContext, type CommonOptions, describeFailure } from './commands/command-line.ts';
import { readEnvironment } from './config/config.ts';

/**
 * The commands by name, in the order of the help. Each is imported on demand: importing all takes longer than most
 * run.
 */
const commandLoaders: Readonly<Record<string, (context: CommandContext) => Promise<Command>>> = {
  serve: async (context) => (await import('./commands/serve.ts')).serveCommand(context),
  migrate: async (context) => (await import('./commands/migrate.ts')).migrateCommand(context),
  database: async (context) => (await import('./commands/database.ts')).databaseCommand(context),
  organization: async (context) => (await import('./commands/organization.ts')).organizationCommand(context),
  user: async (context) => (await import('./commands/user.ts')).userCommand(context),
  client: async (context) => (await import('./commands/client.ts')).clientCommand(context),
  token: async (context) => (await import('./commands/token.ts')).tokenCommand(context),
  import: async (context) => (await import('./commands/import/command.ts')).importCommand(context),
  export: async (context) => (await import('./commands/export/command.ts')).exportCommand(context),
  events: async (context) => (await import('./commands/events/command.ts')).eventsCommand(context),
  webhooks: async (context) => (await import('./commands/webhooks/command.ts')).webhooksCommand(context),
  openapi: loadOpenapiCommand,
  doctor: async (context) => (await import('./commands/doctor.ts')).doctorCommand(context),
  demo: async (context) => (await import('./commands/demo.ts')).demoCommand(context),
};

// A reader of our output may close it early, as `head` does; that is not an error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  // Commands that have something to clean up listen for this signal.
  if (!process.emit('SIGPIPE', 'SIGPIPE')) process.exit(0);
});

process.exitCode = await main(process.argv.slice(2));

/** Runs a command line. Returns its exit code: 0 success, 1 failure, 2 wrong usage. */
async function main(words: readonly string[]): Promise<number> {
  const program = new Command('trellis').description(packageFile.description).version(packageFile.version);
  try {
    const context: CommandContext = {
      environment: readEnvironment(process.cwd(), process.env),
      stdout: (text) => process.stdout.write(text),
      stderr: (text) => process.stderr.write(text),
      isTerminal: process.stdout.isTTY === true,
      ...(process.stdin.isTTY === true && process.stdout.isTTY === true ? { ask } : {}),
    };
    await addCommands(program, context, words);
    await program.parseAsync(words, { from: 'user' });
    return Number(process.exitCode ?? 0);
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    const failure = describeFailure(error, program.opts<CommonOptions>().verbose === true);
    process.stderr.write(failure.text);
    return failure.exitCode;
  }
}

async function ask(question: string): Promise<boolean> {
  const lines = createInterface({ input: process.stdin, output: process.stdout });
  try {
    return /^y(es)?$/i.test((await lines.question(`${question} [y/N] `)).trim());
  } finally {
    lines.close();
  }
}

async function loadOpenapiCommand(context: CommandContext): Promise<Command> {
  const [{ openapiCommand }, { buildAsyncApi }, { operationsWithoutServer }, { buildOpenApi }, sandbox] =
    await Promise.all([
      import('./commands/openapi.ts'),
      import('./contract/asyncapi.ts'),
      import('./node/api/operations-without-server.ts'),
      import('./contract/openapi.ts'),
      import('./sandbox/http/document.ts'),
    ]);
  return openapiCommand(context, {
    api: (origin) => buildOpenApi(operationsWithoutServer(origin), origin),
    events: buildAsyncApi,
    sandbox: sandbox.buildSandboxDocument,
  });
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
      .showHelpAfterError('(run with --help for usage)')
      .configureHelp({ showGlobalOptions: true });
  }
}

function withSubcommands(commands: readonly Command[]): Command[] {
  return commands.flatMap((command) => [command, ...withSubcommands(command.commands)]);
}
