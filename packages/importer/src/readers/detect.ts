/** The format of a file, by its content: a table may be called .xls, and a workbook .csv. Names decide only between texts. */
import { MalformedJsonError, parseJson } from '@trellis/schema/values/json.ts';
import { isPlainObject } from '@trellis/schema/values/plain-object.ts';
import { UsageError } from '../errors.ts';
import { readBytes, type SourceFile } from './file.ts';
import { type Format, formatOf } from './formats.ts';
import { isBinary, refuseArchive, refuseBytes, refuseText, refuseXml } from './refusals.ts';

const sampleBytes = 65_536;
const largestArchiveBytes = 67_108_864;

/** The format of a file. @throws UsageError when it cannot be imported; the message says how to save it so that it can */
export async function detectFormat(file: SourceFile): Promise<Format> {
  const start = await readBytes(file, sampleBytes);
  if (start.length === 0) throw new UsageError(`${file.name} is empty.`);
  if (start[0] === 0x50 && start[1] === 0x4b && start[2] === 0x03) return detectArchive(file);
  const refused = refuseBytes(start);
  if (refused !== null) throw new UsageError(`${file.name} ${refused}`);
  // Of a table with NUL in some rows, only those are rejected.
  if (formatOf(file.name) === null && isBinary(start)) {
    throw new UsageError(
      `${file.name} is neither text nor a known kind of file. Export its data as .xlsx, CSV or JSON.`,
    );
  }
  return detectText(file.name, decode(start), start.length < file.size);
}

/**
 * The format of a text.
 * @param start its beginning
 * @param isCut whether there is more of it
 * @throws UsageError when it cannot be imported
 */
export function detectText(name: string, start: string, isCut: boolean): Format {
  const refuse = (sentence: string) => new UsageError(`${name} ${sentence}`);
  const named = formatOf(name);
  if (named === 'markdown') return named;
  const text = start.trimStart();
  if (text.startsWith('<')) return detectXml(name, text, refuse);
  if (/^BEGIN:VCARD/i.test(text)) return 'vcard';
  if (/^\[\s*[[{\]]/.test(text) || (named === 'json' && text.startsWith('['))) return 'json';
  if (/^\{\s*["}]/.test(text)) return detectJson(text, named, isCut);
  const refused = refuseText(text);
  if (refused !== null) throw refuse(refused);
  if (named === 'ndjson') return named;
  const [header = ''] = text.split(/\r\n|\r|\n/, 1);
  if (/\bpublication_title\b/i.test(header) && /\b(print|online)_identifier\b/i.test(header)) return 'kbart';
  if (named === 'csv' || isTable(text)) return 'csv';
  throw refuse(
    'is not a table. Import CSV, .xlsx, JSON, WordPress (WXR), Ghost (JSON), vCard, ONIX 3, KBART, or Markdown files with the ending .md.',
  );
}

/** The text of a sample. Which encoding of 8 bits it has does not matter here. */
function decode(bytes: Uint8Array): string {
  const [first, second, third] = bytes;
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  if (first === 0 && second !== 0) return new TextDecoder('utf-16be').decode(bytes);
  if (second === 0 && third !== 0) return new TextDecoder('utf-16le').decode(bytes);
  return new TextDecoder().decode(bytes);
}

async function detectArchive(file: SourceFile): Promise<Format> {
  if (file.size > largestArchiveBytes) {
    throw new UsageError(
      `${file.name} is an archive or workbook of more than ${largestArchiveBytes / 1_048_576} MiB. Save its sheet as "CSV UTF-8", which has no limit, or unpack it.`,
    );
  }
  const { openZip } = await import('./foreign.ts');
  const refused = refuseArchive(openZip(file.name, await readBytes(file)).names);
  if (refused !== null) throw new UsageError(`${file.name} ${refused}`);
  return 'xlsx';
}

/** Whether the first two lines of a text have as many delimiters of one kind; of a single line, any. */
function isTable(text: string): boolean {
  const [first = '', second] = text.split(/\r\n|\r|\n/, 3).filter((line) => line.trim() !== '');
  const count = (line: string, delimiter: string) => line.split(delimiter).length;
  return [',', ';', '\t', '|'].some((delimiter) => {
    const cells = count(first, delimiter);
    return cells > 1 && (second === undefined || count(second, delimiter) === cells);
  });
}

/** The root of a document stands near its beginning. */
const rootWithin = 16_384;

/**
 * The first tag of a document, behind comments, instructions and the document type; '' without one. By hand: a regular expression would
 * look for a missing end from each beginning.
 */
function findRoot(text: string): string {
  let at = text.indexOf('<');
  while (at >= 0) {
    const [tag] = /^<[a-z_][^>]*>?/i.exec(text.slice(at)) ?? [];
    if (tag !== undefined) return tag;
    const end = findEnd(text, at);
    if (end < 0) return '';
    at = text.indexOf('<', end);
  }
  return '';
}

/** Where a comment, an instruction or the document type ends that begins at a position; behind the sign for others, -1 without an end. */
function findEnd(text: string, at: number): number {
  if (text.startsWith('<!--', at)) return text.indexOf('-->', at + 4);
  if (text.startsWith('<?', at)) return text.indexOf('?>', at);
  if (!/^<!doctype/i.test(text.slice(at, at + 9))) return at + 1;
  const end = text.indexOf('>', at);
  const subset = text.indexOf('[', at);
  if (subset < 0 || end < subset) return end;
  const closed = text.indexOf(']', subset);
  return closed < 0 ? -1 : text.indexOf('>', closed);
}

function detectXml(name: string, whole: string, refuse: (sentence: string) => UsageError): Format {
  const text = whole.slice(0, rootWithin);
  const root = findRoot(text);
  if (/^<rss\b/i.test(root) && /wordpress\.org\/export\//.test(text)) return 'wordpress';
  if (/^<(?:\w+:)?onixmessage\b/i.test(root) && /release\s*=\s*["']3|onix\/3/.test(root)) return 'onix';
  if (/^<(html|head|body|table|meta|style|div)\b/i.test(root) || /^<!doctype html/i.test(text)) {
    if (/\.xls$/i.test(name) || /^<table\b/i.test(root)) {
      throw refuse(
        'is a table in HTML, which some systems call .xls. Open it in Excel or LibreOffice, where you may confirm a warning about its ending, and save it as .xlsx or "CSV UTF-8".',
      );
    }
    throw refuse(
      'is a web page. Open it in a spreadsheet program and save it as .xlsx or "CSV UTF-8"; posts need the ending .md.',
    );
  }
  throw refuse(refuseXml(root));
}

/** Whether a file that begins with an object has one in each line, or is one document. */
function detectJson(text: string, named: Format | null, isCut: boolean): Format {
  if (/^\{\s*("db"\s*:\s*\[\s*\{|"meta"\s*:\s*\{[^}]*"exported_on")/.test(text)) return 'ghost';
  if (named === 'ndjson') return named;
  const [first = '', ...others] = text.split('\n');
  const hasMore = isCut || others.some((line) => line.trim() !== '');
  return hasMore && isObject(first) ? 'ndjson' : 'json';
}

function isObject(line: string): boolean {
  try {
    return isPlainObject(parseJson(line.trim()));
  } catch (error) {
    if (error instanceof MalformedJsonError) return false;
    throw error;
  }
}
