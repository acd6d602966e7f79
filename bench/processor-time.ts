/**
 * Processor time of processes from `/proc`. The cost of a request is its processor time, not the elapsed time on a
 * shared machine.
 */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

/** Length of a clock tick in ms. */
const tickMs = process.platform === 'linux' ? 1_000 / Number(execFileSync('getconf', ['CLK_TCK'])) : 0;

/** The fields of `/proc/PID/stat` after the name, which may have spaces in it (proc_pid_stat(5)). */
function readStat(pid: number | string): string[] | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  } catch {
    return null; // it has ended
  }
}

/** Processor time (user and system) of a process, or of a thread as `PID/task/TID`, since its start, in ms; NaN on systems without `/proc`. */
export function processorTimeOf(pid: number | string): number {
  const stat = readStat(pid);
  return stat === null ? Number.NaN : (Number(stat[11]) + Number(stat[12])) * tickMs;
}

/** How long a process or thread (as above) could have run but had no processor, since its start, in ms; NaN where it is not counted. */
export function waitingTimeOf(pid: number | string): number {
  try {
    // The second field, in ns (https://docs.kernel.org/scheduler/sched-stats.html).
    return Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[1]) / 1e6;
  } catch {
    return Number.NaN;
  }
}

/** The processor time of a process, of its children, and of those that it had. */
export function processorTimeOfTree(pid: number): number {
  const own = readStat(pid);
  if (own === null) return Number.NaN;
  // 11 to 14: of itself, and of children that have ended.
  let ticks = own.slice(11, 15).reduce((sum, value) => sum + Number(value), 0);
  for (const entry of readdirSync('/proc')) {
    if (!/^\d+$/.test(entry)) continue;
    const stat = readStat(entry);
    if (stat !== null && Number(stat[1]) === pid) ticks += Number(stat[11]) + Number(stat[12]);
  }
  return ticks * tickMs;
}

/** Resident memory of a process in MB; NaN on systems without `/proc`. */
export function residentMegabytes(pid: number): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    return Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? Number.NaN) / 1_024;
  } catch {
    return Number.NaN;
  }
}
