/** Markdown of formatted text on the clipboard, as from Word, Google Docs or a web page. */
import { toMdast } from 'hast-util-to-mdast';

import { readPastedHtml } from './read-html.ts';
import type { MarkdownContent } from './trees.ts';
import { htmlHandlers, writeMarkdown } from './write-markdown.ts';

export interface PastedMarkdown {
  readonly markdown: string;
  /** Whether it is more than a part of a paragraph. */
  readonly isBlock: boolean;
  /** Pictures that are left out, since readers could not load them. */
  readonly pictures: number;
}

/**
 * @param origin of this installation, whose public pictures are kept
 * @returns null when the plain text is better: it has no format, is a program, or is too large
 */
export function markdownOfHtml(html: string, origin: string): PastedMarkdown | null {
  const read = readPastedHtml(html, origin);
  if (read === null) return null;
  const tree = toMdast(read.root, { document: true, handlers: htmlHandlers });
  if (tree.type !== 'root') return null;
  const [first, ...others] = tree.children;
  const isBlock = others.length > 0 || first?.type !== 'paragraph';
  if (first === undefined || (others.length === 0 && first.type === 'code')) return null;
  if (!isBlock && first.type === 'paragraph' && first.children.every(({ type }) => type === 'text'))
    return null;
  prepareLists(tree.children);
  const markdown = writeMarkdown(tree);
  return { markdown, isBlock, pictures: read.pictures };
}

/**
 * Items of one paragraph each have no empty lines between them, although Google Docs makes a paragraph of each. Check boxes are written before
 * their tasks.
 */
function prepareLists(nodes: readonly MarkdownContent[]): void {
  for (const node of nodes) {
    if ('children' in node) prepareLists(node.children);
    if (node.type !== 'list') continue;
    const isTight = node.children.every(({ children }) =>
      children.slice(1).every(({ type }) => type === 'list'),
    );
    node.spread = !isTight;
    for (const item of node.children) {
      item.spread = !isTight;
      const [first] = item.children;
      if (typeof item.checked !== 'boolean' || first?.type !== 'paragraph') continue;
      const [text] = first.children;
      if (text?.type === 'text') text.value = text.value.trimStart();
      first.children.unshift({ type: 'html', value: item.checked ? '[x] ' : '[ ] ' });
    }
  }
}
