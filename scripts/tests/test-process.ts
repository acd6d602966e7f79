/**
 * A process that runs test files, one after another: each is a suite of its own, so that its `before` and `after` run around
 * its own tests only. Module loading and compiled code are shared; a file must leave the rest of the process as it found it.
 */
import { deepEqual, equal } from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';

/** What the process is to run. */
export interface TestProcessOrder {
  /** Name for people of the pass that the files belong to, for example `PostgreSQL 18`. */
  readonly pass: string;
  readonly files: readonly string[];
  /** Variables of the environment that the files need. */
  readonly environment: Readonly<Record<string, string>>;
  /** Folder in which a report about each file is written. */
  readonly reports: string;
}

/**
 * Variable of the environment: the time, in seconds since 1970, from which no file is begun. Files that are left out count as skipped. So a run on a
 * slow machine has the results of what it did, instead of being ended.
 */
const latestStartVariable = 'TRELLIS_TESTS_LATEST_START';

/** What a test file used; written when all of it has ended. */
export interface FileReport {
  readonly pass: string;
  readonly file: string;
  /** From the end of the file before it, or the start of the process, in ms. */
  readonly wallMs: number;
  /** Processor time in that time, with the child processes that were waited for, in ms. */
  readonly cpuMs: number;
}

/** Runs the files. Failures are reported to node:test, whose root this process has. @public Called by the programs that run-files.ts writes. */
export async function runTestFiles({ pass, files, environment, reports }: TestProcessOrder): Promise<void> {
  Object.assign(process.env, environment);
  const given = { environment: { ...process.env }, folder: process.cwd() };
  let used = { wallMs: 0, cpuMs: 0 };
  let isBroken = false;
  const latestStart = Number(process.env[latestStartVariable] ?? Number.POSITIVE_INFINITY) * 1_000;
  for (const file of files) {
    if (Date.now() < latestStart) isBroken = !(await runFile(file, pass, given)) || isBroken;
    else await test(`${file} (${pass})`, { skip: 'the run has no time left for it' });
    // What this file left is its own failure, and not the next one's.
    for (const name of Object.keys(process.env)) delete process.env[name];
    Object.assign(process.env, given.environment);
    process.chdir(given.folder);
    const total = readUsage();
    const report: FileReport = {
      pass,
      file,
      wallMs: total.wallMs - used.wallMs,
      cpuMs: total.cpuMs - used.cpuMs,
    };
    used = total;
    writeFileSync(join(reports, `${encodeURIComponent(`${file} ${pass}`)}.json`), JSON.stringify(report));
  }
  // What a file had opened when it failed before its first test, such as a server, keeps the process alive: nobody closes it.
  if (isBroken) setTimeout(() => process.exit(1), reportingMs).unref();
}

/** Runs a file as a suite. @returns whether it could be loaded */
async function runFile(
  file: string,
  pass: string,
  given: { readonly environment: NodeJS.ProcessEnv; readonly folder: string },
): Promise<boolean> {
  let isLoaded = true;
  // The promise of a suite at the root resolves when its hooks and tests have ended.
  await describe(`${file} (${pass})`, async () => {
    try {
      await import(pathToFileURL(file).href);
    } catch (error) {
      isLoaded = false;
      throw error;
    }
    // Hooks run in the order in which they were added, so this one comes after those of the file.
    after(() => {
      deepEqual({ ...process.env }, given.environment, 'the file left other variables of the environment');
      equal(process.cwd(), given.folder, 'the file left another current folder');
    });
  });
  return isLoaded;
}

/** Time for the results to reach the process that waits for them, in ms. */
const reportingMs = 2_000;

const clockTicksMs = 10;

/** What this process and its ended children have used since it started. */
function readUsage(): { wallMs: number; cpuMs: number } {
  const { user, system } = process.cpuUsage();
  return { wallMs: performance.now(), cpuMs: (user + system) / 1_000 + readChildrenMs() };
}

/** Processor time of the ended children, in ms: cutime and cstime of proc_pid_stat(5); 0 where there is no /proc. */
function readChildrenMs(): number {
  if (process.platform !== 'linux') return 0;
  const stat = readFileSync('/proc/self/stat', 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[13]) + Number(fields[14])) * clockTicksMs;
}
