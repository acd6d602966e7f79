/**
 * Makes the preview of a text: Markdown by markdown-it, and of all HTML what DOMPurify leaves. It is made block by block, so that an
 * edit in a long text changes one paragraph of the preview and not all of it.
 */
import DOMPurify from 'dompurify';
import MarkdownIt from 'markdown-it';
import { fileIdIn } from './preview-images.ts';
import { disarmStyles } from './preview-styles.ts';

const markdown = new MarkdownIt({ html: true, linkify: true });

/** The HTML of the blocks of a text, which is not safe yet. */
export function renderBlocks(text: string, format: string): string[] {
  if (format === 'HTML') return [text];
  const environment = {};
  const tokens = markdown.parse(text, environment);
  const blocks: { html: string; isRaw: boolean }[] = [];
  let depth = 0;
  let begin = 0;
  tokens.forEach((token, index) => {
    depth += token.nesting;
    if (depth > 0) return;
    const html = markdown.renderer.render(tokens.slice(begin, index + 1), markdown.options, environment);
    blocks.push({ html, isRaw: token.type === 'html_block' });
    begin = index + 1;
  });
  // A tag that one block of HTML opens may be closed by a later one, so what is between them belongs together.
  const first = blocks.findIndex(({ isRaw }) => isRaw);
  const last = blocks.findLastIndex(({ isRaw }) => isRaw);
  const html = blocks.map((block) => block.html);
  if (first === -1) return html;
  return [...html.slice(0, first), html.slice(first, last + 1).join(''), ...html.slice(last + 1)];
}

/** What is said in the place of an image that is not shown. */
export interface ImageTexts {
  readonly elsewhere: (host: string) => string;
}

/**
 * The safe part of some HTML. Nothing in it loads anything: images of this server are marked with the id of their file, and
 * others are replaced by words, since they would tell their server who writes what.
 */
export function sanitize(html: string, imageTexts: ImageTexts): DocumentFragment {
  const fragment = DOMPurify.sanitize(disarmStyles(html), {
    USE_PROFILES: { html: true },
    FORBID_TAGS: [
      'style',
      'form',
      'input',
      'button',
      'select',
      'textarea',
      'video',
      'audio',
      'source',
      'track',
      'picture',
      'dialog',
    ],
    FORBID_ATTR: ['style', 'srcset', 'background', 'data-style', 'id', 'name', 'autofocus'],
    RETURN_DOM_FRAGMENT: true,
  });
  for (const image of fragment.querySelectorAll('img')) markImage(image, imageTexts);
  for (const link of fragment.querySelectorAll('a[href]')) {
    link.setAttribute('target', '_blank');
    link.setAttribute('rel', 'noopener noreferrer');
  }
  return fragment;
}

function markImage(image: HTMLImageElement, { elsewhere }: ImageTexts): void {
  const address = image.getAttribute('src') ?? '';
  image.removeAttribute('src');
  const id = URL.canParse(address, location.origin) ? fileIdIn(address) : null;
  if (id !== null) {
    image.dataset.file = id;
    return;
  }
  const place = document.createElement('span');
  place.className = 'image';
  const host = URL.canParse(address) ? new URL(address).host : '';
  place.textContent = [image.alt, elsewhere(host === '' ? address : host)]
    .filter((part) => part !== '')
    .join(' · ');
  image.replaceWith(place);
}
