/** Reads the text in the editor for the preview, in a worker that is ended when it takes too long. */
import { useEffect, useState } from 'react';
import type { TextSource } from '../use-text-source.ts';
import type { Extent } from './parse.ts';
import type { PreviewPage } from './preview-page.ts';
import type { PreviewChange, PreviewRequest } from './worker.ts';

/** Time without a key before the text is read, and how long that may take, in ms. */
const [quietMs, deadlineMs] = [250, 4_000];

/** `plain`: the text took too long, and is shown as it is. */
export type PreviewState = 'reading' | Extent | 'plain';

export function usePreview(source: TextSource, format: string, page: PreviewPage | null): PreviewState {
  const [state, setState] = useState<PreviewState>('reading');
  useEffect(() => {
    if (page === null) return;
    let worker: Worker | null = null;
    let [isBusy, isStale] = [false, false];
    let timer: ReturnType<typeof setTimeout> | undefined;
    let deadline: ReturnType<typeof setTimeout> | undefined;
    const end = () => {
      clearTimeout(deadline);
      worker?.terminate();
      worker = null;
    };
    const finish = (next: PreviewState) => {
      clearTimeout(deadline);
      isBusy = false;
      setState(next);
      if (isStale) schedule();
    };
    const giveUp = () => {
      end();
      page.showPlain(source.read());
      finish('plain');
    };
    const start = () => {
      const started = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' });
      // It knows of no blocks yet.
      page.apply({ head: 0, tail: 0, blocks: [] });
      started.addEventListener('message', ({ data }: MessageEvent<PreviewChange>) => {
        if (worker !== started) return;
        page.apply(data);
        finish(data.extent);
      });
      // For example, a text whose nesting overflows the stack.
      started.addEventListener('error', (event) => {
        event.preventDefault();
        if (worker === started) giveUp();
      });
      return started;
    };
    const read = () => {
      isStale = false;
      isBusy = true;
      worker ??= start();
      deadline = setTimeout(giveUp, deadlineMs);
      const request: PreviewRequest = { text: source.read(), format };
      worker.postMessage(request);
    };
    const schedule = () => {
      isStale = true;
      clearTimeout(timer);
      if (!isBusy) timer = setTimeout(read, quietMs);
    };
    read();
    const unsubscribe = source.subscribe(schedule);
    return () => {
      unsubscribe();
      clearTimeout(timer);
      end();
      page.stop();
    };
  }, [source, format, page]);
  return state;
}
