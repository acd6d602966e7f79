/**
 * A worker process of a node, started by `supervisor.ts`. It follows the messages of the first process and ends with it:
 * Node.js ends a cluster process whose channel breaks, so that no orphan continues to serve.
 */
import cluster from 'node:cluster';
import type { Logger } from 'pino';
import { type OrganizationIds, type Signal, Signals } from '../../kernel/background/signals.ts';
import { createMetrics } from '../../kernel/http/metrics.ts';
import { createLog } from '../log.ts';
import { type Node, startNode } from '../node.ts';
import type { Order, Report, Task } from './messages.ts';

/** Signals of one kind within this many ms are forwarded together. */
const batchMs = 5;

const metrics = createMetrics();
const signals = new Signals(
  batchSignals((signal, organizationIds) => report({ type: 'signal', signal, organizationIds })),
);
/** As the task configures it; nothing fails before. */
let log: Logger | null = null;
let node: Promise<Node | null> = Promise.resolve(null);

// Terminals and service managers signal all processes of a node; the first one decides when the others stop.
for (const name of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(name, () => undefined);
process.on('message', (order: Order) => {
  handleOrder(order).catch((error: unknown) =>
    log?.error({ err: error, order: order.type }, 'A message of the first process could not be handled'),
  );
});
report({ type: 'present' });

async function handleOrder(order: Order): Promise<void> {
  switch (order.type) {
    case 'start':
      node = start(order.task);
      return;
    case 'stop':
      return stop();
    case 'signal':
      return signals.receive(order.signal, order.organizationIds);
    case 'count':
      return report({ type: 'counted', request: order.request, snapshot: await metrics.snapshot() });
  }
}

async function start(task: Task): Promise<Node | null> {
  const taskLog = createLog(task.config);
  log = taskLog;
  try {
    const started = await startNode({ ...task, signals, metrics, log: taskLog });
    taskLog.info({ roles: task.roles }, 'This process has started');
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
  // A closed channel ends this process in a moment anyway.
  if (process.connected) process.send?.(message);
}

/** Forwards signals of one kind that come within a few milliseconds as one. */
function batchSignals(forward: (signal: Signal, organizationIds: OrganizationIds) => void) {
  const waiting = new Map<Signal, Set<string>>();
  return (signal: Signal, organizationIds: OrganizationIds): void => {
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
    }, batchMs).unref();
  };
}
