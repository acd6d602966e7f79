/** Counts the results of rows, and keeps a bounded number of details. */
import { mostRedirects, type Redirect, redirectsOf } from './redirects.ts';
import type {
  LostValue,
  LostValues,
  Occurrences,
  Rejection,
  RowCounts,
  UnknownValue,
  UnknownValueRows,
} from './report.ts';
import { shorten } from './report.ts';
import type { RowOutcome } from './writer.ts';

const mostRejectionsKept = 100;
const mostReasonsKept = 200;
const mostUnknownKept = 1_000;
/** Of each field. */
const mostLostKept = 200;
const longestLost = 200;

/** The counts so far. */
export class Tally {
  private readonly results = { created: 0, updated: 0, unchanged: 0 };
  private readonly repairs = new Map<string, Counted>();
  private readonly reasons = new Map<string, Counted>();
  /** The first of the file, in its order: rows are handled concurrently, so later ones may be rejected earlier. */
  private readonly rejections: { readonly rejection: Rejection; readonly order: number }[] = [];
  private readonly omitted = new Map<string, LostInField>();
  private readonly removed = new Map<string, LostInField>();
  private readonly kept = new Map<string, LostInField>();
  private readonly unknown = new Map<string, Counted>();
  private readonly redirects: Redirect[] = [];
  private readonly found = new Map<string, number>();
  private repaired = 0;
  private rejected = 0;

  get rows(): number {
    return this.results.created + this.results.updated + this.results.unchanged + this.rejected;
  }

  /** The numbers of rows. */
  count(): RowCounts {
    return { rows: this.rows, ...this.results, rejected: this.rejected };
  }

  /** Counts an imported row. @param order the number of the row in the source */
  addResult(
    place: string,
    { result, repairs, omitted, removed, record, foundBy, kept }: RowOutcome,
    order: number,
  ): void {
    if (kept !== null) addLost(this.kept, kept, { place, record, value: '', reason: null }, order);
    this.results[result] += 1;
    if (foundBy !== null) this.found.set(foundBy, (this.found.get(foundBy) ?? 0) + 1);
    if (repairs.length > 0) this.repaired += 1;
    for (const how of new Set(repairs)) {
      countOne(this.repairs, how, { place, order }, Number.POSITIVE_INFINITY);
    }
    for (const { column, value, reason } of omitted) {
      addLost(this.omitted, column, { place, record, value, reason }, order);
    }
    for (const { field, value } of removed) {
      addLost(this.removed, field, { place, record, value, reason: null }, order);
    }
  }

  /** Notes the addresses that a post had. */
  addAddresses(addresses: readonly string[], slug: string | null): void {
    if (slug === null) return;
    const room = mostRedirects - this.redirects.length;
    this.redirects.push(...redirectsOf(addresses, slug).slice(0, room));
  }

  /**
   * Counts a rejected row.
   * @param order the number of the row in the source
   * @param unknown its values that are none of those that a field can have
   */
  addRejection(rejection: Rejection, order: number, unknown: readonly UnknownValue[] = []): void {
    this.rejected += 1;
    const { place } = rejection;
    for (const { column, to, value } of unknown) {
      countOne(this.unknown, JSON.stringify([column, to, value]), { place, order }, mostUnknownKept);
    }
    const index = this.rejections.findLastIndex((earlier) => earlier.order <= order) + 1;
    this.rejections.splice(index, 0, { rejection, order });
    this.rejections.length = Math.min(this.rejections.length, mostRejectionsKept);
    for (const reason of new Set(rejection.reasons.map(generalize))) {
      countOne(this.reasons, reason, { place: rejection.place, order }, mostReasonsKept);
    }
  }

  /** The counted part of the report. */
  summarize() {
    return {
      ...this.count(),
      repaired: this.repaired,
      found: [...this.found].map(([by, rows]) => ({ by, rows })),
      repairs: listCounted(this.repairs).map(([how, count]) => ({ how, ...count })),
      rejectionReasons: listCounted(this.reasons).map(([reason, count]) => ({ reason, ...count })),
      unknownValues: listUnknown(this.unknown),
      omitted: listLost(this.omitted),
      removed: listLost(this.removed),
      kept: listLost(this.kept).map(({ field, count, values }) => ({
        reason: field,
        count,
        rows: values.map(({ place, record }) => ({ place, record })),
      })),
      rejections: this.rejections.map(({ rejection }) => rejection),
      redirects: this.redirects.toSorted((one, other) => (one.from < other.from ? -1 : 1)),
    };
  }
}

/** The values of one field: their number, and the first of the file. */
interface LostInField {
  count: number;
  readonly values: { readonly value: LostValue; readonly order: number }[];
}

function addLost(fields: Map<string, LostInField>, field: string, lost: LostValue, order: number): void {
  const known = fields.get(field) ?? { count: 0, values: [] };
  fields.set(field, known);
  known.count += 1;
  const index = known.values.findLastIndex((earlier) => earlier.order <= order) + 1;
  if (index >= mostLostKept) return;
  known.values.splice(index, 0, { value: { ...lost, value: shorten(lost.value, longestLost) }, order });
  known.values.length = Math.min(known.values.length, mostLostKept);
}

/** In the order of the source: rows are handled concurrently. */
function listLost(fields: ReadonlyMap<string, LostInField>): LostValues[] {
  const firstOf = ({ values }: LostInField) => values[0]?.order ?? 0;
  const inOrder = [...fields].sort(([, one], [, other]) => firstOf(one) - firstOf(other));
  return inOrder.map(([field, { count, values }]) => ({
    field,
    count,
    values: values.map(({ value }) => value),
  }));
}

/** A number of rows, and the first of them in the order of the source. */
interface Counted {
  readonly rows: number;
  readonly first: { readonly place: string; readonly order: number };
}

function countOne(
  counts: Map<string, Counted>,
  name: string,
  row: Counted['first'],
  mostNames: number,
): void {
  const known = counts.get(name);
  if (known === undefined && counts.size >= mostNames) return;
  const first = known === undefined || row.order < known.first.order ? row : known.first;
  counts.set(name, { rows: (known?.rows ?? 0) + 1, first });
}

/** In the order of the source. */
function listCounted(counts: ReadonlyMap<string, Counted>): [name: string, Occurrences][] {
  return [...counts]
    .sort(([, one], [, other]) => one.first.order - other.first.order)
    .map(([name, { rows, first }]) => [name, { rows, example: first.place }]);
}

/** Those of most rows first. */
function listUnknown(counts: ReadonlyMap<string, Counted>): UnknownValueRows[] {
  return listCounted(counts)
    .map(([key, occurrences]) => {
      const [column, to, value] = JSON.parse(key) as [string, string, string];
      return { column, to, value, ...occurrences };
    })
    .sort((left, right) => right.rows - left.rows);
}

/** Removes the values of the row from a reason, so that equal reasons can be counted. */
function generalize(reason: string): string {
  return reason
    .replace(/"[^"]*"/g, '"…"')
    .replace(/\bline \d+|(?<![-\w])\d+\b|\b[a-z]+_[0-9a-z]{26}\b/g, '…');
}
