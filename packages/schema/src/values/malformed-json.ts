/** The error of malformed JSON with its position, and the decoding of bytes that finds invalid UTF-8. */
import { decodeForPeople, decodeUtf8, findReplacement } from './utf8.ts';

/** The text is not JSON that we accept. The message says what is wrong and where, for the sender. */
export class MalformedJsonError extends Error {
  override readonly name = 'MalformedJsonError';
  /** Position of the fault in UTF-16 code units, from 0. */
  readonly position: number;
  /** Line of the fault, from 1. */
  readonly line: number;
  /** Column of the fault in UTF-16 code units, from 1. */
  readonly column: number;
  /** What is wrong, without the position. */
  readonly reason: string;

  constructor(reason: string, text: string, position: number) {
    const lineStart = position === 0 ? 0 : text.lastIndexOf('\n', position - 1) + 1;
    const line = countLines(text, lineStart);
    const column = position - lineStart + 1;
    super(`${reason} (line ${line}, column ${column})`);
    this.reason = reason;
    this.position = position;
    this.line = line;
    this.column = column;
  }
}

/** Decodes UTF-8 strictly. @throws MalformedJsonError at the first invalid byte */
export function decodeText(bytes: Uint8Array): string {
  const decoded = decodeUtf8(bytes);
  if (decoded !== null) return decoded;
  const text = decodeForPeople(bytes);
  throw new MalformedJsonError('The body is not valid UTF-8', text, findReplacement(text, bytes));
}

function countLines(text: string, end: number): number {
  let lines = 1;
  for (let at = text.indexOf('\n'); at !== -1 && at < end; at = text.indexOf('\n', at + 1)) {
    lines += 1;
  }
  return lines;
}
