/** What Markdown cannot say, or says in another way, in formatted text. */
import { rewriteTable } from './cells.ts';
import { type Element, type ElementContent, elementOf, isBlank, isElement, type Root } from './trees.ts';

const marks = ['strong', 'em', 'del'];
/** Elements within a line of which nothing stays when they are empty. */
const inline = [...marks, 'sup', 'sub', 'code', 'a', 'q'];
/** Blocks of which nothing stays when they are empty. */
const leftOutEmpty = ['h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'p', 'div', 'blockquote', 'pre', 'ul', 'ol'];
const blocks = [...leftOutEmpty, 'hr', 'table'];

export function tidy(parent: Root | Element, around: readonly string[] = []): void {
  const within = isElement(parent, ...marks) ? [...around, parent.tagName] : around;
  for (const child of parent.children) if (child.type === 'element') tidy(child, within);
  if (isElement(parent, 'pre')) return;
  let children = joinEqual(parent.children.flatMap(leaveOutEmpty)).flatMap(moveSpacesOut);
  children = children.flatMap((child) => (isElement(child, ...within) ? child.children : [child]));
  children = children.flatMap((child) => (isElement(child, 'table') ? rewriteTable(child) : [child]));
  if (children.some((child) => isElement(child, ...blocks)))
    children = children.filter(
      (child) => !isElement(child, 'br') && !(isElement(child, ...leftOutEmpty) && isBlank(child)),
    );
  parent.children = isElement(parent, 'li') ? placeCheckbox(children) : children;
}

/** An empty piece is what is in it: mostly nothing, otherwise spaces. A link around a picture that is left out keeps the text of the picture. */
function leaveOutEmpty(node: ElementContent): ElementContent[] {
  if (isElement(node, 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'blockquote', 'pre') && isBlank(node)) return [];
  if (!isElement(node, ...inline) || !isBlank(node)) return [node];
  const { picture, href } = node.properties;
  if (typeof picture === 'string')
    return [{ ...node, children: [{ type: 'text', value: picture.trim() || String(href) }] }];
  return node.children;
}

/** Word divides one bold piece into many. */
function joinEqual(children: readonly ElementContent[]): ElementContent[] {
  const joined: ElementContent[] = [];
  for (const child of children) {
    const last = joined.at(-1);
    if (isElement(child, ...marks, 'sup', 'sub') && isElement(last, child.tagName))
      last.children = joinEqual([...last.children, ...child.children]);
    else joined.push(child);
  }
  return joined;
}

/** `**bold **` is no emphasis: spaces at its edges belong outside. */
function moveSpacesOut(node: ElementContent): ElementContent[] {
  if (!isElement(node, ...marks)) return [node];
  const [first, last] = [node.children.at(0), node.children.at(-1)];
  const moved: ElementContent[] = [node];
  if (last?.type === 'text') {
    const text = last.value.trimEnd();
    if (text !== last.value) moved.push({ type: 'text', value: last.value.slice(text.length) });
    last.value = text;
  }
  if (first?.type === 'text') {
    const text = first.value.trimStart();
    if (text !== first.value)
      moved.unshift({ type: 'text', value: first.value.slice(0, -text.length || undefined) });
    first.value = text;
  }
  return moved;
}

/** The check box of a task comes first in its item: as an element, or as Notion writes it. */
function placeCheckbox(children: readonly ElementContent[]): ElementContent[] {
  const box = takeCheckbox(children);
  return box === null ? [...children] : [box.checkbox, ...box.others];
}

function takeCheckbox(
  children: readonly ElementContent[],
): { readonly checkbox: Element; readonly others: ElementContent[] } | null {
  const index = children.findIndex((child) => !isBlank(child));
  const first = children[index];
  const others = children.slice(index + 1);
  if (first?.type === 'text') {
    const [written, mark] = /^\s*\[([ xX])\](?=\s)/.exec(first.value) ?? [];
    if (written === undefined) return null;
    const checkbox = elementOf('input', [], { type: 'checkbox', checked: mark !== ' ' });
    return { checkbox, others: [{ type: 'text', value: first.value.slice(written.length) }, ...others] };
  }
  if (first?.type !== 'element' || first.tagName === 'ul' || first.tagName === 'ol') return null;
  if (first.tagName === 'input') return { checkbox: first, others };
  const inside = takeCheckbox(first.children);
  return inside && { ...inside, others: [{ ...first, children: inside.others }, ...others] };
}
