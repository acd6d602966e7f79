/**
 * Why: two requests are the same when their data are, whatever the order of keys and the spacing. Comparing and
 * hashing need one text for all of them: the JSON Canonicalization Scheme, RFC 8785.
 */

import { isPlainObject } from './plain-object.ts';

/**
 * Writes plain JSON data in the one form that equal data share: keys in the order of their UTF-16 code units, no
 * white space, numbers as ECMAScript writes them (RFC 8785). A bigint is written as its digits.
 *
 * @throws TypeError for what JSON can't say: undefined, NaN, infinities, functions, instances of classes, and text
 *   with lone surrogates (which RFC 8785 forbids).
 */
export function canonicalizeJson(value: unknown): string {
  if (typeof value === 'string') {
    return canonicalizeString(value);
  }
  if (value === null || typeof value === 'boolean' || typeof value === 'bigint') {
    return String(value);
  }
  if (typeof value === 'number' && Number.isFinite(value)) {
    return JSON.stringify(value);
  }
  if (Array.isArray(value)) {
    return `[${value.map(canonicalizeJson).join(',')}]`;
  }
  if (!isPlainObject(value)) {
    throw new TypeError(
      `JSON has no way to write ${typeof value === 'number' ? value : `this ${typeof value}`}.`,
    );
  }
  const members = Object.keys(value)
    .sort()
    .map((key) => `${canonicalizeString(key)}:${canonicalizeJson(value[key])}`);
  return `{${members.join(',')}}`;
}

function canonicalizeString(text: string): string {
  if (!text.isWellFormed()) {
    throw new TypeError('JSON text must not contain half of a surrogate pair.');
  }
  return JSON.stringify(text);
}
