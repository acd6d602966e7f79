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
import { listDefaults } from './defaults.ts';
import { describePreview } from './describe-preview.ts';
import { importOf } from './destinations.ts';
import { ImportStopped, PendingReference, RowRejected, UsageError } from './errors.ts';
import { importIdOf, lineageOf } from './import-id.ts';
import type { Journal } from './journal.ts';
import { limitRequests } from './limited-client.ts';
import { type ColumnUse, createMapping, type Mapping, openMapping } from './mapping.ts';
import { describeOptOut, isDeletedRow } from './opt-outs.ts';
import { resourcesInOrder } from './order.ts';
import { clockOf, Parents } from './parents.ts';
import { openPictures } from './pictures.ts';
import { describeNotes, previewMapping } from './preview.ts';
import { describeRejection } from './rejection.ts';
import type { EngineReport, ImportReport, RowCounts } from './report.ts';
import { RowImporter } from './row-importer.ts';
import type { Source, SourceRow, UnreadableRow } from './source.ts';
import { Tally } from './tally.ts';
import { destinationsInUse, waysToFind } from './ways.ts';

export interface ImportOptions extends ColumnChoices, ChangeOptions {
  /** Name of the resource; null for a file of an export, whose rows contain it. */
  readonly resource: string | null;
  /** Names of the parents, by singular of their resource: `{ site: 'blog' }`. */
  readonly parents: Readonly<Record<string, string>>;
  /** What tells this import from others of the same source: it is the same when it is run again after an interruption. */
  readonly run: string;
  readonly dryRun: boolean;
  /** Number of requests that are sent at the same time; with 1, rows are imported one after the other. */
  readonly concurrency: number;
}

/** The environment of the engine. */
export interface ImportEnvironment {
  readonly client: ImportClient;
  /** Receives rejected rows; null where they are not kept. */
  readonly rejected: RejectedRows | null;
  /** Shows the mapping and returns whether to continue. */
  readonly confirm?: (preview: string) => Promise<boolean>;
  /** Keeps what is written, so that the import can be undone; absent where it is not kept. */
  readonly journal?: Journal;
  /** The origin of the addresses that pictures beside posts get in texts. */
  readonly origin?: string;
  /** Called after each row. */
  readonly onProgress?: (progress: RowCounts) => void;
}

/** A destination of rejected rows. */
export interface RejectedRows {
  /**
   * Called before the first row, when the import is certain to begin.
   * @param header the bytes before the first row
   * @throws UsageError when nothing can be written
   */
  begin(header: Uint8Array): Promise<void>;
  write(row: Uint8Array): Promise<void>;
}

