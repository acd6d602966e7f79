/** Tests of the three-way merge: no line of either side is lost unless a conflict tells it, and texts stay byte for byte. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mergeRecord, placesOf, resolveConflicts } from '@trellis/console/outbox/merge/merge.ts';
import {
  mergeText,
  regionReader,
  resolveText,
  splitLines,
  type TextPart,
} from '@trellis/console/outbox/merge/merge-text.ts';
import fc from 'fast-check';
import { excerptOf } from '../../../packages/console/src/pending/conflict-excerpt.ts';

const ends = fc.constantFrom('\n', '\r\n', '\r');
/** Lines as people and programs leave them: NFC, NFD, emoji, blanks, and many that are equal. */
const contents = fc.oneof(
  fc.constantFrom('', '', ' ', 'é', 'é', '👩‍👩‍👧', '- item', '# Head'),
  fc.string({ unit: 'grapheme', maxLength: 6 }).map((text) => text.replace(/[\r\n]/g, '')),
);
const texts = fc
  .tuple(fc.array(fc.tuple(contents, ends), { maxLength: 30 }), contents)
  .map(([lines, last]) => lines.map(([content, end]) => content + end).join('') + last);

/** Three of four lines: with fewer, the sides would nearly always meet. */
const isQuiet = fc.nat({ max: 3 }).map((number) => number > 0);

/** What one side does to a base: for each line, how many new lines it puts before it, whether it deletes it, and whether it does neither. */
const edits = fc.array(fc.tuple(fc.nat({ max: 2 }), fc.boolean(), isQuiet), {
  minLength: 13,
  maxLength: 13,
});

/** Applies edits to lines that are all different; the new lines carry the side's name. */
function edit(
  lines: readonly string[],
  side: string,
  script: readonly (readonly [number, boolean, boolean])[],
) {
  const inserted: string[] = [];
  const deleted = new Set<string>();
  const result: string[] = [];
  for (const [index, line] of [...lines, null].entries()) {
    const [count = 0, isDeleted = false, isLeft = true] = script[index] ?? [];
    for (let number = 0; !isLeft && number < count; number += 1) {
      const added = `${side} ${index}.${number}\r\n`;
      inserted.push(added);
      result.push(added);
    }
    if (line === null) continue;
    if (!isLeft && isDeleted) deleted.add(line);
    else result.push(line);
  }
  return { text: result.join(''), inserted, deleted };
}

const swapped = (parts: readonly TextPart[]): TextPart[] =>
  parts.map((part) => (part.kind === 'merged' ? part : { ...part, mine: part.theirs, theirs: part.mine }));
const plain = (text: string): TextPart[] => (text === '' ? [] : [{ kind: 'merged', text }]);

test('lines keep their ends, and joined they are the text', () => {
  fc.assert(fc.property(texts, (text) => assert.equal(splitLines(text).join(''), text)));
  assert.deepEqual(splitLines('a\r\nb\rc\n\nd'), ['a\r\n', 'b\r', 'c\n', '\n', 'd']);
});

test('a side that changed nothing, and sides that did the same, make no conflict and no change', () => {
  fc.assert(
    fc.property(texts, texts, (base, side) => {
      assert.deepEqual(mergeText(base, side, side), plain(side));
      assert.deepEqual(mergeText(base, side, base), plain(side));
      assert.deepEqual(mergeText(base, base, side), plain(side));
    }),
  );
});

test('exchanging the sides exchanges them in the conflicts and changes nothing else', () => {
  fc.assert(
    fc.property(texts, texts, texts, (base, mine, theirs) => {
      assert.deepEqual(mergeText(base, theirs, mine), swapped(mergeText(base, mine, theirs)));
    }),
  );
});

