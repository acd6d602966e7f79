/**
 * Loaded into the process of each test file: at its end, writes the processor time of the file and of the processes that
 * it started and waited for.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const folder = process.env.TRELLIS_TEST_USAGE;
// Processes that a test forks load this too.
delete process.env.TRELLIS_TEST_USAGE;

/** A line of the reports: what a test file used. */
export interface FileUsage {
  readonly file: string;
  /** Processor time in ms. */
  readonly cpuMs: number;
}

const clockTicksMs = 10;

/** Processor time of the ended children, in ms: cutime and cstime of proc_pid_stat(5); 0 where there is no /proc. */
function readChildrenMs(): number {
  if (process.platform !== 'linux') return 0;
  const stat = readFileSync('/proc/self/stat', 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[13]) + Number(fields[14])) * clockTicksMs;
}

if (folder !== undefined) {
  process.on('exit', () => {
    const { user, system } = process.cpuUsage();
    const usage: FileUsage = {
      file: process.argv[1] ?? '',
      cpuMs: (user + system) / 1_000 + readChildrenMs(),
    };
    writeFileSync(join(folder, `${process.pid}.json`), JSON.stringify(usage));
  });
}
