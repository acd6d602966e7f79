/** The file by which an import can be undone: its importId in the first line, then what it has written. */
import { appendFile, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { ApiClient } from '@trellis/client/api-client.ts';
import { UsageError } from '@trellis/importer/errors.ts';
import { type Journal, type JournalEntry, readEntry } from '@trellis/importer/journal.ts';
import { type UndoReport, undoImport } from '@trellis/importer/undo.ts';
import { isPlainObject } from '@trellis/schema/values/plain-object.ts';
import type { Connection } from '../connection.ts';

const ending = '.undo.ndjson';

/** Appends to the file of an import, which runs that were interrupted share. */
export class UndoFile {
  readonly path: string;
  private readonly importId: string;
  private writing: Promise<void> = Promise.resolve();
  /** What is noted while a write is running, for the next one: records of a batch are noted at the same time. */
  private lines = '';
  private next: Promise<void> | null = null;
  private isBegun = false;

  constructor(folder: string, importId: string) {
    this.importId = importId;
    this.path = join(folder, `${importId}${ending}`);
  }

  /** The path of the file; null when nothing was written. */
  get written(): string | null {
    return this.isBegun ? this.path : null;
  }

  /** Keeps one write. @throws UsageError when the file cannot be written */
  readonly note: Journal = (entry) => {
    // An earlier run may have been killed in the middle of a line.
    const head = this.isBegun ? '' : `\n${JSON.stringify({ importId: this.importId })}\n`;
    this.isBegun = true;
    this.lines += `${head}${JSON.stringify(entry)}\n`;
    this.next ??= this.writing.then(() => this.append());
    return this.next.catch((error: Error) => {
      throw new UsageError(
        `${this.path}, by which the import can be undone, cannot be written: ${error.message}`,
      );
    });
  };

  private append(): Promise<void> {
    const { lines } = this;
    this.lines = '';
    this.next = null;
    this.writing = appendFile(this.path, lines);
    return this.writing;
  }
}

/**
 * Undoes the import of a file that `UndoFile` has written. When it has ended, the file is renamed, so that it is not undone again.
 * @throws UsageError when it is no such file
 */
export async function undoPath(
  path: string,
  connection: Connection,
  onProgress: (records: number) => void,
): Promise<UndoReport> {
  const { importId, entries } = await readUndoFile(path);
  const report = await undoImport(new ApiClient(connection), importId, entries, onProgress);
  if (report.stopped === null) await rename(path, path.replace(/(\.undo)?\.ndjson$|$/, '.undone.ndjson'));
  return report;
}

async function readUndoFile(path: string): Promise<{ importId: string; entries: readonly JournalEntry[] }> {
  const text = await readFile(path, 'utf8').catch((error: Error) => {
    throw new UsageError(`${path} cannot be read: ${error.message}`);
  });
  const lines = text.split('\n').map(parseLine);
  const [importId] = lines.flatMap((line) =>
    isPlainObject(line) && typeof line.importId === 'string' ? [line.importId] : [],
  );
  if (importId === undefined) {
    throw new UsageError(`--undo takes the file that an import has written, NAME${ending}, not ${path}.`);
  }
  return { importId, entries: lines.flatMap((line) => readEntry(line) ?? []) };
}

/** The value of a line; null for one that is cut off. */
function parseLine(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}
