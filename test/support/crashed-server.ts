/** A server of a prepared cluster that crashes and is started again by a test: its processes end at once, and its connections with them. */
import { spawn } from 'node:child_process';
import { readFileSync, readlinkSync } from 'node:fs';
import { readMainPid, runOn } from './citus.ts';
import { until } from './until.ts';

/**
 * Ends a PostgreSQL server like a crash (SIGQUIT) while a function runs, and starts it again with the same command line and user.
 * @param url of its superuser
 */
export async function whileCrashed<T>(url: string, work: () => Promise<T>): Promise<T> {
  const pid = await readMainPid(url);
  const [program = '', ...words] = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').slice(0, -1);
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const idOf = (kind: string) => Number(new RegExp(`^${kind}:\\s+(\\d+)`, 'm').exec(status)?.[1]);
  const options = { uid: idOf('Uid'), gid: idOf('Gid'), cwd: readlinkSync(`/proc/${pid}/cwd`) };
  process.kill(pid, 'SIGQUIT');
  await until('the server has ended', () => !isRunning(pid));
  try {
    return await work();
  } finally {
    spawn(program, words, { ...options, detached: true, stdio: 'ignore' }).unref();
    await until('it is back', () =>
      runOn(url, 'SELECT 1').then(
        () => true,
        () => false,
      ),
    );
  }
}

function isRunning(pid: number): boolean {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}
