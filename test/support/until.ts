/** Waits for conditions in other processes by polling, never by sleeping for a fixed time. */
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';

type Unready = null | undefined | false;

/** Polls until the result is neither null, undefined nor false, and returns it; fails after 30 s. */
export async function until<T>(what: string, ask: () => T | Unready | Promise<T | Unready>): Promise<T> {
  const deadline = Date.now() + 30_000;
  for (;;) {
    const answer = await ask();
    if (answer !== null && answer !== undefined && answer !== false) return answer;
    assert.ok(Date.now() < deadline, `timeout: ${what}`);
    await sleep(20);
  }
}