/** Rows that are imported at the same time: as many as fill the batches that are sent at the same time. */
const mostRowsAtOnce = 200;

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
): Promise<EngineReport | null> {
  const client = limitRequests(environment.client, options.concurrency);
  const api = new Api(client, environment.journal ?? null, hasBatches(source, options));
  const resources = listResources(source, options);
  const only = resources.length === 1 ? resources[0] : undefined;
  const isExport = only === undefined && source.resources === undefined;
  // The rows of an export are as the API returned them.
  const open = isExport ? createMapping : openMapping;
  const mappings = new Map<Resource, Mapping>();
  for (const resource of resources) mappings.set(resource, await open(resource, source, options));
  const previews =
    isExport || (source.isPosts && source.resources === undefined)
      ? []
      : await readPreviews(mappings, source, options);
  const parents = await Parents.open(api, resources, options.parents);
  if (previews.length > 0 && environment.confirm !== undefined) {
    const texts = previews.map(({ resource, mapping, columns }) => {
      const { conventions } = mapping;
      const clock = clockOf(resource, parents.namedFor(resource));
      const destinations = destinationsInUse(mapping.destinations(), columns);
      const defaults = listDefaults(resource, destinations, source.isPosts);
      const ways = waysToFind(resource, destinations, source.keys?.[resource.name] ?? null);
      return describePreview(columns, resource, { table: source.table, conventions, clock, defaults, ways });
    });
    if (!(await environment.confirm([...describeNotes(source), ...texts].join('\n')))) return null;
  }
  await environment.rejected?.begin(source.rejectedHeader);
  const began = performance.now();
  const lineage = lineageOf({ ...options, sourceName: source.name });
  const importId = importIdOf(lineage, options.run);
  const pictures = openPictures(source, resources, api, {
    ...options,
    importId,
    origin: environment.origin ?? '',
  });
  const importer = new RowImporter(api, parents, {
    ...options,
    pictures,
    isPosts: source.isPosts,
    now: Date.now(),
    lineage,
    importId,
  });
  const tally = new Tally();
  const run: Run = { source, options, environment, importer, tally, ofOtherResources: 0, deleted: 0 };
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
    resource:
      only?.name ??
      (source.resources === undefined
        ? 'the resources of the export'
        : resources.map(({ name }) => name).join(', ')),
    notes: describeNotes(source),
    parent:
      parent === null ? null : { resource: only?.parent?.resource ?? '', id: parent.id, name: parent.name },
    source: source.name,
    importId: options.dryRun ? null : importId,
    dryRun: options.dryRun,
    ...tally.summarize(),
    linked: Object.fromEntries(importer.linked),
    pictures: pictures?.summarize() ?? null,
    // The columns of an export are fields.
    ...describeColumns(isExport ? new Map() : mappings, source),
    skipped: describeSkipped(source, only === undefined ? 0 : run.ofOtherResources, run.deleted),
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
  /** Number of rows that are deleted where they come from. */
  deleted: number;
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
      await importRow(run, pass, numbered, isLast);
    } catch (error) {
      if (!(error instanceof RowRejected)) throw error;
      const mayCome = error instanceof PendingReference && !isLast && waiting.length < mostWaitingRows;
      if (mayCome && 'fields' in row) {
        waiting.push(numbered);
        return;
      }
      const rejection = describeRejection(pass.resource, pass.mapping, row, error);
      const unknown =
        'fields' in row
          ? await run.importer.findUnknownValues(pass.resource, pass.mapping, row, error.reasons)
          : [];
      tally.addRejection(rejection, order, unknown);
      await environment.rejected?.write(source.formatRejected(rejection, row.original));
    }
    environment.onProgress?.(tally.count());
  };
  const handleAll = (rows: AsyncIterable<NumberedRow> | readonly NumberedRow[]) =>
    forEachConcurrently(rows, hasBatches(source, options) ? mostRowsAtOnce : options.concurrency, (row) =>
      handle(row),
    );
  await handleAll(numberRows(source.read()));
  while (waiting.length > 0) {
    const again = waiting;
    waiting = [];
    await handleAll(again);
    if (waiting.length === again.length) break;
  }
  for (const row of waiting) await handle(row, true);
}

/** Whether records are created in batches: those of tables. Posts are large. */
function hasBatches({ isPosts }: Source, { concurrency }: ImportOptions): boolean {
  return concurrency > 1 && !isPosts;
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
  { row, order }: NumberedRow,
  isLast: boolean,
): Promise<void> {
  if ('unreadable' in row) {
    if (isFirst) throw new RowRejected([row.unreadable]);
    return;
  }
  const named = row.becomes ?? row.exportedAs;
  const isKnown = resourcesInOrder.some(({ name }) => name === named);
  if (isKnown ? named === resource.name : run.options.resource !== null || run.source.isPosts) {
    if (row.exportedAs === null && isDeletedRow(row, (column) => mapping.isDecided(column))) {
      run.deleted += 1;
      return;
    }
    const outcome = await run.importer.import(resource, mapping, row, isLast);
    run.tally.addResult(row.place, outcome, order);
    run.tally.addAddresses(row.addresses ?? [], outcome.slug);
    return;
  }
  if (!isKnown && isFirst) {
    throw new RowRejected(['The row does not contain its resource. Give --resource.']);
  }
  run.ofOtherResources += 1;
}

