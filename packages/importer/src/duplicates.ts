/**
 * Detects rows of one source that stand for the same record or have the same unique value. The first one wins in every run,
 * whatever the concurrency: repeated rows are skipped, contradicting rows are rejected.
 */
import { hashForMemory } from './keys.ts';

/** How a row compares with the rows before it. */
export type Registration =
  | { readonly kind: 'first'; settle(accepted: boolean): void }
  | { readonly kind: 'repeated' }
  /** It has a unique value of another row. */
  | { readonly kind: 'taken'; readonly what: string; readonly place: string }
  /** It stands for the same record as an earlier row, with other values. */
  | { readonly kind: 'again'; readonly place: string };

/** The rows so far; about 250 bytes for each. */
export class Duplicates {
  /** By hash of what identifies a row, or of a unique value: hash of the content and place of the row that has it. */
  private readonly owners = new Map<string, string>();
  private readonly pending = new Map<string, Promise<void>>();
  /** By hash of the id of a record: the place of its row. */
  private readonly claims = new Map<string, string>();

  /**
   * Registers a row. Rows are handled in the order of the calls; one that equals a row still being written waits for
   * it.
   */
  async register(
    place: string,
    own: string,
    unique: readonly string[],
    content: string,
  ): Promise<Registration> {
    const identity = hashForMemory(`own ${own}`);
    const keys = [identity, ...unique.map(hashForMemory)];
    const contentHash = hashForMemory(content);
    for (;;) {
      const waiting = keys.map((key) => this.pending.get(key)).find((promise) => promise !== undefined);
      if (waiting !== undefined) {
        await waiting;
        continue;
      }
      const owned = keys.findIndex((key) => this.owners.has(key));
      if (owned < 0) return this.add(keys, `${contentHash}${place}`);
      const owner = this.owners.get(keys[owned] ?? '') ?? '';
      if (owned === 0 && owner.startsWith(contentHash)) return { kind: 'repeated' };
      const earlier = owner.slice(contentHash.length);
      if (owned > 0) return { kind: 'taken', what: unique[owned - 1] ?? '', place: earlier };
      return { kind: 'again', place: earlier };
    }
  }

  /** Whether a record belongs to another row. */
  isClaimed(place: string, recordId: string): boolean {
    return (this.claims.get(hashForMemory(recordId)) ?? place) !== place;
  }

  /** Claims a record for a row. @returns the place of the row that has it already; null when there is none */
  claim(place: string, recordId: string): string | null {
    const key = hashForMemory(recordId);
    const owner = this.claims.get(key) ?? place;
    this.claims.set(key, owner);
    return owner === place ? null : owner;
  }

  private add(keys: readonly string[], owner: string): Registration {
    const { promise, resolve } = Promise.withResolvers<void>();
    for (const key of keys) {
      this.owners.set(key, owner);
      this.pending.set(key, promise);
    }
    return {
      kind: 'first',
      settle: (accepted) => {
        for (const key of keys) {
          this.pending.delete(key);
          if (!accepted) this.owners.delete(key);
        }
        resolve();
      },
    };
  }
}
