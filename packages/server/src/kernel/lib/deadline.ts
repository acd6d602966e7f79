/**
 * Runs work with a signal that aborts after `milliseconds`, or with `stopping`, whichever is first. The work ends by the signal; nobody waits
 * for it any less.
 *
 * One controller, which the listener holds: Node.js loses an abort of `AbortSignal.any` when its source is collected before somebody listens
 * (nodejs/node#65995), and in version 20 the timer of an `AbortSignal.timeout` that is only such a source (nodejs/node#57736).
 */
export async function withDeadline<T>(
  milliseconds: number,
  stopping: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const end = new AbortController();
  const stop = () => end.abort(stopping.reason);
  const timer = setTimeout(() => end.abort(new Error('The time limit was reached.')), milliseconds);
  stopping.addEventListener('abort', stop, { once: true });
  try {
    if (stopping.aborted) stop();
    return await work(end.signal);
  } finally {
    clearTimeout(timer);
    stopping.removeEventListener('abort', stop);
  }
}
