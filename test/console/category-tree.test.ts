/** The tree of categories without its page: what a move changes, where one may go, and what is read to draw it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  buildTree,
  flattenTree,
  idsWithin,
  indexTree,
  neighbouringTargets,
  obstacleOf,
  placesIn,
  planMove,
  type TreeNode,
  type TreeRecord,
} from '../../packages/console/src/features/categories/tree.ts';

const record = (id: string, parentId: string | null, position: number): TreeRecord => ({
  id,
  version: 1,
  name: id,
  slug: id,
  parentId,
  position,
});

/** Applies the changes of a move, as the server would. */
function apply(records: readonly TreeRecord[], moves: ReturnType<typeof planMove>): readonly TreeRecord[] {
  return records.map((one) => ({ ...one, ...moves.find(({ id }) => id === one.id)?.to }));
}

test('a move brings a category exactly where it is wanted, and leaves the order of all others', () => {
  const positions = fc.array(fc.record({ parent: fc.nat(20), position: fc.integer({ min: -3, max: 3 }) }), {
    minLength: 1,
    maxLength: 12,
  });
  fc.assert(
    fc.property(positions, fc.nat(), fc.nat(), fc.nat(), (drawn, which, below, beside) => {
      const records = drawn.map(({ parent, position }, index) =>
        record(`c${index}`, parent < index ? `c${parent}` : null, position),
      );
      const roots = buildTree(records);
      const tree = indexTree(roots);
      const nodes = flattenTree(roots);
      assert.equal(nodes.length, records.length);
      const node = nodes[which % nodes.length];
      const place = tree.places.get(node?.id ?? '');
      assert.ok(node && place);
      const parents = [null, ...nodes.map(({ id }) => id)];
      const parentId = parents[below % parents.length] ?? null;
      const siblings = nodes.filter((one) => one.parentId === parentId && one.id !== node.id);
      const before = [...siblings.map(({ id }) => id), null][beside % (siblings.length + 1)] ?? null;
      if (obstacleOf(tree, place, { parentId, before }) !== null) return;
      const moved = flattenTree(buildTree(apply(records, planMove(tree, place, { parentId, before }))));
      const order = moved.filter((one) => one.parentId === parentId).map(({ id }) => id);
      const wanted = siblings.map(({ id }) => id);
      wanted.splice(before === null ? wanted.length : wanted.indexOf(before), 0, node.id);
      assert.deepEqual(order, wanted);
      for (const one of nodes) {
        if (one.id === node.id) continue;
        assert.equal(moved.find(({ id }) => id === one.id)?.parentId, one.parentId);
      }
    }),
  );
});

test('a move among equal positions changes the siblings on one side only', () => {
  const ids = Array.from({ length: 10 }, (_, index) => `c${index}`);
  const tree = indexTree(buildTree(ids.map((id) => record(id, null, 0))));
  const changed = (id: string, before: string | null) => {
    const place = tree.places.get(id);
    assert.ok(place);
    return planMove(tree, place, { parentId: null, before }).map((move) => move.id);
  };
  assert.deepEqual(changed('c3', null), ['c3']);
  assert.deepEqual(changed('c3', 'c0'), ['c3']);
  assert.deepEqual(changed('c0', 'c8'), ['c0', 'c8', 'c9']);
  assert.deepEqual(changed('c9', 'c1'), ['c9', 'c0']);
});

test('next to the largest position the siblings before make room, next to the smallest one those behind', () => {
  const largest = 2 ** 31 - 1;
  for (const [end, wanted] of [
    [largest, ['b', 'a']],
    [-largest, ['b', 'c']],
  ] as const) {
    const between = end > 0 ? [end - 1, end] : [end, end + 1];
    const records = [
      record('a', null, between[0] ?? 0),
      record('c', null, between[1] ?? 0),
      record('b', 'a', 0),
    ];
    const tree = indexTree(buildTree(records));
    const place = tree.places.get('b');
    assert.ok(place);
    const moves = planMove(tree, place, { parentId: null, before: 'c' });
    assert.deepEqual(
      moves.map(({ id }) => id),
      wanted,
    );
    assert.deepEqual(
      flattenTree(buildTree(apply(records, moves))).map(({ id }) => id),
      ['a', 'b', 'c'],
    );
  }
});

test('a category goes nowhere below itself, nor deeper than eight levels', () => {
  const chain = Array.from({ length: 8 }, (_, index) =>
    record(`c${index}`, index === 0 ? null : `c${index - 1}`, 0),
  );
  const tree = indexTree(buildTree([...chain, record('other', null, 10)]));
  const top = tree.places.get('c0');
  const other = tree.places.get('other');
  assert.ok(top && other);
  assert.equal(obstacleOf(tree, top, { parentId: 'c3', before: null }), 'inside-itself');
  assert.equal(obstacleOf(tree, top, { parentId: top.node.id, before: null }), 'inside-itself');
  assert.equal(obstacleOf(tree, other, { parentId: 'c7', before: null }), 'too-deep');
  assert.equal(obstacleOf(tree, top, { parentId: 'other', before: null }), 'too-deep');
  assert.equal(obstacleOf(tree, other, { parentId: 'c6', before: null }), null);
  assert.deepEqual(neighbouringTargets(tree, top), {
    up: null,
    down: { parentId: null, before: null },
    into: null,
    out: null,
  });
});

/** How often something of a tree's nodes and lists is read when all of its rows are drawn while one is being dragged. */
function countReads(roots: readonly TreeNode[]): number {
  let reads = 0;
  const counting = <T extends object>(value: T): T =>
    new Proxy(value, {
      get(target, name, receiver) {
        reads += 1;
        return Reflect.get(target, name, receiver);
      },
    });
  const counted = (nodes: readonly TreeNode[]): readonly TreeNode[] =>
    counting(nodes.map((node) => counting({ ...node, children: counted(node.children) })));
  const tree = indexTree(counted(roots));
  const places = placesIn(tree, new Set());
  assert.equal(places.length, flattenTree(roots).length);
  for (const place of places) neighbouringTargets(tree, place);
  const dragged = places.find(({ parent }) => parent === null);
  assert.ok(idsWithin(tree, dragged?.node.id ?? '').size > 0);
  return reads;
}

test('what is read to draw a tree grows like the number of categories', () => {
  const shapes: readonly [string, (index: number) => string | null][] = [
    ['all at the top', () => null],
    ['all below one', (index) => (index === 0 ? null : 'c0')],
    ['seven below each', (index) => (index === 0 ? null : `c${Math.floor((index - 1) / 7)}`)],
  ];
  for (const [name, parentOf] of shapes) {
    const readsFor = (count: number) =>
      countReads(
        buildTree(Array.from({ length: count }, (_, index) => record(`c${index}`, parentOf(index), index))),
      );
    const [some, twice] = [readsFor(1_000), readsFor(2_000)];
    // Twice as many would be four times the reads if each row went through all others.
    assert.ok(twice < 2.5 * some, `${name}: ${some} reads for 1,000 categories, ${twice} for 2,000`);
  }
});
