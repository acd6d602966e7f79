/** Runs the test files of several passes at once, each pass on a PostgreSQL cluster of its own. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { startTestCluster, type TestCluster } from '../../test/support/cluster.ts';
import { seededNumbers } from '../../test/support/seed.ts';
import { groupFiles } from './groups.ts';
import type { FileReport, TestProcessOrder } from './test-process.ts';
import { readProcessMs, readReports } from './usage-table.ts';

/** Test files, and the PostgreSQL that they run on. */
export interface Pass {
  /** Name for people, for example `PostgreSQL 18`. */
  readonly name: string;
  readonly files: readonly string[];
  /** Folder of another PostgreSQL than the embedded one. */
  readonly binaries?: string;
  /** Further variables of the environment of its tests. */
  readonly environment?: Readonly<Record<string, string>>;
}

export interface RunOptions {
  /** Seed of all random choices of the run: the order of the files, and what the tests choose. */
  readonly seed: number;
  /** Files that share a process, at most. */
  readonly filesPerProcess: number;
  /** Processes that run at once; twice as many as there are processors when absent. */
  readonly atOnce?: number;
}

/** What came of a run. */
export interface RunResult {
  readonly passed: number;
  /** Tests, hooks outside of tests, and files that have not ended. */
  readonly failed: number;
  readonly skipped: number;
  readonly reports: readonly FileReport[];
  /** Whether it was ended by a signal before its end. */
  readonly interrupted: boolean;
  /** From the start of the first file to the end of the last one, in ms. */
  readonly wallMs: number;
  /** Processor time of PostgreSQL in ms. */
  readonly databaseMs: number;
}

/** How long one process with test files, and a run, may take before they have failed, in ms. */
const processLimitMs = 30 * 60_000;
const runLimitMs = 75 * 60_000;

/** Signals that end the run, and not the supervision of the clusters. */
const interruptions = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Tests often wait for timers, locks and processes: with three for two processors, a quarter of the time was not used. */
const processesPerProcessor = 2;

/** Characters of what a process wrote to stderr that are repeated when it ended unexpectedly. */
const lastWordsLength = 4_000;

/** What node:test says about a process that ended unexpectedly, beside its types (`lib/internal/test_runner/runner.js`). */
interface ProcessFailure {
  readonly failureType?: string;
  readonly exitCode?: number | null;
  readonly signal?: string | null;
}

const testProcess = new URL('./test-process.ts', import.meta.url).href;

/** Starts the clusters, runs the files on them while printing their results, and removes the clusters. */
export async function runFiles(passes: readonly Pass[], options: RunOptions): Promise<RunResult> {
  process.stdout.write(
    `\n${passes.map(({ name, files }) => `# ${name}: ${files.length} files`).join('\n')}\n`,
  );
  const folder = await mkdtemp(join(tmpdir(), 'trellis-tests-'));
  const interruption = new AbortController();
  const timeout = new AbortController();
  const interrupt = () => interruption.abort();
  for (const name of interruptions) process.once(name, interrupt);
  const clusters: TestCluster[] = [];
  try {
    const { seed, filesPerProcess: largest } = options;
    const draw = seededNumbers(seed);
    const atOnce = options.atOnce ?? availableParallelism() * processesPerProcessor;
    const orders: TestProcessOrder[] = [];
    for (const pass of passes) {
      const cluster = await startTestCluster({ binaries: pass.binaries });
      clusters.push(cluster);
      orders.push(
        ...planPass(
          pass,
          cluster,
          { seed, reports: folder },
          groupFiles(pass.files, { draw, largest, atOnce }),
        ),
      );
    }
    // Files that are alone in their process are the long ones, which would be waited for if they began last.
    orders.sort((one, other) => one.files.length - other.files.length);
    const startedAt = performance.now();
    const timer = setTimeout(() => timeout.abort(), runLimitMs);
    const end = AbortSignal.any([timeout.signal, interruption.signal]);
    const programs = await writePrograms(orders, folder);
    const counts = await runProcesses(programs, atOnce, end).finally(() => clearTimeout(timer));
    const reports = readReports(folder);
    const { aborted: interrupted } = interruption.signal;
    const unfinished = passes.flatMap(({ name, files }) =>
      files
        .filter((file) => !reports.some((report) => report.pass === name && report.file === file))
        .map((file) => `${file} (${name})`),
    );
    if (!interrupted) for (const file of unfinished) process.stdout.write(`\n✖ ${file} has not ended\n`);
    return {
      ...counts,
      failed: counts.failed + (interrupted ? 0 : unfinished.length),
      interrupted,
      reports,
      wallMs: performance.now() - startedAt,
      databaseMs: clusters.reduce((sum, { pid }) => sum + readProcessMs(pid), 0),
    };
  } finally {
    for (const name of interruptions) process.off(name, interrupt);
    await Promise.all(clusters.map((cluster) => cluster.stop()));
    await rm(folder, { recursive: true, force: true });
  }
}

