/** Why: commands that go on until somebody ends them end in order, with what they began undone and exit code 0. */

/**
 * Aborted by the first SIGINT or SIGTERM, or when nobody reads the output any more (SIGPIPE); the name is the reason. A
 * second SIGINT or SIGTERM ends the process at once.
 */
export function stopOnSignals(): AbortSignal {
  const stopping = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => stopping.abort(name));
  // Not once: what is still written meanwhile fails as well.
  process.on('SIGPIPE', () => stopping.abort('SIGPIPE'));
  return stopping.signal;
}
