/**
 * HTML of the clipboard as a tree without what only word processors and pages need. It does not use the parser of the browser, which
 * hostile HTML keeps busy for a time that grows with the square of its length.
 */

import { Parser } from 'htmlparser2';
import { listLevelOf, markerName, nestLists } from './lists.ts';
import { tidy } from './tidy.ts';
import { type Element, type ElementContent, elementOf, type Root } from './trees.ts';

/** Elements and pieces of text beyond which a text is pasted without its format. */
const mostNodes = 50_000;
/** Elements within each other beyond which only their contents are kept. */
const deepest = 60;

/** Elements of which nothing is pasted. */
const dropped = new Set([
  ...['head', 'style', 'script', 'title', 'template', 'noscript', 'iframe', 'object', 'svg', 'math'],
  ...['video', 'audio', 'canvas', 'form', 'button', 'select', 'textarea'],
]);

/** Elements that Markdown has, by the name that they get. Of all others the contents are kept. */
const kept = new Map(
  [
    ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'p', 'div', 'blockquote', 'pre', 'ul', 'ol', 'li', 'hr', 'br'],
    ...['table', 'thead', 'tbody', 'tfoot', 'tr', 'th', 'td', 'code', 'strong', 'em', 'del', 'a', 'img'],
    ...['sup', 'sub', 'q', 'input'],
  ].map((name): [string, string] => [name, name]),
)
  .set('b', 'strong')
  .set('i', 'em')
  .set('s', 'del')
  .set('strike', 'del')
  .set('section', 'div')
  .set('article', 'div')
  .set('dl', 'div')
  .set('dt', 'p')
  .set('dd', 'p')
  .set('caption', 'p')
  .set('kbd', 'code')
  .set('samp', 'code')
  .set('tt', 'code');

/** Blocks whose text is emphasized already. */
const isHeading = (name: string) => /^(?:h[1-6]|th)$/.test(name);

export interface PastedTree {
  readonly root: Root;
  /** Pictures of other sites and of the computer of whoever copied them, which are left out. */
  readonly pictures: number;
}

interface Open {
  /** The name in the source. */
  readonly source: string;
  /** Where its contents go: a new element, or that of the element around it. */
  readonly into: Root | Element;
  readonly isInHeading: boolean;
}

/**
 * @param origin of this installation, whose public pictures are kept
 * @returns null: it is a program, or there is more than is converted
 */
export function readPastedHtml(html: string, origin: string): PastedTree | null {
  const root: Root = { type: 'root', children: [] };
  const open: Open[] = [];
  let nodes = 0;
  let [pictures, ignored] = [0, 0];
  let isProgram = false;
  const add = (into: Root | Element, node: ElementContent) => {
    nodes += 1;
    if (nodes <= mostNodes) into.children.push(node);
  };
  const parser = new Parser({
    onopentag(source, attributes) {
      const style = readStyle(attributes.style);
      if (ignored > 0 || dropped.has(source) || isHidden(style)) {
        if (!isVoid(source)) ignored += 1;
        return;
      }
      // As editors of programs copy them.
      isProgram ||= source === 'div' && style.get('white-space') === 'pre';
      const around = open.at(-1) ?? { into: root, isInHeading: false };
      let { into } = around;
      const enter = (tagName: string, properties: Element['properties'] = {}) => {
        if (open.length >= deepest) return;
        const element: Element = { type: 'element', tagName, properties, children: [] };
        add(into, element);
        into = element;
      };
      const level = listLevelOf(style);
      const name = level === null ? nameOf(source, attributes, style) : 'p';
      if (name === 'img') {
        const address = pictureOf(attributes.src, origin);
        if (address !== null) enter('img', { src: address, alt: attributes.alt ?? '' });
        // Google Docs puts a picture of a check box into an item that says that it is one.
        else if (attributes['aria-roledescription'] !== 'checkbox') {
          pictures += 1;
          const link = open.findLast(({ source: name }) => name === 'a')?.into;
          if (link?.type === 'element') link.properties.picture ??= attributes.alt ?? '';
        }
      } else if (name === 'a') {
        const address = linkOf(attributes.href);
        if (address !== null) enter('a', { href: address });
      } else if (name === 'br' && open.some(({ source: outer }) => /^h[1-6]$/.test(outer))) {
        add(into, { type: 'text', value: ' ' });
      } else if (name !== null && !(name === 'strong' && around.isInHeading)) {
        enter(name, level === null ? propertiesOf(name, attributes) : { level });
        if (source === 'li' && attributes.role === 'checkbox')
          add(into, elementOf('input', [], checkbox(attributes['aria-checked'] === 'true')));
      }
      // Google Docs says by the style alone how a piece of text looks.
      if (source === 'span' || source === 'a') {
        if (isBold(style) && !around.isInHeading) enter('strong');
        if (style.get('font-style') === 'italic') enter('em');
        if (style.get('text-decoration')?.includes('line-through')) enter('del');
        const align = style.get('vertical-align');
        if (align === 'super' || align === 'sub') enter(align === 'super' ? 'sup' : 'sub');
      }
      if (!isVoid(source))
        open.push({ source, into, isInHeading: around.isInHeading || (name !== null && isHeading(name)) });
    },
    ontext(value) {
      if (ignored > 0) return;
      const { children } = open.at(-1)?.into ?? root;
      const last = children.at(-1);
      // Entities come as pieces of their own.
      if (last?.type === 'text' && last.value.length < 4_000) last.value += value;
      else add(open.at(-1)?.into ?? root, { type: 'text', value });
    },
    onclosetag(source) {
      if (isVoid(source)) return;
      if (ignored > 0) ignored -= 1;
      else if (open.at(-1)?.source === source) open.pop();
    },
  });
  parser.end(html);
  if (isProgram || nodes > mostNodes) return null;
  nestLists(root);
  tidy(root);
  return { root, pictures };
}

