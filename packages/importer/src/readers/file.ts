/** A file to import, wherever it is: on a disk, or chosen in a browser. The readers of all formats read it through this interface. */
import type { Source } from '../source.ts';

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
const byteOrderMark = [0xef, 0xbb, 0xbf];

/** A file with one row per line: its bytes, and what its source has in common with those of other formats. */
export interface Table {
  readonly source: Pick<Source, 'name' | 'isPosts' | 'skipped' | 'total'>;
  /** Counts a skipped part. */
  skip(kind: string): void;
  /** Reads the file from the beginning, without the UTF-8 byte order mark that some programs write there. */
  read(): AsyncGenerator<Uint8Array>;
}

/** Opens a file with one row per line. */
export function openTableFile(file: SourceFile): Table {
  const { name, size } = file;
  const skipped = new Map<string, number>();
  let bytesRead = 0;
  return {
    source: { name, isPosts: false, skipped, total: () => (size === 0 ? 1 : bytesRead / size) },
    skip: (kind) => skipped.set(kind, (skipped.get(kind) ?? 0) + 1),
    async *read() {
      skipped.clear();
      bytesRead = 0;
      const start: Uint8Array[] = [];
      for await (const chunk of file.read()) {
        const isStart = bytesRead < byteOrderMark.length;
        bytesRead += chunk.length;
        if (!isStart) {
          yield chunk;
          continue;
        }
        start.push(chunk);
        if (bytesRead >= byteOrderMark.length) yield withoutByteOrderMark(concatenate(start));
      }
      if (bytesRead < byteOrderMark.length) yield concatenate(start);
    },
  };
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

/** The resource named in a row of an export; null for other rows. */
export function readExportedResource(fields: ReadonlyMap<string, unknown>): string | null {
  const resource = fields.get('resource');
  return typeof resource === 'string' ? resource : null;
}
