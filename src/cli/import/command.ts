/** Why: bringing content in is the first thing a new user does, and the last that may go wrong unseen. */
import { basename, extname } from 'node:path';
import type { Command } from 'commander';
import { type CommandContext, createCommand, SilentFailure, UsageError } from '../command-line.ts';
import {
  addConnectionOptions,
  type Connection,
  type ConnectionOptions,
  openConnection,
} from '../connection.ts';
import { type MapRule, readMapRule } from './mapping.ts';
import { describeReport, exitCodeOf, type ImportReport } from './report.ts';
import { importableResources, runImport } from './run.ts';
import { isTable } from './table/open.ts';
import { resourcesInOrder } from './table/order.ts';
import { runTableImport } from './table/run.ts';

interface Options extends ConnectionOptions {
  readonly resource?: string;
  readonly site?: string;
  readonly magazine?: string;
  readonly map: MapRule[];
  readonly key?: string;
  readonly columns?: string;
  readonly delimiter?: string;
  readonly update: boolean;
  readonly statuses?: boolean;
  readonly yes?: boolean;
  readonly dryRun?: boolean;
  readonly concurrency: string;
  readonly rejected?: string;
}

const mostConcurrency = 64;

/** `trellis import PATH`. */
export function importCommand(context: CommandContext): Command {
  return addConnectionOptions(
    createCommand(
      'import',
      'Import CSV, NDJSON, or a folder of Markdown files through the HTTP API. Killed or stopped, it is simply run again.',
      'trellis import books.csv --resource books --dry-run',
    )
      .addHelpText('after', describeNames())
      .argument(
        '<path>',
        'CSV or NDJSON file; folder of Markdown files with TOML (+++) or YAML (---) front matter, or one such file',
      )
      .option(
        '--resource <name>',
        `what the rows become: ${resourcesInOrder.map(({ name }) => name).join(', ')}; of a file of "trellis export" the rows say it`,
      )
      .option('--site <key>', 'key or id of the site that articles, categories and tags go to')
      .option('--magazine <id>', 'id, externalId, ISSN or title of the magazine that issues go to')
      .option(
        '--map <from=to>',
        'where a column or a name of the front matter goes, once or several times; "name=" leaves it out',
        (text: string, rules: MapRule[]) => [...rules, readMapRule(text)],
        [],
      )
      .option('--key <column>', 'the column that tells records apart and becomes their externalId')
      .option(
        '--columns <names>',
        'names of the columns of a CSV file without a header line, with commas between them',
      )
      .option(
        '--delimiter <character>',
        'what separates the cells of a CSV file, if it is not found out; "tab" for a tab',
      )
      .option('--no-update', 'leave records that exist as they are')
      .option('--statuses', 'move records to the status in their row, by the allowed moves')
      .option('--yes', 'do not ask whether the mapping is right')
      .option('--dry-run', 'check everything and show where it would go, but write nothing')
      .option('--concurrency <number>', `rows that are worked on side by side, 1 to ${mostConcurrency}`, '4')
      .option(
        '--rejected <file>',
        'write rejected rows there; rows of CSV and NDJSON go to NAME.rejected.csv here unless it is given',
      ),
  ).action(async (path: string, _options: unknown, command: Command) => {
    const options = command.optsWithGlobals<Options>();
    const connection = openConnection(context, options);
    const work = isTable(path) ? importTable : importMarkdown;
    const report = await work(path, options, context, connection);
    if (report === null) {
      context.stderr('Nothing was imported.\n');
      throw new SilentFailure();
    }
    context.stdout(
      options.json ? `${JSON.stringify(report)}\n` : describeReport(report, report.rejectedFile),
    );
    if (exitCodeOf(report) !== 0) throw new SilentFailure();
  });
}

function importMarkdown(
  path: string,
  options: Options,
  context: CommandContext,
  connection: Connection,
): Promise<ImportReport> {
  const { resource, site } = options;
  if (resource === undefined)
    throw new UsageError('--resource is needed: what do the files become? Most likely articles.');
  if (site === undefined) throw new UsageError('--site is needed: the key of the site they go to.');
  const importOptions = {
    path,
    resource,
    site,
    map: options.map,
    dryRun: options.dryRun === true,
    concurrency: readConcurrency(options.concurrency),
    rejectedFile: options.rejected ?? null,
  };
  const { stderr } = context;
  return runImport(importOptions, {
    connection,
    stderr,
    isTerminal: context.isTerminal && options.json !== true,
  });
}

function importTable(
  path: string,
  options: Options,
  context: CommandContext,
  connection: Connection,
): Promise<ImportReport | null> {
  const isTerminal = context.isTerminal && options.json !== true;
  const dryRun = options.dryRun === true;
  const { ask } = context;
  const confirm = async (preview: string) => {
    context.stdout(preview);
    return ask === undefined || dryRun || options.yes === true || ask('Import it like this?');
  };
  const tableOptions = {
    path,
    resource: options.resource ?? null,
    site: options.site ?? null,
    magazine: options.magazine ?? null,
    map: options.map,
    key: options.key ?? null,
    columns: options.columns === undefined ? null : options.columns.split(',').map((name) => name.trim()),
    delimiter: options.delimiter === undefined ? null : readDelimiter(options.delimiter),
    dryRun,
    update: options.update,
    statuses: options.statuses === true,
    concurrency: readConcurrency(options.concurrency),
    rejectedFile: options.rejected ?? (dryRun ? null : defaultRejectedFile(path)),
    alwaysWriteRejected: options.rejected !== undefined,
  };
  const { stderr } = context;
  return runTableImport(tableOptions, {
    connection,
    stderr,
    isTerminal,
    ...(options.json ? {} : { confirm }),
  });
}

/** `books.csv` has its rejected rows in `books.rejected.csv` of the folder that the command runs in. */
function defaultRejectedFile(path: string): string {
  const extension = extname(path);
  return `${basename(path, extension)}.rejected${extension}`;
}

function readDelimiter(text: string): string {
  const delimiter = text === 'tab' || text === '\\t' ? '\t' : text;
  if (/^[^"\r\n]$/.test(delimiter)) return delimiter;
  throw new UsageError(`--delimiter must be one character, or "tab", not "${text}".`);
}

/** Which names of the front matter are understood without `--map`. */
function describeNames(): string {
  const lines = Object.entries(importableResources).flatMap(([name, { aliases }]) => [
    `\nUnderstood in the front matter for ${name}, besides the API's own names (--map for others):`,
    ...aliases.map(({ to, from }) => `  ${to.padEnd(26)} ${from.join(', ')}`),
  ]);
  return `${lines.join('\n')}\n`;
}

function readConcurrency(text: string): number {
  const value = Number(text);
  if (/^\d{1,3}$/.test(text) && value >= 1 && value <= mostConcurrency) return value;
  throw new UsageError(`--concurrency must be a whole number from 1 to ${mostConcurrency}, not "${text}".`);
}
