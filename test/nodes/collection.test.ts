/** Why: the process that gathers what the others count bears all of them, and must not end with a bad answer of one. */
import assert from 'node:assert/strict';
import type { Worker } from 'node:cluster';
import { EventEmitter } from 'node:events';
import { test } from 'node:test';
import type { MetricsSnapshot } from '@trellis/server/http/metrics.ts';
import { Collection } from '@trellis/server/node/workers/collection.ts';
import { pino } from 'pino';

test('what cannot be put together makes an empty text and one line of the log', async () => {
  const told: string[] = [];
  const collection = new Collection(
    pino({ level: 'error' }, { write: (line: string) => void told.push(line) }),
  );
  const worker = new EventEmitter() as Worker;
  worker.isConnected = () => true;
  const malformed: MetricsSnapshot = JSON.parse('[null]');
  const text = await collection.collect([worker], (_worker, order) => {
    if (order.type === 'count') collection.add(order.request, malformed);
  });
  assert.deepEqual([text, told.length], ['', 1]);
});
