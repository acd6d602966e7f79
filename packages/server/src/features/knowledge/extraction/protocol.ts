/**
 * The messages between the server and the extraction process. The process has parsed untrusted bytes, so its response is
 * validated like any other input.
 */
import { isPicture, type PictureMediaType } from '@trellis/schema/values/pictures.ts';
import { codePointLength } from '@trellis/schema/values/text.ts';
import { type ExtractionReason, isExtractionReason } from './errors.ts';
import type { ExtractionLimits } from './limits.ts';

/** The text of a file. */
export interface ExtractedText {
  /** Normalized text: one entry per page or slide (empty for one without text), exactly one for formats without pages. */
  readonly pages: readonly string[];
  /** Number of pages or slides, also when not all were read; null for formats without pages. */
  readonly pageCount: number | null;
  /** Unicode code points of all pages together. */
  readonly characters: number;
  /** Whether a part of the text is missing: beyond the limits, or on pages of a PDF that cannot be read. */
  readonly truncated: boolean;
}

/** The size of a picture as people see it, in pixels. */
export interface PictureSize {
  readonly width: number;
  readonly height: number;
}

/** A copy of a picture in another size and format. */
export interface Rendition {
  /** In pixels; null where it follows from the height. One of both is given. */
  readonly width: number | null;
  readonly height: number | null;
  /** `inside`: the whole picture. `cover`: a part that fills the box, which has a width and a height. */
  readonly fit: 'inside' | 'cover';
  /** `plain`: PNG for a picture with transparency, JPEG for others. */
  readonly format: 'avif' | 'webp' | 'jpeg' | 'png' | 'plain';
  /** The point that `cover` keeps, in percent of the width and the height. */
  readonly focalPoint: { readonly x: number; readonly y: number };
}

/** The whole picture in its size and format, for readers: upright and without metadata. */
export const wholePicture = 'whole';

/** Ranges of the bytes of the file, in their order, with `end` not included; between them other bytes, in Base64. */
export type KeptPart = { readonly start: number; readonly end: number } | string;

/** What is made of a picture: a rendition in new bytes, or the file without some of its bytes. */
export type MadePicture = MadeRendition | { readonly kept: readonly KeptPart[] };

/** A rendition as the process made it. */
export interface MadeRendition {
  readonly mediaType: PictureMediaType;
  readonly base64: string;
}

/** The job of the process. The file is open as `fileDescriptor`. */
export interface ExtractionJob {
  /** Of a picture, or one for which `textFormatOf` knows a format. */
  readonly mediaType: string;
  /** The rendition to make of a picture; null to read the file. */
  readonly rendition: Rendition | typeof wholePicture | null;
  readonly limits: ExtractionLimits;
  /** Limit of processor time for a file of this size, in ms. */
  readonly cpuMilliseconds: number;
}

/** The descriptor of the file, already open: the process may not open other files. */
export const fileDescriptor = 3;

/** The outcome: text, the size of a picture, a rendition, a reason that is the file's fault, or a failure that is not. */
export type ExtractionResponse =
  | { readonly text: ExtractedText }
  | { readonly picture: PictureSize }
  | { readonly made: MadePicture }
  | { readonly reason: ExtractionReason; readonly detail: string | null }
  | { readonly failure: string };

/** Maximum size of a valid response within the limits, in bytes of JSON. */
export function maximumResponseBytes(limits: ExtractionLimits): number {
  const longestDetailAndNames = 16 * 1024;
  // A code point has at most four bytes, also when escaped; a page also has quotation marks and a comma.
  const text = 4 * limits.characters + 3 * limits.pages;
  return Math.max(text, base64Length(limits.renditionBytes)) + longestDetailAndNames;
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
  if ('picture' in response) return readSize(response.picture, limits);
  if ('made' in response) return readRendition(response.made, limits);
  if (!('text' in response) || typeof response.text !== 'object' || response.text === null) return null;
  const text = readText(response.text, limits);
  return text === null ? null : { text };
}

function readSize(size: unknown, limits: ExtractionLimits): ExtractionResponse | null {
  if (typeof size !== 'object' || size === null) return null;
  const { width, height }: Partial<Record<keyof PictureSize, unknown>> = size;
  if (!isCount(width) || !isCount(height) || width * height > limits.pixels) return null;
  return { picture: { width, height } };
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0;
}

function readRendition(made: unknown, limits: ExtractionLimits): ExtractionResponse | null {
  if (typeof made !== 'object' || made === null) return null;
  if ('kept' in made) return readKept(made.kept, limits);
  const { mediaType, base64 }: Partial<Record<keyof MadeRendition, unknown>> = made;
  if (typeof mediaType !== 'string' || !isPicture(mediaType) || typeof base64 !== 'string') return null;
  return isBase64(base64, limits) ? { made: { mediaType, base64 } } : null;
}

/** Parts that do not overlap, so that together they are hardly more than the file. */
function readKept(kept: unknown, limits: ExtractionLimits): ExtractionResponse | null {
  if (!Array.isArray(kept)) return null;
  let position = 0;
  const parts: KeptPart[] = [];
  for (const part of kept) {
    if (typeof part === 'string') {
      if (!isBase64(part, limits)) return null;
      parts.push(part);
      continue;
    }
    const { start, end }: { start?: unknown; end?: unknown } = Object(part);
    if (!Number.isSafeInteger(start) || !isCount(end)) return null;
    const from = Number(start);
    if (from < position || end <= from) return null;
    position = end;
    parts.push({ start: from, end });
  }
  return { made: { kept: parts } };
}

function isBase64(text: string, limits: ExtractionLimits): boolean {
  return text.length <= base64Length(limits.renditionBytes) && /^[A-Za-z0-9+/]+={0,2}$/.test(text);
}

function base64Length(bytes: number): number {
  return Math.ceil(bytes / 3) * 4;
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
