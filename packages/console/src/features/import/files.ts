/** The chosen files, for the readers of the importer. */
import type { SourceFile } from '@trellis/importer/readers/file.ts';
import { type Format, formatOf, openTable } from '@trellis/importer/readers/formats.ts';
import { findReasonToSkip, openMarkdown } from '@trellis/importer/readers/markdown.ts';
import type { Source } from '@trellis/importer/source.ts';

/** A chosen file with its path below the chosen folder; without a folder, its name. */
export interface ChosenFile {
  readonly path: string;
  readonly file: File;
}

/** What was chosen: one table, or any number of Markdown files. */
export interface Choice {
  readonly format: Format;
  readonly files: readonly ChosenFile[];
}

/** Bytes that are read at once; parsing them takes a few milliseconds. */
const chunkBytes = 65_536;

/** What can be imported of the chosen files; null when that is nothing, or several tables. */
export function chooseFiles(list: readonly File[]): Choice | null {
  const files = list.map((file) => ({ path: pathOf(file), file }));
  const [only] = files;
  const format = only === undefined ? null : formatOf(only.path);
  if (files.length === 1 && only !== undefined && format !== null) return { format, files };
  const posts = files.filter(({ path }) => findSkip(path) === null);
  posts.sort((left, right) => (left.path < right.path ? -1 : 1));
  return posts.length === 0 ? null : { format: 'markdown', files: posts };
}

/** Opens the chosen files. @throws UsageError when a table has no usable header */
export async function openChoice({ format, files }: Choice): Promise<Source> {
  const sources = files.map(({ path, file }) => toSourceFile(path, file));
  const [only] = sources;
  if (format !== 'markdown' && only !== undefined) {
    return openTable(only, format, { columns: null, delimiter: null });
  }
  return openMarkdown(only?.name ?? '', sources, new Map());
}

function toSourceFile(name: string, file: File): SourceFile {
  return {
    name,
    size: file.size,
    async *read() {
      for (let at = 0; at < file.size; at += chunkBytes) {
        yield new Uint8Array(await file.slice(at, at + chunkBytes).arrayBuffer());
      }
    },
  };
}

/** The path below the chosen folder, whose own name is left out as on the command line. */
function pathOf({ webkitRelativePath, name }: File): string {
  const [, ...below] = webkitRelativePath.split('/');
  return below.length === 0 ? name : below.join('/');
}

/** Why a file of a folder is not imported; null when it is. */
function findSkip(path: string): string | null {
  const parts = path.split('/');
  const hidden = parts.find((part) => part.startsWith('.'));
  return findReasonToSkip(hidden ?? parts.at(-1) ?? '');
}
