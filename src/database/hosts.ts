/**
 * Why: after a failover the writable server has another address. A URL may name several hosts; the writable one is
 * found by asking each whether it is in recovery, and found again when writes begin to fail.
 */
import pg from 'pg';

export interface HostSelector {
  /** URL of the host in use. */
  current(): string;
  several(): boolean;
  /** Looks for the writable host once (one search at a time) and reports its URL. */
  search(found: (url: string) => void): void;
}

/** Splits `postgres://user:secret@a:5432,b:5433/name?x=y` into one URL per host. */
export function splitHosts(url: string): string[] {
  const match = /^(postgres(?:ql)?:\/\/(?:[^@/]*@)?)([^/?]*)(.*)$/.exec(url);
  if (match === null) return [url];
  const [, head = '', hosts = '', tail = ''] = match;
  return hosts.split(',').map((host) => `${head}${host}${tail}`);
}

/** Begins with the first host; see `HostSelector`. */
export function createHostSelector(url: string): HostSelector {
  const hosts = splitHosts(url);
  let current = hosts[0] ?? url;
  let searching = false;
  return {
    current: () => current,
    several: () => hosts.length > 1,
    search(found) {
      if (searching) return;
      searching = true;
      firstWritable(hosts)
        .then((writable) => {
          if (writable === null) return;
          current = writable;
          found(writable);
        })
        .finally(() => {
          searching = false;
        });
    },
  };
}

/** The first of the hosts that accepts writes, or null. */
export async function firstWritable(hosts: readonly string[]): Promise<string | null> {
  for (const host of hosts) {
    const client = new pg.Client({ connectionString: host, connectionTimeoutMillis: 1_000 });
    client.on('error', () => undefined);
    try {
      await client.connect();
      const result = await client.query<{ standby: boolean }>('SELECT pg_is_in_recovery() AS standby');
      if (result.rows[0]?.standby === false) return host;
    } catch {
      // Not reachable: the next one may be.
    } finally {
      await client.end().catch(() => undefined);
    }
  }
  return null;
}
