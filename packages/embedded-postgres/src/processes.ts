/**
 * Identification of processes by id and start time. An id alone is not enough: ids are reused, and after `kill -9` files
 * still name processes that have ended.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, readlinkSync, realpathSync } from 'node:fs';
import { basename } from 'node:path';

/** A process, distinguished from later processes with the same id. */
export interface ProcessIdentity {
  pid: number;
  /** Opaque: boot id and clock tick on Linux, the start date elsewhere; `unknown` if it may not be read. */
  started: string;
}

const UNKNOWN_START = 'unknown';

/** Whether the process exists; a process that has ended but was not waited for also exists. */
export function processExists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errorCode(error) === 'EPERM';
  }
}

/** When the process was started; null if there is none, or if it has ended but was not waited for. */
export function readProcessStart(pid: number): string | null {
  if (!processExists(pid)) return null;
  if (process.platform === 'win32') return UNKNOWN_START;
  if (process.platform !== 'linux') {
    const [state = '', ...started] = listProcess(pid, 'state=,lstart=').split(/\s+/);
    return state === '' || state.startsWith('Z') ? null : started.join(' ');
  }
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The command name, in parentheses, may itself contain spaces and parentheses: proc_pid_stat(5). State (field 3) and
    // starttime (field 22) come after it.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (fields[0] === 'Z' || fields[0] === 'X') return null;
    return `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()}/${fields[19]}`;
  } catch {
    // Either it has just ended, or /proc hides the processes of other users.
    return processExists(pid) ? UNKNOWN_START : null;
  }
}

/** The identity of the current process. */
export function identifySelf(): ProcessIdentity {
  return { pid: process.pid, started: readProcessStart(process.pid) ?? UNKNOWN_START };
}

/** Whether the process is still running. If its start may not be read, any process with the id counts as the same. */
export function isRunning(identity: ProcessIdentity): boolean {
  const started = readProcessStart(identity.pid);
  if (started === null) return false;
  return started === identity.started || started === UNKNOWN_START || identity.started === UNKNOWN_START;
}

/**
 * What the process named in a `postmaster.pid` is: the `postmaster` of that cluster, an `other` process, `none`, or
 * `hidden` if it belongs to another user and cannot be inspected.
 */
export function inspectPostmaster(pid: number, cluster: string): 'postmaster' | 'other' | 'none' | 'hidden' {
  if (readProcessStart(pid) === null) return 'none';
  const words = readCommandLine(pid);
  if (words === null) return 'hidden';
  // Backends rename themselves to `postgres: …`, so only the postmaster keeps the bare name of the program.
  if (basename(words[0] ?? '') !== 'postgres') return 'other';
  const directory = readWorkingDirectory(pid);
  if (directory !== null) return directory === realpathSync(cluster) ? 'postmaster' : 'other';
  return words.join(' ').includes(`-D ${cluster}`) ? 'postmaster' : 'other';
}

function readCommandLine(pid: number): string[] | null {
  try {
    if (process.platform !== 'linux') return listProcess(pid, 'command=').split(' ');
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
  } catch {
    return null;
  }
}

/** The working directory of a process, which for PostgreSQL is its data directory; null if it may not be read. */
function readWorkingDirectory(pid: number): string | null {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    return null;
  }
}

function listProcess(pid: number, columns: string): string {
  try {
    return execFileSync('ps', ['-o', columns, '-p', String(pid)], { encoding: 'utf8' }).trim();
  } catch {
    return '';
  }
}

/** The system's code of an error (`ENOENT`, `EPERM`, …), if it has one. */
export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

/** The message of an error. */
export function errorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
