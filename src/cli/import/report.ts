/**
 * Why: whoever imports wants to know afterwards that everything arrived, what arrived otherwise than it stood, and what
 * did not and why; and before, where everything would go.
 */
import type { MappingLine } from './mapping.ts';

/** A record that did not become one, and why. */
export interface Rejection {
  readonly place: string;
  /** Null when it could not even be read. */
  readonly externalId: string | null;
  readonly reasons: readonly string[];
}

/** Counts are of rows; in a dry run they tell what would happen. */
export interface ImportReport {
  readonly resource: string;
  /** The site they go to; null for resources without one. */
  readonly site: { readonly id: string; readonly key: string } | null;
  readonly source: string;
  readonly dryRun: boolean;
  readonly rows: number;
  readonly created: number;
  readonly updated: number;
  readonly unchanged: number;
  /** Rows among the three above that had to be put otherwise than they stood. */
  readonly mended: number;
  readonly rejected: number;
  /** Other records that were created because rows name them, such as tags. */
  readonly linked: Readonly<Record<string, number>>;
  readonly mapping: readonly MappingLine[];
  readonly notImported: readonly { readonly field: string; readonly rows: number }[];
  /** Names given to `--map` that no row has. */
  readonly absentNames: readonly string[];
  readonly passedOver: readonly { readonly what: string; readonly count: number }[];
  readonly mendings: readonly { readonly how: string; readonly rows: number; readonly example: string }[];
  /** Why rows were rejected, without what is a row's own. */
  readonly rejectionReasons: readonly {
    readonly reason: string;
    readonly rows: number;
    readonly example: string;
  }[];
  /** Where the rejected rows are; null when they were not written. */
  readonly rejectedFile: string | null;
  /** The first ones; the file of rejected rows has all. */
  readonly rejections: readonly Rejection[];
  /** Why the import ended before its end; null when it did not. */
  readonly stopped: string | null;
  readonly seconds: number;
  readonly rowsPerSecond: number;
}

const mostRejectionsShown = 10;
const mostReasonsShown = 30;

/** 0 when every row arrived, 1 otherwise. */
export function exitCodeOf({ rejected, stopped }: ImportReport): 0 | 1 {
  return rejected === 0 && stopped === null ? 0 : 1;
}

/** The report as people read it. */
export function describeReport(report: ImportReport, rejectedFile: string | null): string {
  return [
    headline(report),
    ...describeCounts(report),
    ...describeMapping(report),
    ...describeList('Not imported, because nothing here is called so (--map NAME=FIELD brings it in):', [
      ...report.notImported.map(({ field, rows }) => `${field} (${count(rows, 'row')})`),
    ]),
    ...describeList('Named by --map, but in no row:', report.absentNames),
    ...describeList(
      'Passed over:',
      report.passedOver.map(({ what, count: number }) => `${number} ${what}`),
    ),
    ...describeList(
      'Mended:',
      report.mendings.map(({ how, rows, example }) => `${how}: ${count(rows, 'row')}, such as ${example}`),
    ),
    ...describeRejections(report, rejectedFile),
    ...(report.stopped === null
      ? []
      : ['', `Stopped: ${report.stopped}`, 'Run the same import again: it goes on where it stopped.']),
    '',
  ].join('\n');
}

function headline({ dryRun, rows, source, resource, site, seconds, rowsPerSecond }: ImportReport): string {
  const what = `${count(rows, 'row')} of ${source}`;
  const target = site === null ? resource : `${resource} of the site "${site.key}"`;
  if (dryRun) return `Dry run: nothing was written. ${what} would go to ${target}:`;
  return `${what} to ${target} in ${seconds.toFixed(1)} s (${Math.round(rowsPerSecond)} rows/s):`;
}

function describeCounts(report: ImportReport): string[] {
  const { created, updated, unchanged, mended, rejected, linked } = report;
  const accepted = created + updated + unchanged;
  const lines = Object.entries({ accepted, created, updated, unchanged, rejected, mended }).map(
    ([name, number]) => `  ${name.padEnd(10)}${String(number).padStart(7)}`,
  );
  const others = Object.entries(linked).map(([resource, number]) => `${number} ${resource}`);
  const verb = report.dryRun ? 'would be created' : 'created';
  return [...lines, ...(others.length === 0 ? [] : [`  besides ${verb}: ${others.join(', ')}`])];
}

/** Where everything goes is what a dry run is for. */
function describeMapping({ dryRun, mapping }: ImportReport): string[] {
  if (!dryRun || mapping.length === 0) return [];
  const widths = [
    Math.max(...mapping.map(({ from }) => from.length)),
    Math.max(...mapping.map(({ to }) => to.length)),
  ];
  return describeList(
    'Mapping:',
    mapping.flatMap(({ from, to, meaning, rows, example }) => {
      const left = `${from.padEnd(widths[0] ?? 0)} -> ${to.padEnd(widths[1] ?? 0)}`;
      const line = `${left}  ${count(rows, 'row')}, such as ${example}`;
      // A field of the API is told by its name; what is the import's own needs a word.
      return to.includes('.') ? [line] : [line, `${' '.repeat((widths[0] ?? 0) + 4)}(${meaning})`];
    }),
  );
}

function describeRejections(
  { rejected, rejections, rejectionReasons }: ImportReport,
  rejectedFile: string | null,
): string[] {
  const shown = rejections
    .slice(0, mostRejectionsShown)
    .map(({ place, reasons }) => `${place}: ${reasons.join(' ')}`);
  const more = rejected - shown.length;
  const all = rejectedFile === null ? '--rejected FILE keeps them all' : `all are in ${rejectedFile}`;
  const kinds = rejectionReasons.map(
    ({ reason, rows, example }) => `${count(rows, 'row')}, such as ${example}: ${reason}`,
  );
  if (rejected > shown.length) return describeList(`Rejected (${all}):`, kinds.slice(0, mostReasonsShown));
  return describeList('Rejected:', [
    ...shown,
    ...(more > 0 || (rejectedFile !== null && rejected > 0) ? [`(${all})`] : []),
  ]);
}

function describeList(title: string, items: readonly string[]): string[] {
  return items.length === 0 ? [] : ['', title, ...items.map((item) => `  ${item}`)];
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
