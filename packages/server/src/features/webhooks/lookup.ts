/**
 * Resolves host names with a timeout. `dns.lookup` would occupy one of the process's four threads for as long as the
 * resolver takes, so a few slow names would block file access and other lookups. This queries DNS directly; names in
 * /etc/hosts are not seen.
 */
import { Resolver } from 'node:dns/promises';

/** Resolves a host name to its IPv4 and IPv6 addresses; rejects when there are none. */
export type Lookup = (hostname: string, signal: AbortSignal) => Promise<readonly string[]>;

const timeoutMs = 2_000;
const tries = 2;

/** Creates a lookup in DNS. */
export function createLookup(): Lookup {
  return async (hostname, signal) => {
    const resolver = new Resolver({ timeout: timeoutMs, tries });
    const cancel = () => resolver.cancel();
    signal.addEventListener('abort', cancel, { once: true });
    try {
      signal.throwIfAborted();
      const [four, six] = await Promise.allSettled([
        resolver.resolve4(hostname),
        resolver.resolve6(hostname),
      ]);
      const found = [four, six].flatMap((result) => (result.status === 'fulfilled' ? result.value : []));
      if (found.length === 0 && four.status === 'rejected') throw four.reason;
      return found;
    } finally {
      signal.removeEventListener('abort', cancel);
    }
  };
}
