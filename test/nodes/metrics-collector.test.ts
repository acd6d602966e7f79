/** The process that collects the metrics of the others survives a malformed response. */
import assert from 'node:assert/strict';
import type { Worker } from 'node:cluster';
import { EventEmitter } from 'node:events';
import { test } from 'node:test';
import type { MetricsSnapshot } from '@trellis/server/kernel/http/metrics.ts';
import { MetricsCollector } from '@trellis/server/node/workers/metrics-collector.ts';
import { pino } from 'pino';

test('metrics that cannot be combined give an empty text and one log line', async () => {
  const logged: string[] = [];
  const collection = new MetricsCollector(
    pino({ level: 'error' }, { write: (line: string) => void logged.push(line) }),
  );
  const worker = new EventEmitter() as Worker;
  worker.isConnected = () => true;
  const malformed: MetricsSnapshot = JSON.parse('[null]');
  const text = await collection.collect([worker], (_worker, order) => {
    if (order.type === 'count') collection.add(order.request, malformed);
  });
  assert.deepEqual([text, logged.length], ['', 1]);
});
