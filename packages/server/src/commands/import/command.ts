/** `trellis import`: its options and the output of its report. */
import { basename, dirname, extname, resolve } from 'node:path';
import { type MapRule, readMapRule } from '@trellis/importer/columns.ts';
import { declaredColumns, importOf } from '@trellis/importer/destinations.ts';
import { UsageError } from '@trellis/importer/errors.ts';
import { duplicateChoices, type Existing, existingChoices } from '@trellis/importer/existing.ts';
import { resourcesInOrder } from '@trellis/importer/order.ts';
import { parentResources } from '@trellis/importer/parents.ts';
import { describeReport, exitCodeOf } from '@trellis/importer/report.ts';
import { separators } from '@trellis/importer/separators.ts';
import { describeUndo, type UndoReport } from '@trellis/importer/undo.ts';
import { type Command, Option } from 'commander';
import { type CommandContext, createCommand, SilentFailure } from '../command-line.ts';
import { addConnectionOptions, type ConnectionOptions, openConnection } from '../connection.ts';
import { collectSettings, collectValues, joinSettings, type SettingsByColumn } from './column-settings.ts';
import { importPath, type PathImportOptions } from './import-path.ts';
import { showProgress } from './progress.ts';
import { undoPath } from './undo-file.ts';

interface Options extends ConnectionOptions {
  readonly resource?: string;
  readonly map: MapRule[];
  readonly key?: string;
  readonly lists?: SettingsByColumn;
  readonly invalid?: SettingsByColumn;
  readonly separator?: SettingsByColumn;
  readonly dates?: SettingsByColumn;
  readonly decimal?: SettingsByColumn;
  readonly values?: SettingsByColumn;
  readonly columns?: string;
  readonly delimiter?: string;
  readonly encoding?: string;
  readonly headerLine?: string;
  readonly sheet?: string;
  readonly existing: Existing;
  readonly duplicates: Existing | 'reject';
  readonly statuses?: boolean;
  readonly yes?: boolean;
  readonly dryRun?: boolean;
  readonly undo?: boolean;
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
      'Import files of spreadsheets and of other systems, or a folder of Markdown files, through the HTTP API. An interrupted import can simply be run again.',
      'trellis import books.csv --resource books --dry-run',
    )
      .addHelpText('after', describeNames())
      .argument(
        '<path>',
        'file: CSV, Excel (.xlsx), JSON, NDJSON, WordPress (WXR), Ghost (JSON), vCard, ONIX 3 or KBART, recognized by its content; folder of Markdown files with TOML (+++) or YAML (---) front matter, or one such file',
      )
      .option(
        '--resource <name>',
        `resource of the rows: ${resourcesInOrder.map(({ name }) => name).join(', ')}; not needed for a file that says it, such as those of "trellis export", WordPress, Ghost, vCard, ONIX and KBART`,
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
    .option(
      '--lists <setting>',
      'for records that exist: "add" items to their lists (the default) or "replace" the lists; "column=replace" for one column; may be repeated',
      collectSettings('lists', ['add', 'replace']),
    )
    .option(
      '--invalid <setting>',
      'for invalid values of optional fields: "reject" the row (the default) or "omit" the value; "column=omit" for one column; may be repeated',
      collectSettings('invalid', ['reject', 'omit']),
    )
    .option(
      '--separator <setting>',
      `what separates names or subjects in a cell, if the column decides otherwise: "column=semicolon"; ${separators.join(', ')}`,
      collectSettings('separator', separators),
    )
    .option(
      '--dates <order>',
      'order of day and month in dates such as 03/04/2027: "dmy" or "mdy"; "column=dmy" for one column',
      collectSettings('dates', ['mdy', 'dmy']),
    )
    .option(
      '--decimal <sign>',
      'decimal sign of amounts such as 1.234: "point" or "comma"; "column=comma" for one column',
      collectSettings('decimal', ['point', 'comma']),
    )
    .option(
      '--values <mapping>',
      'what a value of a column stands for, such as "Stage=Hot=LEAD" or "Owner=J. Doe=ada@example.com"; "Stage=Hot=" leaves it out; may be repeated',
      collectValues,
    )
    .option('--columns <names>', 'column names of a table without a header line, separated by commas')
    .option('--delimiter <character>', 'delimiter of a CSV file, if it is not recognized; "tab" for a tab')
    .option(
      '--encoding <name>',
      'encoding of a CSV file, if it is not recognized, such as utf-8, windows-1252, shift_jis, gb18030 or utf-16le',
    )
    .option(
      '--header-line <number>',
      'line or row with the column names in CSV or a sheet, if it is not recognized',
    )
    .option('--sheet <name>', 'sheet of a workbook, or list in a JSON file, if there are several')
    .addOption(
      new Option(
        '--existing <what>',
        'for records that exist: "merge" what a row has into them, "newer" does so only if the row says that it was changed later, "skip" leaves them',
      )
        .choices(existingChoices)
        .default('merge'),
    )
    .addOption(
      new Option(
        '--duplicates <what>',
        'for a row that stands for the record of an earlier row, with other values: "reject" it, or "merge", "newer" or "skip" it',
      )
        .choices(duplicateChoices)
        .default('reject'),
    )
    .option('--statuses', 'change records to the status in their row, by the allowed transitions')
    .option('--yes', 'do not ask for confirmation of the mapping')
    .option('--dry-run', 'check everything and show the result, but write nothing')
    .option(
      '--undo',
      'undo an import: PATH is the file NAME.undo.ndjson that it has written; what it created goes to the trash, what it changed gets its previous values, unless somebody has changed it since',
    )
    .option(
      '--concurrency <number>',
      `number of requests sent at the same time, 1 to ${mostConcurrency}; with 1, rows are imported one after the other`,
      '4',
    )
    .option(
      '--rejected <file>',
      'file for rejected rows; by default NAME.rejected.csv or NAME.rejected.ndjson in this folder, except for Markdown',
    )
    .action(async (path: string, _options: unknown, invoked: Command) => {
      const options = invoked.optsWithGlobals<Options>();
      const { stderr, stdout, isTerminal } = context;
      if (options.undo === true) {
        const undone = await undo(context, path, options);
        stdout(options.json ? `${JSON.stringify(undone)}\n` : describeUndo(undone));
        if (undone.kept > 0 || undone.stopped !== null) throw new SilentFailure();
        return;
      }
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

async function undo(context: CommandContext, path: string, options: Options): Promise<UndoReport> {
  const { stderr, isTerminal } = context;
  const progress = showProgress(null, isTerminal && options.json !== true, stderr);
  try {
    return await undoPath(path, openConnection(context, options), (records) => progress.advance(records, 0));
  } finally {
    progress.end();
  }
}

async function confirm({ ask, stdout }: CommandContext, options: Options, preview: string): Promise<boolean> {
  stdout(preview);
  if (ask === undefined || options.dryRun === true || options.yes === true) return true;
  return ask('Import with this mapping?');
}

function readOptions(path: string, options: Options): PathImportOptions {
  const { resource, key, columns, delimiter, encoding, headerLine, sheet, rejected } = options;
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
    ...joinSettings([
      options.lists,
      options.invalid,
      options.separator,
      options.dates,
      options.decimal,
      options.values,
    ]),
    columns: columns === undefined ? null : columns.split(',').map((name) => name.trim()),
    delimiter: delimiter === undefined ? null : readDelimiter(delimiter),
    encoding: encoding ?? null,
    headerLine: headerLine === undefined ? null : readHeaderLine(headerLine),
    sheet: sheet ?? null,
    dryRun: options.dryRun === true,
    existing: options.existing,
    duplicates: options.duplicates,
    statuses: options.statuses === true,
    concurrency: readConcurrency(options.concurrency),
    redirectsFile: `${basename(resolve(path), extname(path))}.redirects.csv`,
    rejectedFile: rejected,
    undoFolder: rejected === undefined ? '.' : dirname(rejected),
    alwaysWriteRejected: rejected !== undefined,
  };
}

function readDelimiter(text: string): string {
  const delimiter = text === 'tab' || text === '\\t' ? '\t' : text;
  if (/^[^"\r\n]$/.test(delimiter)) return delimiter;
  throw new UsageError(`--delimiter must be one character, or "tab", not "${text}".`);
}

function readHeaderLine(text: string): number {
  if (/^[1-9]\d{0,5}$/.test(text)) return Number(text);
  throw new UsageError(`--header-line must be the number of a line, from 1, not "${text}".`);
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
