// A process id alone proves nothing: ids are reused, and after `kill -9` our files still name the dead. Everything
// that asks "is this still the process we mean?" asks here, where an id always goes with the time it was started.

import { execFileSync } from 'node:child_process';
import { readFileSync, readlinkSync, realpathSync } from 'node:fs';
import { basename } from 'node:path';

/** One particular process, told apart from any later one that was given the same id. */
export interface ProcessIdentity {
  pid: number;
  /** Opaque: boot id and clock tick on Linux, the start date elsewhere; `unknown` where it may not be read. */
  started: string;
}

const UNKNOWN_START = 'unknown';

/** Whether a signal could be sent to the process, which is also true of a dead one nobody has waited for. */
export function processExists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errorCode(error) === 'EPERM';
  }
}

/** When the process was started, or null if there is none (one that is dead but not yet waited for counts as none). */
export function readProcessStart(pid: number): string | null {
  if (!processExists(pid)) return null;
  if (process.platform === 'win32') return UNKNOWN_START;
  if (process.platform !== 'linux') {
    const [state = '', ...started] = listProcess(pid, 'state=,lstart=').split(/\s+/);
    return state === '' || state.startsWith('Z') ? null : started.join(' ');
  }
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The command name, in parentheses, may itself hold spaces and parentheses: proc_pid_stat(5). After it come
    // state (field 3) and, among others, starttime (field 22).
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (fields[0] === 'Z' || fields[0] === 'X') return null;
    return `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()}/${fields[19]}`;
  } catch {
    // Either it has just gone, or /proc is mounted so that the processes of other users are hidden.
    return processExists(pid) ? UNKNOWN_START : null;
  }
}

/** This very process. */
export function identifySelf(): ProcessIdentity {
  return { pid: process.pid, started: readProcessStart(process.pid) ?? UNKNOWN_START };
}

/** Whether that process is still running; where its start may not be read, a living id counts as the same process. */
export function isRunning(identity: ProcessIdentity): boolean {
  const started = readProcessStart(identity.pid);
  if (started === null) return false;
  return started === identity.started || started === UNKNOWN_START || identity.started === UNKNOWN_START;
}

/**
 * What is known of a process that a `postmaster.pid` names: the `postmaster` of that cluster, some `other` process,
 * `none` at all, or `hidden` when it belongs to another user and may not be looked at.
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

/** PostgreSQL changes into its data directory, which makes this the surest sign; null where it may not be read. */
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

/** What an error says, for a sentence. */
export function errorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
