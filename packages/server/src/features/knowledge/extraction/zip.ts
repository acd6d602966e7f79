/**
 * Reads the files in a zip archive by its central directory, which says what the archive consists of: headers between the files may lack their
 * length, and a stored file may be an archive itself. A kilobyte can unpack to a megabyte, so files are unpacked in pieces that are counted.
 */
import { type Entry, fromFdPromise, getFileNameLowLevel, type ZipFile } from 'yauzl';
import { ExtractionError } from './errors.ts';

/** Files of an archive; office documents and books have up to a few thousand. */
const maximumEntries = 100_000;

/** A zip archive of which some files are read. */
export class ZipArchive {
  readonly #zip: ZipFile;
  readonly #entries: ReadonlyMap<string, Entry>;
  readonly #maximumBytes: number;
  #unpackedBytes = 0;

  private constructor(zip: ZipFile, entries: ReadonlyMap<string, Entry>, maximumBytes: number) {
    this.#zip = zip;
    this.#entries = entries;
    this.#maximumBytes = maximumBytes;
  }

  /**
   * Reads the central directory of an open file.
   * @param maximumBytes unpacked bytes over all files that are read
   * @throws ExtractionError DAMAGED or TOO_LARGE
   */
  static async open(file: number, maximumBytes: number): Promise<ZipArchive> {
    const entries = new Map<string, Entry>();
    try {
      // Names are decoded here, because a name that would be unsafe on a disk makes the library refuse the archive.
      const zip = await fromFdPromise(file, {
        autoClose: false,
        lazyEntries: true,
        decodeStrings: false,
        validateEntrySizes: false,
      });
      if (zip.entryCount > maximumEntries) throw new ExtractionError('TOO_LARGE');
      for await (const entry of zip.eachEntry()) {
        const name = normalizeName(
          getFileNameLowLevel(entry.generalPurposeBitFlag, entry.fileNameRaw, entry.extraFields, false),
        );
        if (!entries.has(name)) entries.set(name, entry);
      }
      return new ZipArchive(zip, entries, maximumBytes);
    } catch (error) {
      throw error instanceof ExtractionError ? error : new ExtractionError('DAMAGED', String(error));
    }
  }

  /** The names of the files in their order, with slashes and in lower case: names of parts are compared so (ECMA-376, part 2, 6.2.2.3). */
  get names(): IterableIterator<string> {
    return this.#entries.keys();
  }

  has(name: string): boolean {
    return this.#entries.has(normalizeName(name));
  }

  /**
   * Unpacks a file in pieces.
   * @throws ExtractionError TOO_LARGE, ENCRYPTED, or DAMAGED when there is no such file
   */
  async *read(name: string): AsyncGenerator<Uint8Array> {
    const entry = this.#entries.get(normalizeName(name));
    if (entry === undefined) throw new ExtractionError('DAMAGED', 'A part of the archive is missing.');
    if (entry.isEncrypted()) throw new ExtractionError('ENCRYPTED', 'The archive is encrypted.');
    const stream = await this.#zip.openReadStreamPromise(entry, {});
    for await (const piece of stream as AsyncIterable<Buffer>) {
      this.#unpackedBytes += piece.length;
      if (this.#unpackedBytes > this.#maximumBytes) throw new ExtractionError('TOO_LARGE');
      yield piece;
    }
  }

  /** Unpacks a whole file. @throws as `read` */
  async readWhole(name: string): Promise<Buffer> {
    const pieces: Uint8Array[] = [];
    for await (const piece of this.read(name)) pieces.push(piece);
    return Buffer.concat(pieces);
  }
}

function normalizeName(name: string): string {
  return name
    .replaceAll('\\', '/')
    .replace(/^(?:\.?\/)+/, '')
    .toLowerCase();
}

/**
 * The name of a file that another one refers to.
 * @param from name of the file with the reference
 * @param reference a path relative to its folder, or from the root; may be percent-encoded and have a fragment
 */
export function resolveName(from: string, reference: string): string {
  const [path = ''] = reference.replaceAll('\\', '/').split('#');
  const parts = path.startsWith('/') ? [] : from.split('/').slice(0, -1);
  for (const part of path.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(decoded(part));
  }
  return parts.join('/').toLowerCase();
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
