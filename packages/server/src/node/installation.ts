/**
 * An installation: the database, the keys and the lock of the data directory. This file alone knows the difference between
 * the embedded PostgreSQL, running or not, and an external one.
 */
import { randomBytes } from 'node:crypto';
import {
  acquireDataDirectoryLock,
  DataDirectoryInUseError,
  type DataDirectoryLock,
  type EmbeddedDatabase,
  readRunningEmbedded,
  startEmbedded,
} from '@trellis/embedded-postgres/embedded.ts';
import { readState } from '@trellis/embedded-postgres/state.ts';
import type { Config } from '../kernel/config/config.ts';
import { usesExternalDatabase } from '../kernel/config/config.ts';
import { Database } from '../kernel/database/database.ts';
import { InterruptedRestoreError, migrate } from '../kernel/database/migrate.ts';
import { roleUrls, setUpDatabase } from '../kernel/database/setup.ts';
import { InstallationError } from '../kernel/lib/installation-error.ts';
import { changeSecrets, readOrCreateSecrets, readSecrets } from './secrets.ts';

/** The name of the database in the embedded server. */
const databaseName = 'trellis';

/** The database URL of each role; null for roles that are not configured. */
interface InstallationUrls {
  readonly api: string | null;
  readonly worker: string | null;
  readonly owner: string | null;
  /** Null if nobody can sign in. */
  readonly auth: string | null;
}

/** An open installation. */
export interface Installation {
  readonly urls: InstallationUrls;
  /** 32 bytes. */
  readonly cursorKey: Buffer;
  /** 32 bytes. */
  readonly visitorKey: Buffer;
  /** The embedded server, when this process runs it. */
  readonly embedded: EmbeddedDatabase | null;
  /** Stops what opening it started. */
  close(): Promise<void>;
}

/**
 * Opens the installation for serving: locks the data directory, and starts and migrates the embedded server. An external
 * database is migrated only by `trellis migrate`.
 * @throws DataDirectoryInUseError when another process serves from the same data directory; InterruptedRestoreError
 */
export async function openForServing(config: Config, log: (line: string) => void): Promise<Installation> {
  if (usesExternalDatabase(config)) return openExternal(config);
  const lock = acquireDataDirectoryLock(config.dataDir);
  try {
    return await startEmbeddedInstallation(config, lock, log);
  } catch (error) {
    lock.release();
    throw error;
  }
}

/**
 * Opens the installation for a command: uses a running server's database, or starts the embedded one for the duration
 * of the command.
 * @throws InterruptedRestoreError
 */
export async function openForCommand(config: Config, log: (line: string) => void): Promise<Installation> {
  if (usesExternalDatabase(config)) return openExternal(config);
  let lock: DataDirectoryLock;
  try {
    lock = acquireDataDirectoryLock(config.dataDir);
  } catch (error) {
    if (!(error instanceof DataDirectoryInUseError)) throw error;
    return openRunning(config);
  }
  try {
    return await startEmbeddedInstallation(config, lock, log);
  } catch (error) {
    lock.release();
    throw error;
  }
}

/** An installation into which a backup is restored. */
export interface RestoreTarget {
  /** URL of the role that owns the schema. */
  readonly ownerUrl: string;
  /**
   * Makes the keys those of the installation; an external database has them in the settings of its nodes. From then on, only the
   * mark in the database says that the restore is not complete.
   */
  storeKeys(keys: { readonly cursorKey: Buffer; readonly visitorKey: Buffer }): void;
  close(): Promise<void>;
}

/**
 * Opens an installation for a restore: the embedded server is started without being migrated. A new one is marked first: it could
 * be taken for a complete and empty one if this process were killed before the restore has marked the database.
 */
export async function openForRestore(config: Config, log: (line: string) => void): Promise<RestoreTarget> {
  if (usesExternalDatabase(config)) {
    if (config.databaseOwnerUrl === null) throw new InstallationError(needsOwner);
    return {
      ownerUrl: config.databaseOwnerUrl,
      storeKeys: () => undefined,
      close: async () => undefined,
    };
  }
  const lock = acquireDataDirectoryLock(config.dataDir);
  try {
    const isNew = readState(config.dataDir)?.initialized !== true;
    if (isNew) changeSecrets(config.dataDir, { isRestoring: true });
    const { urls, close } = await startEmbeddedInstallation(config, lock, log, { forRestore: true });
    if (urls.owner === null) throw new InstallationError(needsOwner);
    return {
      ownerUrl: urls.owner,
      storeKeys({ cursorKey, visitorKey }) {
        changeSecrets(config.dataDir, {
          cursorKey: cursorKey.toString('hex'),
          visitorKey: visitorKey.toString('hex'),
          isRestoring: undefined,
        });
      },
      close,
    };
  } catch (error) {
    lock.release();
    throw error;
  }
}

/** What a command says that needs the owner of an external database. */
export const needsOwner =
  'This command needs the role that owns the schema: set TRELLIS_DATABASE_OWNER_URL. ' +
  '"trellis database setup" creates the role and prints its URL.';

/** Runs work as the worker role, then closes what was opened for it. */
export async function withWorker<T>(
  config: Config,
  log: (line: string) => void,
  work: (worker: Database) => Promise<T>,
): Promise<T> {
  return withRoles(config, log, ({ worker }) => work(worker));
}

