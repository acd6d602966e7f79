/** Runs test files on one PostgreSQL cluster. */
import { mkdtemp, rm } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { fileURLToPath } from 'node:url';
import { startTestCluster } from '../../test/support/cluster.ts';
import { type FileTime, readProcessMs, readUsage } from './usage-table.ts';

/** What came of a pass. */
export interface PassResult {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  readonly times: readonly FileTime[];
  /** Whether it was ended by a signal before its end. */
  readonly interrupted: boolean;
  /** From the start of the first file to the end of the last one, in ms. */
  readonly wallMs: number;
  /** Processor time of PostgreSQL in ms. */
  readonly databaseMs: number;
}

export interface PassOptions {
  /** Name for people, for example `PostgreSQL 18`. */
  readonly pass: string;
  readonly files: readonly string[];
  /** Folder of another PostgreSQL than the embedded one. */
  readonly binaries?: string;
  /** Files that run at once; half as many again as there are processors when absent. */
  readonly atOnce?: number;
}

/** How long one test, and one pass over all files, may take before it has failed, in ms. */
const testLimitMs = 15 * 60_000;
const passLimitMs = 40 * 60_000;

/** Signals that end the run, and not the cluster's supervision. */
const interruptions = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Tests often wait for timers, locks and processes; with one file for each processor, a third of the time nobody would work. */
const filesPerProcessor = 1.5;

const usageReporter = fileURLToPath(new URL('./report-usage.ts', import.meta.url));

/** Starts a cluster, runs the files on it while printing their results, and removes the cluster. */
export async function runFiles({ pass, files, binaries, atOnce }: PassOptions): Promise<PassResult> {
  process.stdout.write(`\n# ${pass}: ${files.length} files\n`);
  const usageFolder = await mkdtemp(join(tmpdir(), 'trellis-usage-'));
  const cluster = await startTestCluster({ binaries });
  const interruption = new AbortController();
  const interrupt = () => interruption.abort();
  for (const name of interruptions) process.once(name, interrupt);
  const counts = { passed: 0, failed: 0, skipped: 0 };
  const wallOfFiles = new Map<string, number>();
  try {
    process.env.TRELLIS_TEST_ADMIN_URL = cluster.adminUrl;
    process.env.TRELLIS_TEST_USAGE = usageFolder;
    if (binaries !== undefined) process.env.TRELLIS_TEST_BINARIES = binaries;
    const startedAt = performance.now();
    const stream = run({
      files: [...files],
      concurrency: atOnce ?? Math.ceil(availableParallelism() * filesPerProcessor),
      timeout: testLimitMs,
      // A file whose process does not end after its tests would be waited for without an end.
      signal: AbortSignal.any([AbortSignal.timeout(passLimitMs), interruption.signal]),
      execArgv: ['--import', usageReporter],
    });
    stream.on('test:pass', (event) => {
      if (event.details.type === 'suite') return;
      if (event.skip !== undefined) counts.skipped += 1;
      else counts.passed += 1;
    });
    stream.on('test:fail', (event) => {
      if (event.details.type !== 'suite') counts.failed += 1;
    });
    stream.on('test:complete', ({ name, file, details }) => {
      if (file !== undefined && resolve(name) === resolve(file)) {
        wallOfFiles.set(relative(process.cwd(), file), details.duration_ms);
      }
    });
    for await (const chunk of stream.compose(new spec())) process.stdout.write(String(chunk));
    const interrupted = interruption.signal.aborted;
    const cpuMs = readUsage(usageFolder);
    return {
      ...counts,
      interrupted,
      wallMs: performance.now() - startedAt,
      times: [...wallOfFiles].map(([file, wallMs]) => ({ pass, file, wallMs, cpuMs: cpuMs.get(file) ?? 0 })),
      databaseMs: readProcessMs(cluster.pid),
    };
  } finally {
    delete process.env.TRELLIS_TEST_ADMIN_URL;
    delete process.env.TRELLIS_TEST_USAGE;
    delete process.env.TRELLIS_TEST_BINARIES;
    for (const name of interruptions) process.off(name, interrupt);
    await cluster.stop();
    await rm(usageFolder, { recursive: true, force: true });
  }
}
