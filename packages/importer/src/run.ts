/**
 * The import engine, from top to bottom. It reads rows from a source, uses the API only through its client, and stores nothing
 * on disk: after a kill, the next run finds out everything again. No file of this folder uses files or anything else of
 * Node, so that it also runs in a browser (`npm run check` enforces it).
 */

import type { Resource } from '@trellis/schema/resources/resource.ts';
import { Api, type ImportClient } from './api.ts';
import type { ChangeOptions } from './changes.ts';
import type { ColumnChoices } from './columns.ts';
import { forEachConcurrently } from './concurrency.ts';
import { importOf } from './destinations.ts';
import { ImportStopped, PendingReference, RowRejected, UsageError } from './errors.ts';
import { createMapping, type Mapping } from './mapping.ts';
import { resourcesInOrder } from './order.ts';
import { Parents } from './parents.ts';
import { describePreview, previewMapping } from './preview.ts';
import { describeRejection } from './rejection.ts';
import type { ImportReport, RowCounts } from './report.ts';
import { RowImporter } from './row-importer.ts';
import type { Source, SourceRow, UnreadableRow } from './source.ts';
import { Tally } from './tally.ts';

export interface ImportOptions extends ColumnChoices, ChangeOptions {
  /** Name of the resource; null for a file of an export, whose rows contain it. */
  readonly resource: string | null;
  /** Names of the parents, by singular of their resource: `{ site: 'blog' }`. */
  readonly parents: Readonly<Record<string, string>>;
  readonly dryRun: boolean;
  /** Number of rows processed concurrently. */
  readonly concurrency: number;
}

/** The environment of the engine. */
export interface ImportEnvironment {
  readonly client: ImportClient;
  /** Receives rejected rows; null where they are not kept. */
  readonly rejected: RejectedRows | null;
  /** Shows the mapping and returns whether to continue. */
  readonly confirm?: (preview: string) => Promise<boolean>;
  /** Called after each row. */
  readonly onProgress?: (progress: RowCounts) => void;
}

/** A destination of rejected rows. */
export interface RejectedRows {
  /** Called before the first row, when the import is certain to begin. @throws UsageError when nothing can be written */
  begin(): Promise<void>;
  write(line: string): Promise<void>;
}

/** Rows that wait for a record further down in the file. */
const mostWaitingRows = 10_000;

/**
 * Imports a source. The report lists the rows that could not be imported, and what stopped the import.
 * @returns null when the mapping was not confirmed
 * @throws UsageError when the options do not fit the source; ImportStopped when the import could not begin
 */
export async function runImport(
  source: Source,
  options: ImportOptions,
  environment: ImportEnvironment,
): Promise<Omit<ImportReport, 'rejectedFile'> | null> {
  const api = new Api(environment.client);
  const resources = listResources(source, options);
  const mappings = new Map(resources.map((resource) => [resource, createMapping(resource, source, options)]));
  const only = options.resource === null ? undefined : resources[0];
  if (only !== undefined && !(await confirmMapping(only, source, options, environment))) return null;
  const parents = await Parents.open(api, resources, options.parents);
  await environment.rejected?.begin();
  const began = performance.now();
  const importer = new RowImporter(api, parents, { ...options, isPosts: source.isPosts, now: Date.now() });
  const tally = new Tally();
  const run: Run = { source, options, environment, importer, tally, ofOtherResources: 0 };
  let stopped: string | null = null;
  try {
    for (const [resource, mapping] of mappings) {
      await importResource(run, { resource, mapping, isFirst: resource === resources[0] });
    }
  } catch (error) {
    if (!(error instanceof ImportStopped)) throw error;
    stopped = error.message;
  }
  const seconds = (performance.now() - began) / 1000;
  const parent = only === undefined ? null : parents.namedFor(only);
  return {
    resource: only?.name ?? 'the resources of the export',
    parent: parent === null ? null : { resource: only?.parent?.resource ?? '', ...parent },
    source: source.name,
    dryRun: options.dryRun,
    ...tally.summarize(),
    linked: Object.fromEntries(importer.linked),
    ...describeColumns(only === undefined ? undefined : mappings.get(only)),
    skipped: describeSkipped(source, only === undefined ? 0 : run.ofOtherResources),
    stopped,
    seconds,
    rowsPerSecond: seconds > 0 ? tally.rows / seconds : 0,
  };
}

/** What the passes over the source share. */
interface Run {
  readonly source: Source;
  readonly options: ImportOptions;
  readonly environment: ImportEnvironment;
  readonly importer: RowImporter;
  readonly tally: Tally;
  /** Number of rows of other resources. */
  ofOtherResources: number;
}

/** One pass over the source for each resource, since an export contains several. */
interface Pass {
  readonly resource: Resource;
  readonly mapping: Mapping;
  /** Every pass reads all rows; only the first one reports those that no pass can import. */
  readonly isFirst: boolean;
}

