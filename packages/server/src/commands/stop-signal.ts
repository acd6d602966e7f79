/** Stop signals of commands that run until they are ended: they clean up and exit with code 0. */

/** The signals that are listened for until it is disposed of. */
export interface StopSignals extends Disposable {
  /** Aborted by the first of the signals, with its name as the reason. */
  readonly signal: AbortSignal;
}

/**
 * Listens for SIGINT, SIGTERM, and the end of the reader of the output (SIGPIPE). A second SIGINT or SIGTERM ends the
 * process immediately.
 */
export function stopOnSignals(): StopSignals {
  const stopping = new AbortController();
  const stop = (name: NodeJS.Signals) => stopping.abort(name);
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, stop);
  // Not once: later writes fail as well.
  process.on('SIGPIPE', stop);
  return {
    signal: stopping.signal,
    [Symbol.dispose]() {
      for (const name of ['SIGINT', 'SIGTERM', 'SIGPIPE'] as const) process.off(name, stop);
    },
  };
}
