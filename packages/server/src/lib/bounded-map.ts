/** A map of bounded size that evicts the least recently used entry. */
export class BoundedMap<K, V> {
  private readonly entries = new Map<K, V>();
  private readonly limit: number;

  /** @param limit the maximum number of entries, at least 1 */
  constructor(limit: number) {
    this.limit = limit;
  }

  get size(): number {
    return this.entries.size;
  }

  /** Returns the value of a key and marks it as the most recently used. */
  get(key: K): V | undefined {
    const value = this.entries.get(key);
    if (value === undefined) return undefined;
    // A Map iterates in insertion order, so the entry is added again at the end.
    this.entries.delete(key);
    this.entries.set(key, value);
    return value;
  }

  /** Sets a value and evicts the least recently used entry when the map is full. */
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
