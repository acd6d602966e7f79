/** Counts the results of rows, and keeps a bounded number of details. */
import type { Occurrences, Rejection, RowCounts } from './report.ts';
import type { RowOutcome } from './writer.ts';

const mostRejectionsKept = 100;
const mostReasonsKept = 200;

/** The counts so far. */
export class Tally {
  private readonly results = { created: 0, updated: 0, unchanged: 0 };
  private readonly repairs = new Map<string, Occurrences>();
  private readonly reasons = new Map<string, Occurrences>();
  /** The first of the file, in its order: rows are handled concurrently, so later ones may be rejected earlier. */
  private readonly rejections: { readonly rejection: Rejection; readonly order: number }[] = [];
  private repaired = 0;
  private rejected = 0;

  get rows(): number {
    return this.results.created + this.results.updated + this.results.unchanged + this.rejected;
  }

  /** The numbers of rows. */
  count(): RowCounts {
    return { rows: this.rows, ...this.results, rejected: this.rejected };
  }

  /** Counts an imported row. */
  addResult(place: string, { result, repairs }: RowOutcome): void {
    this.results[result] += 1;
    if (repairs.length > 0) this.repaired += 1;
    for (const how of new Set(repairs)) countOne(this.repairs, how, place, Number.POSITIVE_INFINITY);
  }

  /** Counts a rejected row. @param order the number of the row in the source */
  addRejection(rejection: Rejection, order: number): void {
    this.rejected += 1;
    const index = this.rejections.findLastIndex((earlier) => earlier.order <= order) + 1;
    this.rejections.splice(index, 0, { rejection, order });
    this.rejections.length = Math.min(this.rejections.length, mostRejectionsKept);
    for (const reason of new Set(rejection.reasons.map(generalize))) {
      countOne(this.reasons, reason, rejection.place, mostReasonsKept);
    }
  }

  /** The counted part of the report. */
  summarize() {
    return {
      ...this.count(),
      repaired: this.repaired,
      repairs: [...this.repairs].map(([how, count]) => ({ how, ...count })),
      rejectionReasons: [...this.reasons].map(([reason, count]) => ({ reason, ...count })),
      rejections: this.rejections.map(({ rejection }) => rejection),
    };
  }
}

function countOne(counts: Map<string, Occurrences>, name: string, place: string, mostNames: number): void {
  const known = counts.get(name);
  if (known === undefined && counts.size >= mostNames) return;
  counts.set(name, { rows: (known?.rows ?? 0) + 1, example: known?.example ?? place });
}

/** Removes the values of the row from a reason, so that equal reasons can be counted. */
function generalize(reason: string): string {
  return reason
    .replace(/"[^"]*"/g, '"…"')
    .replace(/\bline \d+|(?<![-\w])\d+\b|\b[a-z]+_[0-9a-z]{26}\b/g, '…');
}
