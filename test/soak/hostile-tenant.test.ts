/** One hostile tenant with valid tokens beside another one, on a real server: see `npm run bench -- hostile`. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ingredients } from '../../bench/hostile/ingredients.ts';
import { runHostileTenant } from '../../bench/hostile/run.ts';

/** How much longer all but one of a hundred requests may take than alone. */
const largestRatio = 3;

test('beside a hostile tenant, no request of another one is refused, and its latency at most triples', async () => {
  const { turns } = await runHostileTenant({
    turns: [ingredients.map(({ name }) => name)],
    seconds: 20,
    rate: 60,
    note: () => undefined,
  });
  for (const { alone, beside, ratio, hostile } of turns) {
    const sent = Object.entries(hostile).filter(([, counts]) => Object.keys(counts).length > 0);
    assert.deepEqual(
      sent.map(([name]) => name),
      ingredients.map(({ name }) => name),
      'every ingredient was sent',
    );
    assert.deepEqual(alone.refusals, {});
    assert.deepEqual(beside.refusals, {});
    assert.ok(ratio <= largestRatio, `p99 ${beside.p99} ms beside it, ${alone.p99} ms alone`);
  }
});
