/** Reads Markdown files with front matter, as in Zola, Hugo and Jekyll. A file is a row, its path the key. */
import { limits } from '@trellis/schema/resources/limits.ts';
import { decodeForPeople, decodeUtf8, findReplacement } from '@trellis/schema/values/utf8.ts';
import { addressColumn, type Source, type SourceRow, type UnreadableRow } from '../source.ts';
import { noBytes, readBytes, type SourceFile, toBytes } from './file.ts';
import { formatOf } from './formats.ts';
import { FrontMatterError, splitPost } from './front-matter.ts';
import { readMdx } from './mdx.ts';
import type { PictureFolder } from './picture-files.ts';
import { lastPartOf, readAddresses, readPath, stemOf } from './post-address.ts';
import { readCover } from './post-cover.ts';

/** Maximum size of a file, with far more front matter than real posts have; larger files are not read. */
const largestFileBytes = limits.articleBodyBytes + 262_144;

/** Folders with templates, generated pages and packages, also where their files look like posts. */
const foldersOfGenerators = new Set(['_includes', '_layouts', '_sass', '_site', 'node_modules']);
/** Why files are left out that only their folder or content tells from posts. */
const ownReasons = [
  'files of templates, generated sites and packages',
  'HTML files without front matter',
] as const;

/** Why a file of a folder is not imported, in words to count such files by; null when it is. @param name without its folder */
export function findReasonToSkip(name: string): string | null {
  if (name.startsWith('.')) return 'hidden files and folders';
  if (formatOf(name) !== 'markdown') return 'files that are not posts';
  return /^_index\./.test(name) ? '_index files, which describe a section' : null;
}

/**
 * Opens Markdown files.
 * @param name of the folder, or of the only file
 * @param files whose names are their paths below the folder, with `/` between the parts
 * @param skipped number of files that were left out, by reason
 * @param pictures those beside the posts; null where there can be none
 */
export function openMarkdown(
  name: string,
  files: readonly SourceFile[],
  skipped: ReadonlyMap<string, number>,
  pictures: PictureFolder | null = null,
): Source {
  const allSkipped = new Map(skipped);
  const skip = (reason: string) => allSkipped.set(reason, (allSkipped.get(reason) ?? 0) + 1);
  return {
    name,
    columns: null,
    isPosts: true,
    ...(pictures === null ? {} : { pictures }),
    skipped: allSkipped,
    total: files.length,
    rejectedHeader: noBytes,
    formatRejected: (rejection) => toBytes(JSON.stringify(rejection), '\n'),
    async *read() {
      const stems = new Map<string, number>();
      for (const { name: path } of files) stems.set(stemOf(path), (stems.get(stemOf(path)) ?? 0) + 1);
      for (const reason of ownReasons) {
        const before = skipped.get(reason);
        if (before === undefined) allSkipped.delete(reason);
        else allSkipped.set(reason, before);
      }
      for (const file of files) {
        const isGenerated = isOfGenerator(file.name);
        const post = isGenerated ? null : await readPost(file, stems, pictures);
        if (post === null) skip(ownReasons[isGenerated ? 0 : 1]);
        else yield post;
      }
    },
  };
}

/** Whether a file is in a folder of templates, generated pages or packages. @param path below the folder */
export function isOfGenerator(path: string): boolean {
  return path.split('/').some((part) => foldersOfGenerators.has(part));
}

/** Reads a post; null for a file that is none. @param stems see `readPath` */
async function readPost(
  file: SourceFile,
  stems: ReadonlyMap<string, number>,
  pictures: PictureFolder | null,
): Promise<SourceRow | UnreadableRow | null> {
  const { name: path, size } = file;
  const unreadable = (reason: string): UnreadableRow => ({
    place: path,
    unreadable: reason,
    original: noBytes,
  });
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
    const { metadata: whole, body: written } = splitPost(text);
    const isHtml = /\.html?$/i.test(path);
    // Without front matter it is a page or a template, and no post.
    if (isHtml && written === text) return null;
    const { body, notes } = /\.mdx$/i.test(path) ? readMdx(written) : { body: written, notes: [] };
    const read = pictures === null ? null : readCover(whole, path, pictures);
    const metadata = read?.rest ?? whole;
    const { name, language, isDraft } = readPath(path, stems);
    const { address, former, names } = readAddresses(metadata);
    const derived = Object.entries({
      '(body)': body,
      '(body format)': isHtml ? 'HTML' : undefined,
      '(first heading)': isHtml ? undefined : findHeading(body),
      '(file name)': name,
      [addressColumn]: (address === null ? null : lastPartOf(address)) ?? name,
      '(language in the path)': language ?? undefined,
      ...(isDraft && metadata.draft === undefined ? { draft: 'true' } : {}),
      '(date in the path)': findDate(path) ?? findDate(metadata.path) ?? findDate(metadata.url),
    }).filter(([, value]) => value !== undefined);
    const given = Object.entries(metadata).filter(([column]) => !names.has(column));
    const fields = new Map([...given, ...derived]);
    const addresses = [...(address === null ? [] : [address]), ...former];
    const cover = read === null ? {} : { cover: read.cover };
    return {
      place: path,
      key: path,
      fields,
      exportedAs: null,
      original: noBytes,
      addresses,
      notes,
      ...cover,
    };
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
