/** The text of a WordPress post as HTML that needs no WordPress to be shown. */

const block =
  /^<\/?(?:address|article|aside|blockquote|details|dd|div|dl|dt|embed|fieldset|figcaption|figure|footer|form|h[1-6]|header|hr|iframe|li|main|nav|object|ol|p|pre|script|section|style|summary|table|tbody|td|tfoot|th|thead|tr|ul|video|audio)\b/i;
/** Elements whose line breaks are their own. */
const verbatim = /<(pre|script|style|textarea)\b/gi;

/**
 * Removes the marks of the block editor, of "read more" and of page breaks. Texts of the editor before it have no paragraphs: WordPress makes them
 * of empty lines whenever it shows the post.
 */
export function convertBody(content: string): string {
  const isOfBlocks = content.includes('<!-- wp:');
  const isMark = (comment: string) =>
    /^<!--\s*(?:\/?wp:|more\b|nextpage|noteaser)/.test(comment) ? '' : comment;
  const text = replaceSpans(content.replaceAll('\r\n', '\n'), /<!--/g, () => '-->', isMark);
  return isOfBlocks ? text.replaceAll(/\n{3,}/g, '\n\n').trim() : addParagraphs(text);
}

function addParagraphs(text: string): string {
  const kept: string[] = [];
  // No text of an XML document has NUL, so that none can contain such a mark and be multiplied by it.
  const keep = (element: string) => `<pre \0${kept.push(element) - 1}>`;
  const shortened = replaceSpans(text, verbatim, (begin) => `</${begin.slice(1)}>`, keep);
  const paragraphs = shortened
    .split(/\n[ \t]*\n/)
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map((part) => (block.test(part) ? part : `<p>${part.replaceAll('\n', '<br>\n')}</p>`));
  const whole = paragraphs.join('\n\n');
  return whole.replaceAll(/<pre \0(\d+)>/g, (_, index: string) => kept[Number(index)] ?? '');
}

/** Replaces the parts from a beginning to its end. By hand: a regular expression would look for a missing end from each beginning. */
function replaceSpans(
  text: string,
  begin: RegExp,
  endOf: (begin: string) => string,
  replace: (span: string) => string,
): string {
  const parts: string[] = [];
  const absent = new Set<string>();
  let at = 0;
  for (const match of text.matchAll(begin)) {
    const end = endOf(match[0]);
    if (match.index < at || absent.has(end)) continue;
    const found = text.indexOf(end, match.index);
    if (found < 0) absent.add(end);
    else {
      const next = found + end.length;
      parts.push(text.slice(at, match.index), replace(text.slice(match.index, next)));
      at = next;
    }
  }
  return [...parts, text.slice(at)].join('');
}

const shortcode = /\[(gallery|caption|embed|audio|video|playlist|contact-form-7|\w{1,30}_\w{1,30})[\]\s]/g;

/** The names of shortcodes of plugins in a text, such as `gallery`. */
export function findShortcodes(text: string): string[] {
  return [...new Set([...text.matchAll(shortcode)].map(([, name = '']) => name))];
}
