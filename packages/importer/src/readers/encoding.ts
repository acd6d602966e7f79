/**
 * The character encodings of tables. UTF-8 is certain when the bytes are valid, UTF-16 where half of the bytes are zero; the others are told by how
 * common their characters are. What is recognized is shown, and can be corrected.
 */

import { guessLegacyEncoding } from '@trellis/schema/values/legacy-encoding.ts';
import { decodeForPeople, decodeUtf8 } from '@trellis/schema/values/utf8.ts';
import { UsageError } from '../errors.ts';

/** The encodings that can be chosen, by their names in the Encoding Standard (https://encoding.spec.whatwg.org/). */
export const encodings = [
  'utf-8',
  'utf-16le',
  'utf-16be',
  'windows-1250',
  'windows-1251',
  'windows-1252',
  'windows-1253',
  'windows-1254',
  'windows-1255',
  'windows-1256',
  'windows-1257',
  'windows-1258',
  'windows-874',
  'iso-8859-2',
  'iso-8859-5',
  'iso-8859-6',
  'iso-8859-7',
  'iso-8859-8',
  'iso-8859-15',
  'koi8-r',
  'koi8-u',
  'ibm866',
  'macintosh',
  'shift_jis',
  'euc-jp',
  'iso-2022-jp',
  'gb18030',
  'big5',
  'euc-kr',
] as const;

export type Encoding = (typeof encodings)[number];

/** The encoding with a name such as `Windows-1252`, `latin1` or `sjis`. @throws UsageError for one that cannot be read */
export function readEncoding(name: string): Encoding {
  const label = labelOf(name);
  const found = encodings.find((encoding) => encoding === label);
  if (found !== undefined) return found;
  throw new UsageError(`--encoding: "${name}" is not known. Use one of ${encodings.join(', ')}.`);
}

/** The name of an encoding in the Encoding Standard; null for an unknown one. */
function labelOf(name: string): string | null {
  try {
    const label = new TextDecoder(name.trim()).encoding;
    // A part of the other, which is what the programs write that name it.
    return label === 'gbk' ? 'gb18030' : label;
  } catch {
    return null;
  }
}

/** Recognizes the encoding of a text by its beginning, which may end inside a character. */
export function detectEncoding(sample: Uint8Array): Encoding {
  const marked = findByteOrderMark(sample) ?? detectUtf16(sample);
  if (marked !== null) return marked;
  if (isMostlyUtf8(sample)) return 'utf-8';
  const foreign = keepForeignLines(sample);
  const guessed = readEncoding(guessLegacyEncoding(foreign));
  // Programs for the classic Mac OS end lines with a carriage return alone.
  const isOfMac = guessed === 'windows-1252' && sample.includes(0x0d) && !sample.includes(0x0a);
  return isOfMac ? 'macintosh' : guessed;
}

/** The encoding of a text with a byte order mark; null for other texts. */
export function findByteOrderMark([first, second, third]: Uint8Array): Encoding | null {
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8';
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  return first === 0xfe && second === 0xff ? 'utf-16be' : null;
}

/** Part of the bytes that have to be zero in UTF-16: line ends and delimiters are, also among Chinese characters. */
const fewestZeros = 0.02;

/** UTF-16 without a byte order mark: zeros at even or at odd positions only. */
function detectUtf16(sample: Uint8Array): Encoding | null {
  const zeros = [0, 0];
  for (const [index, byte] of sample.entries())
    if (byte === 0) zeros[index % 2] = (zeros[index % 2] ?? 0) + 1;
  const [even = 0, odd = 0] = zeros;
  if (even + odd < sample.length * fewestZeros || even + odd < 2) return null;
  if (odd > 20 * even) return 'utf-16le';
  return even > 20 * odd ? 'utf-16be' : null;
}

/** Whether a text is UTF-8, although a few of its bytes may not be: single rows are then at fault, and not the encoding. */
function isMostlyUtf8(sample: Uint8Array): boolean {
  const whole = withoutCutCharacter(sample);
  if (decodeUtf8(whole) !== null) return true;
  const text = new TextDecoder().decode(whole);
  const invalid = countMatches(text, /\uFFFD/g);
  return countMatches(text, /[^\0-\x7F\uFFFD]/gu) > invalid;
}

/** Without the bytes of a character that the end of the sample cuts: at most three. */
function withoutCutCharacter(sample: Uint8Array): Uint8Array {
  const start = Math.max(0, sample.length - 3);
  const lead = sample.subarray(start).findLastIndex((byte) => byte >= 0xc0);
  return lead < 0 ? sample : sample.subarray(0, start + lead);
}

/** Bytes that are looked at of those lines that are not ASCII. */
const mostForeignBytes = 65_536;

/** The lines with other bytes than those of ASCII, which are all that tells encodings apart. */
function keepForeignLines(sample: Uint8Array): Uint8Array {
  const kept = new Uint8Array(Math.min(mostForeignBytes, sample.length));
  let length = 0;
  let start = 0;
  while (start < sample.length && length < kept.length) {
    const found = sample.subarray(start).findIndex((byte) => byte === 0x0a || byte === 0x0d);
    const end = found < 0 ? sample.length : start + found + 1;
    const lineOfBytes = sample.subarray(start, end).subarray(0, kept.length - length);
    if (lineOfBytes.some((byte) => byte >= 0x80)) {
      kept.set(lineOfBytes, length);
      length += lineOfBytes.length;
    }
    start = end;
  }
  return kept.subarray(0, length);
}

function countMatches(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}

/** Converts a text from its encoding to UTF-8, without its byte order mark. Bytes that the encoding does not have become U+FFFD. */
export async function* toUtf8(
  chunks: AsyncIterable<Uint8Array>,
  encoding: Encoding,
): AsyncGenerator<Uint8Array> {
  const decoder = new TextDecoder(encoding);
  const encoder = new TextEncoder();
  for await (const chunk of chunks) yield encoder.encode(decoder.decode(chunk, { stream: true }));
  yield encoder.encode(decoder.decode());
}

/** Encodings whose bytes below 0x80 are not always the characters of ASCII. */
const withoutAscii: readonly Encoding[] = ['utf-16le', 'utf-16be', 'iso-2022-jp'];
/** Encodings in which bytes from 0x40 on, but none below, are also the second half of a character. */
const withSecondHalves: readonly Encoding[] = ['shift_jis', 'gb18030', 'big5'];

/** Whether a table can be divided into cells before it is decoded: quotation marks, line ends and its delimiter are bytes of their own. */
export function isDivisible(encoding: Encoding, delimiter: string): boolean {
  if (encoding === 'utf-8') return true;
  if (withoutAscii.includes(encoding) || delimiter >= '\x80') return false;
  return delimiter < '@' || !withSecondHalves.includes(encoding);
}

/** Decodes texts of an encoding. */
export interface TextDecoding {
  /** Null when the bytes are not valid. */
  readonly decode: (bytes: Uint8Array) => string | null;
  /** Invalid bytes become U+FFFD. */
  readonly decodeForPeople: (bytes: Uint8Array) => string;
}

/** Decodes the texts of an encoding, each of which is complete. */
export function decodingOf(encoding: Encoding): TextDecoding {
  if (encoding === 'utf-8') return { decode: decodeUtf8, decodeForPeople };
  const strict = new TextDecoder(encoding, { fatal: true });
  const lenient = new TextDecoder(encoding);
  return {
    decode: (bytes) => {
      try {
        return strict.decode(bytes);
      } catch {
        return null;
      }
    },
    decodeForPeople: (bytes) => lenient.decode(bytes),
  };
}
