/** Reads Markdown files with front matter, as in Zola, Hugo and Jekyll. A file is a row, its path the key. */
import { limits } from '@trellis/schema/resources/limits.ts';
import { decodeForPeople, decodeUtf8, findReplacement } from '@trellis/schema/values/utf8.ts';
import type { Source, SourceRow, UnreadableRow } from '../source.ts';
import { readBytes, type SourceFile } from './file.ts';
import { formatOf } from './formats.ts';
import { FrontMatterError, splitPost } from './front-matter.ts';

/** Maximum size of a file, with far more front matter than real posts have; larger files are not read. */
const largestFileBytes = limits.articleBodyBytes + 262_144;

/** Why a file of a folder is not imported, in words to count such files by; null when it is. @param name without its folder */
export function findReasonToSkip(name: string): string | null {
  if (name.startsWith('.')) return 'hidden files and folders';
  if (formatOf(name) !== 'markdown') return 'files that are not Markdown';
  return /^_index\./.test(name) ? '_index files, which describe a section' : null;
}

/**
 * Opens Markdown files.
 * @param name of the folder, or of the only file
 * @param files whose names are their paths below the folder, with `/` between the parts
 * @param skipped number of files that were left out, by reason
 */
export function openMarkdown(
  name: string,
  files: readonly SourceFile[],
  skipped: ReadonlyMap<string, number>,
): Source {
  return {
    name,
    columns: null,
    isPosts: true,
    skipped,
    total: files.length,
    rejectedHeader: '',
    formatRejected: (rejection) => `${JSON.stringify(rejection)}\n`,
    async *read() {
      for (const file of files) yield await readPost(file);
    },
  };
}

async function readPost(file: SourceFile): Promise<SourceRow | UnreadableRow> {
  const { name: path, size } = file;
  const unreadable = (reason: string): UnreadableRow => ({ place: path, unreadable: reason, original: [] });
  if (size > largestFileBytes) {
    return unreadable(`The file has ${size} bytes; a body can have at most ${limits.articleBodyBytes}.`);
  }
  let bytes: Uint8Array;
  try {
    bytes = await readBytes(file);
  } catch (error) {
    return unreadable(`The file cannot be read: ${(error as Error).message}`);
  }
  const text = decodeUtf8(bytes);
  if (text === null) {
    const shown = decodeForPeople(bytes);
    const line = lineAt(shown, findReplacement(shown, bytes));
    return unreadable(`The file is not valid UTF-8 in line ${line}. Save it as UTF-8.`);
  }
  const nulAt = text.indexOf('\0');
  if (nulAt >= 0) {
    return unreadable(`The file has a NUL character in line ${lineAt(text, nulAt)}. Remove it.`);
  }
  try {
    const { metadata, body } = splitPost(text);
    const derived = Object.entries({
      '(body)': body,
      '(first heading)': findHeading(body),
      '(file name)': nameOf(path),
      '(date in the path)': findDate(path) ?? findDate(metadata.path) ?? findDate(metadata.url),
    }).filter(([, value]) => value !== undefined);
    const fields = new Map([...Object.entries(metadata), ...derived]);
    return { place: path, key: path, fields, exportedAs: null, original: [] };
  } catch (error) {
    if (error instanceof FrontMatterError) return unreadable(error.message);
    throw error;
  }
}

/** The text of the first heading of level 1 (CommonMark, 4.2); undefined without one that has a text. */
export function findHeading(body: string): string | undefined {
  for (const [line] of body.matchAll(/^#[ \t].*/gm)) {
    const text = withoutClosingSigns(line.slice(1)).trim();
    if (text !== '') return text;
  }
  return undefined;
}

/** A heading without the number signs at its end. They belong to the text unless a blank is before them, as in `# C#`. */
function withoutClosingSigns(line: string): string {
  const text = line.trimEnd();
  let end = text.length;
  // By hand: a regular expression would look for the end again from each position.
  while (text[end - 1] === '#') end -= 1;
  return text[end - 1] === ' ' || text[end - 1] === '\t' ? text.slice(0, end) : text;
}

/** The name of a post: `hello` for `2018-01-04-hello.md` and `hello/index.md`. */
function nameOf(path: string): string {
  const parts = path.split('/');
  const stem = (parts.at(-1) ?? '').replace(/\.[^.]+$/, '');
  const name = stem === 'index' ? (parts.at(-2) ?? stem) : stem;
  return name.replace(/^\d{4}-\d{2}-\d{2}-/, '');
}

/** The date in a path such as `2018-01-04-hello.md` or `2018/01/04/hello`. */
function findDate(path: unknown): string | undefined {
  if (typeof path !== 'string') return undefined;
  const [, year, , month, day] = /(?:^|\/)(\d{4})([-/])(\d{2})\2(\d{2})(?=[-/_])/.exec(path) ?? [];
  return year === undefined ? undefined : `${year}-${month}-${day}`;
}

/** Number of the line at a position, from 1. */
function lineAt(text: string, position: number): number {
  return text.slice(0, position).split('\n').length;
}
