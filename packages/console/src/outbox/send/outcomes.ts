/** The outcomes of changes, for the pages that wait for them. */
import type { ApiRecord } from '../../api/api.ts';
import type { Change } from '../store/change.ts';
import type { Refusal } from '../store/refusal.ts';

/** The outcome of a change. */
export type Outcome =
  /** The change was carried out. `record` is the response body; null after a deletion. */
  | { readonly kind: 'done'; readonly record: ApiRecord | null }
  /** The change was refused, or conflicts with the changes of others. It stays in the queue until it is resent or discarded. */
  | { readonly kind: 'refused'; readonly change: Change; readonly refusal: Refusal }
  /** The outcome is unknown here: the change was discarded, another tab closed before reporting, or the user signed out. */
  | { readonly kind: 'gone' };

/** Number of outcomes that are kept for late callers. */
const mostRemembered = 200;

export class Outcomes {
  private readonly waiters = new Map<number, PromiseWithResolvers<Outcome>>();
  private readonly known = new Map<number, Outcome>();

  /** Never rejects. */
  of(sequence: number): Promise<Outcome> {
    const known = this.known.get(sequence);
    if (known !== undefined) return Promise.resolve(known);
    const waiter = this.waiters.get(sequence) ?? Promise.withResolvers<Outcome>();
    this.waiters.set(sequence, waiter);
    return waiter.promise;
  }

  /** Call it before a change is sent again. */
  forget(sequence: number): void {
    this.known.delete(sequence);
  }

  /** Resolves the outcome of a change, and of the changes that are part of it. */
  settle({ sequence, contains = [] }: Pick<Change, 'sequence' | 'contains'>, outcome: Outcome): void {
    for (const one of [sequence, ...contains]) {
      this.waiters.get(one)?.resolve(outcome);
      this.waiters.delete(one);
      this.known.delete(one);
      this.known.set(one, outcome);
      const [oldest] = this.known.keys();
      if (this.known.size > mostRemembered && oldest !== undefined) this.known.delete(oldest);
    }
  }

  /** The `sequence` of the changes whose outcome is awaited and that are not among these. */
  missing(changes: readonly Change[]): number[] {
    const present = new Set(changes.flatMap(({ sequence, contains = [] }) => [sequence, ...contains]));
    return [...this.waiters.keys()].filter((sequence) => !present.has(sequence));
  }
}
