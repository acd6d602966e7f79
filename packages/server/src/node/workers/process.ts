/**
 * Why: one of the processes of a node, as `supervisor.ts` starts them. It does what it is told by the first process, and
 * nothing after that one is gone: Node.js ends the process of a cluster whose channel to the first one breaks off, so that no
 * orphan goes on serving.
 */
import cluster from 'node:cluster';
import type { Logger } from 'pino';
import { createMetrics } from '../../http/metrics.ts';
import { createLog } from '../log.ts';
import { type Node, startNode } from '../node.ts';
import { type Concerned, type Signal, Signals } from '../signals.ts';
import type { Order, Report, Task } from './messages.ts';

/** Signals of one kind are handed on together when they come closer than this, in ms: others need to know of all as of one. */
const gatherMs = 5;

const metrics = createMetrics();
const signals = new Signals(
  gather((signal, organizationIds) => report({ type: 'signal', signal, organizationIds })),
);
/** As the task configures it; nothing fails before. */
let log: Logger | null = null;
let node: Promise<Node | null> = Promise.resolve(null);

// A terminal, and a service manager, send a signal to all processes of a node. The first one tells when it is time.
for (const name of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(name, () => undefined);
process.on('message', (order: Order) => {
  obey(order).catch((error: unknown) =>
    log?.error({ err: error, order: order.type }, 'an order could not be carried out'),
  );
});
report({ type: 'present' });

async function obey(order: Order): Promise<void> {
  switch (order.type) {
    case 'start':
      node = start(order.task);
      return;
    case 'stop':
      return stop();
    case 'signal':
      return signals.hear(order.signal, order.organizationIds);
    case 'count':
      return report({ type: 'counted', request: order.request, snapshot: await metrics.snapshot() });
  }
}

async function start(task: Task): Promise<Node | null> {
  const taskLog = createLog(task.config);
  log = taskLog;
  try {
    const started = await startNode({ ...task, signals, metrics, log: taskLog });
    taskLog.info({ roles: task.roles }, 'this process is at work');
    report({ type: 'started' });
    return started;
  } catch (error) {
    report({ type: 'failed', message: error instanceof Error ? error.message : String(error) });
    cluster.worker?.disconnect();
    return null;
  }
}

async function stop(): Promise<void> {
  try {
    await (await node)?.close();
  } finally {
    cluster.worker?.disconnect();
  }
}

function report(message: Report): void {
  // A channel that has just closed ends this process in a moment.
  if (process.connected) process.send?.(message);
}

/** Forwards a signal once for all of its kind that come within a few milliseconds. */
function gather(forward: (signal: Signal, organizationIds: Concerned) => void) {
  const waiting = new Map<Signal, Set<string>>();
  return (signal: Signal, organizationIds: Concerned): void => {
    const gathered = waiting.get(signal);
    if (gathered !== undefined) {
      for (const organizationId of organizationIds) gathered.add(organizationId);
      return;
    }
    const all = new Set(organizationIds);
    waiting.set(signal, all);
    setTimeout(() => {
      waiting.delete(signal);
      forward(signal, all);
    }, gatherMs).unref();
  };
}
