/**
 * Why: a small file can ask for any amount of time, memory and text. These are all the bounds of one extraction.
 */

/** Bounds of one extraction. All are positive whole numbers. */
export interface ExtractionLimits {
  /** From the start of the process to its answer; beyond it TIME_LIMIT. */
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
  wallMilliseconds: 60_000,
  memoryMegabytes: 512,
  characters: 2_000_000,
  pages: 5_000,
  unzippedBytes: 100 * 1024 * 1024,
};
