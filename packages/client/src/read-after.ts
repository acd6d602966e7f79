/**
 * What reads tell the server that they must see: the writes of this client. Servers with replicas may otherwise return rows that are up to
 * two seconds old, so what happened before that needs no mention.
 */

/** How long a write is mentioned, in ms. */
const mentionedMs = 3_000;
/** Positions that the server accepts in a request. Their order is not known: responses to writes at the same time come in any order. */
const mostPositions = 8;

/** The header `Trellis-Read-After` of requests. */
export class ReadAfter {
  private readonly clock: () => number;
  private positions: { readonly value: string; readonly atMs: number }[] = [];
  /** Until then reads must see everything. */
  private currentUntilMs: number;

  /** @param clock in milliseconds */
  constructor(clock: () => number) {
    this.clock = clock;
    // A program or page that ran just before may have written.
    this.currentUntilMs = clock() + mentionedMs;
  }

  /** The value for a read that begins now. */
  header(): string {
    const now = this.clock();
    if (now < this.currentUntilMs) return 'now';
    this.positions = this.positions.filter(({ atMs }) => now - atMs < mentionedMs);
    return this.positions.length === 0 ? 'none' : this.positions.map(({ value }) => value).join(', ');
  }

  /** Notes a write. @param value the header of its response; null if there was none */
  noteWrite(value: string | null): void {
    if (value === null || value === 'now' || this.positions.length >= mostPositions) this.noteChange();
    else this.positions.push({ value, atMs: this.clock() });
  }

  /** Notes that something has been or may have been changed, and its position is not known. */
  noteChange(): void {
    this.positions = [];
    this.currentUntilMs = this.clock() + mentionedMs;
  }
}
