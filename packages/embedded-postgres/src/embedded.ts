/**
 * The supervisor of the embedded database: a PostgreSQL server as a child process, so that Trellis runs without an installed
 * database. It creates the cluster on the first start, adopts a server that is still running after a crash of its
 * supervisor, restarts the server when it dies, and stops it at exit.
 */
import { mkdirSync, realpathSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ensureCluster } from './cluster.ts';
import { findPlacement, type Placement } from './placement.ts';
import { chooseFreePort } from './ports.ts';
import { errorMessage } from './processes.ts';
import {
  adminUrl,
  endServer,
  findRunningServer,
  removeMisleadingPostmasterFile,
  type ServerProcess,
  ServerStartError,
  sendSignal,
  spawnServer,
  waitUntilReady,
  watchServer,
} from './server.ts';
import { clusterFolder, readState, writeState } from './state.ts';

export {
  acquireDataDirectoryLock,
  DataDirectoryInUseError,
  type DataDirectoryLock,
  readDataDirectoryHolder,
} from './lock.ts';

export interface EmbeddedOptions {
  /** Created if missing. The cluster lives in `<dataDirectory>/postgres`, or where `postgres.json` in it says. */
  dataDirectory: string;
  /** Receives the logs of the server and of the supervisor, line by line. */
  log: (line: string) => void;
  /** Server settings beyond our defaults, for example `{ work_mem: '16MB' }`. */
  settings?: Record<string, string>;
  /** Folder with `bin/` and `lib/` of another PostgreSQL to use instead of the bundled one. */
  binaries?: string;
}

/** The embedded server, which is restarted when it dies until it is stopped. */
export interface EmbeddedDatabase {
  host: '127.0.0.1';
  /** TCP port. It stays the same across starts unless another process uses it. */
  port: number;
  /** Process id of the server's main process; it changes when the server is restarted. */
  readonly pid: number;
  /** Major version, for example 18. */
  version: number;
  /** Connection string of the superuser `postgres`, with password; the database is `postgres` unless named. */
  adminUrl: (database?: string) => string;
  /**
   * Stops the server permanently. `fast` ends all transactions and shuts down cleanly (with harder signals after 10 s);
   * `immediate` is a controlled crash, recovered from at the next start.
   */
  stop(mode?: 'fast' | 'immediate'): Promise<void>;
  /** Kills the server with SIGKILL, after which it is restarted; for fault tests. */
  kill(): void;
}

/** A running server that another process supervises. */
export interface RunningEmbeddedDatabase {
  host: '127.0.0.1';
  port: number;
  pid: number;
  version: number;
  adminUrl: (database?: string) => string;
}

const FAST: [NodeJS.Signals, number][] = [
  ['SIGINT', 10_000],
  ['SIGQUIT', 5_000],
  ['SIGKILL', 5_000],
];
const IMMEDIATE: [NodeJS.Signals, number][] = [
  ['SIGQUIT', 5_000],
  ['SIGKILL', 5_000],
];
const ADOPTION_LIMIT_MILLISECONDS = 10_000;
const ORPHAN_LIMIT_MILLISECONDS = 2_000;
const FIRST_BACKOFF_MILLISECONDS = 100;
const LAST_BACKOFF_MILLISECONDS = 2_000;

/**
 * Starts the embedded server of a data directory, or adopts the one that an earlier process left running. The caller must
 * have the lock of the directory (`acquireDataDirectoryLock`).
 * @throws Error with what to do if the server cannot be started
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedDatabase> {
  const { log, settings = {} } = options;
  mkdirSync(options.dataDirectory, { recursive: true });
  const placement = await findPlacement(realpathSync(options.dataDirectory), options.binaries, log);
  await ensureCluster(placement, log);
  const adopted = await adoptServer(placement, log);
  const { server, version } = adopted ?? (await startServer(placement, settings, log));
  return supervise(placement, settings, log, server, version);
}

/**
 * Finds the embedded server of a data directory if it is running; starts nothing.
 * @throws Error when the data directory belongs to another user
 */
export async function readRunningEmbedded(dataDirectory: string): Promise<RunningEmbeddedDatabase | null> {
  const state = readState(dataDirectory);
  if (state === null) return null;
  const cluster = clusterFolder(realpathSync(dataDirectory), state);
  const running = findRunningServer(cluster);
  if (running === null) return null;
  const found = { state: { ...state, port: running.port }, cluster };
  try {
    const version = await waitUntilReady(watchServer(running.pid), found, ADOPTION_LIMIT_MILLISECONDS);
    return {
      host: '127.0.0.1',
      ...running,
      version,
      adminUrl: (database) => adminUrl(found.state, database),
    };
  } catch (error) {
    if (error instanceof ServerStartError) return null; // it ended during the query
    throw error;
  }
}

