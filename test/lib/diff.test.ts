import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Hunk } from '@trellis/server/kernel/lib/diff.ts';
import { diffLines as diffInParts } from '@trellis/server/kernel/lib/diff.ts';
import fastCheck from 'fast-check';
import { checkProperty } from './property.ts';

/** The hunks, and in how many parts they were found. */
function countParts(before: string, after: string): { hunks: Hunk[]; parts: number } {
  const work = diffInParts(before, after);
  for (let parts = 1; ; parts += 1) {
    const { done, value } = work.next();
    if (done === true) return { hunks: value, parts };
  }
}

const diffLines = (before: string, after: string) => countParts(before, after).hunks;

/** Few different lines, so that texts share many. */
const anyText = fastCheck
  .array(fastCheck.constantFrom('a', 'b', 'c', '', 'd\r'), { maxLength: 40 })
  .map((lines) => lines.join('\n'));

/** A text and an edited copy: long equal stretches with changes between. */
const anyEdit = fastCheck
  .tuple(
    fastCheck.array(fastCheck.constantFrom('a', 'b', 'c', 'd', ''), { minLength: 20, maxLength: 60 }),
    fastCheck.array(
      fastCheck.tuple(fastCheck.nat(60), fastCheck.nat(2), fastCheck.array(fastCheck.constant('x'))),
    ),
  )
  .map(([lines, edits]) => {
    const edited: string[] = [...lines];
    for (const [start, count, inserted] of edits) {
      edited.splice(start, count, ...inserted);
    }
    return [lines.join('\n'), edited.join('\n')] as const;
  });

describe('diffLines', () => {
  test('writes hunks as a unified diff does', () => {
    const before = numbered(1, 20);
    const after = before
      .replace('5\n', 'five\nand a half\n')
      .replace('7\n', '')
      .replace('18\n', 'eighteen\n');
    assert.deepEqual(diffLines(before, after), [
      {
        beforeStart: 2,
        beforeLines: 9,
        afterStart: 2,
        afterLines: 9,
        lines: [' 2', ' 3', ' 4', '-5', '+five', '+and a half', ' 6', '-7', ' 8', ' 9', ' 10'],
      },
      {
        beforeStart: 15,
        beforeLines: 7,
        afterStart: 15,
        afterLines: 7,
        lines: [' 15', ' 16', ' 17', '-18', '+eighteen', ' 19', ' 20', ' '],
      },
    ]);
  });

  test('joins changes whose context lines meet, and separates the others', () => {
    const before = numbered(1, 20);
    assert.equal(diffLines(before, before.replace('5\n', 'x\n').replace('12\n', 'x\n')).length, 1);
    assert.equal(diffLines(before, before.replace('5\n', 'x\n').replace('13\n', 'x\n')).length, 2);
  });

  test('starts at the line before an empty range', () => {
    assert.deepEqual(diffLines('', 'a\nb'), [
      { beforeStart: 0, beforeLines: 0, afterStart: 1, afterLines: 2, lines: ['+a', '+b'] },
    ]);
    assert.deepEqual(diffLines('a\nb', ''), [
      { beforeStart: 1, beforeLines: 2, afterStart: 0, afterLines: 0, lines: ['-a', '-b'] },
    ]);
  });

  test('shows a line feed at the end as an empty last line', () => {
    assert.deepEqual(diffLines('a', 'a\n')[0]?.lines, [' a', '+']);
    assert.deepEqual(diffLines('a\r\n', 'a\n')[0]?.lines, ['-a\r', '+a', ' ']);
  });

  test('finds no difference between equal texts', () => {
    for (const text of ['', '\n', 'a', 'a\nb\n']) {
      assert.deepEqual(diffLines(text, text), []);
    }
  });

  test('applied to the first text gives the second', (context) => {
    checkProperty(
      context,
      fastCheck.property(fastCheck.oneof(fastCheck.tuple(anyText, anyText), anyEdit), ([before, after]) => {
        assert.equal(applyHunks(before, diffLines(before, after)), after);
      }),
      3000,
    );
  });

  test('is the shortest edit script, in the documented form', (context) => {
    checkProperty(
      context,
      fastCheck.property(fastCheck.oneof(fastCheck.tuple(anyText, anyText), anyEdit), ([before, after]) => {
        const hunks = diffLines(before, after);
        const changed = hunks.flatMap((hunk) => hunk.lines).filter((line) => !line.startsWith(' '));
        assert.equal(changed.length, shortestEditLength(splitLines(before), splitLines(after)));
        hunks.forEach(assertUnifiedForm);
      }),
      1000,
    );
  });

  test('returns a correct replacement for long texts that differ too much', () => {
    const before = numbered(1, 2000);
    const after = `1\n${numbered(10_001, 12_000)}2000\n`.replace('11000\n', '1500\n');
    const hunks = diffLines(before, after);
    assert.equal(applyHunks(before, hunks), after);
    // Everything between the common first and last line, though line 1500 is in both.
    assert.equal(hunks.length, 1);
    assert.ok(hunks[0]?.lines.includes('-1500') && hunks[0].lines.includes('+1500'));
  });

  test('finds the common lines of long texts with few differences', () => {
    const before = numbered(1, 50_000);
    const after = before.replace('\n10000\n', '\n').replace('\n40000\n', '\n40000\nmore\n');
    const hunks = diffLines(before, after);
    assert.equal(applyHunks(before, hunks), after);
    assert.deepEqual(
      hunks.flatMap((hunk) => hunk.lines).filter((line) => !line.startsWith(' ')),
      ['-10000', '+more'],
    );
  });

  test('handles the largest texts with equal lines between different ones', () => {
    const same = 'a\n'.repeat(250_000);
    const before = numbered(1, 1000) + same + numbered(1001, 2000);
    const after = numbered(3001, 4000) + same + numbered(4001, 5000);
    assert.equal(applyHunks(before, diffLines(before, after)), after);
    const empty = '\n'.repeat(512 * 1024);
    assert.equal(applyHunks(empty, diffLines(empty, `x${empty}y`)), `x${empty}y`);
  });
});

