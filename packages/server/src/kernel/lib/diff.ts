/**
 * Line-by-line differences of two texts, for comparing versions of an article's body. The algorithm is E. W. Myers' ("An
 * O(ND) Difference Algorithm and Its Variations", 1986), which finds the shortest edit script. It is slow for texts with
 * little in common, so its work is bounded; such texts are returned as one replacement.
 */

/**
 * One change with its context lines, as in a unified diff. Lines count from 1. When a count is 0, the start is the line
 * before the change (0 at the beginning).
 */
export interface Hunk {
  beforeStart: number;
  beforeLines: number;
  afterStart: number;
  afterLines: number;
  /** Each line without its line feed, prefixed with ' ' (in both), '-' (only before) or '+' (only after). */
  lines: string[];
}

/** Lines `beforeFrom` to `beforeTo` become lines `afterFrom` to `afterTo`; from 0, ends excluded. */
interface Change {
  beforeFrom: number;
  beforeTo: number;
  afterFrom: number;
  afterTo: number;
}

const contextLines = 3;

/** The longest edit script that is searched for. Time and memory grow with its square. */
const maximumEdits = 1_000;

/** The most line comparisons; repetitive texts can need very many even for short edit scripts. */
const maximumComparisons = 4_000_000;

/** Lines that are read or written in one part, and comparisons of lines: some 2 ms. */
const linesOfPart = 16_384;
const comparisonsOfPart = 200_000;

/**
 * The differences of two texts by line. A line ends at a line feed. A text that ends with a line feed has an empty last
 * line and the empty text has no lines, so applying the hunks to `before` gives exactly `after`.
 *
 * It is a generator that yields after each part of its work, so that others have their turn: texts of 500 kB take up to 300 ms.
 */
export function* diffLines(before: string, after: string): Generator<undefined, Hunk[]> {
  const beforeLines = yield* splitLines(before);
  const afterLines = yield* splitLines(after);
  const changes = yield* findChanges(beforeLines, afterLines);
  return yield* formHunks(beforeLines, afterLines, changes);
}

function* splitLines(text: string): Generator<undefined, string[]> {
  const lines: string[] = [];
  if (text === '') return lines;
  for (let start = 0; start <= text.length; ) {
    const end = text.indexOf('\n', start);
    lines.push(text.slice(start, end === -1 ? undefined : end));
    if (end === -1) break;
    start = end + 1;
    if (lines.length % linesOfPart === 0) yield;
  }
  return lines;
}

/** The changes in order. No change is adjacent to the next. */
function* findChanges(
  beforeLines: readonly string[],
  afterLines: readonly string[],
): Generator<undefined, Change[]> {
  const shorter = Math.min(beforeLines.length, afterLines.length);
  let start = 0;
  while (start < shorter && beforeLines[start] === afterLines[start]) {
    start += 1;
  }
  let end = 0;
  while (end < shorter - start && beforeLines.at(-1 - end) === afterLines.at(-1 - end)) {
    end += 1;
  }
  yield;
  const middle = {
    beforeFrom: start,
    beforeTo: beforeLines.length - end,
    afterFrom: start,
    afterTo: afterLines.length - end,
  };
  if (middle.beforeFrom === middle.beforeTo && middle.afterFrom === middle.afterTo) {
    return [];
  }
  if (middle.beforeFrom === middle.beforeTo || middle.afterFrom === middle.afterTo) {
    return [middle];
  }
  const numbers = new Map<string, number>();
  const a = yield* numberLines(beforeLines.slice(middle.beforeFrom, middle.beforeTo), numbers);
  const b = yield* numberLines(afterLines.slice(middle.afterFrom, middle.afterTo), numbers);
  const trace = yield* traceShortestEdit(a, b);
  return trace === null ? [middle] : collectChanges(trace, a.length, b.length, start);
}

/** Numbers distinct lines, so that lines are compared as integers. */
function* numberLines(
  lines: readonly string[],
  numbers: Map<string, number>,
): Generator<undefined, Int32Array> {
  const numbered = new Int32Array(lines.length);
  for (const [index, line] of lines.entries()) {
    const number = numbers.get(line) ?? numbers.size;
    numbers.set(line, number);
    numbered[index] = number;
    if (index % linesOfPart === 0) yield;
  }
  return numbered;
}

/**
 * Myers' forward search. For each diagonal k (position in `a` minus position in `b`) it keeps the furthest position in `a`
 * that `d` edits reach.
 *
 * @returns for every d the furthest positions on the diagonals -d, -d + 2, … d; the last one reaches both ends. Null when
 *   the search exceeds its limits.
 */
