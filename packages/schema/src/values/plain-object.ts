/**
 * Why: objects that callers send have keys of any name. What handles them must neither reach a prototype nor take an
 * instance of a class for data.
 */

/** Sets a property of the object itself, whatever its name: `__proto__` too, which assignment would misread. */
export function setOwnProperty(object: Record<string, unknown>, key: string, value: unknown): void {
  if (key === '__proto__') {
    Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true });
  } else {
    object[key] = value;
  }
}

/** Whether the value is an object with properties of its own and no class: what `{...}` makes. */
export function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null) {
    return false;
  }
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
