/** Waits for conditions in other processes by polling, never by sleeping for a fixed time. */
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';

type Unready = null | undefined | false;

/** As long as a busy machine may take for what takes milliseconds on another one; only a failure waits so long. */
const patienceMs = 180_000;

/** Polls until nothing is left; fails when the number has not become smaller for three minutes. */
export async function untilNone(what: string, count: () => Promise<number>): Promise<void> {
  for (let left = await count(); left > 0; ) {
    const before = left;
    left = await until(`fewer than ${before} ${what}`, async () => {
      const now = await count();
      return now < before ? now : null;
    });
  }
}

/** Polls until the result is neither null, undefined nor false, and returns it; fails after three minutes. */
export async function until<T>(what: string, ask: () => T | Unready | Promise<T | Unready>): Promise<T> {
  const deadline = Date.now() + patienceMs;
  for (;;) {
    const result = await ask();
    if (result !== null && result !== undefined && result !== false) return result;
    assert.ok(Date.now() < deadline, `timeout: ${what}`);
    await sleep(20);
  }
}
