/**
 * What all commands share: options, output as a record or table for people or as JSON for programs, one sentence per
 * failure with a stack trace on request, and the exit codes 0, 1 and 2.
 */

import { UsageError } from '@trellis/importer/errors.ts';
import { Command } from 'commander';
import {
  type Config,
  type ConfigOverrides,
  ConfigurationError,
  type Environment,
  loadConfig,
} from '../kernel/config/config.ts';
import type { Database } from '../kernel/database/database.ts';
import { withAuth, withWorker, withWorkerAndApi } from '../node/installation.ts';

/** Input and output of a command; replaced in tests. */
export interface CommandContext {
  readonly environment: Environment;
  readonly stdout: (text: string) => void;
  readonly stderr: (text: string) => void;
  /** Whether standard output is a terminal, for colours and progress bars. */
  readonly isTerminal: boolean;
  /** Asks a yes/no question; absent when the command is not interactive. */
  readonly ask?: (question: string) => Promise<boolean>;
}

/** Options of every command. */
export interface CommonOptions {
  readonly port?: string;
  readonly host?: string;
  readonly dataDir?: string;
  readonly json?: boolean;
  readonly verbose?: boolean;
}

export { UsageError };

/** The command has already reported its failure: exit code 1 without further output. */
export class SilentFailure extends Error {}

/** The configuration, overridden by the options. @throws ConfigurationError with all faults */
export function readConfig(context: CommandContext, options: CommonOptions & ConfigOverrides): Config {
  const { port, host, dataDir, roles, workers } = options;
  return loadConfig({ port, host, dataDir, roles, workers }, context.environment);
}

/** Runs work across organizations as the worker role, whether or not the server is running. */
export function asWorker<T>(
  context: CommandContext,
  options: CommonOptions,
  work: (worker: Database) => Promise<T>,
): Promise<T> {
  return withWorker(readConfig(context, options), logTo(context, options), work);
}

/** Like `asWorker`, with the serving role for records of one organization, which only that role can see. */
export function asWorkerAndApi<T>(
  context: CommandContext,
  options: CommonOptions,
  work: (worker: Database, api: Database) => Promise<T>,
): Promise<T> {
  return withWorkerAndApi(readConfig(context, options), logTo(context, options), work);
}

/** Runs work as the role that signs people in. */
export function asAuth<T>(
  context: CommandContext,
  options: CommonOptions,
  work: (auth: Database) => Promise<T>,
): Promise<T> {
  return withAuth(readConfig(context, options), logTo(context, options), work);
}

/** Log of PostgreSQL and its supervisor; shown with --verbose only. */
export function logTo(context: CommandContext, options: CommonOptions): (line: string) => void {
  return options.verbose ? (line) => context.stderr(`${line}\n`) : () => undefined;
}

/** Prints a record: one line of JSON, or aligned lines of names and values. */
export function printRecord(context: CommandContext, options: CommonOptions, record: object): void {
  if (options.json) {
    context.stdout(`${JSON.stringify(record)}\n`);
    return;
  }
  const entries = Object.entries(record);
  const width = Math.max(...entries.map(([name]) => name.length));
  for (const [name, value] of entries) context.stdout(`${name.padEnd(width)}  ${format(value)}\n`);
}

/** Prints records: a JSON array, or a table. */
export function printTable(
  context: CommandContext,
  options: CommonOptions,
  records: readonly object[],
  columns: readonly string[],
): void {
  if (options.json) {
    context.stdout(`${JSON.stringify(records)}\n`);
    return;
  }
  const rows = records.map((record) =>
    columns.map((column) => format((record as Readonly<Record<string, unknown>>)[column])),
  );
  const widths = columns.map((column, index) =>
    Math.max(column.length, ...rows.map((row) => (row[index] ?? '').length)),
  );
  for (const row of [columns, ...rows]) {
    context.stdout(
      `${row
        .map((cell, index) => cell.padEnd(widths[index] ?? 0))
        .join('  ')
        .trimEnd()}\n`,
    );
  }
}

function format(value: unknown): string {
  if (value === null || value === undefined) return '-';
  if (Array.isArray(value)) return value.join(' ');
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** The message and the exit code for a failure. */
export function describeFailure(error: unknown, verbose: boolean): { text: string; exitCode: 1 | 2 } {
  const failure = error instanceof Error ? error : new Error(String(error));
  const exitCode = failure instanceof UsageError || failure instanceof ConfigurationError ? 2 : 1;
  if (failure instanceof SilentFailure) return { text: '', exitCode: 1 };
  if (verbose) return { text: `${failure.stack ?? failure.message}\n`, exitCode };
  return { text: `${describeCause(failure)}\n`, exitCode };
}

/** What operating systems call the failures of a connection (errno(3), getaddrinfo(3)). */
const connectionFailures: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing accepts connections there',
  ECONNRESET: 'the connection was closed',
  EHOSTUNREACH: 'the host cannot be reached',
  ENETUNREACH: 'the network cannot be reached',
  ENOTFOUND: 'the name of the host is not known',
  ETIMEDOUT: 'there was no response in time',
};

function describeCause(error: NodeJS.ErrnoException): string {
  // Node groups the errors of several addresses into one without a message.
  const inner: unknown = error instanceof AggregateError ? error.errors[0] : error.cause;
  if (error.message === '') return inner instanceof Error ? describeCause(inner) : error.name;
  const reason = connectionFailures[error.code ?? ''];
  if (reason === undefined || (error.syscall !== 'connect' && error.syscall !== 'getaddrinfo'))
    return error.message;
  return `Cannot connect: ${reason} (${error.message}). Check the address, and that the server runs.`;
}

/** Creates a command whose help ends with an example. */
export function createCommand(name: string, description: string, example: string): Command {
  return new Command(name).description(description).addHelpText('after', `\nExample:\n  ${example}\n`);
}

/** Adds such a command to a group. `usage`: its name, and its arguments in commander's notation. */
export function addSubcommand(group: Command, usage: string, description: string, example: string): Command {
  const [name = '', ...words] = usage.split(' ');
  const subcommand = createCommand(name, description, example);
  for (const word of words) subcommand.argument(word);
  group.addCommand(subcommand);
  return subcommand;
}
