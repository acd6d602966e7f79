/** The blocks in the frame of the preview: built from nodes a few at a time, so that the page responds in between. */

import {
  allowedAttributes,
  allowedElements,
  anchorAddress,
  anchorId,
  isSafeLink,
  type PreviewElement,
  type PreviewNode,
} from './nodes.ts';
import { fileIdIn } from './preview-images.ts';
import type { PreviewChange } from './worker.ts';

/** How long blocks are built before yielding to the page, in ms. */
const sliceMs = 8;

/** What the page does with images. */
export interface PreviewPlaces {
  /** Says in place of an image of another host that it is not shown: it would tell that host who writes what. */
  readonly elsewhere: (host: string) => string;
  /** Says of a link to another page of the site why it leads nowhere: only the site knows where that page is. */
  readonly onSite: (address: string) => string;
  /** Called with whether the text has such links. */
  readonly onSiteLinks: (hasAny: boolean) => void;
  /** Finds the image of a knowledge file. */
  readonly showFile: (image: HTMLImageElement, id: string) => void;
}

type Change = Pick<PreviewChange, 'head' | 'tail' | 'blocks'>;

interface Block {
  readonly node: PreviewNode;
  built: Node | null;
}

export class PreviewPage {
  private readonly parent: HTMLElement;
  private readonly places: PreviewPlaces;
  private blocks: readonly Block[] = [];
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(parent: HTMLElement, places: PreviewPlaces) {
    this.parent = parent;
    this.places = places;
  }

  /** Shows other blocks. */
  apply(change: Change): void {
    delete this.parent.dataset.plain;
    this.replace(change);
  }

  /** Shows a text as it is. */
  showPlain(text: string): void {
    const pieces = text.match(/.{1,2000}/gs) ?? [];
    this.parent.dataset.plain = '';
    const blocks = pieces.map((piece) => ({ name: 'pre', attributes: {}, children: [piece] }));
    this.replace({ head: 0, tail: 0, blocks });
  }

  stop(): void {
    clearTimeout(this.timer);
  }

  private replace({ head, tail, blocks }: Change): void {
    const end = this.blocks.length - tail;
    for (const { built } of this.blocks.slice(head, end)) built?.parentNode?.removeChild(built);
    const added = blocks.map((node): Block => ({ node, built: null }));
    this.blocks = [...this.blocks.slice(0, head), ...added, ...this.blocks.slice(end)];
    this.build(0);
  }

  private build(from: number): void {
    this.stop();
    const end = performance.now() + sliceMs;
    const { ownerDocument: page } = this.parent;
    let index = from;
    let next = from;
    for (; index < this.blocks.length && performance.now() < end; index += 1) {
      const block = this.blocks[index];
      if (block === undefined || block.built !== null) continue;
      // The next existing block.
      next = Math.max(next, index + 1);
      while (next < this.blocks.length && this.blocks[next]?.built === null) next += 1;
      block.built = this.toNode(page, block.node);
      this.parent.insertBefore(block.built, this.blocks[next]?.built ?? null);
    }
    const isBuilt = index >= this.blocks.length;
    this.parent.ariaBusy = String(!isBuilt);
    if (isBuilt) this.places.onSiteLinks(this.parent.querySelector('a.site') !== null);
    else this.timer = setTimeout(() => this.build(index));
  }

  private toNode(page: Document, node: PreviewNode): Node {
    if (typeof node === 'string') return page.createTextNode(node);
    if (!allowedElements.has(node.name)) throw new Error(`the preview shows no ${node.name}`);
    if (node.name === 'img') return this.toImage(page, node);
    const element = page.createElement(node.name);
    const {
      href,
      name: ownName,
      id = ownName,
      ...attributes
    } = allowedAttributes(node.name, node.attributes);
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    if (id !== undefined && id !== '') element.id = anchorId(id);
    if (href !== undefined && isSafeLink(href, location.origin)) this.link(element, href);
    for (const child of node.children) element.appendChild(this.toNode(page, child));
    return element;
  }

  private link(element: HTMLElement, href: string): void {
    const address = new URL(href, URL.canParse(href) ? undefined : location.origin);
    if (href.startsWith('#')) {
      element.setAttribute('href', anchorAddress(href.slice(1)));
    } else if (!URL.canParse(href) && address.origin === location.origin && fileIdIn(href) === null) {
      // It would lead to a page of the console.
      element.className = 'site';
      element.title = this.places.onSite(href);
    } else {
      element.setAttribute('href', address.href);
      element.setAttribute('target', '_blank');
      element.setAttribute('rel', 'noopener noreferrer');
    }
  }

  private toImage(page: Document, { attributes }: PreviewElement): Node {
    const { src = '', ...others } = allowedAttributes('img', attributes);
    const id = URL.canParse(src, location.origin) ? fileIdIn(src) : null;
    if (id === null) {
      const host = URL.canParse(src) ? new URL(src).host : '';
      const place = page.createElement('span');
      place.className = 'image';
      place.textContent = [others.alt ?? '', this.places.elsewhere(host === '' ? src : host)]
        .filter((part) => part !== '')
        .join(' · ');
      return place;
    }
    const image = page.createElement('img');
    for (const [name, value] of Object.entries(others)) image.setAttribute(name, value);
    this.places.showFile(image, id);
    return image;
  }
}