/** The resources of the rows, in the order of the import. @throws UsageError */
function listResources(source: Source, { resource: name }: ImportOptions): readonly Resource[] {
  const possible = resourcesInOrder.filter((resource) =>
    source.resources === undefined
      ? !source.isPosts || importOf(resource).posts !== undefined
      : source.resources.includes(resource.name),
  );
  const names = possible.map((resource) => resource.name).join(', ');
  if (name === null) {
    const isDecided = source.resources !== undefined || possible.length === 1;
    if (isDecided || (source.columns === null && !source.isPosts)) return possible;
    throw new UsageError(`--resource is required for ${source.name}: one of ${names}.`);
  }
  const resource = possible.find((one) => one.name === name);
  if (resource !== undefined) return [resource];
  const isFixed = source.isPosts || source.resources !== undefined;
  const fault = isFixed ? `"${name}" cannot be imported` : `there is no resource "${name}"`;
  throw new UsageError(`--resource: ${fault}. The resources are: ${names}.`);
}

/** The columns of the first rows of a resource, which a person reviews. */
interface Preview {
  readonly resource: Resource;
  readonly mapping: Mapping;
  readonly columns: readonly ColumnUse[];
}

/** The columns in the first rows. @throws UsageError when none has a destination, or one may be of opt-outs */
async function readPreviews(
  mappings: ReadonlyMap<Resource, Mapping>,
  source: Source,
  options: ImportOptions,
): Promise<readonly Preview[]> {
  const previews: Preview[] = [];
  for (const [resource, mapping] of mappings) {
    const columns = await previewMapping(resource, source, options);
    const unclear = columns.filter(({ column, samples }) => samples.length > 0 && mapping.isOptOut(column));
    if (unclear.length > 0) {
      throw new UsageError(unclear.map(({ column }) => describeOptOut(column)).join('\n'));
    }
    if (source.resources === undefined && columns.every(({ to }) => to === null)) {
      throw describeUnmapped(resource, source);
    }
    if (columns.length > 0) previews.push({ resource, mapping, columns });
  }
  return previews;
}

function describeUnmapped({ name }: Resource, source: Source): UsageError {
  return new UsageError(
    source.columns === null
      ? `No name in ${source.name} is a field of ${name}. Map them with --map NAME=FIELD.`
      : `No column of ${source.name} has the name of a field of ${name}: ${source.columns.slice(0, 8).join(', ')}. If these are not the names of the columns, say which line has them, such as --header-line 3, or name them with --columns; otherwise map them with --map COLUMN=FIELD.`,
  );
}

function describeColumns(
  mappings: ReadonlyMap<Resource, Mapping>,
  { isPosts }: Source,
): Pick<ImportReport, 'mapping' | 'notImported' | 'absentNames' | 'defaults'> {
  const all = [...mappings.values()];
  const uses = all.flatMap((mapping) => mapping.list());
  return {
    mapping: uses.flatMap(({ column, to, meaning, rows, samples }) =>
      to === null ? [] : [{ from: column, to, meaning, rows, example: samples[0] ?? '' }],
    ),
    notImported: uses.flatMap(({ column, to, rows, samples }) =>
      to === null ? [{ field: column, rows, example: samples[0] ?? '' }] : [],
    ),
    defaults: [...mappings].flatMap(([resource, mapping]) =>
      listDefaults(resource, mapping.destinations(), isPosts),
    ),
    absentNames: all
      .map((mapping) => mapping.absentColumns())
      .reduce(
        (common, absent) => common.filter((name) => absent.includes(name)),
        all[0]?.absentColumns() ?? [],
      ),
  };
}

function describeSkipped(source: Source, ofOtherResources: number, deleted: number): ImportReport['skipped'] {
  return [
    ...[...source.skipped].map(([what, count]) => ({ what, count })),
    { what: 'rows of other resources', count: ofOtherResources },
    { what: 'rows that are deleted where they come from', count: deleted },
  ].filter(({ count }) => count > 0);
}
