/** Reads a sheet of a workbook as rows with named columns, as a CSV file would have them. */
import { UsageError } from '../../errors.ts';
import type { Source, SourceRow } from '../../source.ts';
import { checkColumns, mostColumns } from '../csv.ts';
import { noBytes, type SourceFile } from '../file.ts';
import { createRow, formatRejectedRecord, SkippedParts } from '../record-rows.ts';
import { nameColumn } from './cell-values.ts';
import {
  checkLength,
  openWorkbook,
  type Sheet,
  type SheetRow,
  type SheetSurvey,
  type Workbook,
} from './workbook.ts';

export interface XlsxOptions {
  /** Column names for a sheet without a header row; null when a row has them. */
  readonly columns: readonly string[] | null;
  /** Name of the sheet; null for the first one with rows. */
  readonly sheet: string | null;
  /** Number of the row with the names of the columns; absent or null for the one that is recognized. */
  readonly headerLine?: number | null;
}

/** Rows at the beginning of a sheet among which its header is looked for. */
const rowsBeforeHeader = 20;
const rowsSurveyed = 200;

/** Opens a workbook. @throws UsageError when no sheet has rows or the named one is absent; ImportStopped when it cannot be read */
export async function openXlsx(
  file: SourceFile,
  { columns: given, sheet: wanted, headerLine = null }: XlsxOptions,
): Promise<Source> {
  const workbook = await openWorkbook(file);
  const { sheet, start, others } = await chooseSheet(file, workbook, wanted);
  const header = given === null ? findHeader(start, headerLine) : null;
  const columns = given ?? readHeader(header, start);
  checkColumns(columns);
  const survey = workbook.survey(sheet);
  const skipped = new SkippedParts();
  let last = 0;
  return {
    name: file.name,
    columns: columns.filter((column) => column !== ''),
    isPosts: false,
    skipped: skipped.counts,
    total: () => Math.min(1, last / survey.rows),
    rejectedHeader: noBytes,
    parts: others.length === 0 ? null : { names: [sheet.name, ...others], chosen: sheet.name },
    notes: describeSheet(sheet, header, survey),
    formatRejected: formatRejectedRecord,
    async *read() {
      skipped.counts.clear();
      for await (const row of withMerged(workbook.read(sheet), survey)) {
        last = row.number;
        if (header !== null && row.number <= header.number) {
          if (row.number < header.number && row.cells.size > 0) skipped.add('rows before the header');
          continue;
        }
        skipped.add('cells with an error such as #N/A, left empty', row.errors);
        skipped.add(
          'formulas without a stored result, left empty (open and save the file in a spreadsheet program)',
          row.uncomputed,
        );
        if (row.cells.size === 0) continue;
        yield toSourceRow(row, columns);
      }
    },
  };
}

function toSourceRow({ number, cells }: SheetRow, columns: readonly string[]): SourceRow {
  const fields = new Map<string, unknown>();
  for (const [index, text] of [...cells].sort(([left], [right]) => left - right)) {
    if (text.trim() !== '' && index < mostColumns) fields.set(columns[index] || unnamed(index), text);
  }
  return createRow({ place: `row ${number}`, fields });
}

/** The name of a column without a header. */
function unnamed(index: number): string {
  return `column ${nameColumn(index)}`;
}

interface ChosenSheet {
  readonly sheet: Sheet;
  /** Its first rows with a value. */
  readonly start: readonly SheetRow[];
  /** Names of the other sheets with rows. */
  readonly others: readonly string[];
}

