/** Plain objects whose keys come from callers: no key may reach a prototype, and class instances are not data. */

/** Sets an own property, whatever its name. Plain assignment would treat `__proto__` specially. */
export function setOwnProperty(object: Record<string, unknown>, key: string, value: unknown): void {
  if (key === '__proto__') {
    Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true });
  } else {
    object[key] = value;
  }
}

/** Whether the value is an object made by `{...}`, without a class. */
export function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null) {
    return false;
  }
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
