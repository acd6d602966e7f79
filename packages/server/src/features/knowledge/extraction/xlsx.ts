/** Extracts the text of workbooks (ECMA-376): each sheet with its name, cells as a table, headers, comments and text boxes. */
import { type NumberStyle, readNumberStyle, showNumber } from '@trellis/importer/readers/xlsx/cell-values.ts';
import type { TextCollector } from './collector.ts';
import { ExtractionError } from './errors.ts';
import type { ExtractionLimits } from './limits.ts';
import { addDrawingText, findMainPart, listParts, openPackage, readRelationships } from './ooxml.ts';
import { ignore, readXml } from './xml.ts';
import type { ZipArchive } from './zip.ts';

/** What the cells of all sheets refer to. */
interface Workbook {
  readonly strings: readonly string[];
  /** How numbers are shown, by the number of the style that cells have. */
  readonly styles: readonly NumberStyle[];
  /** Whether dates count from 1904. */
  readonly isFrom1904: boolean;
}

const general = readNumberStyle(0, null);

/** Elements whose text is shown: values, inline text, and headers and footers of printed pages. */
const shown = new Set([
  'v',
  't',
  'oddHeader',
  'oddFooter',
  'evenHeader',
  'evenFooter',
  'firstHeader',
  'firstFooter',
]);

/**
 * Reads a workbook.
 * @throws ExtractionError TOO_LARGE, TOO_DEEP, DAMAGED or ENCRYPTED
 */
export async function extractXlsx(
  file: number,
  limits: ExtractionLimits,
  into: TextCollector,
): Promise<null> {
  const archive = await openPackage(file, limits);
  const main = await findMainPart(archive, /^xl\/workbook\d*\.xml$/);
  if (main.endsWith('.bin')) throw new ExtractionError('UNSUPPORTED_TYPE', 'The workbook is binary.');
  const workbook = await readWorkbook(archive, main, limits, into);
  for (const { name, target } of await listParts(archive, main, 'sheet')) {
    if (into.isFull) break;
    into.add(`${name ?? ''}\n`);
    await addSheet(archive, target, workbook, into);
    for (const { kind, target: part } of await readRelationships(archive, target)) {
      if (kind === 'comments' || kind === 'threadedComment') await addComments(archive, part, into);
      else if (kind === 'drawing') await addDrawing(archive, part, into);
    }
  }
  into.endPage();
  return null;
}

async function readWorkbook(
  archive: ZipArchive,
  main: string,
  limits: ExtractionLimits,
  into: TextCollector,
): Promise<Workbook> {
  let isFrom1904 = false;
  await readXml(archive.read(main), {
    open({ local }, attributes) {
      if (local === 'workbookPr') isFrom1904 = /^(?:1|true|on)$/.test(attributes.date1904 ?? '');
    },
    text: ignore,
    close: ignore,
  });
  let strings: string[] = [];
  let styles: NumberStyle[] = [];
  for (const { kind, target } of await readRelationships(archive, main)) {
    if (kind === 'sharedStrings') strings = await readStrings(archive, target, limits, into);
    else if (kind === 'styles') styles = await readStyles(archive.read(target));
  }
  return { strings, styles, isFrom1904 };
}

async function readStyles(pieces: AsyncIterable<Uint8Array>): Promise<NumberStyle[]> {
  const codes = new Map<number, string>();
  const styles: NumberStyle[] = [];
  let isInCells = false;
  await readXml(pieces, {
    open({ local }, attributes) {
      const id = Number(attributes.numFmtId ?? 0);
      if (local === 'numFmt') codes.set(id, attributes.formatCode ?? '');
      else if (local === 'cellXfs') isInCells = true;
      else if (local === 'xf' && isInCells) styles.push(readNumberStyle(id, codes.get(id) ?? null));
    },
    text: ignore,
    close({ local }) {
      if (local === 'cellXfs') isInCells = false;
    },
  });
  return styles;
}

