/** Workbooks (Office Open XML, ECMA-376, and its strict form): their sheets, and the rows of each with cells as texts. */
import { ImportStopped } from '../../errors.ts';
import { largestRowBytes, readBytes, type SourceFile } from '../file.ts';
import { childOf, childrenOf, localName, readElements, textOf, type XmlElement } from '../xml.ts';
import { openZip, type Zip } from '../zip.ts';
import { type NumberStyle, readNumberStyle, readReference, showNumber, unescapeText } from './cell-values.ts';

export interface Sheet {
  readonly name: string;
  readonly isHidden: boolean;
  /** In the archive. */
  readonly path: string;
}

/** A row with its cells by index; cells without a value are absent. */
export interface SheetRow {
  /** From 1, as spreadsheets show it. */
  readonly number: number;
  readonly cells: ReadonlyMap<number, string>;
  /** Number of cells whose formula failed, such as #N/A; they have no value. */
  readonly errors: number;
  /** Number of formulas without a stored result; they have no value. */
  readonly uncomputed: number;
}

export interface Workbook {
  readonly sheets: readonly Sheet[];
  /** Reads the rows of a sheet. */
  read(sheet: Sheet): AsyncGenerator<SheetRow>;
  /** The first rows of a sheet that have a value. @throws ImportStopped when the file has too many rows without one */
  readStart(sheet: Sheet, most: number): Promise<SheetRow[]>;
  /** What of a sheet has to be known before its first row. */
  survey(sheet: Sheet): SheetSurvey;
}

/** What a sheet says behind its rows, or about many of them. */
export interface SheetSurvey {
  /** Number of all rows, at least 1. */
  readonly rows: number;
  readonly hiddenRows: number;
  readonly merged: readonly MergedCells[];
}

/** Cells of a column that are shown as one. */
interface MergedCells {
  readonly column: number;
  readonly first: number;
  readonly last: number;
}

/** Maximum size of the file. */
const largestFileBytes = 67_108_864;
const largestSheetBytes = 1_073_741_824;
const largestStringsBytes = 268_435_456;
const largestPartBytes = 67_108_864;
const mostSheets = 1_000;
/** What is read of all sheets together to find their first rows, since each of them may have a million rows without a value. */
const mostStartBytes = 134_217_728;
const mostMerged = 10_000;

/** Opens a workbook. @throws ImportStopped when it is damaged, encrypted or too large */
export async function openWorkbook(file: SourceFile): Promise<Workbook> {
  if (file.size > largestFileBytes) {
    throw new ImportStopped(
      `${file.name} is larger than ${largestFileBytes / 1_048_576} MiB. Save the sheet as "CSV UTF-8", which has no limit.`,
    );
  }
  const zip = openZip(file.name, await readBytes(file));
  const part = (path: string, most = largestPartBytes) => ({
    label: `${file.name} (${path})`,
    chunks: zip.read(path, most),
  });
  const path =
    (await readRelations(zip, part, '')).find(({ type }) => type === 'officeDocument')?.target ??
    'xl/workbook.xml';
  const relations = await readRelations(zip, part, path);
  const targets = new Map(relations.map(({ id, target }) => [id, target]));
  const sheets: Sheet[] = [];
  let isFrom1904 = false;
  for await (const element of readElements(part(path), new Set(['sheet', 'workbookPr']))) {
    const { attributes, name } = element;
    if (localName(name) === 'workbookPr') isFrom1904 = /^(1|true|on)$/.test(attributes.date1904 ?? '');
    else if (sheets.length < mostSheets) {
      const [, id = ''] =
        Object.entries(attributes).find(([key]) => localName(key) === 'id' && key !== 'id') ?? [];
      const target = targets.get(id);
      // Sheets with nothing but a chart have no rows.
      if (target === undefined || !target.includes('worksheet')) continue;
      sheets.push({
        name: attributes.name ?? '',
        isHidden: /hidden/i.test(attributes.state ?? ''),
        path: target,
      });
    }
  }
  const pathOf = (type: string) => relations.find((relation) => relation.type === type)?.target;
  const styles = await readStyles(zip, part, pathOf('styles'));
  const strings = await readStrings(zip, part, pathOf('sharedStrings'));
  async function* readRows({ label, chunks }: ReturnType<ReadPart>): AsyncGenerator<SheetRow> {
    let number = 0;
    for await (const row of readElements({ label, chunks }, new Set(['row']))) {
      number = Number(row.attributes.r ?? number + 1);
      yield checkLength(readRow(row, number, { styles, strings, isFrom1904 }));
    }
  }
  let startBytes = 0;
  function* countStart(chunks: Iterable<Uint8Array>): Generator<Uint8Array> {
    for (const chunk of chunks) {
      startBytes += chunk.length;
      if (startBytes > mostStartBytes)
        throw new ImportStopped(
          `${file.name} has too many rows without a value. Delete empty rows and sheets, or save the sheet as "CSV UTF-8".`,
        );
      yield chunk;
    }
  }
  return {
    sheets,
    survey: (sheet) => surveySheet(zip.read(sheet.path, largestSheetBytes)),
    read: (sheet) => readRows(part(sheet.path, largestSheetBytes)),
    async readStart(sheet, most) {
      const { label, chunks } = part(sheet.path, largestSheetBytes);
      const rows: SheetRow[] = [];
      for await (const row of readRows({ label, chunks: countStart(chunks) })) {
        if (row.cells.size > 0) rows.push(row);
        if (rows.length === most) break;
      }
      return rows;
    },
  };
}