/** Imports the rows of one resource. @throws ImportStopped */
async function importResource(run: Run, pass: Pass): Promise<void> {
  const { source, options, environment, tally } = run;
  let waiting: NumberedRow[] = [];
  const handle = async (numbered: NumberedRow, isLast = false) => {
    const { row, order } = numbered;
    try {
      await importRow(run, pass, row);
    } catch (error) {
      if (!(error instanceof RowRejected)) throw error;
      const mayCome = error instanceof PendingReference && !isLast && waiting.length < mostWaitingRows;
      if (mayCome && 'fields' in row) {
        waiting.push(numbered);
        return;
      }
      const rejection = describeRejection(pass.resource, pass.mapping, row, error);
      tally.addRejection(rejection, order);
      await environment.rejected?.write(source.formatRejected(rejection, row.original));
    }
    environment.onProgress?.(tally.count());
  };
  const handleAll = (rows: AsyncIterable<NumberedRow> | readonly NumberedRow[]) =>
    forEachConcurrently(rows, options.concurrency, (row) => handle(row));
  await handleAll(numberRows(source.read()));
  while (waiting.length > 0) {
    const again = waiting;
    waiting = [];
    await handleAll(again);
    if (waiting.length === again.length) break;
  }
  for (const row of waiting) await handle(row, true);
}

/** A row with its number in the source, from 0. */
interface NumberedRow {
  readonly row: SourceRow | UnreadableRow;
  readonly order: number;
}

async function* numberRows(rows: AsyncIterable<SourceRow | UnreadableRow>): AsyncGenerator<NumberedRow> {
  let order = 0;
  for await (const row of rows) {
    yield { row, order };
    order += 1;
  }
}

async function importRow(
  run: Run,
  { resource, mapping, isFirst }: Pass,
  row: SourceRow | UnreadableRow,
): Promise<void> {
  if ('unreadable' in row) {
    if (isFirst) throw new RowRejected([row.unreadable]);
    return;
  }
  const isKnown = resourcesInOrder.some(({ name }) => name === row.exportedAs);
  if (isKnown ? row.exportedAs === resource.name : run.options.resource !== null) {
    run.tally.addResult(row.place, await run.importer.import(resource, mapping, row));
    return;
  }
  if (!isKnown && isFirst) {
    throw new RowRejected(['The row does not contain its resource. Give --resource.']);
  }
  run.ofOtherResources += 1;
}

/** The resources of the rows, in the order of the import. @throws UsageError */
function listResources(source: Source, { resource: name }: ImportOptions): readonly Resource[] {
  const possible = resourcesInOrder.filter(
    (resource) => !source.isPosts || importOf(resource).posts !== undefined,
  );
  const names = possible.map((resource) => resource.name).join(', ');
  if (name === null) {
    if (source.columns === null && !source.isPosts) return possible;
    throw new UsageError(`--resource is required for ${source.name}: one of ${names}.`);
  }
  const resource = possible.find((one) => one.name === name);
  if (resource !== undefined) return [resource];
  const fault = source.isPosts ? `"${name}" cannot be imported` : `there is no resource "${name}"`;
  throw new UsageError(`--resource: ${fault}. The resources are: ${names}.`);
}

/** Shows the mapping of the first rows, and asks for confirmation. @throws UsageError when no column has a destination */
async function confirmMapping(
  resource: Resource,
  source: Source,
  options: ImportOptions,
  { confirm }: ImportEnvironment,
): Promise<boolean> {
  if (source.isPosts) return true;
  const columns = await previewMapping(resource, source, options);
  if (columns.some(({ to }) => to !== null)) {
    return confirm === undefined || confirm(describePreview(columns, resource));
  }
  throw new UsageError(
    source.columns === null
      ? `No name in ${source.name} is a field of ${resource.name}. Map them with --map NAME=FIELD.`
      : `No column of ${source.name} has the name of a field of ${resource.name}: ${source.columns.slice(0, 8).join(', ')}. If the file has no header line, name the columns with --columns; otherwise map them with --map COLUMN=FIELD.`,
  );
}

function describeColumns(
  mapping: Mapping | undefined,
): Pick<ImportReport, 'mapping' | 'notImported' | 'absentNames'> {
  const uses = mapping?.list() ?? [];
  return {
    mapping: uses.flatMap(({ column, to, meaning, rows, samples }) =>
      to === null ? [] : [{ from: column, to, meaning, rows, example: samples[0] ?? '' }],
    ),
    notImported: uses.flatMap(({ column, to, rows }) => (to === null ? [{ field: column, rows }] : [])),
    absentNames: mapping?.absentColumns() ?? [],
  };
}

function describeSkipped(source: Source, ofOtherResources: number): ImportReport['skipped'] {
  const skipped = [...source.skipped].map(([what, count]) => ({ what, count }));
  if (ofOtherResources === 0) return skipped;
  return [...skipped, { what: 'rows of other resources', count: ofOtherResources }];
}
