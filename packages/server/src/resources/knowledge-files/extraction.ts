/**
 * Why: knowledge files come from anybody, and the parsers of their formats are large. Whoever needs a file's type or text
 * asks here, and gets it, or a reason why not, without the server itself ever parsing what the file holds.
 */
export { ExtractionError, type ExtractionReason, extractionReasons } from './extraction/errors.ts';
export { defaultExtractionLimits, type ExtractionLimits } from './extraction/limits.ts';
export { type ExtractableMediaType, isExtractable } from './extraction/media-types.ts';
export type { ExtractedText } from './extraction/protocol.ts';
export { extractText } from './extraction/run.ts';
export { sniffMediaType } from './extraction/sniff.ts';
