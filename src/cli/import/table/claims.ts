/**
 * Why: two rows of one file may stand for the same record. Then the first counts in every run, whatever is worked on side
 * by side: a repetition is nothing new, and a contradiction is told instead of letting the last one win by chance.
 */
import { hashKey } from './identity.ts';

/** What became of a claim. */
export type Claim =
  | { readonly kind: 'first'; settle(accepted: boolean): void }
  | { readonly kind: 'repeated'; readonly place: string }
  | { readonly kind: 'taken'; readonly what: string; readonly place: string };

/** Remembers what earlier rows are; about 150 bytes for each row. */
export class Claims {
  /** By hash of a key: place and content of the row that has it. */
  private readonly holders = new Map<string, string>();
  private readonly inFlight = new Map<string, Promise<void>>();

  /**
   * Claims what a row is for it. Rows are served in the order of the calls; who comes second to a row that is still under
   * way waits for what becomes of it.
   */
  async claim(place: string, externalId: string, unique: readonly string[], content: string): Promise<Claim> {
    const identity = hashKey(`externalId ${externalId}`);
    const keys = [identity, ...unique.map(hashKey)];
    for (;;) {
      const waiting = keys.map((key) => this.inFlight.get(key)).find((promise) => promise !== undefined);
      if (waiting !== undefined) {
        await waiting;
        continue;
      }
      const held = keys.findIndex((key) => this.holders.has(key));
      if (held < 0) return this.hold(keys, `${hashKey(content)}${place}`);
      const holder = this.holders.get(keys[held] ?? '') ?? '';
      const holderPlace = holder.slice(hashKey('').length);
      if (held === 0 && holder.startsWith(hashKey(content))) return { kind: 'repeated', place: holderPlace };
      return {
        kind: 'taken',
        what: held === 0 ? 'the same record' : (unique[held - 1] ?? ''),
        place: holderPlace,
      };
    }
  }

  private hold(keys: readonly string[], holder: string): Claim {
    const { promise, resolve } = Promise.withResolvers<void>();
    for (const key of keys) {
      this.holders.set(key, holder);
      this.inFlight.set(key, promise);
    }
    return {
      kind: 'first',
      settle: (accepted) => {
        for (const key of keys) {
          this.inFlight.delete(key);
          if (!accepted) this.holders.delete(key);
        }
        resolve();
      },
    };
  }
}
