/** Follows the events of the organization over the one connection of the browser. */

import type { Api } from '../api/api.ts';
import { isProblem } from '../api/problem.ts';
import type { LiveHandler } from './live.ts';
import { Live } from './live-feed.ts';
import { SharedEvents } from './shared-events.ts';

/** Time until the stream is opened again after a failure, in milliseconds. */
const retryMs = 15_000;

export interface LiveServiceOptions {
  readonly api: Api;
  /** Organization and user. */
  readonly owner: string;
  readonly refetch: LiveHandler;
  /** Called when events may have been missed. */
  readonly onMissed: () => void;
  /** Called when the organization cannot be entered again, such as after the end of the session. */
  readonly onRefused: (error: unknown) => void;
}

/** Starts to follow. @returns ends it */
export function followEvents({ api, owner, refetch, onMissed, onRefused }: LiveServiceOptions): () => void {
  const shared = new SharedEvents({
    events: (options) => api.events(options),
    owner,
    locks: navigator.locks,
  });
  let isOver = false;
  let live: Live | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let enteredAt = Number.NEGATIVE_INFINITY;
  const follow = async () => {
    live = new Live({ client: shared, refetch, onMissed });
    try {
      await live.start();
    } catch (error) {
      // Without the right to read events there is nothing to follow. Other failures are temporary.
      if (isOver || isProblem(error, 'permission_denied', 'insufficient_scope')) return;
      const isEntered = isProblem(error, 'token_invalid') && (await enterAgain());
      if (isOver) return;
      const again = () => {
        void follow();
        // The stream starts with the next event, so changes since the failure are read.
        onMissed();
      };
      timer = setTimeout(again, isEntered ? 0 : retryMs);
    }
  };
  /** Any other request enters the organization again where that is needed. @returns whether the stream can be opened at once */
  const enterAgain = async (): Promise<boolean> => {
    const isSoon = performance.now() - enteredAt < retryMs;
    enteredAt = performance.now();
    try {
      await api.read('getMe');
      return !isSoon;
    } catch (error) {
      onRefused(error);
      return false;
    }
  };
  void follow();
  return () => {
    isOver = true;
    clearTimeout(timer);
    void live?.stop();
  };
}
