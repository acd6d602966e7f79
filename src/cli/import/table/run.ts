/**
 * Why: an import of a table from top to bottom: see which column goes where, bring row after row to its end, and give
 * account of each. It keeps nothing of its own on disk: run again after a kill, it finds everything out anew.
 */
import { resolve } from 'node:path';
import type { Resource } from '../../../resources/resource.ts';
import { ApiClient, ImportStopped } from '../../api-client.ts';
import { UsageError } from '../../command-line.ts';
import { Account, type RejectedFormat } from '../account.ts';
import type { MapRule } from '../mapping.ts';
import { showProgress } from '../progress.ts';
import type { ImportReport } from '../report.ts';
import { forEachConcurrently, type ImportSurroundings } from '../run.ts';
import { RowRejected } from '../targets.ts';
import { TableMapping } from './mapping.ts';
import { openTable } from './open.ts';
import { resourcesInOrder } from './order.ts';
import { Parents } from './parents.ts';
import { describePreview, previewMapping } from './preview.ts';
import { NotThereYet } from './references.ts';
import { RowImporter } from './row-importer.ts';
import type { TableRow, TableSource, UnreadableRow } from './source.ts';

export interface TableImportOptions {
  readonly path: string;
  /** Name of the resource; null for a file that `trellis export` wrote, whose rows say it. */
  readonly resource: string | null;
  /** Key or id of the site. */
  readonly site: string | null;
  /** Id, externalId, ISSN or title of the magazine. */
  readonly magazine: string | null;
  readonly map: readonly MapRule[];
  /** The column that tells records apart; null to derive it. */
  readonly key: string | null;
  readonly columns: readonly string[] | null;
  readonly delimiter: string | null;
  readonly dryRun: boolean;
  /** Whether records that exist are changed. */
  readonly update: boolean;
  /** Whether records are moved to the status that their row gives. */
  readonly statuses: boolean;
  readonly concurrency: number;
  /** Where rejected rows are written. */
  readonly rejectedFile: string | null;
  /** Whether that file is there even when nothing was rejected. */
  readonly alwaysWriteRejected: boolean;
}

/** What an import of a table needs of its surroundings. */
export interface TableSurroundings extends ImportSurroundings {
  /** Shows which column goes where, and says whether to go on. */
  readonly confirm?: (preview: string) => Promise<boolean>;
}

/** Rows that wait for a record further down in the file. */
const mostWaitingRows = 10_000;

/**
 * Imports a CSV or NDJSON file.
 * @returns null when the preview was not agreed to
 * @throws UsageError when the options do not fit the file; ImportStopped when it could not begin
 */
export async function runTableImport(
  options: TableImportOptions,
  io: TableSurroundings,
): Promise<ImportReport | null> {
  const source = await openTable(options.path, { columns: options.columns, delimiter: options.delimiter });
  if (options.rejectedFile !== null && resolve(options.rejectedFile) === resolve(options.path)) {
    throw new UsageError('--rejected: that is the file to import. Name another one.');
  }
  const passes = listPasses(options, source);
  const rules = new Map(options.map.map(({ from, to }) => [from, to]));
  const mappings = new Map(
    passes.map((resource) => [resource, new TableMapping(resource, rules, options.key)]),
  );
  if (options.resource !== null && !(await agree(options, rules, source, io))) return null;
  const client = new ApiClient({ ...io.connection, ...(io.wait === undefined ? {} : { wait: io.wait }) });
  const parents = await Parents.open(client, passes, options);
  const account = await openAccount(options, source);
  const progress = showProgress(source.fractionRead, io.isTerminal, io.stderr);
  const began = performance.now();
  const importer = new RowImporter(client, parents, options);
  let others = 0;
  let stopped: string | null = null;
  try {
    for (const [pass, resource] of passes.entries()) {
      const mapping = mappings.get(resource);
      if (mapping === undefined) continue;
      let waiting: TableRow[] = [];
      const handle = async (item: TableRow | UnreadableRow, isLast = false) => {
        try {
          if ('unreadable' in item) {
            // Every pass meets it; the first one tells.
            if (pass > 0) return;
            throw new RowRejected([item.unreadable]);
          }
          if (isOther(item, resource, options.resource, pass)) {
            others += 1;
            return;
          }
          const { result, mendings } = await importer.write(resource, mapping, item);
          account.settle(item.place, result, mendings);
        } catch (error) {
          if (
            error instanceof NotThereYet &&
            !('unreadable' in item) &&
            !isLast &&
            waiting.length < mostWaitingRows
          ) {
            waiting.push(item);
            return;
          }
          const reasons =
            error instanceof RowRejected
              ? error.reasons
              : error instanceof NotThereYet
                ? [error.reason]
                : null;
          if (reasons === null) throw error;
          await account.reject({ place: item.place, externalId: null, reasons }, item.original);
        }
        progress.advance(account.rows, account.rejected);
      };
      await forEachConcurrently(source.read(), options.concurrency, handle);
      while (waiting.length > 0) {
        const again = waiting;
        waiting = [];
        await forEachConcurrently(toAsync(again), options.concurrency, handle);
        if (waiting.length === again.length) break;
      }
      for (const row of waiting) await handle(row, true);
    }
  } catch (error) {
    if (!(error instanceof ImportStopped)) throw error;
    stopped = error.message;
  } finally {
    progress.end();
    await account.close();
  }
  const seconds = (performance.now() - began) / 1000;
  const columns = options.resource === null ? [] : (mappings.get(passes[0] as Resource)?.columns() ?? []);
  return {
    resource: options.resource ?? 'the resources of the export',
    site: parents.site,
    source: options.path,
    dryRun: options.dryRun,
    ...account.summary(),
    rejectedFile: account.hasFile ? options.rejectedFile : null,
    linked: Object.fromEntries(importer.linked()),
    mapping: columns.flatMap(({ column, to, rows, samples }) =>
      to === null ? [] : [{ from: column, to, meaning: '', rows, example: samples[0] ?? '' }],
    ),
    notImported: columns.flatMap(({ column, to, rows }) => (to === null ? [{ field: column, rows }] : [])),
    absentNames:
      options.resource === null ? [] : (mappings.get(passes[0] as Resource)?.absentColumns() ?? []),
    passedOver: [
      ...[...source.passedOver].map(([what, count]) => ({ what, count })),
      ...(others > 0 && options.resource !== null
        ? [{ what: 'rows of other resources', count: others }]
        : []),
    ],
    stopped,
    seconds,
    rowsPerSecond: seconds > 0 ? account.rows / seconds : 0,
  };
}

