/**
 * The hosts of a database URL, and the one that the next connection is opened to. After a failover the writable server
 * has another address, so a URL may name several hosts. Every connection is for reading and writing, as with
 * `target_session_attrs=read-write` of libpq.
 */

/** Splits `postgres://user:secret@a:5432,b:5433/name?x=y` into one URL per host. */
export function splitHosts(url: string): string[] {
  const { head, hosts, tail } = partsOf(url);
  return hosts.split(',').map((host) => `${head}${host}${tail}`);
}

/** The URL with another user, password and database, and the same hosts. */
export function replaceLogin(url: string, user: string, password: string, database: string): string {
  const scheme = url.slice(0, url.indexOf('://'));
  const { hosts, tail } = partsOf(url);
  const query = tail.includes('?') ? tail.slice(tail.indexOf('?')) : '';
  const login = `${encodeURIComponent(user)}:${encodeURIComponent(password)}`;
  return `${scheme}://${login}@${hosts}/${encodeURIComponent(database)}${query}`;
}

/** The URL with another database. */
export function replaceDatabase(url: string, database: string): string {
  const { head, hosts, tail } = partsOf(url);
  const query = tail.includes('?') ? tail.slice(tail.indexOf('?')) : '';
  return `${head}${hosts}/${encodeURIComponent(database)}${query}`;
}

function partsOf(url: string): { head: string; hosts: string; tail: string } {
  const match = /^(postgres(?:ql)?:\/\/(?:[^@/]*@)?)([^/?]*)(.*)$/.exec(url);
  const [, head = '', hosts = url, tail = ''] = match ?? [];
  return { head, hosts, tail };
}

/** The hosts of one pool. */
export class DatabaseHosts {
  private readonly urls: readonly string[];
  private candidate = 0;
  private writable: string | null = null;

  constructor(url: string) {
    this.urls = splitHosts(url);
  }

  /** The number of hosts. */
  get count(): number {
    return this.urls.length;
  }

  /** URL of the host for the next connection: the first one, or the one that last accepted writes. */
  next(): string {
    return this.urls[this.candidate] ?? '';
  }

  /** Records that a host is unreachable or does not accept writes; another one is tried next. */
  leave(url: string): void {
    // Several connections may fail at the same time; together they count once.
    if (url === this.next()) this.candidate = (this.candidate + 1) % this.urls.length;
  }

  /**
   * Records that a host accepts writes.
   * @returns whether another one did before
   */
  settle(url: string): boolean {
    const hasMoved = this.writable !== null && this.writable !== url;
    this.writable = url;
    this.candidate = Math.max(0, this.urls.indexOf(url));
    return hasMoved;
  }

  /** Whether connections to this host should be closed, because another one accepts writes since. */
  isReplaced(url: string): boolean {
    return this.writable !== null && this.writable !== url;
  }
}
