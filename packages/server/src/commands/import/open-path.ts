/** Opens a path with the reader of its format: a CSV or NDJSON file, or a file or folder of Markdown. */
import { createReadStream } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import { UsageError } from '@trellis/importer/errors.ts';
import type { CsvOptions } from '@trellis/importer/readers/csv.ts';
import type { SourceFile } from '@trellis/importer/readers/file.ts';
import { formatOf, openTable } from '@trellis/importer/readers/formats.ts';
import { findReasonToSkip, openMarkdown } from '@trellis/importer/readers/markdown.ts';
import type { Source } from '@trellis/importer/source.ts';

/** Opens a folder or file. @throws UsageError when it is missing, has an unknown format, or has no usable header */
export async function openPath(path: string, options: CsvOptions): Promise<Source> {
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') throw new UsageError(`There is no file or folder ${path}.`);
    throw new UsageError(`${path} cannot be read: ${error.message}`);
  });
  if (found.isDirectory()) return openFolder(path);
  const format = formatOf(path);
  if (format === 'markdown') {
    return openMarkdown(path, [toSourceFile(basename(path), path, found.size)], new Map());
  }
  if (format !== null) return openTable(toSourceFile(path, path, found.size), format, options);
  throw new UsageError(
    `${path} is ${extname(path) === '' ? 'not a folder' : `a file of the type "${extname(path)}"`}. ` +
      'Supported are files of CSV (.csv, .tsv, .tab, .txt), NDJSON (.ndjson, .jsonl) and Markdown (.md, .markdown), and folders of Markdown files.',
  );
}

async function openFolder(folder: string): Promise<Source> {
  const skipped = new Map<string, number>();
  const names = await findPosts(folder, '', skipped);
  const files = names.map(async (name) => {
    const path = join(folder, name);
    // A file that cannot be inspected fails when it is read, so that the report names it.
    const size = await stat(path).then(
      (found) => found.size,
      () => 0,
    );
    return toSourceFile(name, path, size);
  });
  return openMarkdown(folder, await Promise.all(files), skipped);
}

/** Paths below the folder with `/` between their parts, in the same order on every machine. */
async function findPosts(folder: string, prefix: string, skipped: Map<string, number>): Promise<string[]> {
  const entries = await readdir(join(folder, prefix), { withFileTypes: true });
  const paths: string[] = [];
  for (const entry of entries.sort((left, right) => (left.name < right.name ? -1 : 1))) {
    const path = `${prefix}${entry.name}`;
    const isFolder = entry.isDirectory() && !entry.name.startsWith('.');
    const reason = isFolder ? null : findReasonToSkip(entry.name);
    if (isFolder) paths.push(...(await findPosts(folder, `${path}/`, skipped)));
    else if (reason !== null) skipped.set(reason, (skipped.get(reason) ?? 0) + 1);
    else paths.push(path);
  }
  return paths;
}

function toSourceFile(name: string, path: string, size: number): SourceFile {
  return { name, size, read: () => createReadStream(path) };
}