/** Opens the pool of the worker role; passes on the URL of the serving role. */
async function withRoles<T>(
  config: Config,
  log: (line: string) => void,
  work: (roles: { worker: Database; api: string | null }) => Promise<T>,
): Promise<T> {
  const installation = await openForCommand(config, log);
  try {
    const { worker } = installation.urls;
    if (worker === null) {
      throw new InstallationError(
        'This command works across organizations and needs the worker role: set TRELLIS_DATABASE_WORKER_URL. ' +
          '"trellis database setup" creates the role and prints its URL.',
      );
    }
    const database = openDatabase(config, worker, { poolSize: 2, name: 'trellis command' });
    try {
      return await work({ worker: database, api: installation.urls.api });
    } finally {
      await database.close();
    }
  } finally {
    await installation.close();
  }
}

/** Runs work as the role that signs people in. */
export async function withAuth<T>(
  config: Config,
  log: (line: string) => void,
  work: (auth: Database) => Promise<T>,
): Promise<T> {
  const installation = await openForCommand(config, log);
  try {
    const { auth } = installation.urls;
    if (auth === null) {
      throw new InstallationError(
        'This command needs the role that signs people in: set TRELLIS_DATABASE_AUTH_URL. ' +
          '"trellis database setup --only-missing" makes that role and prints its URL.',
      );
    }
    const database = openDatabase(config, auth, { poolSize: 1, name: 'trellis command' });
    try {
      return await work(database);
    } finally {
      await database.close();
    }
  } finally {
    await installation.close();
  }
}

/**
 * Like `withWorker`, for commands that also read records of one organization, which only the serving role can see.
 */
export async function withWorkerAndApi<T>(
  config: Config,
  log: (line: string) => void,
  work: (worker: Database, api: Database) => Promise<T>,
): Promise<T> {
  return withRoles(config, log, async ({ worker, api }) => {
    if (api === null) throw new InstallationError('This command reads records: set TRELLIS_DATABASE_URL.');
    const database = openDatabase(config, api, { poolSize: 1, name: 'trellis command' });
    try {
      return await work(worker, database);
    } finally {
      await database.close();
    }
  });
}

/**
 * How long background work and commands wait for a connection, in ms; longer than requests, because no client waits for
 * them.
 */
const patientTimeoutMs = 5_000;
/** How long requests do. */
export const requestTimeoutMs = 1_000;
/** How long they wait for a database that says nothing, in ms: a little more than the `statement_timeout` of their roles. */
export const requestSilenceMs = 6_000;

/** Opens a pool with the configured settings. */
export function openDatabase(
  config: Config,
  url: string,
  options: {
    poolSize?: number;
    name: string;
    acquireTimeoutMs?: number;
    silenceMs?: number;
    /** URL of the replicas for reads; none when absent or null. */
    replicaUrl?: string | null;
    log?: (message: string, detail: Record<string, unknown>) => void;
  },
): Database {
  return new Database({
    url,
    poolSize: options.poolSize ?? config.databasePoolSize,
    prepare: config.databasePrepare,
    acquireTimeoutMs: options.acquireTimeoutMs ?? patientTimeoutMs,
    ...(options.silenceMs === undefined ? {} : { silenceMs: options.silenceMs }),
    replicas: options.replicaUrl == null ? null : { url: options.replicaUrl },
    applicationName: options.name,
    log: options.log ?? (() => undefined),
  });
}

function openExternal(config: Config): Installation {
  return {
    urls: {
      api: config.databaseUrl,
      worker: config.databaseWorkerUrl,
      owner: config.databaseOwnerUrl,
      auth: config.databaseAuthUrl,
    },
    // Only for commands that use no key; loadConfig requires the keys wherever requests are served.
    cursorKey: config.cursorKey ?? randomBytes(32),
    visitorKey: config.visitorKey ?? randomBytes(32),
    embedded: null,
    close: async () => undefined,
  };
}

async function startEmbeddedInstallation(
  config: Config,
  lock: DataDirectoryLock,
  log: (line: string) => void,
  { forRestore }: { readonly forRestore: boolean } = { forRestore: false },
): Promise<Installation> {
  const secrets = readOrCreateSecrets(config.dataDir);
  if (secrets.isRestoring && !forRestore) throw new InterruptedRestoreError();
  const embedded = await startEmbedded({ dataDirectory: config.dataDir, log });
  try {
    const urls = await setUpDatabase(embedded.adminUrl(), databaseName, secrets.rolePasswords);
    if (!forRestore) await migrate(urls.owner, log);
    return {
      urls,
      cursorKey: config.cursorKey ?? Buffer.from(secrets.cursorKey, 'hex'),
      visitorKey: config.visitorKey ?? Buffer.from(secrets.visitorKey, 'hex'),
      embedded,
      close: async () => {
        await embedded.stop();
        lock.release();
      },
    };
  } catch (error) {
    await embedded.stop();
    throw error;
  }
}

async function openRunning(config: Config): Promise<Installation> {
  // The server may still be starting.
  for (let attempt = 0; attempt < 100; attempt += 1) {
    const running = await readRunningEmbedded(config.dataDir);
    const secrets = readSecrets(config.dataDir);
    if (secrets?.isRestoring) throw new InterruptedRestoreError();
    if (running !== null && secrets !== null) {
      return {
        urls: roleUrls(running.adminUrl(), databaseName, secrets.rolePasswords),
        cursorKey: config.cursorKey ?? Buffer.from(secrets.cursorKey, 'hex'),
        visitorKey: config.visitorKey ?? Buffer.from(secrets.visitorKey, 'hex'),
        embedded: null,
        close: async () => undefined,
      };
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new InstallationError(
    `A process uses ${config.dataDir}, but its database does not respond. Run "trellis doctor" for details.`,
  );
}
