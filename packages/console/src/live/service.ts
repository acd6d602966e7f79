/** Follows the events of the organization over the one connection of the browser. */

import type { Api } from '../api/api.ts';
import { isProblem } from '../api/problem.ts';
import { Live } from '../changes/live.ts';
import { SharedEvents } from '../changes/shared-events.ts';
import type { LiveHandler } from './live.ts';

/** Time until the stream is opened again after a failure, in milliseconds. */
const retryMs = 15_000;

export interface LiveServiceOptions {
  readonly api: Api;
  /** Organization and user. */
  readonly owner: string;
  readonly refetch: LiveHandler;
  /** Called when events may have been missed. */
  readonly onMissed: () => void;
}

/** Starts to follow. @returns ends it */
export function followEvents({ api, owner, refetch, onMissed }: LiveServiceOptions): () => void {
  const shared = new SharedEvents({
    events: (options) => api.events(options),
    owner,
    locks: navigator.locks,
  });
  let isOver = false;
  let live: Live | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const follow = async () => {
    live = new Live({ client: shared, refetch, onMissed });
    try {
      await live.start();
    } catch (error) {
      // Without the right to read events there is nothing to follow. Anything else passes.
      if (isOver || isProblem(error, 'permission_denied', 'insufficient_scope')) return;
      // Any other request enters the organization again where that is needed.
      if (isProblem(error, 'token_invalid')) await api.get('/v1/me').catch(() => undefined);
      const again = () => {
        void follow();
        // It begins with the next event: what has happened since the failure is read.
        onMissed();
      };
      timer = setTimeout(again, isProblem(error, 'token_invalid') ? 0 : retryMs);
    }
  };
  void follow();
  return () => {
    isOver = true;
    clearTimeout(timer);
    void live?.stop();
  };
}
