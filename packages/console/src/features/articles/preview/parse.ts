/** Converts a text to nodes for the preview: Markdown by markdown-it, and allowed HTML. It does not need the DOM. */
import { Parser } from 'htmlparser2';
import MarkdownIt from 'markdown-it';
import { allowedAttributes, allowedElements, droppedElements, type PreviewNode } from './nodes.ts';

/** The maximum number of elements and text nodes in the preview, in total and in one block; the layout of more takes too long. */
export const mostNodes = 30_000;
const mostNodesOfBlock = 6_000;
/** Elements within each other beyond which only their contents are shown. */
const deepest = 50;
/** Maximum length of an entity; this number of characters may be unread behind a text that ends within one. */
const longestEntity = 40;
/** Characters of a heading that its name is made of. */
const longestSlug = 200;

const markdown = new MarkdownIt({ html: true, linkify: true });

export interface Parsed {
  /** The blocks of the text, one after the other. */
  readonly blocks: readonly PreviewNode[];
  readonly extent: Extent;
}

/**
 * How much of the text the blocks show: all that a preview shows; less, since it has too many parts; or nothing of what follows HTML that
 * is never closed, such as a comment, a tag or a formula.
 */
export type Extent = 'whole' | 'cut' | 'unclosed';

/** @param format `MARKDOWN` or `HTML` */
export function parseText(text: string, format: string): Parsed {
  return parseHtml(format === 'HTML' ? text : markdown.render(text));
}

interface OpenElement {
  readonly name: string;
  readonly attributes: Record<string, string>;
  readonly children: PreviewNode[];
}

function parseHtml(html: string): Parsed {
  const blocks: PreviewNode[] = [];
  const open: OpenElement[] = [];
  const slugs = new Slugs();
  /** Elements of which nothing is shown, within each other. */
  let dropped = 0;
  let [shown, shownOfBlock] = [0, 0];
  let extent: Extent = 'whole';
  const add = (node: PreviewNode): boolean => {
    if (open.length === 0) shownOfBlock = 0;
    if (shown >= mostNodes || shownOfBlock >= mostNodesOfBlock) {
      extent = 'cut';
      return false;
    }
    shown += 1;
    shownOfBlock += 1;
    (open.at(-1)?.children ?? blocks).push(node);
    return true;
  };
  const parser = new Parser({
    onopentag(name, attributes) {
      if (dropped > 0 || droppedElements.has(name)) {
        if (droppedElements.has(name)) dropped += 1;
        return;
      }
      if (!allowedElements.has(name) || open.length >= deepest) return;
      const element: OpenElement = { name, attributes: allowedAttributes(name, attributes), children: [] };
      if (add(element)) open.push(element);
    },
    ontext(text) {
      if (dropped > 0) return;
      const siblings = open.at(-1)?.children ?? blocks;
      const last = siblings.at(-1);
      // Entities come as pieces of their own.
      if (typeof last === 'string' && last.length < 4_000) siblings[siblings.length - 1] = last + text;
      else add(text);
    },
    onclosetag(name) {
      if (droppedElements.has(name)) {
        dropped = Math.max(0, dropped - 1);
        return;
      }
      if (dropped > 0 || open.at(-1)?.name !== name) return;
      const element = open.pop();
      if (element !== undefined && /^h[1-6]$/.test(name))
        element.attributes.id ??= slugs.make(element.children);
    },
  });
  parser.write(html);
  // The end of the text closes everything.
  if (dropped > 0 || html.length - parser.endIndex > longestEntity) extent = 'unclosed';
  parser.end();
  return { blocks, extent };
}

/** Names of headings that links lead to, made as most programs make them that show Markdown: `## Über uns` is `#über-uns`. */
class Slugs {
  private readonly counts = new Map<string, number>();

  make(heading: readonly PreviewNode[]): string {
    const slug = textOf(heading)
      .slice(0, longestSlug)
      .trim()
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{M}\p{N}\s_-]/gu, '')
      .replaceAll(/\s/g, '-');
    const count = this.counts.get(slug) ?? 0;
    this.counts.set(slug, count + 1);
    return count === 0 ? slug : `${slug}-${count}`;
  }
}

function textOf(nodes: readonly PreviewNode[]): string {
  return nodes.map((node) => (typeof node === 'string' ? node : textOf(node.children))).join('');
}
