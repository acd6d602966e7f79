/** The tree of a site's categories, and what a move changes in it. */
import { limits } from '@trellis/schema/resources/limits.ts';
import { compareAlphabetically } from '@trellis/schema/values/text.ts';

/** What the tree needs to know of a category. */
export interface TreeRecord {
  readonly id: string;
  readonly version: number;
  readonly name: string;
  readonly slug: string;
  readonly parentId: string | null;
  /** Position among its siblings, ascending; equal ones follow each other by name. */
  readonly position: number;
}

/** A category in the tree. */
export interface TreeNode extends TreeRecord {
  /** 1 at the top. */
  readonly level: number;
  readonly children: readonly TreeNode[];
}

/** Where a category is to be: below a parent, or at the top, and before another one, or last. */
export interface Target {
  readonly parentId: string | null;
  readonly before: string | null;
}

/** The change of one category. */
export interface Move {
  readonly id: string;
  readonly version: number;
  readonly name: string;
  /** The previous and the new place. */
  readonly from: Partial<Pick<TreeRecord, 'parentId' | 'position'>>;
  readonly to: Partial<Pick<TreeRecord, 'parentId' | 'position'>>;
}

/** Why a move cannot be made. */
export type Obstacle = 'inside-itself' | 'too-deep';

/** Distance between renumbered positions, so that later moves between two change one category only. */
const step = 10;
const largestPosition = 2 ** 31 - 1;

/** Builds the tree. A category whose parent is not among the records is at the top level. */
export function buildTree(records: readonly TreeRecord[]): readonly TreeNode[] {
  const ids = new Set(records.map(({ id }) => id));
  const siblings = Map.groupBy(records, ({ parentId }) =>
    parentId !== null && ids.has(parentId) ? parentId : null,
  );
  const nodesBelow = (parentId: string | null, level: number): readonly TreeNode[] =>
    (siblings.get(parentId) ?? [])
      .toSorted(byPosition)
      .map((record) => ({ ...record, level, children: nodesBelow(record.id, level + 1) }));
  return nodesBelow(null, 1);
}

function byPosition(one: TreeRecord, other: TreeRecord): number {
  return (
    one.position - other.position ||
    compareAlphabetically(one.name, other.name) ||
    (one.id < other.id ? -1 : 1)
  );
}

/** All nodes from top to bottom, without those below collapsed ones. */
export function flattenTree(
  nodes: readonly TreeNode[],
  collapsed: ReadonlySet<string> = new Set(),
): readonly TreeNode[] {
  return nodes.flatMap((node) => [
    node,
    ...(collapsed.has(node.id) ? [] : flattenTree(node.children, collapsed)),
  ]);
}

/** The place of a category in the tree. */
export interface Place {
  readonly node: TreeNode;
  /** Null at the top. */
  readonly parent: TreeNode | null;
  /** All below the same parent, with the category itself. */
  readonly siblings: readonly TreeNode[];
  /** Index among the siblings. */
  readonly index: number;
  /** Number of levels of the category and its descendants: 1 without children. */
  readonly height: number;
}

/** A tree with the place of each category by its id. */
export interface Tree {
  readonly roots: readonly TreeNode[];
  readonly places: ReadonlyMap<string, Place>;
}

export function indexTree(roots: readonly TreeNode[]): Tree {
  const places = new Map<string, Place>();
  /** @returns the height of the highest one */
  const add = (siblings: readonly TreeNode[], parent: TreeNode | null): number => {
    let highest = 0;
    for (const [index, node] of siblings.entries()) {
      const height = add(node.children, node) + 1;
      places.set(node.id, { node, parent, siblings, index, height });
      highest = Math.max(highest, height);
    }
    return highest;
  };
  add(roots, null);
  return { roots, places };
}

/** The places from top to bottom, without those below collapsed categories. */
export function placesIn({ roots, places }: Tree, collapsed: ReadonlySet<string>): readonly Place[] {
  return flattenTree(roots, collapsed).flatMap(({ id }) => places.get(id) ?? []);
}

/** The ids of a category and of all below it. */
export function idsWithin({ places }: Tree, id: string): ReadonlySet<string> {
  const place = places.get(id);
  return new Set(flattenTree(place === undefined ? [] : [place.node]).map((node) => node.id));
}

