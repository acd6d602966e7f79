/** The file that rejected rows are written to. */
import { once } from 'node:events';
import { createWriteStream, type WriteStream } from 'node:fs';
import { UsageError } from '@trellis/importer/errors.ts';
import type { RejectedRows } from '@trellis/importer/run.ts';

/** The path of the file, and whether it is created without rejected rows. */
export interface RejectedFileOptions {
  readonly path: string;
  /** Whether the file is created even when no row is rejected. */
  readonly always: boolean;
}

/** The file of rejected rows, created with its first row or at the start. */
export class RejectedFile implements RejectedRows {
  private readonly options: RejectedFileOptions;
  private header: Uint8Array = new Uint8Array(0);
  private opened: Promise<WriteStream> | null = null;

  constructor(options: RejectedFileOptions) {
    this.options = options;
  }

  /** The path of the file; null when it was not created. */
  get path(): string | null {
    return this.opened === null ? null : this.options.path;
  }

  /** Creates the file if it is always wanted. @throws UsageError when it cannot be written */
  async begin(header: Uint8Array): Promise<void> {
    this.header = header;
    if (this.options.always) await this.open();
  }

  /** Appends a row. @throws UsageError when the file cannot be written */
  async write(row: Uint8Array): Promise<void> {
    const stream = await this.open();
    if (!stream.write(row)) await once(stream, 'drain');
  }

  async close(): Promise<void> {
    const stream = await this.opened?.catch(() => null);
    if (stream == null) return;
    stream.end();
    await once(stream, 'close');
  }

  private open(): Promise<WriteStream> {
    this.opened ??= openFile(this.options.path, this.header);
    return this.opened;
  }
}

async function openFile(path: string, header: Uint8Array): Promise<WriteStream> {
  const stream = createWriteStream(path);
  await once(stream, 'open').catch((error: Error) => {
    throw new UsageError(`--rejected: ${path} cannot be written: ${error.message}`);
  });
  stream.write(header);
  return stream;
}
