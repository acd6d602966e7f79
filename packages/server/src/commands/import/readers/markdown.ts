/** Reads folders of Markdown files with front matter, as in Zola, Hugo and Jekyll. A file is a row, its path the key. */
import { isUtf8 } from 'node:buffer';
import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, dirname, extname, join } from 'node:path';
import type { Source, SourceRow, UnreadableRow } from '@trellis/importer/source.ts';
import { limits } from '@trellis/schema/resources/limits.ts';
import { FrontMatterError, splitPost } from './front-matter.ts';

/** Maximum size of a file, with far more front matter than real posts have; larger files are not read. */
const largestFileBytes = limits.articleBodyBytes + 262_144;

/** Whether a file is Markdown, by its name. */
function isMarkdown(path: string): boolean {
  return /\.(md|markdown)$/i.test(path);
}

/** Opens a folder with its subfolders, or a single file. */
export async function openMarkdown(path: string, isFolder: boolean): Promise<Source> {
  const folder = isFolder ? path : dirname(path);
  const skipped = new Map<string, number>();
  const paths = isFolder ? await findPosts(folder, '', skipped) : [basename(path)];
  return {
    name: path,
    columns: null,
    isPosts: true,
    // The groups of Zola and Hugo for other fields than their own.
    wrappers: ['extra', 'params', 'taxonomies'],
    skipped,
    total: paths.length,
    rejectedHeader: '',
    formatRejected: (rejection) => `${JSON.stringify(rejection)}\n`,
    async *read() {
      for (const relative of paths) yield await readPost(folder, relative);
    },
  };
}

/** Paths below the folder with `/` between their parts, in the same order on every machine. */
async function findPosts(folder: string, prefix: string, skipped: Map<string, number>): Promise<string[]> {
  const skip = (reason: string) => skipped.set(reason, (skipped.get(reason) ?? 0) + 1);
  const entries = await readdir(join(folder, prefix), { withFileTypes: true });
  const paths: string[] = [];
  for (const entry of entries.sort((left, right) => (left.name < right.name ? -1 : 1))) {
    const path = `${prefix}${entry.name}`;
    if (entry.name.startsWith('.')) skip('hidden files and folders');
    else if (entry.isDirectory()) paths.push(...(await findPosts(folder, `${path}/`, skipped)));
    else if (!isMarkdown(entry.name)) skip('files that are not Markdown');
    else if (/^_index\./.test(entry.name)) skip('_index files, which describe a section');
    else paths.push(path);
  }
  return paths;
}

async function readPost(folder: string, path: string): Promise<SourceRow | UnreadableRow> {
  const unreadable = (reason: string): UnreadableRow => ({ place: path, unreadable: reason, original: '' });
  const file = join(folder, path);
  let bytes: Buffer;
  try {
    const { size } = await stat(file);
    if (size > largestFileBytes) {
      return unreadable(`The file has ${size} bytes; a body can have at most ${limits.articleBodyBytes}.`);
    }
    bytes = await readFile(file);
  } catch (error) {
    return unreadable(`The file cannot be read: ${(error as Error).message}`);
  }
  if (!isUtf8(bytes)) {
    return unreadable(`The file is not valid UTF-8 in line ${findInvalidLine(bytes)}. Save it as UTF-8.`);
  }
  const nulAt = bytes.indexOf(0);
  if (nulAt >= 0) {
    return unreadable(`The file has a NUL character in line ${lineAt(bytes, nulAt)}. Remove it.`);
  }
  try {
    // A TextDecoder would drop a byte order mark.
    const { metadata, body } = splitPost(bytes.toString('utf8'));
    const derived = Object.entries({
      '(body)': body,
      '(first heading)': /^#[ \t]+(.+?)[ \t#]*\r?$/m.exec(body)?.[1],
      '(file name)': nameOf(path),
      '(date in the path)': findDate(path) ?? findDate(metadata.path) ?? findDate(metadata.url),
    }).filter(([, value]) => value !== undefined);
    const fields = new Map([...Object.entries(metadata), ...derived]);
    return { place: path, key: path, fields, exportedAs: null, original: '' };
  } catch (error) {
    if (error instanceof FrontMatterError) return unreadable(error.message);
    throw error;
  }
}

/** The name of a post: `hello` for `2018-01-04-hello.md` and `hello/index.md`. */
function nameOf(path: string): string {
  const stem = basename(path, extname(path));
  const name = stem === 'index' && path.includes('/') ? basename(dirname(path)) : stem;
  return name.replace(/^\d{4}-\d{2}-\d{2}-/, '');
}

/** The date in a path such as `2018-01-04-hello.md` or `2018/01/04/hello`. */
function findDate(path: unknown): string | undefined {
  if (typeof path !== 'string') return undefined;
  const [, year, , month, day] = /(?:^|\/)(\d{4})([-/])(\d{2})\2(\d{2})(?=[-/_])/.exec(path) ?? [];
  return year === undefined ? undefined : `${year}-${month}-${day}`;
}

/** Number of the first line with invalid UTF-8: where decoding and encoding gives other bytes. */
function findInvalidLine(bytes: Buffer): number {
  const again = Buffer.from(bytes.toString('utf8'));
  let index = 0;
  while (index < bytes.length && bytes[index] === again[index]) index += 1;
  return lineAt(bytes, index);
}

function lineAt(bytes: Buffer, index: number): number {
  return bytes.subarray(0, index).filter((byte) => byte === 0x0a).length + 1;
}
