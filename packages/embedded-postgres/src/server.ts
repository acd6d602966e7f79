/**
 * One run of the PostgreSQL server, from spawning or adopting its process to its end. The supervisor (embedded.ts) restarts
 * it.
 */
import { spawn } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { programPath } from './installation.ts';
import type { Placement } from './placement.ts';
import { errorCode, inspectPostmaster, isRunning, processExists, readProcessStart } from './processes.ts';
import type { EmbeddedState } from './state.ts';

/** A server process, running or ended. */
export interface ServerProcess {
  pid: number;
  /** Settles with how the process ended ("exit code 1", "signal SIGKILL"); never rejects. */
  ended: Promise<string>;
  hasEnded(): boolean;
  /** The last lines of its log, for messages about a failed start; empty for an adopted server. */
  lastLines: string[];
}

/** The server ended before it accepted connections. */
export class ServerStartError extends Error {
  /** Whether another process listens on its port. */
  readonly portTaken: boolean;
  /** Whether processes of an earlier server, which are ending, still use the cluster. */
  readonly clusterHeld: boolean;

  constructor(ending: string, lines: string[]) {
    const text = lines.join('\n');
    super(`The embedded PostgreSQL did not start (${ending}). The last lines of its log:\n${text}`);
    this.name = 'ServerStartError';
    this.portTaken = /could not bind|could not create any TCP\/IP sockets/.test(text);
    this.clusterHeld = /pre-existing shared memory block|lock file "postmaster.pid" already exists/.test(
      text,
    );
  }
}

const POLL_MILLISECONDS = 25;
const START_LIMIT_MILLISECONDS = 10 * 60_000; // recovery after a crash may replay gigabytes of log
const KEPT_LINES = 20;
const LAST_LINES_MILLISECONDS = 200;

const DEFAULT_SETTINGS: Record<string, string> = {
  fsync: 'on',
  synchronous_commit: 'on',
  full_page_writes: 'on',
  shared_buffers: '128MB',
  max_connections: '100',
  max_wal_size: '2GB',
  // Compressing the image of each page that is changed first after a checkpoint takes up to a quarter of the time of a small write.
  wal_compression: 'off',
  random_page_cost: '1.1',
  jit: 'off',
  TimeZone: 'UTC',
  log_timezone: 'UTC',
};

/** Starts the server; it is not ready yet (see `waitUntilReady`). */
export function spawnServer(
  placement: Placement,
  settings: Record<string, string>,
  log: (line: string) => void,
): ServerProcess {
  const fixed: Record<string, string> = {
    listen_addresses: '127.0.0.1',
    port: String(placement.state.port),
    unix_socket_directories: '',
    logging_collector: 'off',
    log_destination: 'stderr',
  };
  const words = Object.entries({ ...DEFAULT_SETTINGS, ...settings, ...fixed });
  const child = spawn(
    programPath(placement.installation, 'postgres'),
    ['-D', placement.cluster, ...words.flatMap(([name, value]) => ['-c', `${name}=${value}`])],
    {
      ...placement.account,
      cwd: '/',
      env: serverEnvironment(),
      stdio: ['ignore', 'ignore', 'pipe'],
      detached: true, // in its own process group, so that Ctrl-C does not reach it: it must outlive the last queries
    },
  );
  const lastLines: string[] = [];
  createInterface({ input: child.stderr }).on('line', (line) => {
    lastLines.push(line);
    if (lastLines.length > KEPT_LINES) lastLines.shift();
    log(line);
  });
  let hasEnded = false;
  const ended = new Promise<string>((resolve) => {
    child.once('error', (error) => {
      hasEnded = true;
      resolve(error.message);
    });
    child.once('exit', (code, signal) => {
      hasEnded = true;
      const ending = signal === null ? `exit code ${code}` : `signal ${signal}`;
      // Wait for its last lines, but not for long: processes that it left behind can keep the pipe open.
      const patience = setTimeout(resolve, LAST_LINES_MILLISECONDS, ending);
      child.once('close', () => {
        clearTimeout(patience);
        resolve(ending);
      });
    });
  });
  // The server alone does not keep this process alive; at exit the server is stopped.
  child.unref();
  if ('unref' in child.stderr && typeof child.stderr.unref === 'function') child.stderr.unref();
  return { pid: child.pid ?? 0, ended, hasEnded: () => hasEnded, lastLines };
}

/** Watches a server that is not a child of this process. */
export function watchServer(pid: number): ServerProcess {
  const identity = { pid, started: readProcessStart(pid) ?? '' };
  let hasEnded = false;
  const ended = new Promise<string>((resolve) => {
    const timer = setInterval(() => {
      if (isRunning(identity)) return;
      clearInterval(timer);
      hasEnded = true;
      resolve('its process is gone');
    }, POLL_MILLISECONDS * 2);
    timer.unref();
  });
  return { pid, ended, hasEnded: () => hasEnded || !isRunning(identity), lastLines: [] };
}

/**
 * Waits until the server responds to a query.
 * @returns its major version
 * @throws ServerStartError when it ended before, Error when it is not ready in time or refuses the password
 */
