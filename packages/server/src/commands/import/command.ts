/** The command `trellis import`: its options, and how its report is printed. */
import { basename, extname } from 'node:path';
import { type MapRule, readMapRule } from '@trellis/importer/columns.ts';
import { declaredColumns, importOf } from '@trellis/importer/destinations.ts';
import { resourcesInOrder } from '@trellis/importer/order.ts';
import { parentResources } from '@trellis/importer/parents.ts';
import { describeReport, exitCodeOf } from '@trellis/importer/report.ts';
import { UsageError } from '@trellis/importer/usage-error.ts';
import { type Command, Option } from 'commander';
import { type CommandContext, createCommand, SilentFailure } from '../command-line.ts';
import { addConnectionOptions, type ConnectionOptions, openConnection } from '../connection.ts';
import { importPath, type PathImportOptions } from './import-path.ts';
import { formatOf } from './readers/open.ts';

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
  /** `site`, `magazine`: the options that parents have are derived from the declarations. */
  readonly [parent: string]: unknown;
}

const mostConcurrency = 64;

/** `trellis import PATH`. */
export function importCommand(context: CommandContext): Command {
  const command = addConnectionOptions(
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
      ),
  );
  for (const option of parentOptions()) command.addOption(option);
  return command
    .option(
      '--map <from=to>',
      'where a column or a name of the front matter goes, once or several times; "name=" leaves it out',
      (text: string, rules: MapRule[]) => [...rules, readMapRule(text)],
      [],
    )
    .option('--key <column>', 'the column that tells records apart and becomes their externalId')
    .option(
      '--columns <names>',
      'names of the columns of a CSV file without a header line, separated by commas',
    )
    .option(
      '--delimiter <character>',
      'what separates the cells of a CSV file, if it is not recognized; "tab" for a tab',
    )
    .option('--no-update', 'leave records that exist as they are')
    .option('--statuses', 'move records to the status in their row, by the allowed transitions')
    .option('--yes', 'do not ask whether the mapping is right')
    .option('--dry-run', 'check everything and show where it would go, but write nothing')
    .option('--concurrency <number>', `rows that are worked on side by side, 1 to ${mostConcurrency}`, '4')
    .option(
      '--rejected <file>',
      'write rejected rows there; rows of CSV and NDJSON go to NAME.rejected.csv here unless it is given',
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

/** `--site`, `--magazine`: one for each resource that others belong to. */
function parentOptions(): Option[] {
  return parentResources.map((parent) => {
    const children = resourcesInOrder.filter((resource) => resource.parent?.resource === parent.name);
    const names = [...(importOf(parent).knownBy ?? []), 'id', 'externalId', parent.titleField];
    return new Option(
      `--${parent.singular} <name>`,
      `${parent.singular} that ${children.map(({ name }) => name).join(', ')} go to: its ${names.join(', ')}`,
    );
  });
}

async function confirm({ ask, stdout }: CommandContext, options: Options, preview: string): Promise<boolean> {
  stdout(preview);
  if (ask === undefined || options.dryRun === true || options.yes === true) return true;
  return ask('Import it like this?');
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
  const lines = resourcesInOrder
    .filter((resource) => importOf(resource).posts !== undefined)
    .flatMap((resource) => [
      `\nUnderstood in the front matter for ${resource.name}, besides the API's own names (--map for others):`,
      ...declaredColumns(resource, true).map(({ to, names }) => `  ${to.padEnd(26)} ${names.join(', ')}`),
    ]);
  return `${lines.join('\n')}\n`;
}

function readConcurrency(text: string): number {
  const value = Number(text);
  if (/^\d{1,3}$/.test(text) && value >= 1 && value <= mostConcurrency) return value;
  throw new UsageError(`--concurrency must be a whole number from 1 to ${mostConcurrency}, not "${text}".`);
}
