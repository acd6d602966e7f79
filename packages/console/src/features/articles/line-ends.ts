/**
 * The ends of the lines in an editor. CodeMirror knows lines only, not whether they end in LF, CR LF or CR; what it does not know
 * would be lost with the first save. So the state of the editor keeps the end of each line that differs from the most frequent one.
 * The marks move with the text, and come back when a deletion is undone.
 */
import { invertedEffects } from '@codemirror/commands';
import {
  type ChangeSet,
  type ChangeSpec,
  type EditorState,
  type Extension,
  type Range,
  RangeSet,
  RangeSetBuilder,
  RangeValue,
  StateEffect,
  StateField,
  Text,
  type TransactionSpec,
} from '@codemirror/state';
import { diffIndices } from 'node-diff3';
import { splitLines } from '../../outbox/merge/merge-text.ts';

/** What ends a line. */
type LineEnd = '\n' | '\r\n' | '\r';

/** Pairs of lines beyond which two texts are not compared in detail: the region between their equal beginnings and ends is replaced. */
const mostPairs = 20_000_000;

/** The end of the line whose line break the range covers. */
class LineEndMark extends RangeValue {
  readonly end: LineEnd;

  constructor(end: LineEnd) {
    super();
    this.end = end;
    // Text that is inserted at an edge does not belong to the range.
    this.startSide = 1;
    this.endSide = -1;
  }

  override eq(other: RangeValue): boolean {
    return other instanceof LineEndMark && other.end === this.end;
  }
}

const marks: Readonly<Record<LineEnd, LineEndMark>> = {
  '\n': new LineEndMark('\n'),
  '\r\n': new LineEndMark('\r\n'),
  '\r': new LineEndMark('\r'),
};

interface LineEnds {
  /** The most frequent end, which new lines get. */
  readonly common: LineEnd;
  /** The line breaks that are something else. */
  readonly others: RangeSet<LineEndMark>;
}

/** Line breaks by their position in the document. */
type PlacedEnds = readonly { readonly position: number; readonly end: LineEnd }[];

const setEnds = StateEffect.define<PlacedEnds>({
  map: (ends, changes) => ends.map(({ position, end }) => ({ position: changes.mapPos(position, 1), end })),
});

const lineEnds = StateField.define<LineEnds>({
  create: () => ({ common: '\n', others: RangeSet.empty }),
  update({ common, others }, transaction) {
    let next = transaction.docChanged ? mapMarks(others, transaction.changes) : others;
    for (const effect of transaction.effects) {
      if (!effect.is(setEnds) || effect.value.length === 0) continue;
      const add: Range<LineEndMark>[] = effect.value.map(({ position, end }) =>
        marks[end].range(position, position + 1),
      );
      next = next.update({ add, sort: true });
    }
    return next === others ? { common, others } : { common, others: next };
  },
});

/** The marks after a change of the text, without those of line breaks that were deleted or replaced. */
function mapMarks(before: RangeSet<LineEndMark>, changes: ChangeSet): RangeSet<LineEndMark> {
  let kept = before;
  if (before.size > 0) {
    changes.iterChangedRanges((from, to) => {
      if (from === to) return;
      const filter = (start: number, end: number) => start < from || end > to;
      kept = kept.update({ filter, filterFrom: from, filterTo: to });
    });
  }
  return kept.map(changes);
}

/** The ends of deleted lines return with them when the deletion is undone. */
const restoreEnds = invertedEffects.of((transaction) => {
  const { others } = transaction.startState.field(lineEnds);
  if (!transaction.docChanged || others.size === 0) return [];
  const removed: { position: number; end: LineEnd }[] = [];
  transaction.changes.iterChangedRanges((from, to) => {
    others.between(from, to, (start, end, mark) => {
      if (start >= from && end <= to) removed.push({ position: start, end: mark.end });
    });
  });
  return removed.length === 0 ? [] : [setEnds.of(removed)];
});

/** A text as the editor has it: its lines, and the extension that keeps their ends. */
export function openText(text: string): { readonly doc: Text; readonly extension: Extension } {
  const lines = splitLines(text);
  const common = mostFrequent(lines);
  const builder = new RangeSetBuilder<LineEndMark>();
  const contents: string[] = [];
  let position = 0;
  for (const line of lines) {
    const end = endOf(line);
    const content = end === null ? line : line.slice(0, -end.length);
    contents.push(content);
    position += content.length;
    if (end !== null && end !== common) builder.add(position, position + 1, marks[end]);
    position += 1;
  }
  const last = lines.at(-1);
  if (last === undefined || endOf(last) !== null) contents.push('');
  const initial = { common, others: builder.finish() };
  return { doc: Text.of(contents), extension: [lineEnds.init(() => initial), restoreEnds] };
}

