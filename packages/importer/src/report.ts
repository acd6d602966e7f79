/** The report of an import: created, updated and rejected rows, repairs, and columns that were not imported. */
import { resources } from '@trellis/schema/resources/index.ts';
import type { Default } from './defaults.ts';
import { inputsOf } from './destinations.ts';
import type { Redirect } from './redirects.ts';

/** A row that did not become a record, and why. */
export interface Rejection {
  readonly place: string;
  /** Null when the row was rejected before its externalId was known. */
  readonly externalId: string | null;
  readonly reasons: readonly string[];
  /** What people know the row by, such as its title; null or absent without any. */
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

/** A value that is not in its record after the import. */
export interface LostValue {
  readonly place: string;
  /** What people know the record by; null without a title or name. */
  readonly record: string | null;
  /** Shortened. */
  readonly value: string;
  /** Why a value of the row was left out; null for one that the record had. */
  readonly reason: string | null;
}

/** The values of a field that are not in their records after the import. */
export interface LostValues {
  /** Dotted name of the field, or of the member of its items; for values of rows that were left out, the column. */
  readonly field: string;
  readonly count: number;
  /** The first ones in the order of the source. */
  readonly values: readonly LostValue[];
}

/** Rows that have not changed their records, for one reason. */
export interface KeptRows {
  readonly reason: string;
  readonly count: number;
  /** The first ones in the order of the source. */
  readonly rows: readonly Pick<LostValue, 'place' | 'record'>[];
}

/** A number of rows, and the place of the first of them. */
export interface Occurrences {
  readonly rows: number;
  readonly example: string;
}

/** A value that is none of its set, in a column. */
export interface UnknownValue {
  readonly column: string;
  /** Name of the destination. */
  readonly to: string;
  readonly value: string;
}

/** Rows that were rejected because a value is none of those that a field can have, such as an unknown member. */
export interface UnknownValueRows extends UnknownValue, Occurrences {}

/** Pictures that posts refer to and that are not shown as they should be, for one reason. */
export interface LeftPictures {
  readonly reason: string;
  /** Number of references, each counted once for a post. */
  readonly count: number;
  /** The first of them, in the order of posts and addresses. */
  readonly examples: readonly { readonly place: string; readonly address: string }[];
}

/** The pictures beside posts; in a dry run, what would happen to them. */
export interface PictureReport {
  /** Number of pictures that were uploaded. */
  readonly stored: number;
  /** Number of those that had been uploaded before. */
  readonly found: number;
  /** Number of those that no post refers to, which are not uploaded. */
  readonly unused: number;
  readonly left: readonly LeftPictures[];
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
  /** What a person should know of the source, such as the sheet that was read. */
  readonly notes: readonly string[];
  /** Of the records that the import has created; null for a dry run. */
  readonly importId: string | null;
  readonly dryRun: boolean;
  /** Created, updated and unchanged rows with a repair. */
  readonly repaired: number;
  /** Numbers of rows whose records were found, by what they were found by. */
  readonly found: readonly { readonly by: string; readonly rows: number }[];
  /** Other records that were created because rows name them, such as tags. */
  readonly linked: Readonly<Record<string, number>>;
  /** Null where there are no posts. */
  readonly pictures: PictureReport | null;
  readonly mapping: readonly MappingLine[];
  readonly notImported: readonly {
    readonly field: string;
    readonly rows: number;
    readonly example?: string;
  }[];
  /** What new records get because no column has it. */
  readonly defaults: readonly Default[];
  /** Columns that options name and no row has. */
  readonly absentNames: readonly string[];
  readonly skipped: readonly { readonly what: string; readonly count: number }[];
  readonly repairs: readonly ({ readonly how: string } & Occurrences)[];
  /** Invalid values of rows that were left out, by column. */
  readonly omitted: readonly LostValues[];
  /** What records had and rows remove: items of lists that are replaced, and values that null clears. */
  readonly removed: readonly LostValues[];
  /** Rows whose records stay as they are although they differ, by the reason. */
  readonly kept: readonly KeptRows[];
  /** The reasons of rejections, without the values of single rows. */
  readonly rejectionReasons: readonly ({ readonly reason: string } & Occurrences)[];
  /** The values at fault that a person can map to others, those of most rows first. */
  readonly unknownValues: readonly UnknownValueRows[];
  /** The file of rejected rows; null when none was written. */
  readonly rejectedFile: string | null;
  /** The first rejections in the order of the source; the file of rejected rows has all, in the order in which they were found. */
  readonly rejections: readonly Rejection[];
  /** The addresses that posts had, sorted, with the articles that are there now. */
  readonly redirects: readonly Redirect[];
  /** The file of the addresses; null when none was written. */
  readonly redirectsFile: string | null;
  /** The file by which the import can be undone; null when nothing was written. */
  readonly undoFile: string | null;
  /** Why the import ended early; null when it did not. */
  readonly stopped: string | null;
  readonly seconds: number;
  readonly rowsPerSecond: number;
}

/** A report before the files that it names are written. */
export type EngineReport = Omit<ImportReport, 'rejectedFile' | 'redirectsFile' | 'undoFile'>;

const mostRedirectsShown = 10;
const mostRejectionsShown = 10;
const mostPicturesShown = 10;
const mostLostShown = 10;
const mostReasonsShown = 30;

/** 0 when every row was imported, 1 otherwise. */
export function exitCodeOf({ rejected, stopped }: ImportReport): 0 | 1 {
  return rejected === 0 && stopped === null ? 0 : 1;
}

/** The report as people read it. */
export function describeReport(report: ImportReport): string {
  const lines = [
    headline(report),
    ...(report.notes ?? []).map((note) => `  ${note}`),
    ...describeCounts(report),
    ...describeMapping(report),
    ...describeList(
      'Not imported, because no field has this name (--map NAME=FIELD maps it):',
      report.notImported.map(
        ({ field, rows, example = '' }) =>
          `${field} (${count(rows, 'row')}${example === '' ? '' : `, such as ${example}`})`,
      ),
    ),
    ...describeList(
      'New records get, because no column has it:',
      report.defaults.map(({ field, value }) => `${field} ${value}`),
    ),
    ...describeList('Named in the options, but missing in all rows:', report.absentNames),
    ...describeList(
      'Skipped:',
      report.skipped.map(({ what, count: number }) => `${what}: ${number}`),
    ),
    ...describeList(
      'Repaired:',
      report.repairs.map(({ how, rows, example }) => `${how}: ${count(rows, 'row')}, such as ${example}`),
    ),
    ...describeLost(report.dryRun ? 'Would be left out of rows:' : 'Left out of rows:', report.omitted),
    ...describeLost(
      report.dryRun ? 'Would be removed from records:' : 'Removed from records:',
      report.removed,
    ),
    ...describeKept(report),
    ...describePictures(report),
    ...describeRedirects(report),
    ...describeUnknown(report),
    ...describeRejections(report),
    ...(report.stopped === null
      ? []
      : ['', `Stopped: ${report.stopped}`, 'Run the same import again to continue.']),
    '',
  ];
  return lines.map(printable).join('\n');
}

function describePictures({ dryRun, pictures }: ImportReport): string[] {
  if (pictures === null) return [];
  const { stored, found, unused, left } = pictures;
  const numbers = [
    [stored, dryRun ? 'would be uploaded' : 'uploaded'],
    [found, 'uploaded before'],
    [unused, 'not uploaded, since no post refers to them'],
  ].filter(([number]) => number !== 0);
  const lines = left.flatMap(({ reason, count: number, examples }) => [
    `${count(number, 'reference')}: ${reason}`,
    ...examples.slice(0, mostPicturesShown).map(({ place, address }) => `  ${place}: ${shorten(address)}`),
    ...(number > mostPicturesShown ? [`  and ${number - mostPicturesShown} more`] : []),
  ]);
  return [
    ...describeList(
      'Pictures:',
      numbers.map(([number, what]) => `${number} ${what}`),
    ),
    ...describeList('Pictures that readers do not see:', lines),
  ];
}

/** The addresses that posts had: articles do not keep them, so that the site has to redirect them. */
function describeRedirects({ redirects, redirectsFile }: ImportReport): string[] {
  const shown = redirects.slice(0, mostRedirectsShown).map(({ from, to }) => `${from} is now ${to}`);
  const further = redirects.length - shown.length;
  const rest = further > 0 ? [`… and ${further} more`] : [];
  const file = redirectsFile === null ? '' : `, all in ${redirectsFile}`;
  return describeList(
    `Former addresses (${redirects.length}), which the site has to redirect to the articles with these slugs${file}:`,
    [...shown, ...rest],
  );
}

function headline({ dryRun, rows, source, resource, parent, seconds, rowsPerSecond }: ImportReport): string {
  const what = `${count(rows, 'row')} of ${source}`;
  const kind = resources.find(({ name }) => name === parent?.resource)?.singular;
  const target = parent === null ? resource : `${resource} of the ${kind} "${parent.name}"`;
  if (dryRun) return `Dry run: nothing was written. ${what} would go to ${target}:`;
  return `${what} to ${target} in ${seconds.toFixed(1)} s (${Math.round(rowsPerSecond)} rows/s):`;
}

function describeCounts(report: ImportReport): string[] {
  const { created, updated, unchanged, repaired, rejected, linked, importId } = report;
  const accepted = created + updated + unchanged;
  const lines = Object.entries({ accepted, created, updated, unchanged, rejected, repaired }).map(
    ([name, number]) => `  ${name.padEnd(10)}${String(number).padStart(7)}`,
  );
  const found = report.found.map(({ by, rows }) => `${by} (${count(rows, 'row')})`);
  const others = Object.entries(linked)
    .sort()
    .map(([name, number]) => {
      const resource = resources.find((one) => one.name === name);
      return `${number} ${number === 1 ? (resource?.singular ?? name) : name}`;
    });
  const verb = report.dryRun ? 'would be created' : 'created';
  return [
    ...lines,
    ...(found.length === 0 ? [] : [`  found by: ${found.join('; ')}`]),
    ...(others.length === 0 ? [] : [`  besides ${verb}: ${others.join(', ')}`]),
    ...(importId === null ? [] : [`  importId: ${importId}`]),
    ...(report.undoFile === null ? [] : [`  undone by: trellis import ${report.undoFile} --undo`]),
  ];
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

/** The number of values by field, and the first of them. */
function describeLost(title: string, fields: readonly LostValues[]): string[] {
  const lines = fields.flatMap(({ field, count: number, values }) => [
    `${field}: ${count(number, 'value')}`,
    ...values.slice(0, mostLostShown).map(describeLostValue),
    ...(number > mostLostShown
      ? [`  and ${number - mostLostShown} more (--json lists the first ${values.length})`]
      : []),
  ]);
  return describeList(title, lines);
}

function describeLostValue({ place, record, value, reason }: LostValue): string {
  const of = record === null ? place : `${place} (${record})`;
  return `  ${of}: "${value}"${reason === null ? '' : `, because: ${reason}`}`;
}

function describeKept({ dryRun, kept }: ImportReport): string[] {
  const lines = kept.flatMap(({ reason, count: number, rows }) => [
    `${reason}: ${count(number, 'row')}`,
    ...rows
      .slice(0, mostLostShown)
      .map(({ place, record }) => `  ${place}${record === null ? '' : ` (${record})`}`),
    ...(number > mostLostShown
      ? [`  and ${number - mostLostShown} more (--json lists the first ${rows.length})`]
      : []),
  ]);
  return describeList(dryRun ? 'Would not be changed:' : 'Not changed:', lines);
}

/** The values that can be mapped, by column. */
function describeUnknown({ unknownValues }: ImportReport): string[] {
  const lines = unknownValues
    .slice(0, mostReasonsShown)
    .map(
      ({ column, to, value, rows }) =>
        `${count(rows, 'row')}: "${shorten(value)}" in ${column} is unknown for ${to}`,
    );
  return describeList(
    'Unknown values (--values "COLUMN=VALUE=OTHER" maps one, without OTHER to none):',
    lines,
  );
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

const acting = /[\p{Cc}\p{Bidi_Control}]/gu;

/** A line without characters of a file that act on a terminal or change the order of what stands around them. */
export function printable(line: string): string {
  return line.replaceAll(acting, ' ');
}

/** A value in one short line, without characters that act on a terminal or change the order of what stands around them. */
export function shorten(value: unknown, most = 60): string {
  const text = printable(typeof value === 'string' ? value.slice(0, 4 * most) : (JSON.stringify(value) ?? ''))
    .replaceAll(/\s+/g, ' ')
    .trim();
  const characters = Array.from(text);
  return characters.length > most ? `${characters.slice(0, most - 1).join('')}…` : text;
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
