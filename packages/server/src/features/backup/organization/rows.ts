/**
 * Rows in the text format of COPY (https://www.postgresql.org/docs/current/sql-copy.html, "Text Format") that change while they
 * stream: single values, and the ids of accounts that have another one in the other installation.
 */
import { encodeId } from '@trellis/schema/values/ids.ts';
import { BackupError } from '../errors.ts';

/** A row; null is NULL. */
export type Row = (string | null)[];

const newline = 0x0a;
/** Far more than any row has: bodies have 1 MiB, and pieces of extracted text less. */
const maxRowBytes = 64 * 1_048_576;

/**
 * Passes rows on as long as there are no more than the manifest says, and none is so long that PostgreSQL would need much memory for it.
 * @throws BackupError
 */
export async function* limitRows(
  source: AsyncIterable<Buffer>,
  { name: table, rows }: { readonly name: string; readonly rows: number },
  maxBytes = maxRowBytes,
): AsyncGenerator<Buffer> {
  let begun = 0;
  let ended = 0;
  for await (const piece of source) {
    for (let at = piece.indexOf(newline); at !== -1; at = piece.indexOf(newline, at + 1)) ended += 1;
    if (ended > rows) throw new BackupError(`The table ${table} has more rows than the manifest says.`);
    const end = piece.lastIndexOf(newline);
    // Within a piece, rows are as long as the piece at most.
    if (begun + (end === -1 ? piece.length : piece.indexOf(newline)) > maxBytes) {
      throw new BackupError(`The table ${table} has a row of more than ${maxBytes} bytes.`);
    }
    begun = end === -1 ? begun + piece.length : piece.length - end - 1;
    yield piece;
  }
}

/** Rows one by one. They have to be short; `limitRows` sees to it. */
export async function* readRows(source: AsyncIterable<Buffer>): AsyncGenerator<Row> {
  let begun: Buffer[] = [];
  for await (const piece of source) {
    let start = 0;
    for (let end = piece.indexOf(newline); end !== -1; end = piece.indexOf(newline, start)) {
      yield decodeRow(Buffer.concat([...begun, piece.subarray(start, end)]).toString('utf8'));
      begun = [];
      start = end + 1;
    }
    if (start < piece.length) begun.push(piece.subarray(start));
  }
  if (begun.length > 0) throw new BackupError('A table ends in the middle of a row.');
}

/**
 * Changes rows.
 * @param change returns the new row
 */
export async function* changeRows(
  source: AsyncIterable<Buffer>,
  change: (row: Row) => Row,
): AsyncGenerator<Buffer> {
  for await (const row of readRows(source)) yield Buffer.from(encodeRow(change(row)));
}

const escapes: Readonly<Record<string, string>> = {
  '\\': '\\\\',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\v': '\\v',
};
const unescapes = new Map(Object.entries(escapes).map(([plain, escaped]) => [escaped, plain]));

function decodeRow(line: string): Row {
  return line
    .split('\t')
    .map((field) =>
      field === '\\N' ? null : field.replace(/\\[\s\S]?/g, (escaped) => unescapes.get(escaped) ?? escaped),
    );
}

function encodeRow(row: Row): string {
  const fields = row.map((field) =>
    field === null ? '\\N' : field.replace(/[\\\b\f\n\r\t\v]/g, (plain) => escapes[plain] ?? plain),
  );
  return `${fields.join('\t')}\n`;
}

/** An id of an account, as a uuid and as the API shows it. */
const idForm =
  /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|user_[0-7][0-9a-hjkmnp-tv-z]{25}/g;
/** One less than the longest form. */
const overlap = 35;

/** Replaces the ids of accounts, as uuids and as the API shows them. Both forms of two ids are equally long. */
export class AccountIds {
  /** The new form by the old one. */
  private readonly changed: ReadonlyMap<string, string>;

  /** @param changed the new uuid by the old one */
  constructor(changed: ReadonlyMap<string, string>) {
    const ids = [...changed].map(([from, to]) => [encodeId('user', from), encodeId('user', to)] as const);
    this.changed = new Map([...changed, ...ids]);
  }

  /** Replaces the ids wherever they occur in a stream, whose pieces may end in the middle of one. */
  async *replaceIn(source: AsyncIterable<Buffer>): AsyncIterable<Buffer> {
    if (this.changed.size === 0) {
      yield* source;
      return;
    }
    let begun = '';
    for await (const piece of source) {
      const text = begun + piece.toString('latin1');
      const { replaced, end } = this.replace(text, Math.max(0, text.length - overlap));
      begun = text.slice(end);
      if (end > 0) yield Buffer.from(replaced, 'latin1');
    }
    const { replaced } = this.replace(begun, begun.length);
    if (replaced !== '') yield Buffer.from(replaced, 'latin1');
  }

  /** Replaces the ids that begin before a place, and nothing twice: a new id may be the old one of another account. */
  private replace(text: string, before: number): { readonly replaced: string; readonly end: number } {
    let end = before;
    const replaced = text.replace(idForm, (id: string, place: number) => {
      if (place >= before) return id;
      end = Math.max(end, place + id.length);
      return this.changed.get(id) ?? id;
    });
    return { replaced: replaced.slice(0, end), end };
  }
}
