/** The pending changes of a record that a page made or displays. */
import type { Change } from '../store/change.ts';

/** The state of the record after a change, relative to the state that the page displays. */
export type Leaves =
  /** The displayed state. */
  | 'stored'
  /** A merge result: the change applies to an older version than the displayed one, so it needs a merge first. */
  | 'merged'
  /** Possibly values that the page does not display. */
  | 'unseen';

interface OwnChange {
  /** Null after a merge with values that the page does not display. */
  readonly key: string | null;
  readonly leaves: Leaves;
}

export class OwnChanges {
  /** By `sequence`, in the order of creation. */
  private readonly changes = new Map<number, OwnChange>();

  add({ sequence, key }: Change, leaves: Leaves = 'stored'): void {
    this.changes.set(sequence, { key, leaves });
  }

  /** Adds a change that was merged with values that the page does not display yet. */
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

  /** Whether the page made or displays the change. A merge keeps the `sequence`, so it stays true afterwards. */
  has({ sequence }: Pick<Change, 'sequence'>): boolean {
    return this.changes.has(sequence);
  }

  /** Whether all keys match. A different key means that another tab merged the change with values that this page has not displayed. */
  areKnown(chain: readonly Change[]): boolean {
    return chain.every(({ sequence, key }) => this.changes.get(sequence)?.key === key);
  }

  /** Whether these are exactly the changes of this page, with matching keys. */
  are(changes: readonly Change[]): boolean {
    return changes.length === this.changes.size && this.areKnown(changes);
  }

  /** Whether the displayed state is the state after these changes; false after a merge with values that the page does not display. */
  leaveStored(chain: readonly Change[]): boolean {
    return (
      this.areKnown(chain) && chain.every(({ sequence }) => this.changes.get(sequence)?.leaves === 'stored')
    );
  }

  /**
   * Key of the change that the next change depends on, so that a conflict of both is resolved together; null when the next change applies
   * to the server's version or is merged separately.
   */
  lastKey(): string | null {
    const last = [...this.changes.values()].at(-1);
    return last === undefined || last.leaves === 'unseen' ? null : last.key;
  }

  /** The refused change to report: a change of this page first, then one of another tab. */
  findRefused(changes: readonly Change[]): Change | undefined {
    const refused = changes.filter(({ refusal }) => refusal !== null);
    return refused.find((change) => this.has(change)) ?? refused[0];
  }
}
