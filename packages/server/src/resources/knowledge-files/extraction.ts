/**
 * The public functions for recognizing the type of a file and extracting its text. Files come from anyone and the parsers
 * of their formats are large, so parsing happens in a separate process, never in the server.
 */
export { ExtractionError, type ExtractionReason, extractionReasons } from './extraction/errors.ts';
export { defaultExtractionLimits, type ExtractionLimits } from './extraction/limits.ts';
export { type ExtractableMediaType, isExtractable } from './extraction/media-types.ts';
export type { ExtractedText } from './extraction/protocol.ts';
export { extractText } from './extraction/run.ts';
export { sniffMediaType } from './extraction/sniff.ts';
