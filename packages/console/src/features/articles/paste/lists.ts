/** Lists as Markdown nests them, of those that word processors put on the clipboard. */
import { type Element, type ElementContent, elementOf, isElement, type Root } from './trees.ts';

/** The name of the element with the number or bullet that Word writes in front of an item's text. */
export const markerName = 'marker';

/** The level, from 1, of a paragraph that Word shows as an item of a list; null for other elements. */
export function listLevelOf(style: ReadonlyMap<string, string>): number | null {
  const level = /\blevel([1-9])\b/.exec(style.get('mso-list') ?? '')?.[1];
  return level === undefined ? null : Number(level);
}

/** Makes lists of Word's paragraphs, and puts a list within a list into the item before it, where Google Docs does not have it. */
export function nestLists(parent: Root | Element): void {
  for (const child of parent.children) if (child.type === 'element') nestLists(child);
  const children = gatherItems(parent.children);
  parent.children = isList(parent) ? adoptLists(children) : children;
}

function isList(node: Root | ElementContent): node is Element {
  return isElement(node, 'ul', 'ol');
}

function gatherItems(children: readonly ElementContent[]): ElementContent[] {
  const gathered: ElementContent[] = [];
  let lists: { readonly level: number; readonly list: Element }[] = [];
  for (const child of children) {
    const level = child.type === 'element' ? child.properties.level : undefined;
    if (child.type !== 'element' || typeof level !== 'number') {
      if (lists.length > 0 && child.type === 'text' && child.value.trim() === '') continue;
      lists = [];
      gathered.push(child);
      continue;
    }
    const { name, contents } = readItem(child);
    lists = lists.filter(
      (outer) => outer.level < level || (outer.level === level && outer.list.tagName === name),
    );
    let innermost = lists.at(-1);
    if (innermost?.level !== level) {
      const list = elementOf(name, []);
      (lastItemOf(innermost?.list)?.children ?? gathered).push(list);
      innermost = { level, list };
      lists.push(innermost);
    }
    innermost.list.children.push(elementOf('li', contents));
  }
  return gathered;
}

function readItem({ children }: Element) {
  let name = 'ul';
  const contents = withoutMarkers(children, (marker) => {
    if (/^\s*[(]?(?:\d+|[a-z]{1,4})[.)]/i.test(marker)) name = 'ol';
  });
  return { name, contents };
}

/** The nodes without markers, whose texts are passed on. */
function withoutMarkers(nodes: readonly ElementContent[], found: (marker: string) => void): ElementContent[] {
  return nodes.flatMap((node): ElementContent[] => {
    if (node.type !== 'element') return [node];
    if (node.tagName !== markerName) return [{ ...node, children: withoutMarkers(node.children, found) }];
    const [text] = node.children;
    if (text?.type === 'text') found(text.value);
    return [];
  });
}

function adoptLists(children: readonly ElementContent[]): ElementContent[] {
  const items: ElementContent[] = [];
  for (const child of children) {
    const before = items.findLast(({ type }) => type === 'element');
    if (isList(child) && before?.type === 'element') before.children.push(child);
    else items.push(child);
  }
  return items;
}

function lastItemOf(list: Element | undefined): Element | undefined {
  const last = list?.children.at(-1);
  return last?.type === 'element' ? last : undefined;
}
