/** Connections to the host that takes writes: opened one by one, or by a pool. */
import pg from 'pg';
import type { DatabaseFailure } from './batch.ts';
import { DatabaseHosts } from './hosts.ts';

/** SQLSTATE read_only_sql_transaction. */
export const readOnlyState = '25006';

/** The host can be reached and takes no writes. */
export class ReadOnlyHostError extends Error {
  readonly code = readOnlyState;

  constructor() {
    super('the server is a standby, or is set to read only (default_transaction_read_only)');
    this.name = 'ReadOnlyHostError';
  }
}

/**
 * What a server reports of itself when a connection begins, and again whenever it changes (PostgreSQL 14 or later; see
 * "Asynchronous Operations" in the chapter on the protocol): either being `on` means that it refuses writes. A pooler
 * that reports neither is taken for a server that takes writes until a statement fails.
 */
const readOnlySettings: ReadonlySet<string> = new Set(['in_hot_standby', 'default_transaction_read_only']);

/** A connection to the host that is next, which succeeds only if that host takes writes. */
export class WritableClient extends pg.Client {
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

  /** Whether the server refuses writes by now. */
  get isReadOnly(): boolean {
    return this.readOnly.size > 0;
  }

  override connect(): Promise<pg.Client>;
  override connect(callback: (error: Error | null) => void): void;
  /** Opens the connection, and tells the hosts what became of it. */
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

/**
 * Opens one connection: each host is tried once.
 * @throws the failure that says most: see `mostTelling`
 */
export async function connectToWritable(url: string): Promise<pg.Client> {
  const hosts = new DatabaseHosts(url);
  const failures: DatabaseFailure[] = [];
  while (failures.length < hosts.count) {
    const client = new WritableClient(hosts, { connectionTimeoutMillis: 5_000 });
    try {
      return await client.connect();
    } catch (error) {
      failures.push(error as DatabaseFailure);
    }
  }
  throw mostTelling(failures);
}

/**
 * Of the failures to connect to several hosts: what the primary would say, such as that it has too many connections; else
 * that none takes writes; else that none can be reached.
 */
export function mostTelling(failures: readonly DatabaseFailure[]): DatabaseFailure {
  const fromServer = failures.find(({ code = '' }) => /^[0-9A-Z]{5}$/.test(code) && !/^(25|57P)/.test(code));
  const readOnly = failures.find((failure) => failure instanceof ReadOnlyHostError);
  return fromServer ?? readOnly ?? failures[0] ?? new Error('no host is named');
}