/** Where a category goes one step up or down among its siblings, into the sibling above it, or out of its parent; null: nowhere. */
export function neighbouringTargets(tree: Tree, place: Place) {
  const { parent, siblings, index } = place;
  const parentId = parent?.id ?? null;
  const above = siblings[index - 1];
  const outer = parent === null ? undefined : tree.places.get(parent.id);
  const possible = (target: Target | null): Target | null =>
    target === null || obstacleOf(tree, place, target) !== null ? null : target;
  return {
    up: possible(above === undefined ? null : { parentId, before: above.id }),
    down: possible(
      index + 1 < siblings.length ? { parentId, before: siblings[index + 2]?.id ?? null } : null,
    ),
    into: possible(above === undefined ? null : { parentId: above.id, before: null }),
    out: possible(
      outer === undefined
        ? null
        : { parentId: outer.parent?.id ?? null, before: outer.siblings[outer.index + 1]?.id ?? null },
    ),
  };
}

/** Why a category cannot be at another place; null: it can. The server refuses the same. */
export function obstacleOf(tree: Tree, { node, height }: Place, { parentId }: Target): Obstacle | null {
  const parent = parentId === null ? undefined : tree.places.get(parentId);
  for (
    let above = parent;
    above !== undefined;
    above = above.parent === null ? undefined : tree.places.get(above.parent.id)
  )
    if (above.node.id === node.id) return 'inside-itself';
  return (parent?.node.level ?? 0) + height > limits.categoryDepth ? 'too-deep' : null;
}

/**
 * The changes that bring a category to a place: of the category alone, where there is a free position between its new neighbours;
 * otherwise the siblings on one side of it make room, as few as possible.
 */
export function planMove(tree: Tree, { node }: Place, { parentId, before }: Target): readonly Move[] {
  const parent = parentId === null ? undefined : tree.places.get(parentId);
  const siblings = (parent?.node.children ?? tree.roots).filter(({ id }) => id !== node.id);
  const found = siblings.findIndex(({ id }) => id === before);
  const place = found === -1 ? siblings.length : found;
  const position = freePosition(siblings[place - 1]?.position, siblings[place]?.position);
  if (position !== null) return moveOf(node, parentId, position);
  const [preceding, following] = [siblings.slice(0, place).toReversed(), siblings.slice(place)];
  const up = makeRoom([node, ...following], preceding[0]?.position, 1);
  const down = makeRoom([node, ...preceding], following[0]?.position, -1);
  const isUpPossible = up.every((one) => one.position <= largestPosition);
  const isDownPossible = down.every((one) => one.position >= -largestPosition);
  const chosen = isUpPossible && (up.length <= down.length || !isDownPossible) ? up : down;
  return chosen.flatMap((one) => moveOf(one.node, parentId, one.position));
}

/** Positions for the first node and for those behind it that would not lie beyond it. @param start position that all lie beyond */
function makeRoom(nodes: readonly TreeNode[], start: number | undefined, direction: 1 | -1) {
  const given: { readonly node: TreeNode; readonly position: number }[] = [];
  let last = start ?? 0;
  for (const node of nodes) {
    const isBeyond = (node.position - last) * direction > 0;
    if (given.length > 0 && isBeyond) break;
    last += step * direction;
    given.push({ node, position: last });
  }
  return given;
}

/** A position between two others; null without one. @param below absent: none is before @param above absent: none is after */
function freePosition(below: number | undefined, above: number | undefined): number | null {
  if (below === undefined && above === undefined) return step;
  const low = below ?? (above ?? 0) - 2 * step;
  const high = above ?? low + 2 * step;
  const position = Math.floor((low + high) / 2);
  return position > low && position < high && Math.abs(position) <= largestPosition ? position : null;
}

/** Nothing, for one that is already there. */
function moveOf(node: TreeNode, parentId: string | null, position: number): Move[] {
  const { id, version, name } = node;
  const isOther = node.parentId !== parentId;
  if (!isOther && node.position === position) return [];
  const to = { ...(isOther ? { parentId } : {}), position };
  const from = { ...(isOther ? { parentId: node.parentId } : {}), position: node.position };
  return [{ id, version, name, from, to }];
}
