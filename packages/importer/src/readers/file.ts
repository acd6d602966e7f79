/** A file to import, wherever it is: on a disk, or chosen in a browser. The readers of all formats read it through this interface. */

/** A file whose content can be read several times. */
export interface SourceFile {
  /** Its name for people: a path, or the name without one. */
  readonly name: string;
  /** In bytes. */
  readonly size: number;
  /** Reads its content from the beginning, in chunks of any size. */
  read(): AsyncIterable<Uint8Array>;
}

/** Reads at most that many bytes from the beginning of a file. */
export async function readStart(file: SourceFile, most: number): Promise<Uint8Array> {
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

/** The bytes without a UTF-8 byte order mark, which some programs write at the beginning of a file. */
export function withoutByteOrderMark(bytes: Uint8Array): Uint8Array {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? bytes.subarray(3) : bytes;
}
