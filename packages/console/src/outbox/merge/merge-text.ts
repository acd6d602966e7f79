/**
 * Three-way merge of texts by lines. A line includes its terminator (LF, CR LF or CR), and nothing is normalized, so unchanged text stays
 * identical byte for byte. Adjacent changes of both sides are a conflict even when they share no line, because their order is ambiguous.
 */
import { diffIndices } from 'node-diff3';

/** A part of the merged text. */
export type TextPart =
  | { readonly kind: 'merged'; readonly text: string }
  /** Both sides have changed the same lines differently. */
  | { readonly kind: 'conflict'; readonly base: string; readonly mine: string; readonly theirs: string };

/** Consecutive lines of the base that one side replaced. */
interface Hunk {
  readonly baseStart: number;
  readonly baseEnd: number;
  readonly start: number;
  readonly end: number;
}

/** A text as lines, with the hunks that one side changed. */
interface Side {
  readonly lines: readonly string[];
  readonly hunks: readonly Hunk[];
}

/**
 * Limits on the pairs of equal lines and of all lines in a comparison, which bound its run time. Beyond them the whole region counts as
 * replaced: that may report a conflict between separate changes, but loses none.
 */
const [mostEqualPairs, mostPairs] = [2_000_000, 150_000_000];

/** Merges two texts with a common base. Without a conflict the result is one part, or none for an empty text. */
export function mergeText(base: string, mine: string, theirs: string): TextPart[] {
  const baseLines = splitLines(base);
  const sides = [toSide(baseLines, splitLines(mine)), toSide(baseLines, splitLines(theirs))] as const;
  const [readMine, readTheirs] = [regionReader(sides[0]), regionReader(sides[1])];
  const parts: TextPart[] = [];
  let done = 0;
  for (const region of findRegions(sides)) {
    append(parts, baseLines.slice(done, region.start).join(''));
    const original = baseLines.slice(region.start, region.end).join('');
    const [left, right] = [readMine(region), readTheirs(region)];
    if (left === right || right === original) append(parts, left);
    else if (left === original) append(parts, right);
    else parts.push({ kind: 'conflict', base: original, mine: left, theirs: right });
    done = region.end;
  }
  append(parts, baseLines.slice(done).join(''));
  return parts;
}

/** The merged text, with the given side in each conflict. */
export function resolveText(parts: readonly TextPart[], side: 'mine' | 'theirs'): string {
  return parts.map((part) => (part.kind === 'merged' ? part.text : part[side])).join('');
}

/** The lines of a text, each with its terminator. */
export function splitLines(text: string): string[] {
  return text.match(/[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+$/g) ?? [];
}

interface Region {
  readonly start: number;
  readonly end: number;
}

/** Regions of the base that either side changed; adjacent changes form one region. */
function findRegions([mine, theirs]: readonly [Side, Side]): Region[] {
  const hunks = [...mine.hunks, ...theirs.hunks].sort(
    (a, b) => a.baseStart - b.baseStart || a.baseEnd - b.baseEnd,
  );
  const regions: { start: number; end: number }[] = [];
  for (const { baseStart, baseEnd } of hunks) {
    const last = regions.at(-1);
    if (last !== undefined && baseStart <= last.end) last.end = Math.max(last.end, baseEnd);
    else regions.push({ start: baseStart, end: baseEnd });
  }
  return regions;
}

/**
 * Returns a function that reads a side's lines for a region of the base, offset by the side's earlier hunks. Call it with the regions in
 * order: it advances a cursor, so the total time is linear in the text.
 */
export function regionReader({ lines, hunks }: Side): (region: Region) => string {
  let [next, moved] = [0, 0];
  return ({ start, end }) => {
    const from = start + moved;
    for (let hunk = hunks[next]; hunk !== undefined && hunk.baseStart <= end; hunk = hunks[next]) {
      moved += hunk.end - hunk.start - (hunk.baseEnd - hunk.baseStart);
      next += 1;
    }
    return lines.slice(from, end + moved).join('');
  };
}

function toSide(base: readonly string[], lines: readonly string[]): Side {
  return { lines, hunks: compare(base, lines) };
}

/** The changes from one list of lines to another. */
function compare(base: readonly string[], lines: readonly string[]): Hunk[] {
  let head = 0;
  while (head < base.length && head < lines.length && base[head] === lines[head]) head += 1;
  let tail = 0;
  while (
    tail < Math.min(base.length, lines.length) - head &&
    base[base.length - 1 - tail] === lines[lines.length - 1 - tail]
  ) {
    tail += 1;
  }
  const from = base.slice(head, base.length - tail);
  const to = lines.slice(head, lines.length - tail);
  if (from.length === 0 && to.length === 0) return [];
  if (from.length === 0 || to.length === 0 || isTooLong(from, to)) {
    return [{ baseStart: head, baseEnd: head + from.length, start: head, end: head + to.length }];
  }
  return diffIndices(from, to).map(({ buffer1: [baseStart, baseLength], buffer2: [start, length] }) => ({
    baseStart: head + baseStart,
    baseEnd: head + baseStart + baseLength,
    start: head + start,
    end: head + start + length,
  }));
}

function isTooLong(from: readonly string[], to: readonly string[]): boolean {
  if (from.length * to.length > mostPairs) return true;
  const counts = new Map<string, number>();
  for (const line of to) counts.set(line, (counts.get(line) ?? 0) + 1);
  return from.reduce((sum, line) => sum + (counts.get(line) ?? 0), 0) > mostEqualPairs;
}

function append(parts: TextPart[], text: string): void {
  const last = parts.at(-1);
  if (text === '') return;
  if (last?.kind === 'merged') parts[parts.length - 1] = { kind: 'merged', text: last.text + text };
  else parts.push({ kind: 'merged', text });
}
