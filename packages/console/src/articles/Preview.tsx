/** The preview of a text, in a frame that runs no scripts. */
import { useComputedColorScheme } from '@mantine/core';
import { useCallback, useEffect, useRef, useState } from 'react';
import type { Api } from '../api/api.ts';
import { readNonce } from '../parts/csp-nonce.ts';
import { useFeatureText } from '../text/feature.ts';
import styles from './ArticleEditor.module.css';
import previewStyles from './preview.css?inline';
import { PreviewImages } from './preview-images.ts';
import { type ImageTexts, renderBlocks, sanitize } from './preview-render.ts';
import { texts } from './texts.ts';
import { type TextSource, useComputed } from './use-text-source.ts';

interface Props {
  readonly source: TextSource;
  readonly api: Api;
  readonly title: string;
  /** `MARKDOWN` or `HTML`. */
  readonly format: string;
  readonly locale: string;
}

/** A block that is shown. */
interface Block {
  readonly html: string;
  readonly nodes: readonly Node[];
}

export function Preview({ source, api, title, format, locale }: Props) {
  const own = useFeatureText(texts);
  const scheme = useComputedColorScheme('light');
  const [page, setPage] = useState<Document | null>(null);
  const blocks = useComputed(
    source,
    useCallback((text: string) => renderBlocks(text, format), [format]),
  );
  const shown = useRef<readonly Block[]>([]);
  const images = useRef<PreviewImages>(null);
  const imageText = useRef<ImageTexts>({ elsewhere: () => '' });
  imageText.current = { elsewhere: (host) => own('imageElsewhere', { host }) };

  useEffect(() => {
    const store = new PreviewImages(api);
    images.current = store;
    return () => void store.clear();
  }, [api]);

  useEffect(() => {
    const body = page?.getElementById('text');
    if (page === null || body === null || body === undefined || blocks === null) return;
    shown.current = replaceBlocks(body, shown.current, blocks, (html) => sanitize(html, imageText.current));
    for (const image of body.querySelectorAll<HTMLImageElement>('img[data-file]:not([src])')) {
      void images.current?.find(image.dataset.file ?? '').then((url) => {
        if (url !== null) image.src = url;
      });
    }
  }, [page, blocks]);

  useEffect(() => {
    if (page === null) return;
    page.documentElement.dataset.scheme = scheme;
    page.documentElement.lang = locale;
    const head = page.getElementById('title');
    if (head !== null) head.textContent = title;
  }, [page, scheme, locale, title]);

  return (
    <section className={styles.preview} aria-label={own('preview')}>
      <iframe
        className={styles.frame}
        title={own('previewTitle')}
        // Links open in tabs of their own. Without `allow-scripts` nothing runs, whatever the text contains.
        sandbox="allow-same-origin allow-popups allow-popups-to-escape-sandbox"
        srcDoc={`<!doctype html><html data-scheme="${scheme}"><head><meta charset="utf-8"><title>${own('previewTitle')}</title><style nonce="${readNonce()}">${previewStyles}</style></head><body><main><h1 id="title"></h1><div id="text"></div></main></body></html>`}
        onLoad={(event) => {
          shown.current = [];
          setPage(event.currentTarget.contentDocument);
        }}
      />
    </section>
  );
}

/** Shows blocks in the place of others, and leaves those alone that are the same at the beginning and at the end. */
function replaceBlocks(
  parent: HTMLElement,
  before: readonly Block[],
  after: readonly string[],
  toNodes: (html: string) => DocumentFragment,
): readonly Block[] {
  let head = 0;
  while (head < before.length && head < after.length && before[head]?.html === after[head]) head += 1;
  let tail = 0;
  const most = Math.min(before.length, after.length) - head;
  while (tail < most && before[before.length - 1 - tail]?.html === after[after.length - 1 - tail]) tail += 1;
  for (const { nodes } of before.slice(head, before.length - tail)) {
    for (const node of nodes) parent.removeChild(node);
  }
  const next = before[before.length - tail]?.nodes[0] ?? null;
  const added = after.slice(head, after.length - tail).map((html): Block => {
    const fragment = parent.ownerDocument.importNode(toNodes(html), true);
    // A mark, so that a block without any content has a place, too.
    fragment.append(parent.ownerDocument.createTextNode(''));
    const nodes = [...fragment.childNodes];
    parent.insertBefore(fragment, next);
    return { html, nodes };
  });
  return [...before.slice(0, head), ...added, ...before.slice(before.length - tail)];
}