/** The text of an editor, with the ends that its lines were opened with. */
export function readText(state: EditorState): string {
  const { doc } = state;
  const { common, others } = state.field(lineEnds);
  if (others.size === 0) return doc.sliceString(0, doc.length, common);
  let text = '';
  let from = 0;
  const append = (piece: string) => {
    // LF right after CR would be read as one line end. That takes a deletion between two lines with different ends.
    text += piece.startsWith('\n') && text.endsWith('\r') ? `\r${piece}` : piece;
  };
  for (const cursor = others.iter(); cursor.value !== null; cursor.next()) {
    append(doc.sliceString(from, cursor.from, common));
    append(cursor.value.end);
    from = cursor.to;
  }
  append(doc.sliceString(from, doc.length, common));
  return text;
}

/** The change that makes the text of an editor another one, such as after a merge. Lines that are equal are not touched. */
export function replaceText(state: EditorState, text: string): TransactionSpec | null {
  const { common } = state.field(lineEnds);
  const from = linesOf(state);
  const to = splitLines(text);
  const changes: ChangeSpec[] = [];
  const ends: { position: number; end: LineEnd }[] = [];
  const [fromOffsets, toOffsets] = [offsetsOf(from), offsetsOf(to)];
  for (const hunk of compareLines(from, to)) {
    const lines = to.slice(hunk.start, hunk.end);
    const insert = lines.map((line) => {
      const end = endOf(line);
      return end === null ? line : `${line.slice(0, -end.length)}\n`;
    });
    changes.push({
      from: fromOffsets[hunk.baseStart] ?? 0,
      to: fromOffsets[hunk.baseEnd] ?? 0,
      insert: Text.of(insert.join('').split('\n')),
    });
    lines.forEach((line, index) => {
      const end = endOf(line);
      const next = toOffsets[hunk.start + index + 1] ?? 0;
      if (end !== null && end !== common) ends.push({ position: next - 1, end });
    });
  }
  return changes.length === 0 ? null : { changes, effects: setEnds.of(ends) };
}

/**
 * The lines of an editor with the ends that are kept for them. They are not the lines of `readText`, where an end next to a deletion
 * may have been changed: such a line must be replaced, because no text has LF right after CR.
 */
function linesOf(state: EditorState): string[] {
  const { doc } = state;
  const { common, others } = state.field(lineEnds);
  const cursor = others.iter();
  const lines: string[] = [];
  let position = 0;
  for (const content of doc.iterLines()) {
    position += content.length;
    const isLast = position === doc.length;
    const isMarked = cursor.value !== null && cursor.from === position;
    if (!isLast) lines.push(`${content}${isMarked ? (cursor.value?.end ?? common) : common}`);
    else if (content !== '') lines.push(content);
    if (isMarked) cursor.next();
    position += 1;
  }
  return lines;
}

/** Positions at which lines begin in the document, and at the end its length. */
function offsetsOf(lines: readonly string[]): number[] {
  const offsets = [0];
  for (const line of lines) {
    const end = endOf(line);
    const length = end === null ? line.length : line.length - end.length + 1;
    offsets.push((offsets.at(-1) ?? 0) + length);
  }
  return offsets;
}

interface Hunk {
  readonly baseStart: number;
  readonly baseEnd: number;
  readonly start: number;
  readonly end: number;
}

function compareLines(from: readonly string[], to: readonly string[]): Hunk[] {
  let head = 0;
  while (head < from.length && head < to.length && from[head] === to[head]) head += 1;
  let tail = 0;
  const most = Math.min(from.length, to.length) - head;
  while (tail < most && from[from.length - 1 - tail] === to[to.length - 1 - tail]) tail += 1;
  const [left, right] = [from.slice(head, from.length - tail), to.slice(head, to.length - tail)];
  if (left.length === 0 && right.length === 0) return [];
  if (left.length * right.length > mostPairs || left.length === 0 || right.length === 0)
    return [{ baseStart: head, baseEnd: head + left.length, start: head, end: head + right.length }];
  return diffIndices(left, right).map(({ buffer1: [baseStart, removed], buffer2: [start, added] }) => ({
    baseStart: head + baseStart,
    baseEnd: head + baseStart + removed,
    start: head + start,
    end: head + start + added,
  }));
}

function mostFrequent(lines: readonly string[]): LineEnd {
  const counts: Record<LineEnd, number> = { '\n': 0, '\r\n': 0, '\r': 0 };
  for (const line of lines) {
    const end = endOf(line);
    if (end !== null) counts[end] += 1;
  }
  const ends = ['\n', '\r\n', '\r'] as const;
  return ends.reduce((best, end) => (counts[end] > counts[best] ? end : best), '\n');
}

function endOf(line: string): LineEnd | null {
  if (line.endsWith('\r\n')) return '\r\n';
  if (line.endsWith('\n')) return '\n';
  return line.endsWith('\r') ? '\r' : null;
}
