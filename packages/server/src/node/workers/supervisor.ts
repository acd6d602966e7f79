/**
 * Why: one process computes on one core. Several share a port, and the first one does nothing but start them, start again
 * what has died, hand messages on, and end them in order.
 *
 * The roles that work in the background have a process of their own that does not listen: what they compute then holds up no
 * calls.
 */
import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Logger } from 'pino';
import type { Config } from '../../config/config.ts';
import { type Installation, InstallationError } from '../installation.ts';
import { addressesOf, type Node } from '../node.ts';
import { Collection } from './collection.ts';
import type { Order, Report, Task } from './messages.ts';

const program = fileURLToPath(new URL('./process.ts', import.meta.url));

/** Rest before a process that died is started again, in ms: doubled from the first to the last, anew after a quiet minute. */
const backoffMs = { first: 100, last: 10_000, quiet: 60_000 };
/** How long all may take to end. The embedded database ends after them, and all of it within 25 s. */
const stopMs = 23_000;

/** A process that there is to be, whichever one it is at the moment. */
interface Post {
  readonly task: Task;
  worker: Worker;
  startedAt: number;
  restMs: number;
}

/**
 * Starts the processes and waits until all are at work.
 * @throws InstallationError for what an operator must mend; then none is left
 */
export async function startWorkers(options: {
  readonly config: Config;
  readonly installation: Installation;
  readonly log: Logger;
}): Promise<Node> {
  const { config, installation, log } = options;
  const port = config.port === 0 ? await pickPort(config.host) : config.port;
  const addresses = addressesOf(config, port);
  const { urls, cursorKey, visitorKey } = installation;
  const common = { config, installation: { urls, cursorKey, visitorKey }, addresses };
  const background = config.roles.filter((role) => role !== 'api');
  const tasks: Task[] = Array.from({ length: config.workers }, () => ({ ...common, roles: ['api'], port }));
  if (background.length > 0) tasks.push({ ...common, roles: background, port: null });
  // They accept connections themselves. One that this process had handed to a process just killed would hang for good.
  cluster.schedulingPolicy = cluster.SCHED_NONE;
  cluster.setupPrimary({ exec: program, args: [], serialization: 'advanced' });
  const crew = new Crew(log);
  try {
    await crew.start(tasks);
  } catch (error) {
    await crew.stop();
    throw error;
  }
  return { addresses, port, renderMetrics: () => crew.renderMetrics(), close: () => crew.stop() };
}

/** All must share one port, also those that are started later; so it is chosen before any of them. */
async function pickPort(host: string): Promise<number> {
  const probe = createServer().listen(0, host);
  await once(probe, 'listening');
  const address = probe.address();
  probe.close();
  await once(probe, 'close');
  if (address === null || typeof address === 'string') throw new Error('a listener without a TCP address');
  return address.port;
}

class Crew {
  private readonly log: Logger;
  private readonly posts: Post[] = [];
  private readonly collection: Collection;
  private readonly stopping = new AbortController();

  constructor(log: Logger) {
    this.log = log;
    this.collection = new Collection(log);
  }

  async start(tasks: readonly Task[]): Promise<void> {
    await Promise.all(tasks.map((task) => this.fill(task)));
  }

  /** What all processes count. */
  renderMetrics(): Promise<string> {
    return this.collection.collect(
      this.posts.map(({ worker }) => worker),
      send,
    );
  }

  /** Lets those that serve end first: what they did is still told by the others. */
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

  private async end(concerns: (post: Post) => boolean): Promise<void> {
    const workers = this.posts.filter(concerns).map(({ worker }) => worker);
    for (const worker of workers) send(worker, { type: 'stop' });
    await Promise.all(workers.map(endOf));
  }

  private kill(): void {
    for (const { worker } of this.posts.filter((post) => !isGone(post.worker))) {
      this.log.warn({ process: worker.process.pid }, 'a process did not end in time and is killed');
      worker.process.kill('SIGKILL');
    }
  }

  /** Starts the first process of a post; resolves when it is at work. */
  private async fill(task: Task): Promise<void> {
    const worker = this.fork(task);
    const post = { task, worker, startedAt: performance.now(), restMs: backoffMs.first };
    this.posts.push(post);
    const failure = await outcomeOf(worker);
    if (failure !== null) throw new InstallationError(failure);
    void this.keep(post);
  }

  /** Starts a process again whenever it has died. */
  private async keep(post: Post): Promise<void> {
    for (;;) {
      await endOf(post.worker);
      if (this.stopping.signal.aborted) return;
      const { exitCode, signalCode, pid } = post.worker.process;
      if (performance.now() - post.startedAt > backoffMs.quiet) post.restMs = backoffMs.first;
      const { restMs } = post;
      const detail = { process: pid, roles: post.task.roles, exitCode, signal: signalCode, restMs };
      this.log.warn(detail, 'a process has died and is started again');
      await sleep(restMs, undefined, { signal: this.stopping.signal }).catch(() => undefined);
      if (this.stopping.signal.aborted) return;
      post.restMs = Math.min(2 * restMs, backoffMs.last);
      post.startedAt = performance.now();
      post.worker = this.fork(post.task);
      const failure = await outcomeOf(post.worker);
      if (failure !== null) this.log.warn({ reason: failure }, 'a process could not start');
    }
  }

  private fork(task: Task): Worker {
    const worker = cluster.fork();
    worker.on('error', (error) => this.log.warn({ err: error }, 'a process cannot be reached'));
    worker.on('message', (report: Report) => this.hear(worker, task, report));
    return worker;
  }

  private hear(worker: Worker, task: Task, report: Report): void {
    const everybody = this.posts.map((post) => post.worker);
    switch (report.type) {
      case 'present':
        if (!this.stopping.signal.aborted) send(worker, { type: 'start', task });
        break;
      case 'signal':
        for (const other of everybody) if (other !== worker) send(other, report);
        break;
      case 'counted':
        this.collection.add(report.request, report.snapshot);
    }
  }
}

/** Waits until a process is at work, and returns null; or why it is not. */
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

/** Resolves when a process has ended; at once for one that never came into being. */
async function endOf(worker: Worker): Promise<void> {
  if (!isGone(worker)) await new Promise((resolve) => worker.once('exit', resolve));
}

function isGone(worker: Worker): boolean {
  return worker.process.pid === undefined || worker.isDead();
}

/** One that has just died hears nothing more; its end is noticed elsewhere. */
function send(worker: Worker, order: Order): void {
  if (worker.isConnected()) worker.send(order, () => undefined);
}
