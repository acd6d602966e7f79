/**
 * A map of bounded size that forgets entries that have not been used for a while.
 *
 * Entries are in two halves: those that were used since the newer half began, and older ones. When the newer half is full, it becomes the
 * older one, and what was in that is forgotten. So the entries used last, up to half of the limit, are always known, and using one
 * again costs no change of the map, as an exact order of use would.
 */
export class BoundedMap<K, V> {
  private readonly half: number;
  private newer = new Map<K, V>();
  private older = new Map<K, V>();

  /** @param limit the maximum number of entries, at least 2 */
  constructor(limit: number) {
    this.half = Math.floor(limit / 2);
  }

  get size(): number {
    return this.newer.size + this.older.size;
  }

  /** Returns the value of a key, which counts as a use of it. */
  get(key: K): V | undefined {
    const value = this.newer.get(key);
    if (value !== undefined) return value;
    const found = this.older.get(key);
    if (found !== undefined) this.set(key, found);
    return found;
  }

  /** Sets a value, which counts as a use of its key. */
  set(key: K, value: V): void {
    if (this.newer.size >= this.half && !this.newer.has(key)) {
      this.older = this.newer;
      this.newer = new Map();
    }
    this.older.delete(key);
    this.newer.set(key, value);
  }
}
