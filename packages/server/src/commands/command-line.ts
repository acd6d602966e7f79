/**
 * Why: commands differ in what they do, not in how they report it: a record or a table for people, JSON for machines;
 * one sentence for a failure, a stack trace only on request; exit codes 0, 1 and 2.
 */

import { UsageError } from '@trellis/importer/usage-error.ts';
import { Command } from 'commander';
import {
  type Config,
  type ConfigOverrides,
  ConfigurationError,
  type Environment,
  loadConfig,
} from '../config/config.ts';
import type { Database } from '../database/database.ts';
import { withAuth, withWorker, withWorkerAndApi } from '../node/installation.ts';

/** Where a command reads its settings and writes its words; the program's own, or a test's. */
export interface CommandContext {
  readonly environment: Environment;
  readonly stdout: (text: string) => void;
  readonly stderr: (text: string) => void;
  /** Whether standard output is a terminal: colours and bars only there. */
  readonly isTerminal: boolean;
  /** Asks a person a question that is answered by yes or no; absent where nobody can answer. */
  readonly ask?: (question: string) => Promise<boolean>;
}

/** Options that every command has. */
export interface CommonOptions {
  readonly port?: string;
  readonly host?: string;
  readonly dataDir?: string;
  readonly json?: boolean;
  readonly verbose?: boolean;
}

export { UsageError };

/** The command has said itself what failed: exit code 1 and no further words. */
export class SilentFailure extends Error {}

/** The configuration with the options that win over it. @throws ConfigurationError with all faults */
export function readConfig(context: CommandContext, options: CommonOptions & ConfigOverrides): Config {
  const { port, host, dataDir, roles, workers } = options;
  return loadConfig({ port, host, dataDir, roles, workers }, context.environment);
}

/** Runs work across organizations, as the background role, whether or not the server runs. */
export function asWorker<T>(
  context: CommandContext,
  options: CommonOptions,
  work: (worker: Database) => Promise<T>,
): Promise<T> {
  return withWorker(readConfig(context, options), logTo(context, options), work);
}

/** As `asWorker`, with the serving role beside it, for what only that one sees: records of an organization. */
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

/** What PostgreSQL and the supervisor say meanwhile: for people who ask. */
export function logTo(context: CommandContext, options: CommonOptions): (line: string) => void {
  return options.verbose ? (line) => context.stderr(`${line}\n`) : () => undefined;
}

/** Prints a record: as one line of JSON, or as aligned lines of name and value. */
export function printRecord(context: CommandContext, options: CommonOptions, record: object): void {
  if (options.json) {
    context.stdout(`${JSON.stringify(record)}\n`);
    return;
  }
  const entries = Object.entries(record);
  const width = Math.max(...entries.map(([name]) => name.length));
  for (const [name, value] of entries) context.stdout(`${name.padEnd(width)}  ${format(value)}\n`);
}

/** Prints records: as an array of JSON, or as a table. */
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

/** A failure as a person should read it, and the exit code that stands for it. */
export function describeFailure(error: unknown, verbose: boolean): { text: string; exitCode: 1 | 2 } {
  const failure = error instanceof Error ? error : new Error(String(error));
  const exitCode = failure instanceof UsageError || failure instanceof ConfigurationError ? 2 : 1;
  if (failure instanceof SilentFailure) return { text: '', exitCode: 1 };
  if (verbose) return { text: `${failure.stack ?? failure.message}\n`, exitCode };
  const message = failure.message === '' ? firstCause(failure) : failure.message;
  return { text: `${message}\n`, exitCode };
}

/** Node groups the errors of several addresses in one without a message. */
function firstCause(error: Error): string {
  const inner = error instanceof AggregateError ? error.errors[0] : error.cause;
  return inner instanceof Error ? inner.message : error.name;
}

/** A subcommand whose help ends in an example. */
export function createCommand(name: string, description: string, example: string): Command {
  return new Command(name).description(description).addHelpText('after', `\nExample:\n  ${example}\n`);
}

/** Adds a subcommand of that kind to a group. `usage`: its name, and its arguments as commander writes them. */
export function addSubcommand(group: Command, usage: string, description: string, example: string): Command {
  const [name = '', ...words] = usage.split(' ');
  const subcommand = createCommand(name, description, example);
  for (const word of words) subcommand.argument(word);
  group.addCommand(subcommand);
  return subcommand;
}
