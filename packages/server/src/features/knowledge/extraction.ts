/**
 * The public functions for recognizing the type of a file, extracting its text, and reading pictures. Files come from anyone and the parsers
 * of their formats are large, so parsing happens in a separate process, never in the server.
 */
export { ExtractionError, type ExtractionReason, extractionReasons } from './extraction/errors.ts';
export { defaultExtractionLimits, type ExtractionLimits } from './extraction/limits.ts';
export { isExtractable, isWithoutText } from './extraction/media-types.ts';
export {
  type ExtractedText,
  type KeptPart,
  type MadePicture,
  type PictureSize,
  type Rendition,
  wholePicture,
} from './extraction/protocol.ts';
export { extractText, readPicture, renderPicture } from './extraction/run.ts';
export { sniffMediaType } from './extraction/sniff.ts';