test('the parts contain both texts: with one side in every conflict nothing of that side is missing', () => {
  const base = Array.from({ length: 12 }, (_, index) => `base ${index}\n`);
  let conflicts = 0;
  let merges = 0;
  fc.assert(
    fc.property(edits, edits, (first, second) => {
      const mine = edit(base, 'mine', first);
      const theirs = edit(base, 'theirs', second);
      const parts = mergeText(base.join(''), mine.text, theirs.text);
      const conflicting = parts.filter((part) => part.kind === 'conflict');
      if (conflicting.length > 0) conflicts += 1;
      else if (mine.inserted.length > 0 && theirs.inserted.length > 0) merges += 1;
      const merged = splitLines(parts.map((part) => (part.kind === 'merged' ? part.text : '')).join(''));
      const inConflict = {
        mine: splitLines(conflicting.map((part) => part.mine).join('')),
        theirs: splitLines(conflicting.map((part) => part.theirs).join('')),
      };
      const once = (line: string, ...places: string[][]) =>
        assert.equal(places.flat().filter((one) => one === line).length, 1, line);
      for (const line of mine.inserted) once(line, merged, inConflict.mine);
      for (const line of theirs.inserted) once(line, merged, inConflict.theirs);
      for (const line of base) {
        // A line that somebody deleted is gone, unless the conflict tells it; one that nobody deleted is there.
        const isDeleted = mine.deleted.has(line) || theirs.deleted.has(line);
        if (isDeleted) assert.ok(!merged.includes(line), line);
        else {
          once(line, merged, inConflict.mine);
          once(line, merged, inConflict.theirs);
        }
      }
      // The order of a side's lines is kept.
      for (const [side, lines] of [
        ['mine', mine.text],
        ['theirs', theirs.text],
      ] as const) {
        const result = splitLines(resolveText(parts, side));
        const kept = splitLines(lines).filter((line) => result.includes(line));
        const places = kept.map((line) => result.indexOf(line));
        assert.deepEqual(
          places,
          [...places].sort((a, b) => a - b),
        );
      }
    }),
    { numRuns: 1_000 },
  );
  assert.ok(
    conflicts > 20 && merges > 20,
    `${conflicts} conflicts, ${merges} merges: too few to tell anything`,
  );
});

test('changes of different paragraphs are merged, and a conflict shows only what both touched', () => {
  const base = 'Title\r\n\r\nFirst cafe\u0301.\r\n\r\nSecond 👩‍👩‍👧.\r\n\r\nThird.\r\n';
  const mine = base.replace('First', '1st').replace('Third', 'My third');
  const theirs = base.replace('Second', '2nd').replace('Third', 'Their third');
  assert.deepEqual(mergeText(base, mine, theirs), [
    { kind: 'merged', text: 'Title\r\n\r\n1st cafe\u0301.\r\n\r\n2nd 👩‍👩‍👧.\r\n\r\n' },
    { kind: 'conflict', base: 'Third.\r\n', mine: 'My third.\r\n', theirs: 'Their third.\r\n' },
  ]);
});

test('a body of half a megabyte of equal lines is compared without looking at every pair', () => {
  const base = '\n'.repeat(500_000);
  // The numbers of lines on both sides differ at the beginning and at the end, so there is nothing to skip.
  const mine = `a\n${base}b\n`;
  const theirs = `c\n${base.slice(0, 1_000)}`;
  const parts = mergeText(base, mine, theirs);
  assert.equal(resolveText(parts, 'mine').includes('a\n'), true);
  assert.equal(resolveText(parts, 'theirs').includes('c\n'), true);
});

test('records are merged field by field; only fields that both changed differently are conflicts', () => {
  const base = {
    title: 'Emma',
    subtitle: null,
    tags: ['a'],
    versionData: { title: 'One', body: 'a\nb\nc\n', summary: 'S' },
    version: 3,
  };
  const mine = {
    ...base,
    title: 'Emma!',
    tags: ['a', 'b'],
    versionData: { title: 'Mine', body: 'A\nb\nc\n', summary: 'S' },
  };
  const theirs = {
    ...base,
    subtitle: 'A novel',
    tags: ['a', 'b'],
    versionData: { title: 'Theirs', body: 'a\nb\nC\n', summary: 'New' },
    version: 5,
  };
  const fields = [
    'title',
    'subtitle',
    'tags',
    'versionData.title',
    'versionData.body',
    'versionData.summary',
  ];
  const { values, conflicts, patch } = mergeRecord({
    base,
    mine,
    theirs,
    fields,
    texts: ['versionData.body'],
  });
  assert.deepEqual(Object.fromEntries(values), {
    title: 'Emma!',
    subtitle: 'A novel',
    tags: ['a', 'b'],
    'versionData.title': 'Mine',
    'versionData.body': 'A\nb\nC\n',
    'versionData.summary': 'New',
  });
  assert.deepEqual(conflicts, [
    { field: 'versionData.title', base: 'One', mine: 'Mine', theirs: 'Theirs', parts: null },
  ]);
  assert.deepEqual(patch, { title: 'Emma!', versionData: { title: 'Mine', body: 'A\nb\nC\n' } });
});

