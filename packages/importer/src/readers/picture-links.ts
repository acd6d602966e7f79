/**
 * Where a post refers to pictures: images in Markdown and HTML and links to files of pictures, with the positions of their addresses.
 * Code is left alone.
 */
import { parser as commonmark } from '@lezer/markdown';
import { Parser } from 'htmlparser2';

/** An address of a picture in a text. */
export interface PictureLink {
  /** Positions of the address in the text, with the marks around it, such as `<` and `>`, or quotation marks. */
  readonly from: number;
  readonly to: number;
  /** The address without marks and escapes. */
  readonly address: string;
  /** The alternative text; empty without any. */
  readonly alternativeText: string;
  /** Whether the address is the value of an attribute, which is written between quotation marks. */
  readonly isAttribute: boolean;
}

/** Maximum number of pictures of a post that are looked at. */
const mostPicturesOfPost = 1_000;
/** Brackets and quotations in each other, far more than a person writes: the parser recurses into them. */
const deepestNesting = 200;
/**
 * The parser looks for the end of each mark in the rest of its paragraph. The sum over all paragraphs of their characters times their marks
 * is at most this, which takes it less than a second; a chapter of a book has a hundredth of it.
 */
const mostSteps = 200_000_000;
/** Templates of Jekyll and others, such as `{{ site.baseurl }}` before a path; they contain blanks and quotation marks, which end an address. */
const template = /\{\{[^{}\n]{1,300}\}\}/g;
/** The shortcode of Hugo for pictures with a caption. */
const figure =
  /\{\{[<%]\s*(?:figure|img|image)\s(?:[^{}"`]|"[^"\n]*"|`[^`]*`){0,200}?\bsrc\s*=\s*("[^"\n]{1,2000}")/g;
const pictureName = /\.(?:jpe?g|png|gif|webp|avif|tiff?)(?:[?#]|$)/i;
/** Without emphasis, whose marks take quadratic time, and which has no effect on images. */
const parser = commonmark.configure({ remove: ['Emphasis'] });

/**
 * Finds the images of a text, in its order.
 * @param isHtml whether the text is HTML; otherwise it is Markdown
 * @returns null for a text that is nested too deeply to be read
 */
export function findPictureLinks(body: string, isHtml: boolean): PictureLink[] | null {
  if (!isHtml && isCostly(body)) return null;
  // Of the same length, so that all positions stay.
  const parsed = body.replaceAll(template, (text) => text.replaceAll(/[\s"'`<>()[\]\\]/g, '_'));
  const links = isHtml ? findInHtml(parsed, 0) : [...findInMarkdown(parsed), ...findFigures(body)];
  return links
    .sort((left, right) => left.from - right.from)
    .slice(0, mostPicturesOfPost)
    .map((link) => ({ ...link, address: readAddress(body.slice(link.from, link.to)) }));
}

/** Replaces the addresses of a text. @param replace returns the new address, or null for the present one */
export function replacePictureLinks(
  body: string,
  links: readonly PictureLink[],
  replace: (link: PictureLink) => string | null,
): string {
  let at = 0;
  const parts: string[] = [];
  for (const link of links) {
    const address = replace(link);
    // Templates within tags may be found twice.
    if (address === null || link.from < at) continue;
    parts.push(body.slice(at, link.from), link.isAttribute ? `"${address}"` : address);
    at = link.to;
  }
  return [...parts, body.slice(at)].join('');
}

/** Whether the parser would take too long, or recurse too deeply. */
function isCostly(body: string): boolean {
  let steps = 0;
  for (const paragraph of body.split(/\n[ \t\r]*\n/)) {
    const isDefinition = /^\s*\[/.test(paragraph);
    const marks = paragraph.match(isDefinition ? /[[\]<>`!&\\*_\n]/g : /[[\]<>`!&\\]/g)?.length ?? 0;
    steps += marks * paragraph.length;
    if (steps > mostSteps || isDeep(paragraph)) return true;
  }
  return false;
}

/** Whether brackets of a paragraph, or the blocks that a line of it is in, are nested too deeply. */
function isDeep(paragraph: string): boolean {
  let depth = 0;
  for (const [mark] of paragraph.matchAll(/[[\]]/g)) {
    depth = mark === '[' ? depth + 1 : Math.max(0, depth - 1);
    if (depth > deepestNesting) return true;
  }
  return paragraph.split('\n').some((line) => {
    const [start = ''] = /^(?:\s|[>*+-]|\d{1,9}[.)])*/.exec(line) ?? [];
    // A longer row of hyphens or asterisks is a thematic break or an underline.
    return (start.match(/[>*+\-.)]/g)?.length ?? 0) > deepestNesting && !/^[\s-]*$|^[\s*]*$/.test(line);
  });
}

