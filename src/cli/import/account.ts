/** Why: every row must be accounted for, also when there are a million of them and the import stops in the middle. */
import { once } from 'node:events';
import { createWriteStream, type WriteStream } from 'node:fs';
import { UsageError } from '../command-line.ts';
import type { Rejection } from './report.ts';
import type { OriginalRow } from './table/source.ts';

const mostRejectionsKept = 100;

const mostReasonsKept = 200;

/** What the file of rejected rows looks like. */
export interface RejectedFormat {
  /** What stands before the first row. */
  readonly header: string;
  write(rejection: Rejection, original: OriginalRow | undefined): string;
}

const asJson: RejectedFormat = { header: '', write: (rejection) => `${JSON.stringify(rejection)}\n` };

/** What became of the rows so far. */
export class Account {
  private file: WriteStream | null;
  private readonly lateFile: string | null;
  private readonly format: RejectedFormat;
  private readonly results = { created: 0, updated: 0, unchanged: 0 };
  private readonly mendings = new Map<string, { rows: number; example: string }>();
  private readonly rejections: Rejection[] = [];
  private readonly reasons = new Map<string, { rows: number; example: string }>();
  private mended = 0;
  rejected = 0;

  /** @throws UsageError when the file of rejected rows cannot be written */
  static async open(rejectedFile: string | null, format: RejectedFormat = asJson): Promise<Account> {
    const account = new Account(null, format);
    if (rejectedFile !== null) await account.openFile(rejectedFile);
    return account;
  }

  /** An account whose file of rejected rows is written only when there are any. */
  static openLater(rejectedFile: string, format: RejectedFormat): Account {
    return new Account(rejectedFile, format);
  }

  private constructor(lateFile: string | null, format: RejectedFormat) {
    this.file = null;
    this.lateFile = lateFile;
    this.format = format;
  }

  /** Whether rejected rows were written, or would have been. */
  get hasFile(): boolean {
    return this.file !== null;
  }

  get rows(): number {
    return this.results.created + this.results.updated + this.results.unchanged + this.rejected;
  }

  settle(place: string, result: keyof typeof this.results, mendings: readonly string[]): void {
    this.results[result] += 1;
    if (mendings.length > 0) this.mended += 1;
    for (const how of new Set(mendings)) {
      const known = this.mendings.get(how);
      if (known === undefined) this.mendings.set(how, { rows: 1, example: place });
      else known.rows += 1;
    }
  }

  /** @throws UsageError when the file of rejected rows cannot be written */
  async reject(rejection: Rejection, original?: OriginalRow): Promise<void> {
    this.rejected += 1;
    if (this.rejections.length < mostRejectionsKept) this.rejections.push(rejection);
    for (const reason of new Set(rejection.reasons.map(generalize))) {
      const known = this.reasons.get(reason);
      if (known !== undefined) known.rows += 1;
      else if (this.reasons.size < mostReasonsKept)
        this.reasons.set(reason, { rows: 1, example: rejection.place });
    }
    if (this.file === null && this.lateFile !== null) {
      this.opening ??= this.openFile(this.lateFile);
      await this.opening;
    }
    if (this.file?.write(this.format.write(rejection, original)) === false) await once(this.file, 'drain');
  }

  private opening: Promise<void> | null = null;

  private async openFile(path: string): Promise<void> {
    const file = await openFile(path);
    file.write(this.format.header);
    this.file = file;
  }

  summary() {
    return {
      rows: this.rows,
      ...this.results,
      mended: this.mended,
      rejected: this.rejected,
      mendings: [...this.mendings].map(([how, { rows, example }]) => ({ how, rows, example })),
      rejectionReasons: [...this.reasons].map(([reason, { rows, example }]) => ({ reason, rows, example })),
      rejections: this.rejections,
    };
  }

  async close(): Promise<void> {
    if (this.file === null) return;
    this.file.end();
    await once(this.file, 'close');
  }
}

/** A reason without what is the row's own, so that equal reasons can be counted. */
function generalize(reason: string): string {
  return reason
    .replace(/"[^"]*"/g, '"…"')
    .replace(/\bline \d+|(?<![-\w])\d+\b|\b[a-z]+_[0-9a-z]{26}\b/g, '…');
}

async function openFile(path: string): Promise<WriteStream> {
  const stream = createWriteStream(path);
  try {
    await once(stream, 'open');
  } catch (error) {
    throw new UsageError(`--rejected: ${path} cannot be written: ${(error as Error).message}`);
  }
  return stream;
}
