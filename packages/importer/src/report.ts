/** The report of an import: created, updated and rejected rows, repairs, and columns that were not imported. */
import { resources } from '@trellis/schema/resources/index.ts';
import { inputsOf } from './destinations.ts';

/** A row that did not become a record, and why. */
export interface Rejection {
  readonly place: string;
  /** Null when the row was rejected before its externalId was known. */
  readonly externalId: string | null;
  readonly reasons: readonly string[];
  /** What people know the row by, such as its title; null without any. Reports that an older release kept lack it. */
  readonly record?: string | null;
  /** For each reason the value that it is about, shortened; null where there is none, or the reason says it. */
  readonly values?: readonly (string | null)[];
}

/** A column that was used, in the report. */
interface MappingLine {
  readonly from: string;
  readonly to: string;
  /** What the destination accepts, for people. */
  readonly meaning: string;
  readonly rows: number;
  readonly example: string;
}

/** A number of rows, and the place of the first of them. */
export interface Occurrences {
  readonly rows: number;
  readonly example: string;
}

/** Numbers of rows; in a dry run, of what would happen. */
export interface RowCounts {
  readonly rows: number;
  readonly created: number;
  readonly updated: number;
  readonly unchanged: number;
  readonly rejected: number;
}

export interface ImportReport extends RowCounts {
  readonly resource: string;
  /** The parent of all rows, such as a site; null when there is none, or each row has its own. */
  readonly parent: { readonly resource: string; readonly id: string; readonly name: string } | null;
  readonly source: string;
  readonly dryRun: boolean;
  /** Created, updated and unchanged rows with a repair. */
  readonly repaired: number;
  /** Other records that were created because rows name them, such as tags. */
  readonly linked: Readonly<Record<string, number>>;
  readonly mapping: readonly MappingLine[];
  readonly notImported: readonly { readonly field: string; readonly rows: number }[];
  /** Names given to `--map` that no row has. */
  readonly absentNames: readonly string[];
  readonly skipped: readonly { readonly what: string; readonly count: number }[];
  readonly repairs: readonly ({ readonly how: string } & Occurrences)[];
  /** The reasons of rejections, without the values of single rows. */
  readonly rejectionReasons: readonly ({ readonly reason: string } & Occurrences)[];
  /** The file of rejected rows; null when none was written. */
  readonly rejectedFile: string | null;
  /** The first rejections in the order of the source; the file of rejected rows has all, in the order in which they were found. */
  readonly rejections: readonly Rejection[];
  /** Why the import ended early; null when it did not. */
  readonly stopped: string | null;
  readonly seconds: number;
  readonly rowsPerSecond: number;
}

const mostRejectionsShown = 10;
const mostReasonsShown = 30;

/** 0 when every row was imported, 1 otherwise. */
export function exitCodeOf({ rejected, stopped }: ImportReport): 0 | 1 {
  return rejected === 0 && stopped === null ? 0 : 1;
}

/** The report as people read it. */
export function describeReport(report: ImportReport): string {
  return [
    headline(report),
    ...describeCounts(report),
    ...describeMapping(report),
    ...describeList(
      'Not imported, because no field has this name (--map NAME=FIELD maps it):',
      report.notImported.map(({ field, rows }) => `${field} (${count(rows, 'row')})`),
    ),
    ...describeList('Given to --map, but missing in all rows:', report.absentNames),
    ...describeList(
      'Skipped:',
      report.skipped.map(({ what, count: number }) => `${number} ${what}`),
    ),
    ...describeList(
      'Repaired:',
      report.repairs.map(({ how, rows, example }) => `${how}: ${count(rows, 'row')}, such as ${example}`),
    ),
    ...describeRejections(report),
    ...(report.stopped === null
      ? []
      : ['', `Stopped: ${report.stopped}`, 'Run the same import again to continue.']),
    '',
  ].join('\n');
}

function headline({ dryRun, rows, source, resource, parent, seconds, rowsPerSecond }: ImportReport): string {
  const what = `${count(rows, 'row')} of ${source}`;
  const kind = resources.find(({ name }) => name === parent?.resource)?.singular;
  const target = parent === null ? resource : `${resource} of the ${kind} "${parent.name}"`;
  if (dryRun) return `Dry run: nothing was written. ${what} would go to ${target}:`;
  return `${what} to ${target} in ${seconds.toFixed(1)} s (${Math.round(rowsPerSecond)} rows/s):`;
}

function describeCounts(report: ImportReport): string[] {
  const { created, updated, unchanged, repaired, rejected, linked } = report;
  const accepted = created + updated + unchanged;
  const lines = Object.entries({ accepted, created, updated, unchanged, rejected, repaired }).map(
    ([name, number]) => `  ${name.padEnd(10)}${String(number).padStart(7)}`,
  );
  const others = Object.entries(linked).map(([resource, number]) => `${number} ${resource}`);
  const verb = report.dryRun ? 'would be created' : 'created';
  return [...lines, ...(others.length === 0 ? [] : [`  besides ${verb}: ${others.join(', ')}`])];
}

/** The mapping, which is shown in a dry run. */
function describeMapping({ dryRun, mapping, resource: name }: ImportReport): string[] {
  if (!dryRun || mapping.length === 0) return [];
  const resource = resources.find((one) => one.name === name);
  const inputs = resource === undefined ? new Map() : inputsOf(resource, true);
  const fromWidth = Math.max(...mapping.map(({ from }) => from.length));
  const toWidth = Math.max(...mapping.map(({ to }) => to.length));
  const lines = mapping.flatMap(({ from, to, meaning, rows, example }) => {
    const line = `${from.padEnd(fromWidth)} -> ${to.padEnd(toWidth)}  ${count(rows, 'row')}, such as ${example}`;
    // A field of the API is known by its name; an input of the import needs an explanation.
    return inputs.has(to) ? [line, `${' '.repeat(fromWidth + 4)}(${meaning})`] : [line];
  });
  return describeList('Mapping:', lines);
}

function describeRejections(report: ImportReport): string[] {
  const { rejected, rejections, rejectionReasons, rejectedFile } = report;
  const all = rejectedFile === null ? '--rejected FILE stores all of them' : `all are in ${rejectedFile}`;
  const shown = rejections.slice(0, mostRejectionsShown).map(describeRejection);
  if (rejected <= shown.length) {
    return describeList(
      'Rejected:',
      rejectedFile === null || rejected === 0 ? shown : [...shown, `(${all})`],
    );
  }
  const kinds = rejectionReasons.map(
    ({ reason, rows, example }) => `${count(rows, 'row')}, such as ${example}: ${reason}`,
  );
  return describeList(`Rejected (${all}):`, kinds.slice(0, mostReasonsShown));
}

function describeRejection({ place, reasons, record = null, values = [] }: Rejection): string {
  const sentences = reasons.map((reason, index) => {
    const value = values[index] ?? null;
    return value === null ? reason : `${reason} Given: "${value}".`;
  });
  return `${record === null ? place : `${place} (${record})`}: ${sentences.join(' ')}`;
}

function describeList(title: string, items: readonly string[]): string[] {
  return items.length === 0 ? [] : ['', title, ...items.map((item) => `  ${item}`)];
}

/** A value in one short line, for previews and examples. */
export function shorten(value: unknown, most = 60): string {
  const text = (typeof value === 'string' ? value.slice(0, 4 * most) : (JSON.stringify(value) ?? ''))
    .trim()
    .replace(/\s+/g, ' ');
  const characters = Array.from(text);
  return characters.length > most ? `${characters.slice(0, most - 1).join('')}…` : text;
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
