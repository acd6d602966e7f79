/** `trellis import`: its options and the output of its report. */
import { basename, extname } from 'node:path';
import { type MapRule, readMapRule } from '@trellis/importer/columns.ts';
import { declaredColumns, importOf } from '@trellis/importer/destinations.ts';
import { UsageError } from '@trellis/importer/errors.ts';
import { resourcesInOrder } from '@trellis/importer/order.ts';
import { parentResources } from '@trellis/importer/parents.ts';
import { formatOf } from '@trellis/importer/readers/formats.ts';
import { describeReport, exitCodeOf } from '@trellis/importer/report.ts';
import { type Command, Option } from 'commander';
import { type CommandContext, createCommand, SilentFailure } from '../command-line.ts';
import { addConnectionOptions, type ConnectionOptions, openConnection } from '../connection.ts';
import { importPath, type PathImportOptions } from './import-path.ts';

interface Options extends ConnectionOptions {
  readonly resource?: string;
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
  /** `site`, `magazine`: the options for parents are derived from the declarations. */
  readonly [parent: string]: unknown;
}

const mostConcurrency = 64;

/** `trellis import PATH`. */
export function importCommand(context: CommandContext): Command {
  const command = addConnectionOptions(
    createCommand(
      'import',
      'Import CSV, NDJSON, or a folder of Markdown files through the HTTP API. An interrupted import can simply be run again.',
      'trellis import books.csv --resource books --dry-run',
    )
      .addHelpText('after', describeNames())
      .argument(
        '<path>',
        'CSV or NDJSON file; folder of Markdown files with TOML (+++) or YAML (---) front matter, or one such file',
      )
      .option(
        '--resource <name>',
        `resource of the rows: ${resourcesInOrder.map(({ name }) => name).join(', ')}; not needed for a file of "trellis export"`,
      ),
  );
  for (const option of parentOptions()) command.addOption(option);
  return command
    .option(
      '--map <from=to>',
      'map a column or front matter name to a field; may be repeated; "name=" skips it',
      (text: string, rules: MapRule[]) => [...rules, readMapRule(text)],
      [],
    )
    .option('--key <column>', 'column that identifies records and becomes their externalId')
    .option('--columns <names>', 'column names of a CSV file without a header line, separated by commas')
    .option('--delimiter <character>', 'delimiter of a CSV file, if it is not recognized; "tab" for a tab')
    .option('--no-update', 'do not change existing records')
    .option('--statuses', 'change records to the status in their row, by the allowed transitions')
    .option('--yes', 'do not ask for confirmation of the mapping')
    .option('--dry-run', 'check everything and show the result, but write nothing')
    .option('--concurrency <number>', `number of rows processed concurrently, 1 to ${mostConcurrency}`, '4')
    .option(
      '--rejected <file>',
      'file for rejected rows; by default, rows of CSV and NDJSON go to NAME.rejected.csv in this folder',
    )
    .action(async (path: string, _options: unknown, invoked: Command) => {
      const options = invoked.optsWithGlobals<Options>();
      const { stderr, stdout, isTerminal } = context;
      const report = await importPath(readOptions(path, options), {
        connection: openConnection(context, options),
        stderr,
        isTerminal: isTerminal && options.json !== true,
        ...(options.json ? {} : { confirm: (preview) => confirm(context, options, preview) }),
      });
      if (report === null) {
        stderr('Nothing was imported.\n');
        throw new SilentFailure();
      }
      stdout(options.json ? `${JSON.stringify(report)}\n` : describeReport(report));
      if (exitCodeOf(report) !== 0) throw new SilentFailure();
    });
}

/** `--site`, `--magazine`: one option for each resource that is a parent. */
function parentOptions(): Option[] {
  return parentResources.map((parent) => {
    const children = resourcesInOrder.filter((resource) => resource.parent?.resource === parent.name);
    const names = [...(importOf(parent).knownBy ?? []), 'id', 'externalId', parent.titleField];
    return new Option(
      `--${parent.singular} <name>`,
      `${parent.singular} of the imported ${children.map(({ name }) => name).join(', ')}: its ${names.join(', ')}`,
    );
  });
}

async function confirm({ ask, stdout }: CommandContext, options: Options, preview: string): Promise<boolean> {
  stdout(preview);
  if (ask === undefined || options.dryRun === true || options.yes === true) return true;
  return ask('Import with this mapping?');
}

function readOptions(path: string, options: Options): PathImportOptions {
  const { resource, key, columns, delimiter, rejected } = options;
  const dryRun = options.dryRun === true;
  const format = formatOf(path);
  const hasRows = format === 'csv' || format === 'ndjson';
  return {
    path,
    resource: resource ?? null,
    parents: Object.fromEntries(
      parentResources.flatMap(({ singular }) => {
        const given = options[singular];
        return typeof given === 'string' ? [[singular, given]] : [];
      }),
    ),
    map: options.map,
    key: key ?? null,
    columns: columns === undefined ? null : columns.split(',').map((name) => name.trim()),
    delimiter: delimiter === undefined ? null : readDelimiter(delimiter),
    dryRun,
    update: options.update,
    statuses: options.statuses === true,
    concurrency: readConcurrency(options.concurrency),
    rejectedFile: rejected ?? (dryRun || !hasRows ? null : defaultRejectedFile(path)),
    alwaysWriteRejected: rejected !== undefined,
  };
}

/** The file of rejected rows: `books.rejected.csv` in the working directory for `books.csv`. */
function defaultRejectedFile(path: string): string {
  const extension = extname(path);
  return `${basename(path, extension)}.rejected${extension}`;
}

function readDelimiter(text: string): string {
  const delimiter = text === 'tab' || text === '\\t' ? '\t' : text;
  if (/^[^"\r\n]$/.test(delimiter)) return delimiter;
  throw new UsageError(`--delimiter must be one character, or "tab", not "${text}".`);
}

/** The front matter names that are understood without `--map`. */
function describeNames(): string {
  const lines = resourcesInOrder
    .filter((resource) => importOf(resource).posts !== undefined)
    .flatMap((resource) => [
      `\nFront matter names for ${resource.name}, besides the field names of the API (use --map for others):`,
      ...declaredColumns(resource, true).map(({ to, names }) => `  ${to.padEnd(26)} ${names.join(', ')}`),
    ]);
  return `${lines.join('\n')}\n`;
}

function readConcurrency(text: string): number {
  const value = Number(text);
  if (/^\d{1,3}$/.test(text) && value >= 1 && value <= mostConcurrency) return value;
  throw new UsageError(`--concurrency must be a whole number from 1 to ${mostConcurrency}, not "${text}".`);
}
