/**
 * Runs a node in several processes, since one process uses one core. They share a port. The first process only starts the
 * others, restarts those that die, forwards messages, and stops them in order.
 *
 * The background roles have a process of their own that does not listen, so that their computations do not delay requests.
 */
import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Logger } from 'pino';
import type { ConsolePlace } from '../../console/prepare.ts';
import type { Config } from '../../kernel/config/config.ts';
import { InstallationError } from '../../kernel/lib/installation-error.ts';
import type { Installation } from '../installation.ts';
import { addressesOf, type Node } from '../node.ts';
import type { Order, Report, Task } from './messages.ts';
import { MetricsCollector } from './metrics-collector.ts';

const program = fileURLToPath(new URL('./process.ts', import.meta.url));

/** Delay before restarting a process, in ms: doubled from first to last, and reset after a quiet minute. */
const backoffMs = { first: 100, last: 10_000, quiet: 60_000 };
/** How long all processes may take to end. The embedded database stops after them, and all of it within 25 s. */
const stopMs = 23_000;

/** The slot of a process that is restarted when it dies. */
interface Slot {
  readonly task: Task;
  worker: Worker;
  startedAt: number;
  restMs: number;
}

/**
 * Starts the processes and waits until all have started.
 * @throws InstallationError for errors that an operator has to correct; all processes are stopped then
 */
export async function startWorkers(options: {
  readonly config: Config;
  readonly installation: Installation;
  /** The console; null: none is served. */
  readonly console: ConsolePlace | null;
  readonly log: Logger;
}): Promise<Node> {
  const { config, installation, log } = options;
  const port = config.port === 0 ? await pickPort(config.host) : config.port;
  const addresses = addressesOf(config, port);
  const { urls, cursorKey, visitorKey } = installation;
  const common = {
    config,
    installation: { urls, cursorKey, visitorKey },
    console: options.console,
    addresses,
  };
  const background = config.roles.filter((role) => role !== 'api');
  const tasks: Task[] = Array.from({ length: config.workers }, () => ({ ...common, roles: ['api'], port }));
  if (background.length > 0) tasks.push({ ...common, roles: background, port: null });
  // Workers accept connections themselves: one handed to a process that was just killed would hang forever.
  cluster.schedulingPolicy = cluster.SCHED_NONE;
  cluster.setupPrimary({ exec: program, args: [], serialization: 'advanced' });
  const workers = new WorkerGroup(log);
  try {
    await workers.start(tasks);
  } catch (error) {
    await workers.stop();
    throw error;
  }
  return { addresses, port, renderMetrics: () => workers.renderMetrics(), close: () => workers.stop() };
}

/** Picks the port before any process starts, since all must share it, including those started later. */
async function pickPort(host: string): Promise<number> {
  const probe = createServer().listen(0, host);
  await once(probe, 'listening');
  const address = probe.address();
  probe.close();
  await once(probe, 'close');
  if (address === null || typeof address === 'string') throw new Error('The listener has no TCP address');
  return address.port;
}

class WorkerGroup {
  private readonly log: Logger;
  private readonly slots: Slot[] = [];
  private readonly metrics: MetricsCollector;
  private readonly stopping = new AbortController();

  constructor(log: Logger) {
    this.log = log;
    this.metrics = new MetricsCollector(log);
  }

  async start(tasks: readonly Task[]): Promise<void> {
    await Promise.all(tasks.map((task) => this.fill(task)));
  }

  /** The metrics of all processes. */
  renderMetrics(): Promise<string> {
    return this.metrics.collect(
      this.slots.map(({ worker }) => worker),
      send,
    );
  }

  /** Stops the serving processes first, so that their last events are still logged. */
  async stop(): Promise<void> {
    this.stopping.abort();
    const over = new AbortController();
    const deadline = sleep(stopMs, undefined, { signal: over.signal })
      .then(() => this.kill())
      .catch(() => undefined);
    await this.end(({ task }) => task.port !== null);
    await this.end(() => true);
    over.abort();
    await deadline;
  }

  private async end(concerns: (slot: Slot) => boolean): Promise<void> {
    const workers = this.slots.filter(concerns).map(({ worker }) => worker);
    for (const worker of workers) send(worker, { type: 'stop' });
    await Promise.all(workers.map(endOf));
  }

  private kill(): void {
    for (const { worker } of this.slots.filter((slot) => !isGone(slot.worker))) {
      this.log.warn({ process: worker.process.pid }, 'A process did not stop in time and is killed');
      worker.process.kill('SIGKILL');
    }
  }

  /** Starts the first process of a slot; resolves when it has started. */
  private async fill(task: Task): Promise<void> {
    const worker = this.fork(task);
    const slot = { task, worker, startedAt: performance.now(), restMs: backoffMs.first };
    this.slots.push(slot);
    const failure = await outcomeOf(worker);
    if (failure !== null) throw new InstallationError(failure);
    void this.keep(slot);
  }

  /** Restarts the process whenever it dies. */
  private async keep(slot: Slot): Promise<void> {
    for (;;) {
      await endOf(slot.worker);
      if (this.stopping.signal.aborted) return;
      const { exitCode, signalCode, pid } = slot.worker.process;
      if (performance.now() - slot.startedAt > backoffMs.quiet) slot.restMs = backoffMs.first;
      const { restMs } = slot;
      const detail = { process: pid, roles: slot.task.roles, exitCode, signal: signalCode, restMs };
      this.log.warn(detail, 'A process died and is restarted');
      await sleep(restMs, undefined, { signal: this.stopping.signal }).catch(() => undefined);
      if (this.stopping.signal.aborted) return;
      slot.restMs = Math.min(2 * restMs, backoffMs.last);
      slot.startedAt = performance.now();
      slot.worker = this.fork(slot.task);
      const failure = await outcomeOf(slot.worker);
      if (failure !== null) this.log.warn({ reason: failure }, 'A process could not start');
    }
  }

  private fork(task: Task): Worker {
    const worker = cluster.fork();
    worker.on('error', (error) => this.log.warn({ err: error }, 'A process cannot be reached'));
    worker.on('message', (report: Report) => this.receive(worker, task, report));
    return worker;
  }

  private receive(worker: Worker, task: Task, report: Report): void {
    const workers = this.slots.map((slot) => slot.worker);
    switch (report.type) {
      case 'present':
        if (!this.stopping.signal.aborted) send(worker, { type: 'start', task });
        break;
      case 'signal':
        for (const other of workers) if (other !== worker) send(other, report);
        break;
      case 'counted':
        this.metrics.add(report.request, report.snapshot);
    }
  }
}

/** Waits until a process has started: null, or why it did not. */
function outcomeOf(worker: Worker): Promise<string | null> {
  return new Promise((resolve) => {
    worker.on('message', (report: Report) => {
      if (report.type === 'started') resolve(null);
      if (report.type === 'failed') resolve(report.message);
    });
    worker.once('error', (error) => resolve(`A process could not be started: ${error.message}.`));
    worker.once('exit', (code, signal) =>
      resolve(`A process ended while it was starting (${signal ?? `exit code ${code}`}).`),
    );
  });
}

/** Resolves when a process has ended; immediately if it never started. */
async function endOf(worker: Worker): Promise<void> {
  if (!isGone(worker)) await new Promise((resolve) => worker.once('exit', resolve));
}

function isGone(worker: Worker): boolean {
  return worker.process.pid === undefined || worker.isDead();
}

/** Ignores a process that has just died; its end is handled elsewhere. */
function send(worker: Worker, order: Order): void {
  if (worker.isConnected()) worker.send(order, () => undefined);
}