type ReadPart = (
  path: string,
  most?: number,
) => { readonly label: string; readonly chunks: Iterable<Uint8Array> };

interface Relation {
  readonly id: string;
  /** The last part of its type, which has two forms. */
  readonly type: string;
  /** Path in the archive. */
  readonly target: string;
}

/** The relations of a part; '' for those of the whole package. */
async function readRelations(zip: Zip, part: ReadPart, of: string): Promise<Relation[]> {
  const folder = of.slice(0, of.lastIndexOf('/') + 1);
  const path = `${folder}_rels/${of.slice(folder.length)}.rels`;
  const relations: Relation[] = [];
  if (!zip.names.includes(path)) return relations;
  for await (const { attributes } of readElements(part(path), new Set(['Relationship']))) {
    const { Id = '', Type = '', Target = '' } = attributes;
    const target = Target.replaceAll('\\', '/').replace(/^\.\//, '');
    const full = target.startsWith('/') ? target.slice(1) : `${folder}${target}`;
    relations.push({ id: Id, type: Type.slice(Type.lastIndexOf('/') + 1), target: full });
  }
  return relations;
}

/** The number styles of cells, by the number that cells have. */
async function readStyles(zip: Zip, part: ReadPart, path: string | undefined): Promise<NumberStyle[]> {
  if (path === undefined || !zip.names.includes(path)) return [];
  const codes = new Map<number, string>();
  const styles: NumberStyle[] = [];
  for await (const element of readElements(part(path), new Set(['numFmt', 'cellXfs']))) {
    if (localName(element.name) === 'numFmt') {
      codes.set(Number(element.attributes.numFmtId), element.attributes.formatCode ?? '');
      continue;
    }
    for (const { attributes } of childrenOf(element, 'xf')) {
      const id = Number(attributes.numFmtId ?? 0);
      styles.push(readNumberStyle(id, codes.get(id) ?? null));
    }
  }
  return styles;
}

async function readStrings(zip: Zip, part: ReadPart, path: string | undefined): Promise<string[]> {
  const strings: string[] = [];
  if (path === undefined || !zip.names.includes(path)) return strings;
  for await (const element of readElements(part(path, largestStringsBytes), new Set(['si']))) {
    strings.push(readRichText(element));
  }
  return strings;
}

/** The text of a cell without its formats, and without the readings that Japanese texts can have. */
function readRichText(element: XmlElement): string {
  const runs = element.nodes.filter((node) => typeof node !== 'string');
  const texts = runs.map((node) => {
    const kind = localName(node.name);
    if (kind === 't') return textOf(node);
    return kind === 'r' ? textOf(childOf(node, 't')) : '';
  });
  return unescapeText(texts.join(''));
}

interface CellContext {
  readonly styles: readonly NumberStyle[];
  readonly strings: readonly string[];
  readonly isFrom1904: boolean;
}

function readRow(row: XmlElement, number: number, context: CellContext): SheetRow {
  const cells = new Map<number, string>();
  let errors = 0;
  let uncomputed = 0;
  let next = 0;
  for (const cell of childrenOf(row, 'c')) {
    const index = readReference(cell.attributes.r ?? '')?.column ?? next;
    next = index + 1;
    if (cell.attributes.t === 'e') errors += 1;
    else {
      const value = readCell(cell, context);
      if (value !== '') cells.set(index, value);
      else if (childOf(cell, 'f') !== undefined && childOf(cell, 'v') === undefined) uncomputed += 1;
    }
  }
  return { number, cells, errors, uncomputed };
}

/**
 * Returns a row whose texts are no longer than a row of CSV may be: each cell can refer to the same long text.
 * @throws ImportStopped for a longer one
 */
export function checkLength(row: SheetRow): SheetRow {
  const length = [...row.cells.values()].reduce((sum, text) => sum + text.length, 0);
  if (length <= largestRowBytes) return row;
  throw new ImportStopped(
    `No row from row ${row.number} on can be read: it has more than ${largestRowBytes} characters. Shorten its texts.`,
  );
}

function readCell(cell: XmlElement, { styles, strings, isFrom1904 }: CellContext): string {
  const value = () => textOf(childOf(cell, 'v'));
  const inline = childOf(cell, 'is');
  switch (cell.attributes.t) {
    case 's':
      return strings[Number(value())] ?? '';
    case 'inlineStr':
      return inline === undefined ? '' : readRichText(inline);
    case 'str':
      return unescapeText(value());
    case 'b':
      return value() === '' ? '' : Number(value()) === 1 || value() === 'true' ? 'TRUE' : 'FALSE';
    case 'd':
      return value()
        .replace('T', ' ')
        .replace(/ 00:00:00(\.0+)?Z?$/, '');
    default:
      return value() === '' && inline !== undefined
        ? readRichText(inline)
        : showNumber(
            value(),
            styles[Number(cell.attributes.s ?? 0)] ?? { date: null, digits: null },
            isFrom1904,
          );
  }
}

const surveyed = /<(?:\w+:)?row\b([^<>]*)|<(?:\w+:)?mergeCell\s[^<>]*?ref="([A-Z]+\d+):([A-Z]+\d+)"/g;
const longestTag = 4_096;

/** Finds merged cells, which stand behind the rows, and hidden rows, without reading the cells. */
function surveySheet(chunks: Iterable<Uint8Array>): SheetSurvey {
  const decoder = new TextDecoder();
  const merged: MergedCells[] = [];
  let rows = 0;
  let hiddenRows = 0;
  let rest = '';
  for (const chunk of chunks) {
    const text = rest + decoder.decode(chunk, { stream: true });
    const end = text.lastIndexOf('<');
    const complete = end < 0 ? '' : text.slice(0, end);
    rest = text.slice(Math.max(end, 0)).slice(-longestTag);
    for (const [, row, from, to] of complete.matchAll(surveyed)) {
      const [start, last] = [readReference(from ?? ''), readReference(to ?? '')];
      if (row !== undefined) {
        rows += 1;
        if (/\shidden="(?:1|true)"/.test(row)) hiddenRows += 1;
      } else if (start !== null && last !== null && merged.length < mostMerged)
        merged.push({ column: start.column, first: start.row, last: last.row });
    }
  }
  return { rows: Math.max(1, rows), hiddenRows, merged: merged.filter(({ first, last }) => last > first) };
}
