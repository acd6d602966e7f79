/** Opens a path with the reader of its format: a CSV or NDJSON file, or a file or folder of Markdown. */

import type { Dirent } from 'node:fs';
import { createReadStream } from 'node:fs';
import { readdir, realpath, stat } from 'node:fs/promises';
import { basename, join, sep } from 'node:path';
import { UsageError } from '@trellis/importer/errors.ts';
import { detectFormat } from '@trellis/importer/readers/detect.ts';
import type { SourceFile } from '@trellis/importer/readers/file.ts';
import { type Format, openTable, type TableOptions } from '@trellis/importer/readers/formats.ts';
import { findReasonToSkip, isOfGenerator, openMarkdown } from '@trellis/importer/readers/markdown.ts';
import {
  isPictureName,
  mostPicturesOfFolder,
  PictureFolder,
} from '@trellis/importer/readers/picture-files.ts';
import type { Source } from '@trellis/importer/source.ts';

/** An open file or folder. */
export interface OpenPath {
  readonly source: Source;
  readonly format: Format;
}

/** Opens a folder or file. @throws UsageError when it is missing, cannot be imported, or has no usable header */
export async function openPath(path: string, options: TableOptions): Promise<OpenPath> {
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') throw new UsageError(`There is no file or folder ${path}.`);
    throw new UsageError(`${path} cannot be read: ${error.message}`);
  });
  if (found.isDirectory()) return { source: await openFolder(path), format: 'markdown' };
  const file = toSourceFile(path, path, found.size);
  const format = await detectFormat(file);
  const source =
    format === 'markdown'
      ? openMarkdown(path, [toSourceFile(basename(path), path, found.size)], new Map())
      : await openTable(file, format, options);
  return { source, format };
}

/** What a folder has for an import: paths below it. */
interface FoundFiles {
  readonly posts: string[];
  readonly pictures: string[];
  /** Number of other files, by reason. */
  readonly skipped: Map<string, number>;
}

async function openFolder(folder: string): Promise<Source> {
  const found: FoundFiles = { posts: [], pictures: [], skipped: new Map() };
  await findFiles(folder, '', found, await realpath(folder));
  const open = (name: string) => toFoundFile(join(folder, name), name);
  const pictures = new PictureFolder(await Promise.all(found.pictures.map(open)));
  return openMarkdown(folder, await Promise.all(found.posts.map(open)), found.skipped, pictures);
}

async function toFoundFile(path: string, name: string): Promise<SourceFile> {
  // A file that cannot be inspected fails when it is read, so that the report names it.
  const size = await stat(path).then(
    (found) => found.size,
    () => 0,
  );
  return toSourceFile(name, path, size);
}

/** Finds the files with `/` between the parts of their paths, in the same order on every machine. @param root without links */
async function findFiles(folder: string, prefix: string, found: FoundFiles, root: string): Promise<void> {
  const entries = await readdir(join(folder, prefix), { withFileTypes: true });
  for (const entry of entries.sort((left, right) => (left.name < right.name ? -1 : 1))) {
    const path = `${prefix}${entry.name}`;
    if (entry.isDirectory() && !entry.name.startsWith('.')) {
      await findFiles(folder, `${path}/`, found, root);
      continue;
    }
    const reason = await findReason(entry, path, found, () => isInside(join(folder, path), root));
    if (reason !== null) found.skipped.set(reason, (found.skipped.get(reason) ?? 0) + 1);
    else if (isPictureName(entry.name)) found.pictures.push(path);
    else found.posts.push(path);
  }
}

/** Why a file is left out; null when it is not. */
async function findReason(
  entry: Dirent,
  path: string,
  { pictures }: FoundFiles,
  isOwn: () => Promise<boolean>,
): Promise<string | null> {
  const isPicture = isPictureName(entry.name) && !entry.name.startsWith('.') && !isOfGenerator(path);
  if (isPicture && pictures.length >= mostPicturesOfFolder) return `pictures beyond ${mostPicturesOfFolder}`;
  const reason = isPicture ? null : findReasonToSkip(entry.name);
  if (reason !== null || !entry.isSymbolicLink() || (await isOwn())) return reason;
  return 'links that lead out of the folder';
}

/** Whether a file is in the folder itself: what a link leads to elsewhere was not chosen. A link to nothing fails when it is read. */
async function isInside(path: string, root: string): Promise<boolean> {
  const real = await realpath(path).catch(() => root + sep);
  return real.startsWith(root.endsWith(sep) ? root : root + sep);
}

function toSourceFile(name: string, path: string, size: number): SourceFile {
  return { name, size, read: () => createReadStream(path) };
}
