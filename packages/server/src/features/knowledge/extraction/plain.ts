/** Extracts the text of Markdown, CSV and plain text files, which is the decoded file. */
import { EncodingDetector } from '@trellis/schema/values/text-encoding.ts';
import type { TextCollector } from './collector.ts';
import { declaredEncoding, NotTextError } from './decode.ts';
import { readChunks } from './file.ts';
import type { ExtractionLimits } from './limits.ts';

/**
 * Reads the whole file as text, or as much as the collector takes.
 * @throws NotTextError when the bytes are not text
 */
export function extractPlain(file: number, _limits: ExtractionLimits, into: TextCollector): null {
  for (const text of readText(file)) {
    into.add(text);
    if (into.isFull) break;
  }
  into.endPage();
  return null;
}

/**
 * Reads the text of a file in pieces, in the encoding that it declares or that is detected from the whole file.
 * @throws NotTextError when the bytes are not text
 */
export function* readText(file: number): Generator<string> {
  const detector = new EncodingDetector();
  let start: Uint8Array | null = null;
  for (const chunk of readChunks(file)) {
    start ??= chunk;
    detector.write(chunk);
  }
  const encoding = detector.end(start === null ? null : declaredEncoding(start));
  if (encoding === null) throw new NotTextError('The bytes are not text in any encoding that is known.');
  const decoder = new TextDecoder(encoding);
  for (const chunk of readChunks(file)) yield decoder.decode(chunk, { stream: true });
  yield decoder.decode();
}