test('merging a record with itself sends nothing, and the patch makes of theirs what was merged', () => {
  const value = fc.oneof(
    fc.constant(null),
    fc.string(),
    fc.integer(),
    fc.array(fc.string(), { maxLength: 2 }),
  );
  const record = fc.record({ a: value, b: value, group: fc.record({ c: value, text: texts }) });
  const fields = ['a', 'b', 'group.c', 'group.text'];
  const merge = (base: object, mine: object, theirs: object) =>
    mergeRecord({
      base: { ...base },
      mine: { ...mine },
      theirs: { ...theirs },
      fields,
      texts: ['group.text'],
    });
  fc.assert(
    fc.property(record, record, record, (base, mine, theirs) => {
      assert.deepEqual(merge(base, mine, mine).conflicts, []);
      assert.equal(merge(base, mine, mine).patch, null);
      assert.equal(merge(base, base, theirs).patch, null);
      const { values, patch } = merge(base, mine, theirs);
      const inner: Partial<Record<'c' | 'text', unknown>> = {
        ...theirs.group,
        ...(patch?.group as object | undefined),
      };
      const applied = { ...theirs, ...patch, group: inner };
      assert.deepEqual(
        { a: applied.a, b: applied.b, 'group.c': inner.c, 'group.text': inner.text },
        Object.fromEntries(values),
      );
      const other = merge(base, theirs, mine);
      const names = (result: typeof other) => result.conflicts.map(({ field }) => field);
      assert.deepEqual(names(other), names(merge(base, mine, theirs)));
    }),
  );
});

test('each passage of a text and each other field is decided by itself', () => {
  const { conflicts } = mergeRecord({
    base: { title: 'Base', subtitle: 'Base', body: 'a\nb\nc\nd\ne\n' },
    mine: { title: 'Mine', subtitle: null, body: 'mine a\nb\nmine c\nd\nmine e\n' },
    theirs: { title: 'Theirs', subtitle: 'Theirs', body: 'their a\nb\ntheir c\nd\ntheir e\n' },
    fields: ['title', 'subtitle', 'body'],
    texts: ['body'],
  });
  const places = placesOf(conflicts);
  assert.deepEqual(
    places.map(({ field, number, mine, theirs }) => [field, number, mine, theirs]),
    [
      ['title', null, 'Mine', 'Theirs'],
      ['subtitle', null, null, 'Theirs'],
      ['body', 1, 'mine a\n', 'their a\n'],
      ['body', 2, 'mine c\n', 'their c\n'],
      ['body', 3, 'mine e\n', 'their e\n'],
    ],
  );
  const keyOf = (field: string, number: number | null) =>
    places.find((place) => place.field === field && place.number === number)?.key ?? '';
  assert.equal(new Set(places.map(({ key }) => key)).size, places.length);
  assert.deepEqual(
    [...resolveConflicts(conflicts, {})],
    [
      ['title', 'Mine'],
      ['subtitle', null],
      ['body', 'mine a\nb\nmine c\nd\nmine e\n'],
    ],
  );
  const chosen = {
    [keyOf('title', null)]: 'theirs',
    [keyOf('body', 1)]: 'both',
    [keyOf('body', 2)]: 'theirs',
  } as const;
  assert.deepEqual(
    [...resolveConflicts(conflicts, chosen)],
    [
      ['title', 'Theirs'],
      ['subtitle', null],
      ['body', 'mine a\ntheir a\nb\ntheir c\nd\nmine e\n'],
    ],
  );
});

