/** Kills child processes, and finds those that are still running, independently of the code that should have ended them. */
import { type ChildProcess, execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';

/** Kills a child process and waits for its end. Does nothing if there is none, or it has ended. */
export async function killChild(child: ChildProcess | null | undefined): Promise<void> {
  if (child == null || child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
}

/** A living process, with its command line. */
export interface RunningProcess {
  readonly pid: number;
  readonly command: string;
}

interface ListedProcess extends RunningProcess {
  readonly parent: number;
  readonly state: string;
}

/** The running child processes of a process whose command line contains a text. */
export function listChildren(parent: number, text: string): RunningProcess[] {
  const all = process.platform === 'linux' ? readProcesses() : askForProcesses();
  const children = all.filter(
    (child) => child.parent === parent && child.state !== 'Z' && child.command.includes(text),
  );
  return children.map(({ pid, command }) => ({ pid, command }));
}

/** Reads the processes from /proc, because not every container has `ps`; proc_pid_stat(5). */
function readProcesses(): ListedProcess[] {
  const processes: ListedProcess[] = [];
  for (const name of readdirSync('/proc')) {
    if (!/^[0-9]+$/.test(name)) continue;
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
      const [state = '', parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      const command = readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' ');
      processes.push({ pid: Number(name), parent: Number(parent), state, command });
    } catch {
      // The process has ended in the meantime.
    }
  }
  return processes;
}

function askForProcesses(): ListedProcess[] {
  const table = execFileSync('ps', ['-A', '-ww', '-o', 'pid=,ppid=,state=,args='], { encoding: 'utf8' });
  return table.split('\n').map((line) => {
    const [pid, parent, state = '', ...words] = line.trim().split(/\s+/);
    return { pid: Number(pid), parent: Number(parent), state: state.slice(0, 1), command: words.join(' ') };
  });
}