async function chooseSheet(
  file: SourceFile,
  workbook: Workbook,
  wanted: string | null,
): Promise<ChosenSheet> {
  const { sheets } = workbook;
  const filled: { readonly sheet: Sheet; readonly start: readonly SheetRow[] }[] = [];
  for (const sheet of sheets) {
    const start = await workbook.readStart(sheet, rowsSurveyed);
    if (start.length > 0) filled.push({ sheet, start });
  }
  const isNamed = ({ sheet }: { readonly sheet: Sheet }) =>
    sheet.name.toLowerCase() === wanted?.toLowerCase();
  const chosen =
    wanted === null ? (filled.find(({ sheet }) => !sheet.isHidden) ?? filled[0]) : filled.find(isNamed);
  if (chosen === undefined && wanted !== null) {
    const isEmpty = sheets.some((sheet) => isNamed({ sheet }));
    const names = filled.map(({ sheet }) => `"${sheet.name}"`).join(', ');
    throw new UsageError(
      `--sheet: the sheet "${wanted}" ${isEmpty ? 'has no rows' : 'is not in the file'}. Sheets with rows: ${names || 'none'}.`,
    );
  }
  if (sheets.length === 0) {
    throw new UsageError(
      `${file.name} has no sheet with cells, such as a workbook of charts alone. Put the data into a sheet, or save them as CSV.`,
    );
  }
  if (chosen === undefined) throw new UsageError(`${file.name} has no rows: all its sheets are empty.`);
  const others = filled.filter((one) => one !== chosen).map(({ sheet }) => sheet.name);
  return { ...chosen, others };
}

/**
 * The row with the names of columns: the first one with several cells, as titles above a table have one. Where that one is at most half as
 * wide as the table, it belongs to a title, and the first row is meant that is as wide as all after it.
 * @throws UsageError when the chosen row has no cells
 */
function findHeader(start: readonly SheetRow[], chosen: number | null): SheetRow | null {
  if (chosen !== null) {
    const row = start.find(({ number }) => number === chosen);
    if (row === undefined) throw new UsageError(`--header-line: row ${chosen} of the sheet is empty.`);
    return row;
  }
  const rows = start.slice(0, rowsBeforeHeader);
  const first = rows.find(({ cells }) => cells.size > 1);
  const widest = (from: number) => Math.max(0, ...start.slice(from).map(({ cells }) => cells.size));
  const isTitle = first !== undefined && first.cells.size * 2 <= widest(0);
  const wide = isTitle ? rows.find(({ cells }, index) => cells.size >= widest(index + 1)) : undefined;
  return wide ?? first ?? start[0] ?? null;
}

/** The names in the header, and names for further columns that have values. */
function readHeader(header: SheetRow | null, start: readonly SheetRow[]): string[] {
  const indexes = [...(header?.cells.keys() ?? [])];
  const used = new Set(
    start.filter(({ number }) => number > (header?.number ?? 0)).flatMap(({ cells }) => [...cells.keys()]),
  );
  const width = 1 + [...indexes, ...used].reduce((most, index) => Math.max(most, index), -1);
  return Array.from({ length: width }, (_, index) => {
    const name = header?.cells.get(index)?.trim().replace(/\s+/g, ' ') ?? '';
    return name === '' && used.has(index) ? unnamed(index) : name;
  });
}

/** The rows, in which each of the merged cells of a column has their value, as people see it. */
async function* withMerged(rows: AsyncIterable<SheetRow>, { merged }: SheetSurvey): AsyncGenerator<SheetRow> {
  const starting = Map.groupBy(merged, ({ first }) => first);
  // By column, as those of a column cannot overlap.
  const open = new Map<number, { readonly last: number; readonly value: string }>();
  for await (const row of rows) {
    const cells = new Map(row.cells);
    for (const [column, { last, value }] of open) {
      if (last < row.number) open.delete(column);
      else if (!cells.has(column) && row.cells.size > 0) cells.set(column, value);
    }
    for (const { column, last } of starting.get(row.number) ?? []) {
      const value = row.cells.get(column);
      if (value !== undefined && column < mostColumns) open.set(column, { last, value });
    }
    yield checkLength({ ...row, cells });
  }
}

/** What a person should know before the import. */
function describeSheet(sheet: Sheet, header: SheetRow | null, { hiddenRows }: SheetSurvey): string[] {
  return [
    ...(sheet.isHidden ? [`The sheet "${sheet.name}" is hidden in the file.`] : []),
    ...(header !== null && header.number > 1
      ? [`The names of the columns are in row ${header.number}.`]
      : []),
    ...(hiddenRows > 0
      ? [
          hiddenRows === 1
            ? 'One row is hidden in the file; it is imported like the others.'
            : `${hiddenRows} rows are hidden in the file; they are imported like the others.`,
        ]
      : []),
  ];
}
