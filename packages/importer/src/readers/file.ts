/** A file to import, wherever it is: on a disk, or chosen in a browser. The readers of all formats read it through this interface. */
import { type Encoding, toUtf8 } from './encoding.ts';

/** A file whose content can be read several times. */
export interface SourceFile {
  /** Its name for people: a path, or the name without one. */
  readonly name: string;
  /** In bytes. */
  readonly size: number;
  /** Reads its content from the beginning, in chunks of any size. */
  read(): AsyncIterable<Uint8Array>;
}

/** Maximum size of a row, in bytes; in a longer one, a quotation mark is probably not closed. */
export const largestRowBytes = 1_048_576;

export const lineFeed = 0x0a;
export const noBytes = new Uint8Array(0);
const encoder = new TextEncoder();
const byteOrderMark = [0xef, 0xbb, 0xbf];

/** A file with one row per line: its bytes, and what its source has in common with those of other formats. */
export interface Table {
  readonly source: {
    readonly name: string;
    readonly isPosts: false;
    readonly skipped: ReadonlyMap<string, number>;
    /** The part that was read, 0 to 1. */
    readonly total: () => number;
  };
  /** Counts a skipped part. */
  skip(kind: string): void;
  /** Reads the file from the beginning, as UTF-8 without the byte order mark that some programs write there. */
  read(): AsyncGenerator<Uint8Array>;
}

/** Opens a file with one row per line. */
export function openTableFile(file: SourceFile, encoding: Encoding = 'utf-8'): Table {
  const { name, size } = file;
  const skipped = new Map<string, number>();
  let bytesRead = 0;
  return {
    source: { name, isPosts: false, skipped, total: () => (size === 0 ? 1 : bytesRead / size) },
    skip: (kind) => skipped.set(kind, (skipped.get(kind) ?? 0) + 1),
    async *read() {
      skipped.clear();
      bytesRead = 0;
      const count = (bytes: number) => {
        bytesRead += bytes;
      };
      const chunks = countChunks(file, count);
      yield* encoding === 'utf-8' ? skipByteOrderMark(chunks) : toUtf8(chunks, encoding);
    },
  };
}

async function* countChunks(file: SourceFile, count: (bytes: number) => void): AsyncGenerator<Uint8Array> {
  for await (const chunk of file.read()) {
    count(chunk.length);
    yield chunk;
  }
}

async function* skipByteOrderMark(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let length = 0;
  const start: Uint8Array[] = [];
  for await (const chunk of chunks) {
    const isStart = length < byteOrderMark.length;
    length += chunk.length;
    if (!isStart) {
      yield chunk;
      continue;
    }
    start.push(chunk);
    if (length >= byteOrderMark.length) yield withoutByteOrderMark(concatenate(start));
  }
  if (length < byteOrderMark.length) yield concatenate(start);
}

function withoutByteOrderMark(bytes: Uint8Array): Uint8Array {
  return byteOrderMark.every((byte, index) => bytes[index] === byte)
    ? bytes.subarray(byteOrderMark.length)
    : bytes;
}

/** Reads a file, or its first bytes. @param most maximum number of bytes */
export async function readBytes(file: SourceFile, most = Number.POSITIVE_INFINITY): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of file.read()) {
    chunks.push(chunk);
    length += chunk.length;
    if (length >= most) break;
  }
  return concatenate(chunks).subarray(0, most);
}

/** The lines without their ends; null for a line that is too long, whose bytes are skipped. */
export async function* splitLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array | null> {
  let parts: Uint8Array[] = [];
  let length = 0;
  const add = (part: Uint8Array) => {
    length += part.length;
    if (length > largestRowBytes) parts = [];
    else parts.push(part);
  };
  const take = () => {
    const line = length > largestRowBytes ? null : concatenate(parts);
    parts = [];
    length = 0;
    return line;
  };
  for await (const bytes of chunks) {
    let from = 0;
    for (let at = bytes.indexOf(lineFeed); at >= 0; at = bytes.indexOf(lineFeed, from)) {
      add(bytes.subarray(from, at));
      yield take();
      from = at + 1;
    }
    add(bytes.subarray(from));
  }
  if (length > 0) yield take();
}

/** All bytes of some chunks. */
export function concatenate(chunks: readonly Uint8Array[]): Uint8Array {
  const [only] = chunks;
  if (chunks.length === 1 && only !== undefined) return only;
  const all = new Uint8Array(chunks.reduce((length, chunk) => length + chunk.length, 0));
  let at = 0;
  for (const chunk of chunks) {
    all.set(chunk, at);
    at += chunk.length;
  }
  return all;
}

/** Texts, in UTF-8, and bytes behind each other. */
export function toBytes(...parts: readonly (string | Uint8Array)[]): Uint8Array {
  return concatenate(parts.map((part) => (typeof part === 'string' ? encoder.encode(part) : part)));
}

/** The resource named in a row of an export; null for other rows. */
export function readExportedResource(fields: ReadonlyMap<string, unknown>): string | null {
  const resource = fields.get('resource');
  return typeof resource === 'string' ? resource : null;
}