/** Counts how often elements of a list are read. */
function countReads<T>(list: readonly T[]): { readonly list: readonly T[]; reads(): number } {
  let reads = 0;
  const counted = new Proxy(list, {
    get(target, key) {
      if (typeof key === 'string' && /^\d+$/.test(key)) reads += 1;
      return Reflect.get(target, key);
    },
  });
  return { list: counted, reads: () => reads };
}

// Near the most lines that are compared at all.
const manyLines = 12_000;

test('thousands of places that both have changed are found and resolved by reading the parts of the text once each', () => {
  const text = (side: string) =>
    Array.from({ length: manyLines }, (_, index) => `${index % 2 === 0 ? side : 'line'} ${index}\n`).join('');
  const [base, mine, theirs] = [{ body: text('base') }, { body: text('mine') }, { body: text('theirs') }];
  const { conflicts } = mergeRecord({ base, mine, theirs, fields: ['body'], texts: ['body'] });
  const [conflict] = conflicts;
  assert.ok(conflict !== undefined && conflict.parts !== null);
  const { list: parts, reads } = countReads(conflict.parts);
  const counted = [{ ...conflict, parts }];
  assert.equal(placesOf(counted).length, manyLines / 2);
  const resolved = resolveConflicts(counted, { 'body 2': 'theirs' }).get('body');
  assert.equal(resolved, mine.body.replace('mine 2\n', 'theirs 2\n'));
  assert.equal(reads(), 2 * parts.length);
});

test('what a side has in thousands of places is found by reading its changes once each', () => {
  // Every other line has become two.
  const changes = Array.from({ length: manyLines / 2 }, (_, index) => ({
    baseStart: 2 * index,
    baseEnd: 2 * index + 1,
    start: 3 * index,
    end: 3 * index + 2,
  }));
  const lines = changes.flatMap((_, index) => [`new ${index}\n`, `newer ${index}\n`, `line ${index}\n`]);
  const { list: hunks, reads } = countReads(changes);
  const read = regionReader({ lines, hunks });
  for (const [index, { baseStart, baseEnd }] of changes.entries())
    assert.equal(read({ start: baseStart, end: baseEnd }), `new ${index}\nnewer ${index}\n`);
  // One further read for each place, to see that it ends there.
  assert.ok(reads() <= 2 * changes.length, `${reads()} reads of ${changes.length} changes`);
});

test('the question about a conflict shows of a long text the part around its first difference', () => {
  assert.equal(excerptOf('short', 'other'), 'short');
  const [mine, theirs] = ['mine', 'theirs'].map(
    (side) => `${'x'.repeat(250_000)}${side}${'y'.repeat(250_000)}`,
  );
  assert.ok(mine !== undefined && theirs !== undefined);
  assert.match(excerptOf(mine, theirs), /^…x{200}miney{1796}…$/);
  assert.match(excerptOf(mine, mine.slice(0, 100)), /^x{2000}…$/);
  assert.match(excerptOf(`${mine}z`, mine), /^…y{1999}z$/);
});

test('both sides of a last line that has no end become paragraphs of their own', () => {
  const both = (base: string, mine: string, theirs: string) => {
    const { conflicts } = mergeRecord({
      base: { body: base },
      mine: { body: mine },
      theirs: { body: theirs },
      fields: ['body'],
      texts: ['body'],
    });
    const chosen = Object.fromEntries(placesOf(conflicts).map(({ key }) => [key, 'both' as const]));
    return resolveConflicts(conflicts, chosen).get('body');
  };
  assert.equal(both('One\n\nA.', 'One\n\nA. Mine.', 'One\n\nA. Theirs.'), 'One\n\nA. Mine.\n\nA. Theirs.');
  assert.equal(both('a\r\nb', 'a\r\nMine', 'a\r\nTheirs\r\n'), 'a\r\nMine\r\n\r\nTheirs\r\n');
});
