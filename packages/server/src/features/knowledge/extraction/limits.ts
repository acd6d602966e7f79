/** The limits of one extraction, since a small file can require any amount of time, memory and text. */

/** The limits of one extraction; all are positive integers. */
export interface ExtractionLimits {
  /**
   * Processor time of the process: an amount for every file, an amount for each megabyte (10^6 bytes), and the maximum.
   * Beyond it the reason is TIME_LIMIT. Processor time, because elapsed time on a busy machine does not depend on the file.
   */
  readonly cpuMilliseconds: {
    readonly least: number;
    readonly perMegabyte: number;
    readonly most: number;
  };
  /** Elapsed time from the start of the process to its response; beyond it, the server has failed and not the file. */
  readonly wallMilliseconds: number;
  /** Memory of the whole process, including Node.js itself (about 70); beyond it MEMORY_LIMIT. */
  readonly memoryMegabytes: number;
  /** Unicode code points of text kept over all pages; the rest is dropped. */
  readonly characters: number;
  /** Pages of a PDF and slides of a presentation that are read; the rest is skipped. */
  readonly pages: number;
  /** Unpacked size of the parts of an office document or book that are read; beyond it TOO_LARGE. */
  readonly unzippedBytes: number;
  /** Pixels of a picture, of all its frames together; beyond it TOO_MANY_PIXELS. */
  readonly pixels: number;
  /** Bytes of a rendition of a picture. */
  readonly renditionBytes: number;
}

/** Enough for a book of a thousand pages, and for what cameras of phones make. */
export const defaultExtractionLimits: ExtractionLimits = {
  cpuMilliseconds: { least: 5_000, perMegabyte: 20_000, most: 60_000 },
  wallMilliseconds: 600_000,
  memoryMegabytes: 512,
  characters: 2_000_000,
  pages: 5_000,
  unzippedBytes: 100 * 1024 * 1024,
  pixels: 50_000_000,
  renditionBytes: 8 * 1024 * 1024,
};

/** The limit of processor time for a file of a size in bytes, in ms. */
export function cpuLimitOf(bytes: number, { cpuMilliseconds }: ExtractionLimits): number {
  const { least, perMegabyte, most } = cpuMilliseconds;
  return Math.min(most, Math.ceil(least + (perMegabyte * bytes) / 1_000_000));
}
