/**
 * What the preview may show: elements and attributes by their names. The worker makes nodes of nothing else from a text, and the page
 * builds nothing else from nodes, so that no HTML of a text is ever parsed by the page.
 */

/** An element: its name, attributes and children. */
export interface PreviewElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly PreviewNode[];
}

/** A piece of text, or an element. */
export type PreviewNode = string | PreviewElement;

export const allowedElements: ReadonlySet<string> = new Set(
  `a abbr address article aside b bdi bdo big blockquote br caption center cite code col colgroup dd del details dfn div dl dt em
  figcaption figure footer h1 h2 h3 h4 h5 h6 header hgroup hr i img ins kbd li main mark nav ol p pre q rp rt ruby s samp section small
  span strike strong sub summary sup table tbody td tfoot th thead time tr tt u ul var wbr`.split(/\s+/),
);

/** Elements that are left out with everything in them. */
export const droppedElements: ReadonlySet<string> = new Set(
  `applet audio canvas frameset head iframe math noembed noframes noscript object plaintext script select style svg template
  textarea title video xmp`.split(/\s+/),
);

/** What a link such as `#heading` may name. */
const anchor = /^\S{1,300}$/;

/** Attributes of all elements, and of single ones, with the values that they may have. */
const commonAttributes: Readonly<Record<string, RegExp>> = {
  dir: /^(?:ltr|rtl|auto)$/i,
  id: anchor,
  lang: /^[\w-]{1,35}$/,
  title: /^.{1,1000}$/s,
};
const number = /^\d{1,4}$/;
const span = /^\d{1,2}$/;
const alignment = /^(?:left|right|center|justify)$/i;
const ownAttributes: Readonly<Record<string, Readonly<Record<string, RegExp>>>> = {
  a: { href: /^.{1,4000}$/s, name: anchor },
  details: { open: /^/ },
  img: { src: /^.{1,4000}$/s, alt: /^.{1,1000}$/s, width: number, height: number },
  ol: { start: /^-?\d{1,9}$/, reversed: /^/ },
  p: { align: alignment },
  td: { colspan: span, rowspan: span, align: alignment },
  th: { colspan: span, rowspan: span, align: alignment },
};

/** Those of some attributes that an element may have. */
export function allowedAttributes(
  element: string,
  given: Readonly<Record<string, string>>,
): Record<string, string> {
  const own = ownAttributes[element];
  const allowed: Record<string, string> = {};
  for (const [name, value] of Object.entries(given)) {
    const pattern =
      own !== undefined && Object.hasOwn(own, name)
        ? own[name]
        : Object.hasOwn(commonAttributes, name)
          ? commonAttributes[name]
          : undefined;
    if (pattern?.test(value) === true) allowed[name] = value;
  }
  return allowed;
}

/** Whether a link may lead there. */
export function isSafeLink(address: string, base: string): boolean {
  return (
    URL.canParse(address, base) &&
    ['http:', 'https:', 'mailto:', 'tel:'].includes(new URL(address, base).protocol)
  );
}

/** The address in the frame of the preview that a link such as `#heading` leads to. */
export function anchorAddress(fragment: string): string {
  return fragment === ''
    ? 'about:srcdoc#top'
    : `about:srcdoc#${encodeURIComponent(anchorId(decode(fragment)))}`;
}

/** The id of an element there: those of texts take none of the frame's own. */
export function anchorId(name: string): string {
  return `to-${name}`;
}

function decode(fragment: string): string {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment;
  }
}
