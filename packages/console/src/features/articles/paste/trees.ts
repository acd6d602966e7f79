/** The trees of HTML and Markdown that the libraries convert (hast and mdast of the syntax-tree project). */
import type { toMdast } from 'hast-util-to-mdast';

type HtmlRoot = Extract<Parameters<typeof toMdast>[0], { readonly type: 'root' }>;

export type Element = Extract<HtmlRoot['children'][number], { readonly type: 'element' }>;
export type ElementContent = Element['children'][number];
export interface Root {
  readonly type: 'root';
  children: ElementContent[];
}

/** What a text of Markdown consists of. */
export type MarkdownContent = Extract<
  ReturnType<typeof toMdast>,
  { readonly type: 'root' }
>['children'][number];

export function elementOf(
  tagName: string,
  children: ElementContent[],
  properties: Element['properties'] = {},
): Element {
  return { type: 'element', tagName, properties, children };
}

export function isElement(
  node: Root | ElementContent | undefined,
  ...names: readonly string[]
): node is Element {
  return node?.type === 'element' && names.includes(node.tagName);
}

/** Whether nothing of it is seen. */
export function isBlank(node: Root | ElementContent): boolean {
  if (node.type === 'text') return node.value.trim() === '';
  if (node.type === 'comment') return true;
  return !isElement(node, 'img', 'input', 'hr', 'th', 'td') && node.children.every(isBlank);
}

/** Its text, with its breaks as ends of lines. */
export function textOf(node: ElementContent): string {
  if (node.type === 'text') return node.value;
  if (node.type !== 'element') return '';
  return node.tagName === 'br' ? '\n' : node.children.map(textOf).join('');
}
