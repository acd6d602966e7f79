/**
 * The messages between the server and the extraction process. The process has parsed untrusted bytes, so its response is
 * validated like any other input.
 */
import { codePointLength } from '@trellis/schema/values/text.ts';
import { type ExtractionReason, isExtractionReason } from './errors.ts';
import type { ExtractionLimits } from './limits.ts';
import type { ExtractableMediaType } from './media-types.ts';

/** The text of a file. */
export interface ExtractedText {
  /** Normalized text: one entry per page of a PDF (empty for a page without text), exactly one for other formats. */
  readonly pages: readonly string[];
  /** Number of pages according to the PDF, also when not all were read; null for formats without pages. */
  readonly pageCount: number | null;
  /** Unicode code points of all pages together. */
  readonly characters: number;
  /** Whether a part of the text is missing: beyond the limits, or on pages of a PDF that cannot be read. */
  readonly truncated: boolean;
}

/** The job of the process. The file is open as `fileDescriptor`. */
export interface ExtractionJob {
  readonly mediaType: ExtractableMediaType;
  readonly limits: ExtractionLimits;
  /** Limit of processor time for a file of this size, in ms. */
  readonly cpuMilliseconds: number;
}

/** The descriptor of the file, already open: the process may not open other files. */
export const fileDescriptor = 3;

/** The outcome: text, a reason that is the file's fault, or a failure that is not. */
export type ExtractionResponse =
  | { readonly text: ExtractedText }
  | { readonly reason: ExtractionReason; readonly detail: string | null }
  | { readonly failure: string };

/** Maximum size of a valid response within the limits, in bytes of JSON. */
export function maximumResponseBytes(limits: ExtractionLimits): number {
  const longestDetailAndNames = 16 * 1024;
  // A code point has at most four bytes, also when escaped; a page also has quotation marks and a comma.
  return 4 * limits.characters + 3 * limits.pages + longestDetailAndNames;
}

/** Parses and validates a response. @returns null when the bytes are not a valid response */
export function parseResponse(bytes: Buffer, limits: ExtractionLimits): ExtractionResponse | null {
  let response: unknown;
  try {
    response = JSON.parse(bytes.toString('utf8'));
  } catch {
    return null;
  }
  if (typeof response !== 'object' || response === null) return null;
  if ('failure' in response && typeof response.failure === 'string') return { failure: response.failure };
  if ('reason' in response && isExtractionReason(response.reason)) {
    const detail = 'detail' in response && typeof response.detail === 'string' ? response.detail : null;
    return { reason: response.reason, detail };
  }
  if (!('text' in response) || typeof response.text !== 'object' || response.text === null) return null;
  const text = readText(response.text, limits);
  return text === null ? null : { text };
}

function readText(text: object, limits: ExtractionLimits): ExtractedText | null {
  const { pages, pageCount, truncated }: Partial<Record<keyof ExtractedText, unknown>> = text;
  if (!Array.isArray(pages) || !pages.every((page) => typeof page === 'string')) return null;
  if (pages.length > Math.max(1, limits.pages)) return null;
  if (pageCount !== null && !(Number.isSafeInteger(pageCount) && Number(pageCount) > 0)) return null;
  const characters = pages.reduce((sum, page) => sum + codePointLength(page), 0);
  if (characters > limits.characters) return null;
  return {
    pages,
    pageCount: pageCount === null ? null : Number(pageCount),
    characters,
    truncated: truncated === true,
  };
}
