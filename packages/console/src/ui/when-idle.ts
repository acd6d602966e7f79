/** Work that has time until the page is shown. */

/** The longest that it waits, in milliseconds. */
const longestWaitMs = 3_000;

/** Calls back when the browser has nothing else to do. @returns cancels it */
export function whenIdle(callback: () => void): () => void {
  if (!('requestIdleCallback' in window)) {
    const timer = setTimeout(callback, longestWaitMs);
    return () => clearTimeout(timer);
  }
  const handle = requestIdleCallback(callback, { timeout: longestWaitMs });
  return () => cancelIdleCallback(handle);
}
