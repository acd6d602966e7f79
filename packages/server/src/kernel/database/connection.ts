/** Connections to the host that accepts writes, opened one by one or by a pool. */
import pg from 'pg';
import type { DatabaseFailure } from './batch.ts';
import { DatabaseHosts } from './hosts.ts';

/** SQLSTATE read_only_sql_transaction. */
export const readOnlyState = '25006';

/** The host is reachable but does not accept writes. */
export class ReadOnlyHostError extends Error {
  readonly code = readOnlyState;

  constructor() {
    super('the server is a standby, or is set to read only (default_transaction_read_only)');
    this.name = 'ReadOnlyHostError';
  }
}

/**
 * Parameters that a server reports when a connection begins and whenever they change (PostgreSQL 14 or later; see
 * "Asynchronous Operations" in the chapter on the protocol). If either is `on`, the server refuses writes. A pooler
 * that reports neither counts as a server that accepts writes until a statement fails.
 */
const readOnlySettings: ReadonlySet<string> = new Set(['in_hot_standby', 'default_transaction_read_only']);

/** A connection to the next host, which succeeds only if the host accepts writes. */
class WritableClient extends pg.Client {
  /** URL of its host. */
  readonly url: string;
  private readonly hosts: DatabaseHosts;
  private readonly readOnly = new Set<string>();

  constructor(hosts: DatabaseHosts, config: pg.ClientConfig) {
    const url = hosts.next();
    super({ ...config, connectionString: url });
    this.url = url;
    this.hosts = hosts;
    this.connection.on(
      'parameterStatus',
      (message: { readonly parameterName: string; readonly parameterValue: string }) => {
        const { parameterName, parameterValue } = message;
        if (!readOnlySettings.has(parameterName)) return;
        if (parameterValue === 'on') this.readOnly.add(parameterName);
        else this.readOnly.delete(parameterName);
      },
    );
  }

  /** Whether the server refuses writes now. */
  get isReadOnly(): boolean {
    return this.readOnly.size > 0;
  }

  override connect(): Promise<pg.Client>;
  override connect(callback: (error: Error | null) => void): void;
  /** Opens the connection and records the result for the host. */
  override connect(callback?: (error: Error | null) => void): Promise<pg.Client> | undefined {
    if (callback === undefined) {
      return new Promise((resolve, reject) =>
        this.connect((error) => (error === null ? resolve(this) : reject(error))),
      );
    }
    super.connect((error: Error | null) => callback(this.judge(error)));
    return undefined;
  }

  private judge(error: Error | null): Error | null {
    if (error) {
      this.hosts.leave(this.url);
      return error;
    }
    if (!this.isReadOnly) return null;
    this.hosts.leave(this.url);
    this.end().catch(() => undefined);
    return new ReadOnlyHostError();
  }
}

/** Where connections are opened to. */
export interface Target {
  /** The driver's client, which knows the address. */
  readonly Client: new (
    config?: pg.ClientConfig,
  ) => pg.Client;
  /** How many hosts a call tries. */
  readonly hostCount: number;
  /** Whether statements may still be sent over an open connection. */
  isUsable(client: pg.PoolClient): boolean;
  noteOpened(client: pg.PoolClient): void;
  /** Records that the server said nothing while statements ran. */
  noteSilent(client: pg.PoolClient): void;
}

/** The host that accepts writes, wherever it is in the URL. */
export function targetWritable(
  url: string,
  log: (message: string, detail: Record<string, unknown>) => void,
): Target {
  const hosts = new DatabaseHosts(url);
  return {
    Client: class extends WritableClient {
      constructor(config?: pg.ClientConfig) {
        super(hosts, config ?? {});
      }
    },
    hostCount: hosts.count,
    isUsable: (client) =>
      !(client instanceof WritableClient) || (!client.isReadOnly && !hosts.isReplaced(client.url)),
    noteOpened(client) {
      if (client instanceof WritableClient && hosts.settle(client.url))
        log('database host changed', { host: `${client.host}:${client.port}` });
    },
    // A former primary whose standbys follow a new one still accepts connections, but acknowledges no write.
    noteSilent(client) {
      if (client instanceof WritableClient) hosts.leave(client.url);
    },
  };
}

/**
 * Opens one connection; each host is tried once.
 * @param name what PostgreSQL calls it (application_name), unless the URL says it
 * @throws the most informative failure, see `chooseFailure`
 */
export async function connectToWritable(url: string, name?: string): Promise<pg.Client> {
  const hosts = new DatabaseHosts(url);
  const failures: DatabaseFailure[] = [];
  while (failures.length < hosts.count) {
    const client = new WritableClient(hosts, {
      connectionTimeoutMillis: 5_000,
      ...(name === undefined ? {} : { fallback_application_name: name }),
    });
    // A lost connection fails the current or the next statement. Without a listener, its `error` event would end the process instead.
    client.on('error', () => undefined);
    try {
      return await client.connect();
    } catch (error) {
      failures.push(error as DatabaseFailure);
    }
  }
  throw chooseFailure(failures);
}

/**
 * The most informative of the failures of several hosts: that of a primary, such as too many connections; otherwise
 * that no host accepts writes; otherwise that no host is reachable.
 */
export function chooseFailure(failures: readonly DatabaseFailure[]): DatabaseFailure {
  const fromServer = failures.find(({ code = '' }) => /^[0-9A-Z]{5}$/.test(code) && !/^(25|57P)/.test(code));
  const readOnly = failures.find((failure) => failure instanceof ReadOnlyHostError);
  return fromServer ?? readOnly ?? failures[0] ?? new Error('no host is named');
}