function planPass(
  { name, binaries, environment: more }: Pass,
  { adminUrl }: TestCluster,
  { seed, reports }: { readonly seed: number; readonly reports: string },
  groups: readonly (readonly string[])[],
): TestProcessOrder[] {
  const environment = {
    TRELLIS_TEST_ADMIN_URL: adminUrl,
    TRELLIS_SEED: String(seed),
    ...more,
    ...(binaries === undefined ? {} : { TRELLIS_TEST_BINARIES: binaries }),
  };
  return groups.map((files) => ({ pass: name, files, environment, reports }));
}

/** Writes a program for each process: node:test starts files, and gives all of them the same environment. */
async function writePrograms(orders: readonly TestProcessOrder[], folder: string): Promise<string[]> {
  return Promise.all(
    orders.map(async (order, index) => {
      const program = join(folder, `${index + 1}.mjs`);
      const text = `import { runTestFiles } from '${testProcess}';\nawait runTestFiles(${JSON.stringify(order)});\n`;
      await writeFile(program, text);
      return program;
    }),
  );
}

/** Runs the programs, prints what their tests report, and counts the results. */
async function runProcesses(files: readonly string[], concurrency: number, end: AbortSignal) {
  const counts = { passed: 0, failed: 0, skipped: 0 };
  const stream = run({
    files: [...files],
    concurrency,
    timeout: processLimitMs,
    // A process that does not end after its tests would be waited for without an end.
    signal: end,
  });
  stream.on('test:pass', ({ name, details, skip }) => {
    // A program without tests is reported as one test; its files are looked for among the reports.
    if (details.type === 'suite' || files.includes(name)) return;
    if (skip !== undefined) counts.skipped += 1;
    else counts.passed += 1;
  });
  const ends: string[] = [];
  const lastWords = new Map<string, string>();
  stream.on('test:stderr', ({ file, message }) => {
    if (file !== undefined)
      lastWords.set(file, `${lastWords.get(file) ?? ''}${message}`.slice(-lastWordsLength));
  });
  stream.on('test:fail', ({ name, details }) => {
    // A suite also fails by its tests, which are counted, or by its hooks or its file.
    const { failureType, exitCode, signal } = details.error as ProcessFailure;
    if (failureType !== 'subtestsFailed') counts.failed += 1;
    if (files.includes(name) && failureType !== 'subtestsFailed') {
      const end = signal == null ? `with exit code ${exitCode}` : `by ${signal}`;
      ends.push(`A process ended ${end}. The last that it wrote to stderr:\n${lastWords.get(name) ?? ''}`);
    }
  });
  for await (const chunk of stream.compose(new spec())) process.stdout.write(String(chunk));
  // After the list of failures, where node:test only says that a process has failed.
  for (const end of ends) process.stdout.write(`\n${end}\n`);
  return counts;
}
