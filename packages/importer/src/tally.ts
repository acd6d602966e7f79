/** Counts the results of rows, and keeps a bounded number of details. */
import type { Rejection } from './report.ts';
import type { RowOutcome } from './writer.ts';

const mostRejectionsKept = 100;
const mostReasonsKept = 200;

/** The number of rows with the same repair or reason, and the first of them. */
interface Count {
  rows: number;
  readonly example: string;
}

/** The counts so far. */
export class Tally {
  private readonly results = { created: 0, updated: 0, unchanged: 0 };
  private readonly repairs = new Map<string, Count>();
  private readonly reasons = new Map<string, Count>();
  private readonly rejections: Rejection[] = [];
  private repaired = 0;
  rejected = 0;

  get rows(): number {
    return this.results.created + this.results.updated + this.results.unchanged + this.rejected;
  }

  /** The numbers of rows. */
  count() {
    return { rows: this.rows, ...this.results, rejected: this.rejected };
  }

  /** Counts an imported row. */
  addResult(place: string, { result, repairs }: Pick<RowOutcome, 'result' | 'repairs'>): void {
    this.results[result] += 1;
    if (repairs.length > 0) this.repaired += 1;
    for (const how of new Set(repairs)) countOne(this.repairs, how, place, Number.POSITIVE_INFINITY);
  }

  /** Counts a rejected row. */
  addRejection(rejection: Rejection): void {
    this.rejected += 1;
    if (this.rejections.length < mostRejectionsKept) this.rejections.push(rejection);
    for (const reason of new Set(rejection.reasons.map(generalize))) {
      countOne(this.reasons, reason, rejection.place, mostReasonsKept);
    }
  }

  /** The counted part of the report. */
  summarize() {
    return {
      rows: this.rows,
      ...this.results,
      repaired: this.repaired,
      rejected: this.rejected,
      repairs: [...this.repairs].map(([how, count]) => ({ how, ...count })),
      rejectionReasons: [...this.reasons].map(([reason, count]) => ({ reason, ...count })),
      rejections: this.rejections,
    };
  }
}

function countOne(counts: Map<string, Count>, name: string, place: string, mostNames: number): void {
  const known = counts.get(name);
  if (known !== undefined) known.rows += 1;
  else if (counts.size < mostNames) counts.set(name, { rows: 1, example: place });
}

/** Removes the values of the row from a reason, so that equal reasons can be counted. */
function generalize(reason: string): string {
  return reason
    .replace(/"[^"]*"/g, '"…"')
    .replace(/\bline \d+|(?<![-\w])\d+\b|\b[a-z]+_[0-9a-z]{26}\b/g, '…');
}