function listPasses({ resource: name, path }: TableImportOptions, source: TableSource): readonly Resource[] {
  const byName = (wanted: string) => resourcesInOrder.find((resource) => resource.name === wanted);
  if (name !== null) {
    const resource = byName(name);
    if (resource !== undefined) return [resource];
    throw new UsageError(
      `--resource: there is no resource "${name}". There are: ${resourcesInOrder.map((one) => one.name).join(', ')}.`,
    );
  }
  if (source.columns !== null) {
    throw new UsageError(
      `--resource is needed: what do the rows of ${path} become? One of ${resourcesInOrder.map((one) => one.name).join(', ')}.`,
    );
  }
  return resourcesInOrder;
}

/** Whether a row of an export is of another resource than the one whose turn it is. */
function isOther({ fields }: TableRow, resource: Resource, asked: string | null, pass: number): boolean {
  const named = fields.get('resource');
  const isKnown = resourcesInOrder.some(({ name }) => name === named);
  if (isKnown) return named !== resource.name;
  if (asked !== null) return false;
  if (pass > 0) return true;
  throw new RowRejected(['The row does not say its resource. Give --resource.']);
}

/** Shows what the first rows say. @throws UsageError when no column goes anywhere */
async function agree(
  options: TableImportOptions,
  rules: ReadonlyMap<string, string | null>,
  source: TableSource,
  io: TableSurroundings,
): Promise<boolean> {
  const resource = resourcesInOrder.find(({ name }) => name === options.resource);
  if (resource === undefined) return true;
  const preview = await previewMapping(resource, rules, options.key, source);
  if (!preview.columns.some(({ to }) => to !== null)) {
    throw new UsageError(
      source.columns === null
        ? `No name in ${options.path} is one of ${resource.name}. Say with --map NAME=FIELD where they go.`
        : `No column of ${options.path} is called like a field of ${resource.name}: ${source.columns.slice(0, 8).join(', ')}. If the file has no header line, name the columns with --columns; otherwise say with --map COLUMN=FIELD where they go.`,
    );
  }
  return io.confirm === undefined || io.confirm(describePreview(preview, resource));
}

async function openAccount(options: TableImportOptions, source: TableSource): Promise<Account> {
  const format: RejectedFormat = {
    header: source.rejectedHeader,
    write: ({ reasons }, original) => source.writeRejected(original ?? '', reasons),
  };
  const { rejectedFile } = options;
  if (rejectedFile === null) return Account.open(null);
  return options.alwaysWriteRejected
    ? Account.open(rejectedFile, format)
    : Account.openLater(rejectedFile, format);
}

async function* toAsync<T>(items: readonly T[]): AsyncGenerator<T> {
  yield* items;
}
