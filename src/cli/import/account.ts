/** Why: every row must be accounted for, also when there are a million of them and the import stops in the middle. */
import { once } from 'node:events';
import { createWriteStream, type WriteStream } from 'node:fs';
import { UsageError } from '../command-line.ts';
import type { Rejection } from './report.ts';

const mostRejectionsKept = 100;

/** What became of the rows so far. */
export class Account {
  private readonly file: WriteStream | null;
  private readonly results = { created: 0, updated: 0, unchanged: 0 };
  private readonly mendings = new Map<string, { rows: number; example: string }>();
  private readonly rejections: Rejection[] = [];
  private mended = 0;
  rejected = 0;

  /** @throws UsageError when the file of rejected rows cannot be written */
  static async open(rejectedFile: string | null): Promise<Account> {
    return new Account(rejectedFile === null ? null : await openFile(rejectedFile));
  }

  private constructor(file: WriteStream | null) {
    this.file = file;
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

  reject(rejection: Rejection): void {
    this.rejected += 1;
    if (this.rejections.length < mostRejectionsKept) this.rejections.push(rejection);
    this.file?.write(`${JSON.stringify(rejection)}\n`);
  }

  summary() {
    return {
      rows: this.rows,
      ...this.results,
      mended: this.mended,
      rejected: this.rejected,
      mendings: [...this.mendings].map(([how, { rows, example }]) => ({ how, rows, example })),
      rejections: this.rejections,
    };
  }

  async close(): Promise<void> {
    if (this.file === null) return;
    this.file.end();
    await once(this.file, 'close');
  }
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