/**
 * Removes a data directory with its cluster, wherever that is. A server that still runs there is ended first, without a checkpoint; no process
 * may supervise it.
 */
export async function removeEmbedded(dataDirectory: string): Promise<void> {
  const state = readState(dataDirectory);
  if (state !== null) {
    const running = findRunningServer(clusterFolder(realpathSync(dataDirectory), state));
    if (running !== null) await endServer(watchServer(running.pid), IMMEDIATE);
    // A cluster elsewhere is in a folder of this data directory alone.
    if (state.cluster !== null) rmSync(dirname(state.cluster), { recursive: true, force: true });
  }
  rmSync(dataDirectory, { recursive: true, force: true });
}

/** @returns null if no server is running: there was none, or it was unusable and has been stopped */
async function adoptServer(
  placement: Placement,
  log: (line: string) => void,
): Promise<{ server: ServerProcess; version: number } | null> {
  const running = findRunningServer(placement.cluster);
  if (running === null) return null;
  const server = watchServer(running.pid);
  placement.state.port = running.port;
  try {
    const version = await waitUntilReady(server, placement, ADOPTION_LIMIT_MILLISECONDS);
    log(`adopted the PostgreSQL that was still running (process ${server.pid}, port ${running.port})`);
    writeState(placement.dataDirectory, placement.state);
    return { server, version };
  } catch (error) {
    if (server.hasEnded()) return null;
    log(`stopping the PostgreSQL that was still running (process ${server.pid}): ${errorMessage(error)}`);
    await endServer(server, IMMEDIATE);
    if (!server.hasEnded())
      throw new Error(`PostgreSQL process ${server.pid} cannot be stopped: ${errorMessage(error)}`);
    return null;
  }
}

async function startServer(
  placement: Placement,
  settings: Record<string, string>,
  log: (line: string) => void,
): Promise<{ server: ServerProcess; version: number }> {
  const deadline = Date.now() + ORPHAN_LIMIT_MILLISECONDS;
  for (;;) {
    removeMisleadingPostmasterFile(placement.cluster, log);
    const server = spawnServer(placement, settings, log);
    try {
      return { server, version: await waitUntilReady(server, placement) };
    } catch (error) {
      await endServer(server, IMMEDIATE);
      if (!(error instanceof ServerStartError)) throw error;
      if (error.portTaken) {
        const taken = placement.state.port;
        placement.state.port = await chooseFreePort();
        writeState(placement.dataDirectory, placement.state);
        log(`port ${taken} is used by another process; the database moves to port ${placement.state.port}`);
      } else if (error.clusterHeld && Date.now() < deadline) {
        await sleep(100); // the last processes of a killed server are still ending
      } else throw error;
    }
  }
}

function supervise(
  placement: Placement,
  settings: Record<string, string>,
  log: (line: string) => void,
  first: ServerProcess,
  version: number,
): EmbeddedDatabase {
  let server = first;
  let stopped: Promise<void> | null = null;
  const stopping = new AbortController();

  // Stops the server also if this process ends without stop(), for example by process.exit().
  const stopAtExit = () => sendSignal(server, 'SIGINT');
  process.once('exit', stopAtExit);

  const restartForever = async () => {
    let backoff = FIRST_BACKOFF_MILLISECONDS;
    for (;;) {
      const ending = await server.ended;
      if (stopping.signal.aborted) return;
      log(
        `PostgreSQL (process ${server.pid}) ended unexpectedly (${ending}); starting it again in ${backoff} ms`,
      );
      await sleep(backoff, undefined, { signal: stopping.signal, ref: false }).catch(() => undefined);
      if (stopping.signal.aborted) return;
      backoff = Math.min(backoff * 2, LAST_BACKOFF_MILLISECONDS);
      try {
        removeMisleadingPostmasterFile(placement.cluster, log);
        server = spawnServer(placement, settings, log);
        await waitUntilReady(server, placement);
        log(`PostgreSQL is back (process ${server.pid}, port ${placement.state.port})`);
        backoff = FIRST_BACKOFF_MILLISECONDS;
      } catch (error) {
        if (stopping.signal.aborted) return;
        log(errorMessage(error));
        await endServer(server, IMMEDIATE);
      }
    }
  };
  const supervision = restartForever();

  return {
    host: '127.0.0.1',
    port: placement.state.port,
    get pid() {
      return server.pid;
    },
    version,
    adminUrl: (database) => adminUrl(placement.state, database),
    kill: () => sendSignal(server, 'SIGKILL'),
    stop: (mode = 'fast') => {
      stopped ??= (async () => {
        stopping.abort();
        await endServer(server, mode === 'fast' ? FAST : IMMEDIATE);
        await supervision;
        process.off('exit', stopAtExit);
      })();
      return stopped;
    },
  };
}
