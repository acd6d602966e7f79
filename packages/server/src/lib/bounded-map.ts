/** A map of bounded size, which forgets first what was not asked for longest. */
export class BoundedMap<K, V> {
  private readonly entries = new Map<K, V>();
  private readonly limit: number;

  /** @param limit entries that are kept at most, at least 1 */
  constructor(limit: number) {
    this.limit = limit;
  }

  get size(): number {
    return this.entries.size;
  }

  /** The value of a key, which counts as used now. */
  get(key: K): V | undefined {
    const value = this.entries.get(key);
    if (value === undefined) return undefined;
    // A Map keeps the order in which keys were added.
    this.entries.delete(key);
    this.entries.set(key, value);
    return value;
  }

  /** Sets a value; the one that was not used for longest has to go when there are too many. */
  set(key: K, value: V): void {
    this.entries.delete(key);
    this.entries.set(key, value);
    if (this.entries.size <= this.limit) return;
    for (const oldest of this.entries.keys()) {
      this.entries.delete(oldest);
      return;
    }
  }
}
