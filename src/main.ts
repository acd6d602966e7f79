/**
 * Why: the composition root. It reads the environment, gives it to the commands, and turns what they throw into a
 * sentence and an exit code; no other file does.
 */
import { createInterface } from 'node:readline/promises';
import { Command, CommanderError } from 'commander';
import packageFile from '../package.json' with { type: 'json' };
import { clientCommand } from './cli/client.ts';
import { type CommandContext, type CommonOptions, describeFailure } from './cli/command-line.ts';
import { databaseCommand } from './cli/database.ts';
import { demoCommand } from './cli/demo.ts';
import { doctorCommand } from './cli/doctor.ts';
import { eventsCommand } from './cli/events/command.ts';
import { exportCommand } from './cli/export/command.ts';
import { importCommand } from './cli/import/command.ts';
import { migrateCommand } from './cli/migrate.ts';
import { openapiCommand } from './cli/openapi.ts';
import { organizationCommand } from './cli/organization.ts';
import { tokenCommand } from './cli/token.ts';
import { userCommand } from './cli/user.ts';
import { webhooksCommand } from './cli/webhooks/command.ts';
import { readEnvironment } from './config.ts';
import { buildAsyncApi } from './http/asyncapi.ts';
import { operationsWithoutServer } from './http/openapi/operations-without-server.ts';
import { buildOpenApi } from './http/openapi.ts';
import { buildSandboxDocument } from './http/sandbox/document.ts';
import { serveCommand } from './serve.ts';

// Whoever reads our output may stop reading, as `head` does; that is no failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  // Commands that have something to undo listen for it.
  if (!process.emit('SIGPIPE', 'SIGPIPE')) process.exit(0);
});

process.exitCode = await main(process.argv.slice(2));

/** Runs one command line; returns its exit code: 0 done, 1 failed, 2 wrongly used. */
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
    addCommands(program, context);
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

function addCommands(program: Command, context: CommandContext): void {
  program
    .option('--data-dir <folder>', 'folder of the embedded database and the secrets (TRELLIS_DATA_DIR)')
    .option('--port <number>', 'TCP port of the server; 0 picks a free one (PORT)')
    .option('--host <address>', 'address to listen on (TRELLIS_HOST)')
    .option('--json', 'write JSON for machines')
    .option('--verbose', 'say more, and show stack traces');
  const commands = [
    serveCommand(context),
    migrateCommand(context),
    databaseCommand(context),
    organizationCommand(context),
    userCommand(context),
    clientCommand(context),
    tokenCommand(context),
    importCommand(context),
    exportCommand(context),
    eventsCommand(context),
    webhooksCommand(context),
    openapiCommand(context, {
      api: (origin) => buildOpenApi(operationsWithoutServer(origin), origin),
      events: buildAsyncApi,
      sandbox: buildSandboxDocument,
    }),
    doctorCommand(context),
    demoCommand(context),
  ];
  for (const command of commands) program.addCommand(command);
  // Wrong usage is thrown, so that it gets its exit code in one place; options of the program hold for subcommands.
  for (const command of [program, ...withSubcommands(commands)]) {
    command
      .exitOverride()
      .showHelpAfterError('(--help shows what is possible)')
      .configureHelp({ showGlobalOptions: true });
  }
}

function withSubcommands(commands: readonly Command[]): Command[] {
  return commands.flatMap((command) => [command, ...withSubcommands(command.commands)]);
}