export async function waitUntilReady(
  server: ServerProcess,
  { cluster, state }: Pick<Placement, 'cluster' | 'state'>,
  limitMilliseconds = START_LIMIT_MILLISECONDS,
): Promise<number> {
  const deadline = Date.now() + limitMilliseconds;
  while (Date.now() < deadline) {
    if (server.hasEnded()) throw new ServerStartError(await server.ended, server.lastLines);
    // The pid file says when the server is ready. Connecting earlier would add a line to its log for every attempt.
    const file = readPostmasterFile(cluster);
    if (file?.pid === server.pid && ['ready', 'standby'].includes(file.status)) {
      const version = await askVersion(adminUrl({ ...state, port: file.port }), cluster);
      if (version !== null) return version;
    }
    await sleep(POLL_MILLISECONDS);
  }
  throw new Error(
    `The embedded PostgreSQL (process ${server.pid}) is not ready after ${limitMilliseconds} ms.`,
  );
}

/** The superuser's connection string for a database. */
export function adminUrl(
  credentials: Pick<EmbeddedState, 'password' | 'port'>,
  database = 'postgres',
): string {
  const { password, port } = credentials;
  return `postgresql://postgres:${password}@127.0.0.1:${port}/${encodeURIComponent(database)}?sslmode=disable`;
}

/**
 * The running server of this cluster, whoever started it, or null. It may still be starting or stopping.
 */
export function findRunningServer(cluster: string): { pid: number; port: number } | null {
  const file = readPostmasterFile(cluster);
  if (file === null || inspectPostmaster(file.pid, cluster) !== 'postmaster') return null;
  return { pid: file.pid, port: file.port };
}

/**
 * Removes a pid file whose id now belongs to another process: PostgreSQL would take that process for a running server and
 * refuse to start. PostgreSQL removes all other stale pid files itself.
 */
export function removeMisleadingPostmasterFile(cluster: string, log: (line: string) => void): void {
  const file = readPostmasterFile(cluster);
  if (file === null || !processExists(file.pid)) return;
  const inspection = inspectPostmaster(file.pid, cluster);
  if (inspection === 'postmaster' || inspection === 'hidden') return;
  log(`removed a stale postmaster.pid: process ${file.pid} is not a PostgreSQL of ${cluster}`);
  rmSync(postmasterFile(cluster), { force: true });
}

/** Stops a server with one signal after the other, and waits for its end. */
export async function endServer(server: ServerProcess, signals: [NodeJS.Signals, number][]): Promise<void> {
  for (const [signal, patienceMilliseconds] of signals) {
    if (server.hasEnded()) return;
    sendSignal(server, signal);
    // This timer also keeps the current process alive.
    const patience = new AbortController();
    const timeout = sleep(patienceMilliseconds, false, { signal: patience.signal }).catch(() => false);
    const ended = await Promise.race([server.ended.then(() => true), timeout]);
    patience.abort();
    if (ended) return;
  }
}

/** Sends a signal to the server if it is still running. */
export function sendSignal(server: ServerProcess, signal: NodeJS.Signals): void {
  if (server.hasEnded() || server.pid === 0) return;
  try {
    process.kill(server.pid, signal);
  } catch (error) {
    if (errorCode(error) !== 'ESRCH') throw error;
  }
}

/** The environment of the programs: without variables that would change their behaviour (PGDATA, LC_ALL, …). */
export function serverEnvironment(): NodeJS.ProcessEnv {
  return { PATH: '/usr/local/bin:/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' };
}

function postmasterFile(cluster: string): string {
  return join(cluster, 'postmaster.pid');
}

/** Lines 1, 4 and 8 of the pid file; see PostgreSQL's src/include/utils/pidfile.h. */
function readPostmasterFile(cluster: string): { pid: number; port: number; status: string } | null {
  const file = postmasterFile(cluster);
  if (!existsSync(file)) return null;
  let lines: string[];
  try {
    lines = readFileSync(file, 'utf8').split('\n');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null;
    throw error;
  }
  const pid = Number(lines[0]);
  if (!Number.isSafeInteger(pid) || pid <= 1) return null;
  return { pid, port: Number(lines[3]), status: (lines[7] ?? '').trim() };
}

/** @returns null while the server does not accept connections yet */
async function askVersion(url: string, cluster: string): Promise<number | null> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: 5000,
    application_name: 'trellis supervisor',
  });
  client.on('error', () => undefined); // the server may end at any time; the end of its process is observed elsewhere
  try {
    await client.connect();
    const { rows } = await client.query<{ version: number; folder: string }>(
      `SELECT current_setting('server_version_num')::int / 10000 AS version, current_setting('data_directory') AS folder`,
    );
    const row = rows[0];
    if (row === undefined || row.folder !== cluster) {
      throw new Error(`Another PostgreSQL (${row?.folder}) responds in place of that in ${cluster}.`);
    }
    return row.version;
  } catch (error) {
    const code = errorCode(error) ?? '';
    // Not listening, connection closed, starting up, shutting down, terminated by an administrator, too many connections.
    if (['ECONNREFUSED', 'ECONNRESET', 'EPIPE', '57P01', '57P02', '57P03', '53300'].includes(code))
      return null;
    throw error;
  } finally {
    await client.end().catch(() => undefined);
  }
}
