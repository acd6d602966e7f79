/** Stop signals of commands that run until they are ended: they clean up and exit with code 0. */

/**
 * Aborted by the first SIGINT or SIGTERM, or when the output is closed (SIGPIPE), with the name as the reason. A second
 * SIGINT or SIGTERM ends the process immediately.
 */
export function stopOnSignals(): AbortSignal {
  const stopping = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => stopping.abort(name));
  // Not once: later writes fail as well.
  process.on('SIGPIPE', () => stopping.abort('SIGPIPE'));
  return stopping.signal;
}
