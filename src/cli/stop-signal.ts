/** Why: commands that go on until somebody ends them end in order, with what they began undone and exit code 0. */

/** Aborted by the first SIGINT or SIGTERM; a second one ends the process at once. */
export function stopOnSignals(): AbortSignal {
  const stopping = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => stopping.abort());
  return stopping.signal;
}
