/** Markdown of a tree: marks where they are read as marks, otherwise the HTML that Markdown permits (CommonMark 6.6), such as `<sup>`. */
import { type Handle as HtmlHandle, defaultHandlers as htmlDefaults } from 'hast-util-to-mdast';
import { gfmStrikethroughToMarkdown } from 'mdast-util-gfm-strikethrough';
import { gfmTableToMarkdown } from 'mdast-util-gfm-table';
import { defaultHandlers, type Handle, toMarkdown } from 'mdast-util-to-markdown';

/** The handlers of elements that Markdown only has as HTML. */
export const htmlHandlers: Readonly<Record<string, HtmlHandle>> = { sup: keepElement, sub: keepElement };

/** Emphasis, with the element that it stands for. */
function keepElement(...[state, element]: Parameters<HtmlHandle>): ReturnType<HtmlHandle> {
  const data = { element: element.tagName };
  return { ...htmlDefaults.em(state, element), data };
}

/** The text of a tree, without a line end behind it. */
export function writeMarkdown(tree: Parameters<typeof toMarkdown>[0]): string {
  const written = toMarkdown(tree, {
    bullet: '-',
    listItemIndent: 'one',
    rule: '-',
    extensions: [gfmTableToMarkdown(), gfmStrikethroughToMarkdown()],
    handlers: {
      strong: markWith('**', 'strong'),
      emphasis: markWith('*', 'em'),
      delete: markWith('~~', 'del'),
      break: (node, parent, state, info) =>
        state.stack.includes('tableCell') ? '<br>' : defaultHandlers.break(node, parent, state, info),
    },
  });
  return written.replace(/\n+$/, '');
}

/** Writes the mark, or the element where the mark would be read as text: `这是**“重点”**内容` has no emphasis. */
function markWith(mark: string, element: string): Handle & { readonly peek: () => string } {
  const write: Handle = (node, parent, state, { before, after, ...info }) => {
    const exit = state.enter('phrasing');
    const text: string = state.containerPhrasing(node, { ...info, before: mark, after: mark });
    exit();
    const tag: unknown = node.data?.element;
    if (typeof tag === 'string') return `<${tag}>${text}</${tag}>`;
    // `***both***` is read as one mark.
    const isInner = parent?.children.length === 1 && isEmphasis(parent);
    const hasInner = node.children.length === 1 && isEmphasis(node.children[0]);
    const edges = hasInner ? text.replaceAll(/^\*+|\*+$/g, '') : text;
    const isRead =
      (isInner || (canMark(before, edges.at(0)) && canMark(after, edges.at(-1)))) &&
      (hasInner || !/^[*~]|[*~]$/.test(text));
    return isRead ? `${mark}${text}${mark}` : `<${element}>${text}</${element}>`;
  };
  return Object.assign(write, { peek: () => mark.charAt(0) });
}

function isEmphasis({ type }: { readonly type: string }): boolean {
  return type === 'strong' || type === 'emphasis';
}

/**
 * Whether a mark between the two characters opens or closes emphasis (CommonMark, 6.2). Halves of rare characters count as
 * punctuation inside and as letters outside, which is never wrong.
 */
function canMark(outside: string, inside = ''): boolean {
  if (/\s/u.test(inside) || /[*~]/.test(outside)) return false;
  return !/[\p{P}\p{S}\p{Cs}]/u.test(inside) || outside === '' || /[\s\p{P}\p{S}]/u.test(outside);
}
