/** The preview of a text, in a frame that runs no scripts. */

import fontFaces from '@fontsource-variable/inter/wght.css?inline';
import { useComputedColorScheme } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import type { Api } from '../../../api/api.ts';
import { useFeatureText } from '../../../text/feature.ts';
import { readNonce } from '../../../ui/csp-nonce.ts';
import shared from '../../../ui/shared.module.css';
import styles from '../ArticleEditor.module.css';
import { texts } from '../texts.ts';
import type { TextSource } from '../use-text-source.ts';
import previewStyles from './preview.css?inline';
import { PreviewImages } from './preview-images.ts';
import { PreviewPage } from './preview-page.ts';
import { usePreview } from './use-preview.ts';

/** What the frame's style sheet uses of the page's. */
const pageVariables = [
  '--mantine-font-family',
  '--mantine-font-family-monospace',
  '--mantine-color-text',
  '--mantine-color-dimmed',
  '--mantine-color-anchor',
  '--console-line',
  '--console-hover',
];

/** Gives the frame the type and the colors that the page has now. */
function dressAsPage({ documentElement: root }: Document, scheme: string): void {
  root.dataset.scheme = scheme;
  const page = getComputedStyle(document.documentElement);
  for (const name of pageVariables) root.style.setProperty(name, page.getPropertyValue(name));
}

interface Props {
  readonly source: TextSource;
  readonly api: Api;
  readonly title: string;
  /** `MARKDOWN` or `HTML`. */
  readonly format: string;
  readonly locale: string;
}

export function Preview({ source, api, title, format, locale }: Props) {
  const featureText = useFeatureText(texts);
  const scheme = useComputedColorScheme('light');
  const elsewhere = useRef((_host: string): string => '');
  elsewhere.current = (host) => featureText('imageElsewhere', { host });
  const onSite = useRef((_address: string): string => '');
  onSite.current = (address) => featureText('linkOnSite', { address });
  const [hasSiteLinks, setHasSiteLinks] = useState(false);
  const [frame, setFrame] = useState<Document | null>(null);
  const [page, setPage] = useState<PreviewPage | null>(null);
  const state = usePreview(source, format, page);

  useEffect(() => {
    const body = frame?.getElementById('text');
    if (body === null || body === undefined) return;
    const images = new PreviewImages(api);
    body.replaceChildren();
    const shown = new PreviewPage(body, {
      elsewhere: (host) => elsewhere.current(host),
      onSite: (address) => onSite.current(address),
      onSiteLinks: setHasSiteLinks,
      showFile: (image, id) =>
        void images.find(id).then((url) => {
          if (url !== null) image.src = url;
        }),
    });
    setPage(shown);
    return () => {
      shown.stop();
      void images.clear();
    };
  }, [frame, api]);

  useEffect(() => {
    if (frame === null) return;
    dressAsPage(frame, scheme);
    frame.documentElement.lang = locale;
    const head = frame.getElementById('title');
    if (head !== null) head.textContent = title;
  }, [frame, scheme, locale, title]);

  return (
    <section className={styles.preview} aria-label={featureText('preview')} data-state={state}>
      <p className={`${shared.about} ${styles.previewHint}`} role="status">
        {state === 'plain' && featureText('previewPlain')}
        {state === 'cut' && featureText('previewCut')}
        {state === 'unclosed' && featureText('previewUnclosed')}
      </p>
      <p className={`${shared.about} ${styles.previewHint}`} role="status">
        {hasSiteLinks && featureText('previewSiteLinks')}
      </p>
      <iframe
        className={styles.frame}
        title={featureText('previewTitle')}
        // Links open in new tabs, or scroll the preview. Without `allow-scripts` nothing runs, whatever the text contains.
        sandbox="allow-same-origin allow-popups allow-popups-to-escape-sandbox"
        srcDoc={`<!doctype html><html data-scheme="${scheme}"><head><meta charset="utf-8"><title>${featureText('previewTitle')}</title><style nonce="${readNonce()}">${fontFaces}${previewStyles}</style></head><body><main><h1 id="title"></h1><div id="text"></div></main></body></html>`}
        onLoad={(event) => setFrame(event.currentTarget.contentDocument)}
      />
    </section>
  );
}
