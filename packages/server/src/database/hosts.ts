/**
 * The hosts of a database URL, and which of them the next connection is opened to. After a failover the server that takes
 * writes has another address, so a URL may name several; every connection is for reading and writing, as with
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

  /** How many there are. */
  get count(): number {
    return this.urls.length;
  }

  /** URL of the host that the next connection is opened to: the first, or the one that was found last. */
  next(): string {
    return this.urls[this.candidate] ?? '';
  }

  /** Notes that a host could not be connected to, or takes no writes: another one is next. */
  leave(url: string): void {
    // Several connections may fail together; all of them count as one step.
    if (url === this.next()) this.candidate = (this.candidate + 1) % this.urls.length;
  }

  /**
   * Notes that a host takes writes.
   * @returns whether another one did before
   */
  settle(url: string): boolean {
    const hasMoved = this.writable !== null && this.writable !== url;
    this.writable = url;
    this.candidate = Math.max(0, this.urls.indexOf(url));
    return hasMoved;
  }

  /** Whether connections to this host are of no use any more, because another one has been found to take writes since. */
  isReplaced(url: string): boolean {
    return this.writable !== null && this.writable !== url;
  }
}
