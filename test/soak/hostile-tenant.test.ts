/** One hostile tenant with valid tokens beside another one, on a real server. `npm run bench -- hostile` compares the latencies. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ingredients } from '../../bench/hostile/ingredients.ts';
import { runHostileTenant } from '../../bench/hostile/run.ts';

test('beside a hostile tenant, no request of another one is refused', async (context) => {
  const { turns } = await runHostileTenant({
    turns: [ingredients.map(({ name }) => name)],
    seconds: 20,
    rate: 60,
    note: () => undefined,
  });
  for (const { alone, beside, ratio, hostile } of turns) {
    context.diagnostic(
      `p99 ${beside.p99.toFixed(0)} ms beside it, ${alone.p99.toFixed(0)} ms alone: ${ratio.toFixed(1)} times`,
    );
    const sent = Object.entries(hostile).filter(([, counts]) => Object.keys(counts).length > 0);
    assert.deepEqual(
      sent.map(([name]) => name),
      ingredients.map(({ name }) => name),
      'every ingredient was sent',
    );
    assert.ok(alone.requests > 0 && beside.requests > 0);
    assert.deepEqual(alone.refusals, {});
    assert.deepEqual(beside.refusals, {});
  }
});