type Style = ReadonlyMap<string, string>;

function readStyle(text: string | undefined): Style {
  const declarations = (text ?? '').slice(0, 2_000).split(';');
  return new Map(
    declarations.map((declaration): [string, string] => {
      const colon = declaration.indexOf(':');
      const property = declaration.slice(0, Math.max(colon, 0));
      return [
        property.trim().toLowerCase(),
        declaration
          .slice(colon + 1)
          .trim()
          .toLowerCase(),
      ];
    }),
  );
}

function isHidden(style: Style): boolean {
  return style.get('display') === 'none' || style.get('mso-hide') === 'all';
}

function isBold(style: Style): boolean {
  const weight = style.get('font-weight');
  return weight === 'bold' || Number(weight) >= 600;
}

function nameOf(source: string, attributes: Readonly<Record<string, string>>, style: Style): string | null {
  if (style.get('mso-list') === 'ignore') return markerName;
  const name = kept.get(source) ?? null;
  // Google Docs puts everything that is copied into such an element.
  if (name === 'strong' && style.has('font-weight') && !isBold(style)) return null;
  if (name === 'em' && style.get('font-style') === 'normal') return null;
  if (name === 'p' && attributes.class === 'MsoTitle') return 'h1';
  if (name === 'input' && attributes.type?.toLowerCase() !== 'checkbox') return null;
  return name;
}

function propertiesOf(name: string, attributes: Readonly<Record<string, string>>): Element['properties'] {
  if (name === 'ol' && /^\d{1,9}$/.test(attributes.start ?? '')) return { start: Number(attributes.start) };
  if (name === 'input') return checkbox(attributes.checked !== undefined);
  if (name === 'code') return { className: attributes.class?.match(/\blanguage-[\w+#-]{1,40}/) ?? [] };
  if (name !== 'td' && name !== 'th') return {};
  return { colSpan: numberOf(attributes.colspan), rowSpan: numberOf(attributes.rowspan) };
}

function checkbox(checked: boolean): Element['properties'] {
  return { type: 'checkbox', checked };
}

function numberOf(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,5}$/.test(text) ? Number(text) : undefined;
}

/** The address of a link that readers can follow; null for places within the copied document, files and scripts. */
function linkOf(href: string | undefined): string | null {
  return href !== undefined && href.length <= 2_000 && /^(?:https?:\/\/|mailto:|tel:)/i.test(href.trim())
    ? href.trim()
    : null;
}

function pictureOf(src: string | undefined, origin: string): string | null {
  return src?.startsWith(`${origin}/pictures/`) ? src : null;
}

function isVoid(name: string): boolean {
  return /^(?:area|base|br|col|embed|hr|img|input|link|meta|source|track|wbr)$/.test(name);
}
