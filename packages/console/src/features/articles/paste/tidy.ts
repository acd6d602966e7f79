/** What Markdown cannot say, or says in another way, in formatted text. */
import type { Element, ElementContent, Root } from './trees.ts';

const marks = new Set(['strong', 'em', 'del']);
const blocks = new Set([
  ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'p', 'div', 'blockquote', 'pre', 'ul', 'ol', 'hr', 'table'],
]);

export function tidy(parent: Root | Element): void {
  for (const child of parent.children) if (child.type === 'element') tidy(child);
  if (isElement(parent, 'pre')) return;
  if (isElement(parent, 'table')) nameColumns(parent);
  let children = parent.children.flatMap(moveSpacesOut);
  if (isElement(parent, 'td', 'th')) children = children.flatMap(onOneLine);
  if (children.some((child) => isElement(child, ...blocks)))
    children = children.filter((child) => !isElement(child, 'br') && !isBlank(child));
  parent.children = children;
}

function isElement(node: Root | ElementContent | undefined, ...names: readonly string[]): node is Element {
  return node?.type === 'element' && names.includes(node.tagName);
}

/** An empty line between paragraphs, as Word and Google Docs keep distance. */
function isBlank(node: ElementContent): boolean {
  return (
    isElement(node, 'p', 'div') &&
    node.children.every((child) => child.type === 'text' && child.value.trim() === '')
  );
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
  const isEmpty = node.children.every((child) => child.type === 'text' && child.value === '');
  return isEmpty ? moved.filter((each) => each !== node) : moved;
}

/** A cell has no paragraphs: spaces stand between them. */
function onOneLine(node: ElementContent, index: number): ElementContent[] {
  if (node.type !== 'element') return [node];
  if (node.tagName === 'br') return [{ type: 'text', value: ' ' }];
  if (node.tagName !== 'p' && node.tagName !== 'div') return [node];
  return index === 0 ? node.children : [{ type: 'text', value: ' ' }, ...node.children];
}

/** A table has names of columns in Markdown: those of the first row, if none are marked. */
function nameColumns(table: Element): void {
  const rows = table.children.flatMap((child) =>
    isElement(child, 'thead', 'tbody', 'tfoot') ? child.children : [child],
  );
  const first = rows.find((row) => isElement(row, 'tr'));
  if (!isElement(first, 'tr')) return;
  for (const cell of first.children) if (isElement(cell, 'td')) cell.tagName = 'th';
}
