/** The changes of a record that a page has made or shows, of which it knows no outcome yet. */
import type { Change } from '../store/change.ts';

/** What a change leaves, compared with what the page was made from. */
export type Leaves =
  /** The same. */
  | 'stored'
  /** What it is merged into: it was made for an older version than the page shows, and cannot be carried out as it is. */
  | 'merged'
  /** Perhaps something that the page does not show. */
  | 'unseen';

interface OwnChange {
  /** Null: it was merged with what the page does not show. */
  readonly key: string | null;
  readonly leaves: Leaves;
}

export class OwnChanges {
  /** By their `sequence`, in the order in which they were made. */
  private readonly changes = new Map<number, OwnChange>();

  add({ sequence, key }: Change, leaves: Leaves = 'stored'): void {
    this.changes.set(sequence, { key, leaves });
  }

  /** Adds a change that was merged with what the page does not show yet. */
  addUnseen({ sequence }: Change): void {
    this.changes.set(sequence, { key: null, leaves: 'unseen' });
  }

  delete(changes: readonly Change[]): void {
    for (const { sequence } of changes) this.changes.delete(sequence);
  }

  clear(): void {
    this.changes.clear();
  }

  isEmpty(): boolean {
    return this.changes.size === 0;
  }

  /** Whether it is one of them, also after it was merged with what others have done. */
  has({ sequence }: Pick<Change, 'sequence'>): boolean {
    return this.changes.has(sequence);
  }

  /** Whether they are as the page knows them. Otherwise another tab has merged them with what the page has not seen. */
  areKnown(chain: readonly Change[]): boolean {
    return chain.every(({ sequence, key }) => this.changes.get(sequence)?.key === key);
  }

  /** Whether they are all of them, as the page knows them. */
  are(changes: readonly Change[]): boolean {
    return changes.length === this.changes.size && this.areKnown(changes);
  }

  /** Whether what the page was made from is what they leave. It is not if they were merged with what the page does not show. */
  leaveStored(chain: readonly Change[]): boolean {
    return (
      this.areKnown(chain) && chain.every(({ sequence }) => this.changes.get(sequence)?.leaves === 'stored')
    );
  }

  /**
   * Key of the change that the next one is made after, and decided with if that one is in conflict; null when it applies to the record
   * as the server has it, or is to be merged by itself.
   */
  lastKey(): string | null {
    const last = [...this.changes.values()].at(-1);
    return last === undefined || last.leaves === 'unseen' ? null : last.key;
  }

  /** The refused change that the page is about: one of these first, or one of another tab. */
  findRefused(changes: readonly Change[]): Change | undefined {
    const refused = changes.filter(({ refusal }) => refusal !== null);
    return refused.find((change) => this.has(change)) ?? refused[0];
  }
}
