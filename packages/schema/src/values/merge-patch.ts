/**
 * JSON Merge Patch (RFC 7396) and the comparison that finds patches without effect. Values come from callers, so keys such
 * as `__proto__` are treated as data and never reach a prototype.
 */

import { isPlainObject, setOwnProperty } from './plain-object.ts';

/**
 * Applies a patch: absent members stay, null removes, objects merge, everything else replaces. Neither argument is
 * changed; the result may share unchanged parts with both.
 */
export function applyMergePatch(target: unknown, patch: unknown): unknown {
  if (!isPlainObject(patch)) {
    return patch;
  }
  const source = isPlainObject(target) ? target : {};
  const result: Record<string, unknown> = { ...source };
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) {
      delete result[key];
    } else {
      const current = Object.hasOwn(source, key) ? source[key] : undefined;
      setOwnProperty(result, key, applyMergePatch(current, value));
    }
  }
  return result;
}

/** Whether two JSON values are equal: members in any order, elements in the same order. 1 and 1n differ. */
export function deepEqual(left: unknown, right: unknown): boolean {
  if (left === right) {
    return true;
  }
  if (Array.isArray(left) && Array.isArray(right)) {
    return left.length === right.length && left.every((element, index) => deepEqual(element, right[index]));
  }
  if (!isPlainObject(left) || !isPlainObject(right)) {
    return false;
  }
  const keys = Object.keys(left);
  return (
    keys.length === Object.keys(right).length &&
    keys.every((key) => Object.hasOwn(right, key) && deepEqual(left[key], right[key]))
  );
}
