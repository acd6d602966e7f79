/**
 * Why: the usual way to look a name up (`dns.lookup`) takes one of the process's four threads for as long as the
 * resolver likes, so a few names that answer slowly would hold up everybody's files and names. This asks DNS itself, with
 * a bound. Names of /etc/hosts are not seen.
 */
import { Resolver } from 'node:dns/promises';

/** Finds the addresses of a host name, IPv4 and IPv6; rejects when there are none. */
export type Lookup = (hostname: string, signal: AbortSignal) => Promise<readonly string[]>;

const timeoutMs = 2_000;
const tries = 2;

/** A lookup in DNS. */
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
      const found = [four, six].flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
      if (found.length === 0 && four.status === 'rejected') throw four.reason;
      return found;
    } finally {
      signal.removeEventListener('abort', cancel);
    }
  };
}
