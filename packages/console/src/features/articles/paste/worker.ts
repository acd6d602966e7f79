/** Makes Markdown of pasted HTML beside the page, which ends it when it takes too long. */
import { markdownOfHtml } from './markdown-of-html.ts';

export interface PasteRequest {
  readonly html: string;
  readonly origin: string;
}

addEventListener('message', ({ data }: MessageEvent<PasteRequest>) => {
  postMessage(markdownOfHtml(data.html, data.origin));
});
