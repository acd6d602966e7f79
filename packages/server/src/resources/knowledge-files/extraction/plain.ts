/** Extracts the text of Markdown, CSV and plain text files, which is the decoded file. */
import type { TextCollector } from './collector.ts';
import { StrictDecoder } from './decode.ts';
import { readChunks } from './file.ts';

/**
 * Reads the whole file as text, or as much as the collector takes.
 * @throws NotTextError when the bytes are not text
 */
export function extractPlain(file: number, into: TextCollector): void {
  for (const text of readText(file)) {
    into.add(text);
    if (into.isFull) break;
  }
  into.endPage();
}

/**
 * Reads the text of a file in pieces.
 * @throws NotTextError when the bytes are not text
 */
export function* readText(file: number): Generator<string> {
  const decoder = new StrictDecoder();
  for (const chunk of readChunks(file)) yield decoder.decode(chunk);
  yield decoder.end();
}