/** An address without its final form, which is read from the text itself. */
type Place = Omit<PictureLink, 'address'>;

function findInMarkdown(body: string): Place[] {
  const links: Place[] = [];
  /** Alternative texts of images whose address is in a definition (CommonMark, 4.7), by label. */
  const labels = new Map<string, string>();
  const definitions: { readonly label: string; readonly from: number; readonly to: number }[] = [];
  parser.parse(body).iterate({
    enter: ({ name, node, from, to }) => {
      if (name === 'HTMLBlock' || name === 'HTMLTag') links.push(...findInHtml(body.slice(from, to), from));
      const url = node.getChild('URL');
      if (name === 'LinkReference') {
        const label = node.getChild('LinkLabel');
        if (label === null || url === null) return;
        definitions.push({ label: toLabel(body.slice(label.from, label.to)), from: url.from, to: url.to });
      }
      if (name === 'Link' && url !== null && isPictureName(body.slice(url.from, url.to)))
        links.push(toPlace(url, ''));
      if (name !== 'Image') return;
      const [opening, closing] = node.getChildren('LinkMark');
      if (opening === undefined || closing === undefined) return;
      const alternativeText = withoutEscapes(body.slice(opening.to, closing.from));
      if (url !== null) {
        links.push(toPlace(url, alternativeText));
        return;
      }
      const label = node.getChild('LinkLabel');
      const written = label === null ? '' : body.slice(label.from, label.to);
      const key = written === '' || written === '[]' ? `[${body.slice(opening.to, closing.from)}]` : written;
      labels.set(toLabel(key), alternativeText);
    },
  });
  const defined = new Set<string>();
  for (const { label, ...place } of definitions) {
    const alternativeText = labels.get(label);
    // The first definition of a label is the one that counts.
    if (alternativeText !== undefined && !defined.has(label)) links.push(toPlace(place, alternativeText));
    defined.add(label);
  }
  return links;
}

function toPlace(
  { from, to }: { readonly from: number; readonly to: number },
  alternativeText: string,
): Place {
  return { from, to, alternativeText, isAttribute: false };
}

/** The shortcodes of a text, which Hugo replaces in code as well. */
function findFigures(body: string): Place[] {
  return [...body.matchAll(figure)].map((match) => {
    const to = match.index + match[0].length;
    return { from: to - (match[1]?.length ?? 0), to, alternativeText: '', isAttribute: true };
  });
}

/** Whether an address, as it is written, ends like the name of a picture. */
function isPictureName(written: string): boolean {
  return pictureName.test(readAddress(written));
}

/** Labels are compared without regard to case and the number of blanks. */
function toLabel(written: string): string {
  return written.slice(1, -1).trim().replaceAll(/\s+/g, ' ').toLowerCase();
}

/** The address without the marks around it, and without what templates of Jekyll put before the path. */
function readAddress(written: string): string {
  const isMarked = /^(?:<[\s\S]*>|"[\s\S]*"|'[\s\S]*')$/.test(written);
  return withoutEscapes(isMarked ? written.slice(1, -1) : written)
    .replace(/^\{\{\s*site\.(?:base)?url\s*\}\}(?:\{\{\s*site\.baseurl\s*\}\})?/, '')
    .replace(/^\{\{\s*(["'])([^"']*)\1\s*\|[^}]*\}\}/, '$2');
}

/** A text without the backslashes of CommonMark, 2.4. */
function withoutEscapes(text: string): string {
  return text.replaceAll(/\\([!-/:-@[-`{-~])/g, '$1').replaceAll('&amp;', '&');
}

/** @param offset of the HTML in its text */
function findInHtml(html: string, offset: number): Place[] {
  const links: Place[] = [];
  let tag = '';
  let place: { readonly from: number; readonly to: number } | null = null;
  const reader = new Parser({
    onopentagname: (name) => {
      tag = name;
      place = null;
    },
    onattribute: (name, value, quote) => {
      const isPicture = (tag === 'img' && name === 'src') || (tag === 'a' && name === 'href');
      if (!isPicture || place !== null || value === '' || (tag === 'a' && !pictureName.test(value))) return;
      const written = html.slice(reader.startIndex, reader.endIndex);
      const start =
        reader.startIndex + written.length - written.slice(written.indexOf('=') + 1).trimStart().length;
      const isQuoted = quote === '"' || quote === "'";
      place = { from: start, to: reader.endIndex + (isQuoted && html[reader.endIndex] === quote ? 1 : 0) };
    },
    onopentag: (_name, { alt = '' }) => {
      if (place === null) return;
      const { from, to } = place;
      links.push({ from: from + offset, to: to + offset, alternativeText: alt, isAttribute: true });
    },
  });
  reader.end(html);
  return links;
}
