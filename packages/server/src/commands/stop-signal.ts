/** Stop signals of commands that run until they are ended: they clean up and exit with code 0. */

/** The signals that are listened for until it is disposed of. */
export interface StopSignals extends Disposable {
  /** Aborted by the first of the signals, with its name, or `outputClosed`, as the reason. */
  readonly signal: AbortSignal;
}

/** Reason of a stop: nobody reads the output any more. */
export const outputClosed = Symbol('output closed');

const running = new Set<AbortController>();

/**
 * Stops the commands that run until they are ended, because the reader of the output has gone. It is not a listener to SIGPIPE: when
 * the last one of a signal leaves, Node.js restores the default action, by which the next write to any closed connection ends the process.
 *
 * @returns whether there was any
 */
export function stopForClosedOutput(): boolean {
  for (const stopping of running) stopping.abort(outputClosed);
  return running.size > 0;
}

/**
 * Listens for SIGINT, SIGTERM, and the end of the reader of the output. A second SIGINT or SIGTERM ends the process immediately.
 */
export function stopOnSignals(): StopSignals {
  const stopping = new AbortController();
  const stop = (name: NodeJS.Signals) => stopping.abort(name);
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, stop);
  running.add(stopping);
  return {
    signal: stopping.signal,
    [Symbol.dispose]() {
      for (const name of ['SIGINT', 'SIGTERM'] as const) process.off(name, stop);
      running.delete(stopping);
    },
  };
}
