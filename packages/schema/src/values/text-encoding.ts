/**
 * Detects the encoding of text files, since most programs that write tables and notes do not say it: a byte order mark, UTF-8 and
 * UTF-16 by their form, others by what their characters would be (`legacy-encoding.ts`). Names are labels of TextDecoder (https://encoding.spec.whatwg.org/#names-and-labels).
 */
import { decodeStrictly, guessLegacyEncoding } from './legacy-encoding.ts';

/** Bytes that are kept to guess an encoding by. */
const sampleBytes = 64 * 1024;

/** Bytes of the beginning by which UTF-16 without a byte order mark is recognized. */
const headBytes = 16 * 1024;

/** Bytes around the first that is not ASCII in a chunk that are kept. */
const contextBytes = 512;

/** The start of escape sequences of ISO-2022-JP, which consists of ASCII bytes. */
const escapedJapanese = ['\u001b$@', '\u001b$B'];

/** Detects the encoding of a text that arrives piece by piece. */
export class EncodingDetector {
  #strict: InstanceType<typeof TextDecoder> | null = null;
  #isStrictValid = true;
  #isStarted = false;
  /** Whether the encoding follows from the form of the file, so that no other comes into question. */
  #isCertain = false;
  #hasControls = false;
  #hasOnlyAscii = true;
  #isEscapedJapanese = false;
  readonly #samples: Uint8Array[] = [];
  #sampled = 0;

  /** Whether the bytes so far are no text, whatever follows. */
  get isRefused(): boolean {
    return !this.#isStrictValid && (this.#isCertain || this.#hasControls);
  }

  /** Takes the next piece. The first has at least a few characters, unless the file is shorter. */
  write(chunk: Uint8Array): void {
    if (chunk.length === 0) return;
    if (!this.#isStarted) this.#begin(chunk);
    this.#isStarted = true;
    if (this.#isStrictValid) this.#check(chunk, true);
    if (this.#isCertain) return;
    const firstHigh = chunk.findIndex((byte) => byte >= 0x80);
    this.#hasControls ||= chunk.some((byte) => isControl(byte));
    if (firstHigh === -1 && this.#sampled === 0) {
      this.#isEscapedJapanese ||= this.#hasOnlyAscii && holdsAny(asciiOf(chunk), escapedJapanese);
      return;
    }
    this.#hasOnlyAscii = false;
    if (this.#sampled >= sampleBytes) return;
    // One piece of the text, so that no character is divided but the last.
    const start = this.#sampled === 0 ? Math.max(0, firstHigh - contextBytes) : 0;
    const sample = chunk.slice(start, start + sampleBytes - this.#sampled);
    this.#samples.push(sample);
    this.#sampled += sample.length;
  }

  /**
   * The encoding, after the last piece.
   * @param declared the encoding that the text itself names, if any; it goes before a guess
   * @returns null when the bytes are not text
   */
  end(declared: string | null = null): string | null {
    if (!this.#isStarted) return 'utf-8';
    const isValid = this.#isStrictValid && this.#check(new Uint8Array(), false);
    if (this.#isCertain || (isValid && !this.#hasOnlyAscii))
      return isValid ? (this.#strict?.encoding ?? null) : null;
    if (isValid) return this.#isEscapedJapanese ? 'iso-2022-jp' : 'utf-8';
    if (this.#hasControls) return null;
    const sample = joined(this.#samples);
    if (isMostlyUtf8(sample)) return 'utf-8';
    const named = declared === null ? null : encodingOf(declared);
    if (named !== null && isIn(sample, named)) return named;
    return guessLegacyEncoding(sample);
  }

  #begin(chunk: Uint8Array): void {
    const start = chunk.subarray(0, headBytes);
    const encoding = encodingOfMark(start) ?? (start.includes(0) ? guessUtf16(start) : null);
    this.#isCertain = (encoding !== null && encoding !== 'utf-8') || start.includes(0);
    if (start.includes(0) && encoding === null) this.#isStrictValid = false;
    this.#strict = new TextDecoder(encoding ?? 'utf-8', { fatal: true });
  }

  /** Decodes, to see whether the bytes are valid. NUL is in no text. */
  #check(chunk: Uint8Array, stream: boolean): boolean {
    try {
      this.#isStrictValid = this.#strict?.decode(chunk, { stream }).includes('\0') === false;
    } catch {
      this.#isStrictValid = false;
    }
    return this.#isStrictValid;
  }
}

/** Detects the encoding of bytes that are there as a whole. @returns null when they are not text */
export function detectEncoding(bytes: Uint8Array, declared: string | null = null): string | null {
  const detector = new EncodingDetector();
  detector.write(bytes);
  return detector.end(declared);
}

/** The name of an encoding that is known by any of its labels; null for an unknown one. */
function encodingOf(label: string): string | null {
  try {
    return new TextDecoder(label.trim()).encoding;
  } catch {
    return null;
  }
}

/** Whether a text can be in an encoding: its bytes are valid, and no characters of private use. */
function isIn(sample: Uint8Array, encoding: string): boolean {
  const text = decodeStrictly(sample, encoding);
  return text !== null && !/\p{Co}/u.test(text);
}

/** The encoding that a byte order mark states, https://encoding.spec.whatwg.org/#bom-sniff */
function encodingOfMark(start: Uint8Array): string | null {
  if (start[0] === 0xef && start[1] === 0xbb && start[2] === 0xbf) return 'utf-8';
  if (start[0] === 0xff && start[1] === 0xfe) return 'utf-16le';
  if (start[0] === 0xfe && start[1] === 0xff) return 'utf-16be';
  return null;
}

/** UTF-16 without a byte order mark: in the right order its characters exist, and more of them are ASCII. */
function guessUtf16(start: Uint8Array): string | null {
  const [little, big] = ['utf-16le', 'utf-16be'].map((encoding) => {
    const text = decodeStrictly(start, encoding);
    // A first piece may end within a pair of surrogates, and with the first byte of two.
    if (text === null || /(?![\t-\r\u0085])\p{Cc}|\p{Cn}|\p{Co}/u.test(text)) return 0;
    return text.match(/[\t\n\r -~]/g)?.length ?? 0;
  });
  if (little === undefined || big === undefined || little === big) return null;
  return little > big ? 'utf-16le' : 'utf-16be';
}

/** Whether most characters beyond ASCII are valid UTF-8: a text with a few damaged ones, or cut off. */
function isMostlyUtf8(sample: Uint8Array): boolean {
  const characters = new TextDecoder('utf-8').decode(sample).match(/[^\0-\x7f]/gu) ?? [];
  const damaged = characters.filter((character) => character === '\ufffd').length;
  return damaged * 5 <= characters.length;
}

/** Control characters that no text has: without tab, line ends, the end mark of DOS, and escape. */
function isControl(byte: number): boolean {
  return byte < 0x20 && !(byte >= 0x09 && byte <= 0x0d) && byte !== 0x1a && byte !== 0x1b;
}

function holdsAny(text: string, parts: readonly string[]): boolean {
  return parts.some((part) => text.includes(part));
}

function asciiOf(bytes: Uint8Array): string {
  return new TextDecoder('utf-8').decode(bytes);
}

function joined(pieces: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let position = 0;
  for (const piece of pieces) {
    whole.set(piece, position);
    position += piece.length;
  }
  return whole;
}