function numbered(from: number, to: number): string {
  return Array.from({ length: to - from + 1 }, (_, index) => `${from + index}\n`).join('');
}

function splitLines(text: string): string[] {
  return text === '' ? [] : text.split('\n');
}

/** Applies the hunks, and checks that their lines are really there. */
function applyHunks(before: string, hunks: readonly Hunk[]): string {
  const source = splitLines(before);
  const parts: string[][] = [];
  let position = 0;
  for (const hunk of hunks) {
    const start = hunk.beforeLines === 0 ? hunk.beforeStart : hunk.beforeStart - 1;
    parts.push(source.slice(position, start));
    const expected = hunk.lines.filter((line) => !line.startsWith('+')).map((line) => line.slice(1));
    assert.deepEqual(source.slice(start, start + hunk.beforeLines), expected);
    parts.push(hunk.lines.filter((line) => !line.startsWith('-')).map((line) => line.slice(1)));
    position = start + hunk.beforeLines;
  }
  parts.push(source.slice(position));
  return parts.flat().join('\n');
}

function assertUnifiedForm(hunk: Hunk): void {
  const marks = hunk.lines.map((line) => line.charAt(0)).join('');
  assert.match(marks, /^ {0,3}(?:-*\+* {0,6})*?(?:-+\+*|\++) {0,3}$/);
  assert.doesNotMatch(marks, /\+-/, 'deletions come before insertions');
  assert.equal(marks.replaceAll('+', '').length, hunk.beforeLines);
  assert.equal(marks.replaceAll('-', '').length, hunk.afterLines);
}

/** The number of deleted and inserted lines, from the longest common subsequence by the textbook's table. */
function shortestEditLength(a: readonly string[], b: readonly string[]): number {
  let previous = new Array<number>(b.length + 1).fill(0);
  for (const line of a) {
    const current = [0];
    for (const [index, other] of b.entries()) {
      const longest = Math.max(previous[index + 1] ?? 0, current[index] ?? 0);
      current.push(line === other ? (previous[index] ?? 0) + 1 : longest);
    }
    previous = current;
  }
  return a.length + b.length - 2 * (previous.at(-1) ?? 0);
}

/** Bodies of 500 kB: only line feeds, all lines different, the same few lines in another order, and many changes far apart. */
const largeBodies: readonly (readonly [string, string, string])[] = [
  ['line feeds', '\n'.repeat(500_000), 'a\n'.repeat(250_000)],
  ['different lines', numbered(1, 70_000), numbered(100_001, 170_000)],
  ['repeated lines', 'a\nb\n'.repeat(125_000), 'b\na\na\n'.repeat(83_000)],
  ['many changes', numbered(1, 80_000), numbered(1, 80_000).replaceAll(/(0|5)50\n/g, 'x\n')],
];
for (const [name, before, after] of largeBodies)
  test(`large bodies are compared in parts of at most 16,384 lines: ${name}`, () => {
    const { hunks, parts } = countParts(before, after);
    assert.equal(applyHunks(before, hunks), after);
    const changed = hunks.reduce((sum, { lines }) => sum + lines.length, 0);
    const least = splitLines(before).length + splitLines(after).length + changed;
    assert.ok(parts > Math.floor(least / 16_384), `${parts} parts of ${least} lines`);
  });