/** The texts that cells refer to by number. As many as can be kept; readings of Japanese words are left out. */
async function readStrings(
  archive: ZipArchive,
  part: string,
  limits: ExtractionLimits,
  into: TextCollector,
): Promise<string[]> {
  const strings: string[] = [];
  let parts: string[] = [];
  let [textDepth, readingDepth, units] = [0, 0, 0];
  // A code point has at most two UTF-16 units.
  const isEnough = () => units > 2 * limits.characters;
  const isComplete = await readXml(
    archive.read(part),
    {
      open({ local }) {
        if (local === 't') textDepth += 1;
        else if (local === 'rPh') readingDepth += 1;
      },
      text(text) {
        if (textDepth > 0 && readingDepth === 0) parts.push(text);
      },
      close({ local }) {
        if (local === 't') textDepth -= 1;
        else if (local === 'rPh') readingDepth -= 1;
        if (local !== 'si') return;
        const text = parts.join('');
        parts = [];
        units += text.length + 1;
        strings.push(text);
      },
    },
    isEnough,
  );
  if (!isComplete) into.markTruncated();
  return strings;
}

async function addSheet(
  archive: ZipArchive,
  part: string,
  workbook: Workbook,
  into: TextCollector,
): Promise<void> {
  let [shownDepth, readingDepth, style] = [0, 0, 0];
  let type = 'n';
  let isRowBegun = false;
  let parts: string[] = [];
  await readXml(
    archive.read(part),
    {
      open({ local }, attributes) {
        if (shown.has(local)) shownDepth += 1;
        else if (local === 'rPh') readingDepth += 1;
        else if (local === 'row') isRowBegun = false;
        if (local !== 'c') return;
        type = attributes.t ?? 'n';
        style = Number(attributes.s ?? 0);
      },
      text(text) {
        if (shownDepth > 0 && readingDepth === 0) parts.push(text);
      },
      close({ local }) {
        if (shown.has(local)) shownDepth -= 1;
        else if (local === 'rPh') readingDepth -= 1;
        if (local === 'c') {
          const text = showCell(parts.join(''), type, style, workbook);
          parts = [];
          if (text === '') return;
          into.add(isRowBegun ? `\t${text}` : text);
          isRowBegun = true;
        } else if (local === 'row' && isRowBegun) {
          into.add('\n');
        } else if (/^(?:odd|even|first)(?:Header|Footer)$/.test(local)) {
          into.add(`${withoutCodes(parts.join(''))}\n`);
          parts = [];
        }
      },
    },
    () => into.isFull,
  );
}

function showCell(value: string, type: string, style: number, workbook: Workbook): string {
  if (type === 's') return value === '' ? '' : (workbook.strings[Number(value)] ?? '');
  if (type === 'b') return value === '1' ? 'TRUE' : 'FALSE';
  if (type !== 'n') return value;
  return showNumber(value, workbook.styles[style] ?? general, workbook.isFrom1904);
}

/** The text of a header without the codes for its parts, fonts and page numbers (18.3.1.46). */
function withoutCodes(header: string): string {
  const text = header.replace(/&(?:"[^"]*"|K[0-9A-Fa-f]{6}|\d+|[A-Z]|(&))/g, (_, and) => and ?? ' ');
  return text.replace(/ +/g, ' ').trim();
}

async function addComments(archive: ZipArchive, part: string, into: TextCollector): Promise<void> {
  let [depth, readingDepth] = [0, 0];
  // Threaded comments have their text in an element of another name.
  const isText = (local: string) => local === 't' || local === 'text';
  await readXml(
    archive.read(part),
    {
      open({ local }) {
        if (isText(local)) depth += 1;
        else if (local === 'rPh') readingDepth += 1;
      },
      text(text) {
        if (depth > 0 && readingDepth === 0 && text.trim() !== '') into.add(text);
      },
      close({ local }) {
        if (isText(local)) depth -= 1;
        else if (local === 'rPh') readingDepth -= 1;
        if (local === 'comment' || local === 'threadedComment') into.add('\n');
      },
    },
    () => into.isFull,
  );
}

async function addDrawing(archive: ZipArchive, part: string, into: TextCollector): Promise<void> {
  await addDrawingText(archive, part, into);
  for (const { kind, target } of await readRelationships(archive, part))
    if (kind === 'chart' || kind === 'diagramData') await addDrawingText(archive, target, into);
}
