/** Stops PostgreSQL servers without ending them (SIGSTOP): their connections stay open, and nothing comes over them. */
import { readdirSync, readFileSync } from 'node:fs';

/** The main process of a server. */
interface Cluster {
  readonly pid: number;
}

/** The processes of the cluster: the postmaster and its children. */
function processes(cluster: Cluster): number[] {
  const children = readdirSync('/proc').filter((name) => {
    if (!/^\d+$/.test(name)) return false;
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
      return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1] === String(cluster.pid);
    } catch {
      return false;
    }
  });
  return [cluster.pid, ...children.map(Number)];
}

/** Signals a process, unless it has ended meanwhile. */
function signal(pid: number, name: 'SIGSTOP' | 'SIGCONT'): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** Stops all of PostgreSQL while a function runs. */
export async function whileStopped<T>(cluster: Cluster, work: () => Promise<T>): Promise<T> {
  const stopped = processes(cluster);
  try {
    for (const pid of stopped) signal(pid, 'SIGSTOP');
    return await work();
  } finally {
    for (const pid of stopped) signal(pid, 'SIGCONT');
  }
}
