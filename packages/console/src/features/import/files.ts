/** The chosen files, for the readers of the importer. */

import { noChoices } from '@trellis/importer/columns.ts';
import { createMapping } from '@trellis/importer/mapping.ts';
import { detectFormat } from '@trellis/importer/readers/detect.ts';
import type { SourceFile } from '@trellis/importer/readers/file.ts';
import { type Format, openTable, resourcesOf } from '@trellis/importer/readers/formats.ts';
import { findReasonToSkip, isOfGenerator, openMarkdown } from '@trellis/importer/readers/markdown.ts';
import {
  isPictureName,
  mostPicturesOfFolder,
  PictureFolder,
} from '@trellis/importer/readers/picture-files.ts';
import type { Source } from '@trellis/importer/source.ts';
import type { Resource } from '@trellis/schema/resources/resource.ts';
import { resourceByName } from '../../resources/declared.ts';

/** A chosen file with its path below the chosen folder; without a folder, its name. */
export interface ChosenFile {
  readonly path: string;
  readonly file: File;
}

/** What was chosen: one file of a table or another system, or any number of Markdown files with the pictures beside them. */
export interface Choice {
  readonly format: Format;
  readonly files: readonly ChosenFile[];
}

/** What a person has chosen about the reading of a table; null for what is recognized. */
export interface TableSettings {
  readonly encoding?: string | null;
  readonly headerLine?: number | null;
  /** Name of the sheet of a workbook, or of the list in a file; null for the first or longest one. */
  readonly sheet?: string | null;
}

/** What was chosen about the reading, of all settings. */
export function readingOf({
  encoding = null,
  headerLine = null,
  sheet = null,
}: TableSettings): TableSettings {
  return { encoding, headerLine, sheet };
}

/** Bytes that are read at once; parsing them takes a few milliseconds. */
const chunkBytes = 65_536;

/**
 * What can be imported of the chosen files; null when that is nothing, or several tables.
 * @throws UsageError when the only one cannot be imported, with a way to save it so that it can
 */
export async function chooseFiles(list: readonly File[]): Promise<Choice | null> {
  const files = list.map((file) => ({ path: pathOf(file), file }));
  const [only] = files;
  if (files.length === 1 && only !== undefined) {
    return { format: await detectFormat(toSourceFile(only.path, only.file)), files };
  }
  files.sort((left, right) => (left.path < right.path ? -1 : 1));
  const posts = files.filter(({ path }) => findSkip(path) === null);
  const pictures = files.filter(({ path }) => isPicture(path)).slice(0, mostPicturesOfFolder);
  return posts.length === 0 ? null : { format: 'markdown', files: [...posts, ...pictures] };
}

/** The resources that rows of the files can become; null when a person decides among all. */
export function resourcesOfChoice({ format }: Choice): readonly Resource[] | null {
  return resourcesOf(format)?.map(resourceByName) ?? null;
}

/** The resource that most columns of a table belong to, the first of several; null for other files, or when no column belongs to any. */
export async function guessResource(choice: Choice, possible: readonly Resource[]): Promise<Resource | null> {
  // A table that cannot be read is reported with the settings.
  const source = await openChoice(choice, readingOf({})).catch(() => null);
  if (source === null || source.columns === null) return null;
  let best = { resource: null as Resource | null, columns: 0 };
  for (const resource of possible) {
    const { size: columns } = createMapping(resource, source, noChoices).destinations();
    if (columns > best.columns) best = { resource, columns };
  }
  return best.resource;
}

/** The resource that the records belong to, such as sites; null for none. @param resource null: all that are in the files */
export function parentOf(choice: Choice, resource: string | null): Resource | null {
  const all = resource === null ? (resourcesOfChoice(choice) ?? []) : [resourceByName(resource)];
  const parent = all.find((one) => one.parent !== null)?.parent ?? null;
  return parent === null ? null : resourceByName(parent.resource);
}

/** Opens the chosen files. @throws UsageError when a table has no usable header */
export async function openChoice({ format, files }: Choice, reading: TableSettings): Promise<Source> {
  const sources = files.map(({ path, file }) => toSourceFile(path, file));
  const [only] = sources;
  if (format !== 'markdown' && only !== undefined) {
    return openTable(only, format, { columns: null, delimiter: null, ...reading });
  }
  const posts = sources.filter(({ name }) => !isPicture(name));
  const pictures = sources.filter(({ name }) => isPicture(name));
  const isFlat = sources.every(({ name }) => !name.includes('/'));
  const beside = sources.length === 1 ? null : new PictureFolder(pictures, isFlat);
  return openMarkdown(posts[0]?.name ?? '', posts, new Map(), beside);
}

/** Whether a file may be a picture beside posts. */
export function isPicture(path: string): boolean {
  return isPictureName(path) && !isOfGenerator(path) && !path.split('/').some((part) => part.startsWith('.'));
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
