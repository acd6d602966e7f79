/**
 * Counts and digests of the rows of a table, for all of it and for each organization, computed from the text format of COPY
 * while it streams. The digest of a set of rows is the sum of their SHA-256, modulo 2^256: it does not depend on the order of
 * the rows, so a restored table is compared without sorting it.
 */
import { createHash, type Hash, hash } from 'node:crypto';
import { BackupError } from './errors.ts';

/** A set of rows. */
export interface RowDigest {
  readonly rows: number;
  /** 64 hexadecimal digits. */
  readonly sum: string;
}

/** What a table contains. */
export interface TableDigest {
  readonly rows: number;
  /** Size of its rows in the text format. */
  readonly bytes: number;
  /** By the id of the organization; empty for rows that belong to none. */
  readonly organizations: Readonly<Record<string, RowDigest>>;
}

/** Far more than a database can have differences worth reading. */
const maxDifferences = 20;
const newline = 0x0a;
const tab = 0x09;
const lanes = 8;

/** Computes the digest of a table of which it is given all bytes, in pieces of any size. */
export class TableDigester {
  private readonly hasOrganization: boolean;
  private readonly sets = new Map<string, { rows: number; readonly sum: Uint32Array }>();
  private rows = 0;
  private bytes = 0;
  /** The row that the last piece has begun. A row may be large, so it is hashed and not kept. */
  private begun: { readonly hash: Hash; start: Buffer } | null = null;

  /** @param hasOrganization whether the first column is the id of the organization */
  constructor(hasOrganization: boolean) {
    this.hasOrganization = hasOrganization;
  }

  /** Passes a stream through. */
  async *tap(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const piece of source) {
      this.add(piece);
      yield piece;
    }
  }

  /** The digest of all rows; the last one has to be complete. */
  finish(): TableDigest {
    if (this.begun !== null) throw new Error('the last row is incomplete');
    const sets = [...this.sets].sort(([a], [b]) => (a < b ? -1 : 1));
    const organizations = sets.map(([id, { rows, sum }]) => [id, { rows, sum: toHexadecimal(sum) }] as const);
    return { rows: this.rows, bytes: this.bytes, organizations: Object.fromEntries(organizations) };
  }

  private add(piece: Buffer): void {
    this.bytes += piece.length;
    let start = 0;
    for (;;) {
      // A line break inside a value is escaped, so each one ends a row.
      const end = piece.indexOf(newline, start);
      if (end === -1) break;
      this.addEnd(piece.subarray(start, end));
      start = end + 1;
    }
    if (start < piece.length) this.addPart(piece.subarray(start));
  }

  private addPart(part: Buffer): void {
    this.begun ??= { hash: createHash('sha256'), start: Buffer.alloc(0) };
    this.begun.hash.update(part);
    if (this.begun.start.length < uuidLength) {
      this.begun.start = Buffer.concat([this.begun.start, part.subarray(0, uuidLength)]);
    }
  }

  private addEnd(end: Buffer): void {
    if (this.begun === null) {
      this.addRow(end, hash('sha256', end, 'buffer'));
      return;
    }
    this.addPart(end);
    this.addRow(this.begun.start, this.begun.hash.digest());
    this.begun = null;
  }

  /** @param start at least the first column of the row, if that is an id */
  private addRow(start: Buffer, digest: Buffer): void {
    this.rows += 1;
    const id = this.hasOrganization ? readId(start) : '';
    let set = this.sets.get(id);
    if (set === undefined) {
      set = { rows: 0, sum: new Uint32Array(lanes) };
      this.sets.set(id, set);
    }
    set.rows += 1;
    let carry = 0;
    for (let lane = lanes - 1; lane >= 0; lane -= 1) {
      const total = (set.sum[lane] ?? 0) + digest.readUInt32BE(lane * 4) + carry;
      set.sum[lane] = total;
      carry = total > 0xffffffff ? 1 : 0;
    }
  }
}

const uuidLength = 36;

/** The first column; empty for NULL (`\N`), as of users without an organization of their own. */
function readId(start: Buffer): string {
  const end = start.subarray(0, uuidLength).indexOf(tab);
  const text = start.toString('latin1', 0, end === -1 ? uuidLength : end);
  return text === '\\N' ? '' : text;
}

function toHexadecimal(sum: Uint32Array): string {
  return [...sum].map((lane) => lane.toString(16).padStart(8, '0')).join('');
}

/**
 * Compares a table with what it has to be.
 * @param where it was read from
 * @throws BackupError with the differences
 */
export function checkTable(
  stored: TableDigest & { readonly name: string },
  found: TableDigest,
  where: string,
): void {
  const differences = compareDigests(stored, found);
  if (differences.length === 0) return;
  const more = differences.length - maxDifferences;
  throw new BackupError(
    `The table ${stored.name} ${where} differs from the manifest: ${differences.slice(0, maxDifferences).join('; ')}` +
      `${more > 0 ? `; and ${more} more` : ''}.`,
  );
}

/** The differences between two digests of a table, as sentences; at most one for each organization. */
export function compareDigests(expected: TableDigest, found: TableDigest): string[] {
  const ids = new Set([...Object.keys(expected.organizations), ...Object.keys(found.organizations)]);
  const differences: string[] = [];
  for (const id of ids) {
    const before = expected.organizations[id] ?? noRows;
    const after = found.organizations[id] ?? noRows;
    if (before.rows === after.rows && before.sum === after.sum) continue;
    const owner = id === '' ? 'shared rows' : `organization ${id}`;
    differences.push(
      before.rows === after.rows
        ? `${owner}: ${before.rows} rows with another content`
        : `${owner}: ${after.rows} rows instead of ${before.rows}`,
    );
  }
  if (expected.rows !== found.rows && differences.length === 0) {
    differences.push(`${found.rows} rows instead of ${expected.rows}`);
  }
  return differences;
}

const noRows: RowDigest = { rows: 0, sum: '0'.repeat(64) };
