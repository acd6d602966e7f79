/** The table of the slowest test files at the end of a run. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { FileUsage } from './report-usage.ts';

/** What a test file took in one pass. */
export interface FileTime {
  /** Name of the pass, for example `PostgreSQL 18`. */
  readonly pass: string;
  readonly file: string;
  /** From the start of its process to the end, in ms. */
  readonly wallMs: number;
  /** Processor time of its processes, without PostgreSQL's, in ms. */
  readonly cpuMs: number;
}

/** Reads what the files of one pass have written into the folder: processor time in ms by file. */
export function readUsage(folder: string): Map<string, number> {
  const reports = readdirSync(folder).map(
    (name): FileUsage => JSON.parse(readFileSync(join(folder, name), 'utf8')),
  );
  return new Map(reports.map(({ file, cpuMs }) => [relative(process.cwd(), file), cpuMs]));
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

/** What the table needs to know of a pass. */
export interface PassTimes {
  readonly times: readonly FileTime[];
  readonly wallMs: number;
  /** Processor time of PostgreSQL, in ms. */
  readonly databaseMs: number;
}

/** The slowest files first, and what all of them took. */
export function describeTimes(passes: readonly PassTimes[], shown = 20): string {
  const times = passes.flatMap((pass) => pass.times);
  const slowest = times.toSorted((one, other) => other.wallMs - one.wallMs).slice(0, shown);
  const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);
  const seconds = (milliseconds: number) => (milliseconds / 1_000).toFixed(1).padStart(8);
  return [
    ' seconds     CPU  slowest files',
    ...slowest.map(
      ({ pass, file, wallMs, cpuMs }) => `${seconds(wallMs)}${seconds(cpuMs)}  ${file} (${pass})`,
    ),
    `${seconds(sum(passes.map(({ wallMs }) => wallMs)))}${seconds(sum(times.map(({ cpuMs }) => cpuMs)))}  all files`,
    `        ${seconds(sum(passes.map(({ databaseMs }) => databaseMs)))}  PostgreSQL`,
  ].join('\n');
}
