/**
 * A strict JSON parser (RFC 8259). `JSON.parse` accepts bodies that we must refuse: the last of two equal keys wins, nesting
 * can overflow the stack, 1e400 becomes Infinity, integers beyond 2^53 are rounded, and NUL and lone surrogates pass, which
 * PostgreSQL then refuses with its own error. This parser refuses all of them with the position of the fault.
 */

import { JsonParser } from './json-parser.ts';
import { decodeText, MalformedJsonError } from './malformed-json.ts';

export { MalformedJsonError };

/** The default maximum nesting of arrays and objects: `[[1]]` has depth 2. */
const defaultMaximumDepth = 32;

/** Later steps recurse once per level; deeper nesting could exhaust the stack. */
const largestMaximumDepth = 1000;

/** Options of {@link parseJson}. */
export interface ParseJsonOptions {
  /** The maximum nesting of arrays and objects, 1 to 1,000; 32 by default. */
  readonly maxDepth?: number;
  /** `'bigint'`: numbers without a fraction and exponent are returned as exact bigint values; not `-0`, which none of them is. */
  readonly integers?: 'bigint';
  /**
   * The maximum number of items kept of an array and of members kept of an object; further ones are parsed and dropped.
   * For callers that refuse more anyway: hundreds of thousands of small values take memory that is slow to collect.
   */
  readonly mostKept?: number;
}

/**
 * Parses a JSON text strictly.
 *
 * Beyond the grammar it refuses: invalid UTF-8, a byte order mark, an empty text, duplicate keys in an object, nesting that
 * is too deep, NUL and lone surrogates in strings and keys (raw or escaped), and numbers beyond the range of a double. A key
 * `__proto__` becomes an ordinary own property.
 *
 * @param content the bytes, or the text that was decoded from them
 * @throws MalformedJsonError at the first fault.
 */
export function parseJson(content: Uint8Array | string, options: ParseJsonOptions = {}): unknown {
  const parser = createParser(content, options);
  parser.parseUntil(Number.POSITIVE_INFINITY);
  return parser.document;
}

/** Characters parsed between two pauses: 2 to 3 ms for the smallest values. */
const sliceLength = 32_768;

/**
 * Parses like {@link parseJson}, in slices: a megabyte can contain values that take a tenth of a second.
 *
 * @param pause called between two slices; the next one starts when its promise resolves, or immediately without a promise.
 * @throws MalformedJsonError at the first fault.
 */
export async function parseJsonInSlices(
  bytes: Uint8Array,
  options: ParseJsonOptions,
  pause: () => Promise<void> | undefined,
): Promise<unknown> {
  const parser = createParser(bytes, options);
  for (let end = sliceLength; !parser.parseUntil(end); end += sliceLength) await pause();
  return parser.document;
}

function createParser(content: Uint8Array | string, options: ParseJsonOptions): JsonParser {
  const { maxDepth = defaultMaximumDepth, integers, mostKept = Number.POSITIVE_INFINITY } = options;
  if (!Number.isInteger(maxDepth) || maxDepth < 1 || maxDepth > largestMaximumDepth) {
    throw new RangeError(
      `maxDepth must be a whole number from 1 to ${largestMaximumDepth}, not ${maxDepth}.`,
    );
  }
  const text = typeof content === 'string' ? content : decodeText(content);
  return new JsonParser(text, maxDepth, integers === 'bigint', mostKept);
}