function* traceShortestEdit(a: Int32Array, b: Int32Array): Generator<undefined, Int32Array[] | null> {
  const limit = Math.min(maximumEdits, a.length + b.length);
  const trace: Int32Array[] = [];
  let comparisons = 0;
  let inPart = 0;
  for (let d = 0; d <= limit; d += 1) {
    const furthest = new Int32Array(d + 1);
    const previous = trace[d - 1];
    trace.push(furthest);
    for (let index = 0; index <= d; index += 1) {
      const k = 2 * index - d;
      const start = previous === undefined ? 0 : stepOnto(previous, index, d).x;
      let x = start;
      while (x < a.length && x - k < b.length && a[x] === b[x - k]) {
        x += 1;
      }
      furthest[index] = x;
      if (x >= a.length && x - k >= b.length) {
        return trace;
      }
      comparisons += 1 + x - start;
      inPart += 1 + x - start;
      if (inPart > comparisonsOfPart) {
        inPart = 0;
        yield;
      }
      if (comparisons > maximumComparisons) {
        return null;
      }
    }
  }
  return null;
}

/**
 * The better of the two ways to reach a diagonal with the d-th edit: a deletion from the diagonal below, which advances
 * one line in `a`, or an insertion from the one above. `previous` holds the diagonals for d - 1 edits.
 */
function stepOnto(previous: Int32Array, index: number, d: number): { x: number; isDeletion: boolean } {
  const deletion = index === 0 ? -1 : (previous[index - 1] ?? -1) + 1;
  const insertion = index === d ? -1 : (previous[index] ?? -1);
  return deletion > insertion ? { x: deletion, isDeletion: true } : { x: insertion, isDeletion: false };
}

/** Follows the trace back from both ends and joins adjacent edits. */
function collectChanges(
  trace: readonly Int32Array[],
  aLength: number,
  bLength: number,
  offset: number,
): Change[] {
  const changes: Change[] = [];
  let x = aLength;
  let y = bLength;
  for (let d = trace.length - 1; d > 0; d -= 1) {
    const previous = trace[d - 1] ?? new Int32Array(0);
    const k = x - y;
    const step = stepOnto(previous, (k + d) / 2, d);
    const beforeTo = step.x;
    const afterTo = step.x - k;
    x = step.isDeletion ? beforeTo - 1 : beforeTo;
    y = step.isDeletion ? afterTo : afterTo - 1;
    const next = changes.at(-1);
    // Equal lines between two edits would have advanced both texts.
    if (next !== undefined && next.beforeFrom === offset + beforeTo && next.afterFrom === offset + afterTo) {
      next.beforeFrom = offset + x;
      next.afterFrom = offset + y;
    } else {
      changes.push({
        beforeFrom: offset + x,
        beforeTo: offset + beforeTo,
        afterFrom: offset + y,
        afterTo: offset + afterTo,
      });
    }
  }
  return changes.reverse();
}

/** Adds context lines to the changes, and joins changes whose context overlaps into one hunk. */
function* formHunks(
  beforeLines: readonly string[],
  afterLines: readonly string[],
  changes: readonly Change[],
): Generator<undefined, Hunk[]> {
  const groups: Change[][] = [];
  for (const change of changes) {
    const group = groups.at(-1);
    const last = group?.at(-1);
    if (group !== undefined && last !== undefined && change.beforeFrom - last.beforeTo <= 2 * contextLines) {
      group.push(change);
    } else {
      groups.push([change]);
    }
  }
  const hunks: Hunk[] = [];
  for (const group of groups) hunks.push(yield* formHunk(beforeLines, afterLines, group));
  return hunks;
}

function* formHunk(
  beforeLines: readonly string[],
  afterLines: readonly string[],
  group: readonly Change[],
): Generator<undefined, Hunk> {
  const lines: string[] = [];
  function* append(mark: string, source: readonly string[], from: number, to: number) {
    for (let index = from; index < to; index += 1) {
      lines.push(mark + (source[index] ?? ''));
      if (lines.length % linesOfPart === 0) yield;
    }
  }
  const firstChange = group[0];
  const lastChange = group.at(-1);
  if (firstChange === undefined || lastChange === undefined) {
    throw new Error('A hunk needs at least one change.');
  }
  const leading = Math.min(contextLines, firstChange.beforeFrom);
  const trailing = Math.min(contextLines, beforeLines.length - lastChange.beforeTo);
  let position = firstChange.beforeFrom - leading;
  for (const change of group) {
    yield* append(' ', beforeLines, position, change.beforeFrom);
    yield* append('-', beforeLines, change.beforeFrom, change.beforeTo);
    yield* append('+', afterLines, change.afterFrom, change.afterTo);
    position = change.beforeTo;
  }
  yield* append(' ', beforeLines, position, position + trailing);
  const beforeCount = lastChange.beforeTo + trailing - (firstChange.beforeFrom - leading);
  const afterCount = lastChange.afterTo + trailing - (firstChange.afterFrom - leading);
  return {
    beforeStart: firstChange.beforeFrom - leading + (beforeCount === 0 ? 0 : 1),
    beforeLines: beforeCount,
    afterStart: firstChange.afterFrom - leading + (afterCount === 0 ? 0 : 1),
    afterLines: afterCount,
    lines,
  };
}
