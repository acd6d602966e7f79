/** Tests of deadlines: they come whatever the garbage collector does, and leave no timer. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { withDeadline } from '@trellis/server/kernel/lib/deadline.ts';
import { collectGarbage } from '../support/garbage.ts';
import { until } from '../support/until.ts';

const never = new AbortController().signal;
const countTimers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;

test('the deadline comes after garbage was collected', async () => {
  const isOver = withDeadline(50, never, async (signal) => {
    // Nobody listens meanwhile.
    for (let turn = 0; turn < 20; turn += 1) {
      collectGarbage();
      await sleep(10);
    }
    return signal.aborted;
  });
  assert.equal(await isOver, true);
  await withDeadline(50, never, async (signal) => {
    const over = once(signal, 'abort');
    await until('the deadline', () => {
      collectGarbage();
      return signal.aborted;
    });
    await over;
  });
});

test('work ends early with the other signal, and leaves no timer', async () => {
  const timers = countTimers();
  const stopping = new AbortController();
  const reason = withDeadline(180_000, stopping.signal, async (signal) => {
    await once(signal, 'abort');
    return signal.reason;
  });
  assert.equal(countTimers(), timers + 1);
  stopping.abort('stopped');
  assert.equal(await reason, 'stopped');
  assert.equal(await withDeadline(180_000, stopping.signal, async ({ reason }) => reason), 'stopped');
  assert.equal(await withDeadline(180_000, never, async () => 'done'), 'done');
  assert.equal(countTimers(), timers);
});
