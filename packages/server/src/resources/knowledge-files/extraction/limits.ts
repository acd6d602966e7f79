/** The bounds of one extraction: a small file can ask for any amount of time, memory and text. */

/** All are positive whole numbers. */
export interface ExtractionLimits {
  /**
   * Processor time of the process: a part that every file may use, a part for each megabyte (10^6 bytes) of the file, and
   * the most that any file may use. Beyond it TIME_LIMIT. It is not the time that passes: on a machine with much to do
   * that says nothing about the file.
   */
  readonly cpuMilliseconds: {
    readonly least: number;
    readonly perMegabyte: number;
    readonly most: number;
  };
  /** From the start of the process to its answer; beyond it, the machine has failed and not the file. */
  readonly wallMilliseconds: number;
  /** What the process may hold in all, Node.js itself (about 70) included; beyond it MEMORY_LIMIT. */
  readonly memoryMegabytes: number;
  /** Unicode code points of text that are kept over all pages; the rest is left out. */
  readonly characters: number;
  /** Pages of a PDF that are read; the rest is left out. */
  readonly pages: number;
  /** What the parts of a DOCX file that are read may unpack to; beyond it TOO_LARGE. */
  readonly unzippedBytes: number;
}

/** Enough for a book of a thousand pages; one extraction may hold as much as a small server. */
export const defaultExtractionLimits: ExtractionLimits = {
  cpuMilliseconds: { least: 5_000, perMegabyte: 20_000, most: 60_000 },
  wallMilliseconds: 600_000,
  memoryMegabytes: 512,
  characters: 2_000_000,
  pages: 5_000,
  unzippedBytes: 100 * 1024 * 1024,
};

/** Processor time that reading a file of so many bytes may take, in ms. */
export function cpuLimitOf(bytes: number, { cpuMilliseconds }: ExtractionLimits): number {
  const { least, perMegabyte, most } = cpuMilliseconds;
  return Math.min(most, Math.ceil(least + (perMegabyte * bytes) / 1_000_000));
}
