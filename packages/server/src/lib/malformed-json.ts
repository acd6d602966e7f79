/** The error of malformed JSON with its position, and the decoding of bytes that finds invalid UTF-8. */
const strictDecoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const lenientDecoder = new TextDecoder('utf-8', { ignoreBOM: true });

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
  try {
    return strictDecoder.decode(bytes);
  } catch {
    const text = lenientDecoder.decode(bytes);
    throw new MalformedJsonError('The body is not valid UTF-8', text, findReplacement(text, bytes));
  }
}

/** The position of the first U+FFFD that decoding inserted for invalid bytes. Up to there, text and bytes agree. */
function findReplacement(text: string, bytes: Uint8Array): number {
  const encoder = new TextEncoder();
  let position = text.indexOf('\uFFFD');
  let byteOffset = encoder.encode(text.slice(0, position)).length;
  while (bytes[byteOffset] === 0xef && bytes[byteOffset + 1] === 0xbf && bytes[byteOffset + 2] === 0xbd) {
    const next = text.indexOf('\uFFFD', position + 1);
    byteOffset += encoder.encode(text.slice(position, next)).length;
    position = next;
  }
  return position;
}

function countLines(text: string, end: number): number {
  let lines = 1;
  for (let at = text.indexOf('\n'); at !== -1 && at < end; at = text.indexOf('\n', at + 1)) {
    lines += 1;
  }
  return lines;
}
