/** The table of the slowest test files at the end of a run. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FileReport } from './test-process.ts';

/** Reads the reports that test processes have written into their folder. */
export function readReports(folder: string): FileReport[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')));
}

/** Processor time of a process and its ended children in ms; 0 where there is no /proc. */
export function readProcessMs(pid: number): number {
  if (process.platform !== 'linux') return 0;
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // After the name in parentheses, the 12th to the 15th are utime, stime, cutime and cstime; proc_pid_stat(5).
  const ticks = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 15);
  return ticks.reduce((sum, tick) => sum + Number(tick), 0) * 10;
}

/** What the table needs to know of a run. */
export interface RunTimes {
  readonly reports: readonly FileReport[];
  readonly wallMs: number;
  /** Processor time of PostgreSQL, in ms. */
  readonly databaseMs: number;
}

/** The slowest files first, and what all of them took. */
export function describeTimes(runs: readonly RunTimes[]): string {
  const reports = runs.flatMap((run) => run.reports);
  const slowest = reports.toSorted((one, other) => other.wallMs - one.wallMs).slice(0, 20);
  const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);
  const seconds = (milliseconds: number) => (milliseconds / 1_000).toFixed(1).padStart(8);
  return [
    ' seconds     CPU  slowest files',
    ...slowest.map(
      ({ pass, file, wallMs, cpuMs }) => `${seconds(wallMs)}${seconds(cpuMs)}  ${file} (${pass})`,
    ),
    `${seconds(sum(runs.map(({ wallMs }) => wallMs)))}${seconds(sum(reports.map(({ cpuMs }) => cpuMs)))}  all files`,
    `        ${seconds(sum(runs.map(({ databaseMs }) => databaseMs)))}  PostgreSQL`,
  ].join('\n');
}
