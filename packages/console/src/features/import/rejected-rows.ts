/** The file of rejected rows, in the form of the file that they come from. */
import { isTextTable } from '@trellis/importer/readers/formats.ts';
import type { RejectedRows } from '@trellis/importer/run.ts';
import type { Choice } from './files.ts';

/** Collects the rows of the file. */
export class RejectedRowsFile implements RejectedRows {
  private header: Uint8Array<ArrayBuffer> = new Uint8Array(0);
  private readonly rows: Uint8Array<ArrayBuffer>[] = [];

  async begin(header: Uint8Array): Promise<void> {
    this.header = new Uint8Array(header);
  }

  async write(row: Uint8Array): Promise<void> {
    this.rows.push(new Uint8Array(row));
  }

  /** The file; null without a row. */
  toFile({ format, files }: Choice): File | null {
    if (this.rows.length === 0) return null;
    const [, stem = 'import', ending = ''] = /^(.*?)(\.[^.]*)?$/.exec(files[0]?.path ?? '') ?? [];
    const name =
      format === 'markdown'
        ? 'rejected.jsonl'
        : `${stem}.rejected${isTextTable(format) ? ending : '.ndjson'}`;
    const type = format === 'csv' || format === 'kbart' ? 'text/csv' : 'application/jsonl';
    return new File([this.header, ...this.rows], name, { type });
  }
}
