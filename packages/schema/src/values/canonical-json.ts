/**
 * Canonical JSON (RFC 8785, JSON Canonicalization Scheme). Requests are equal when their data are equal, whatever the
 * order of keys and the white space, so they are compared and hashed in this form.
 */

import { isPlainObject } from './plain-object.ts';

/**
 * Writes plain JSON data in canonical form: keys ordered by their UTF-16 code units, no white space, numbers as ECMAScript
 * writes them (RFC 8785). A bigint is written as its digits.
 *
 * @throws TypeError for values that JSON cannot express: undefined, NaN, infinities, functions, class instances, and text
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
      `${typeof value === 'number' ? value : `A value of type ${typeof value}`} cannot be written as JSON.`,
    );
  }
  const members = Object.keys(value)
    .sort()
    .map((key) => `${canonicalizeString(key)}:${canonicalizeJson(value[key])}`);
  return `{${members.join(',')}}`;
}

function canonicalizeString(text: string): string {
  if (!text.isWellFormed()) {
    throw new TypeError('JSON text must not contain a lone surrogate.');
  }
  return JSON.stringify(text);
}
