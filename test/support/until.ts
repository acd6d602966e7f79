/** Waits for conditions in other processes by polling, never by sleeping for a fixed time. */
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';

type Unready = null | undefined | false;

/** As long as a busy machine may take for what takes milliseconds on another one; only a failure waits so long. */
const patienceMs = 180_000;

/**
 * Polls until nothing is left; fails when the number has not become smaller for three minutes.
 * @param explain as for `until`
 */
export async function untilNone(
  what: string,
  count: () => Promise<number>,
  explain?: () => Promise<string>,
): Promise<void> {
  for (let left = await count(); left > 0; ) {
    const before = left;
    const isFewer = async () => {
      const now = await count();
      return now < before ? now : null;
    };
    left = await until(`fewer than ${before} ${what}`, isFewer, explain);
  }
}

/**
 * Polls until the result is neither null, undefined nor false, and returns it; fails after three minutes.
 * @param explain says what there is instead, in the message of the failure
 */
export async function until<T>(
  what: string,
  ask: () => T | Unready | Promise<T | Unready>,
  explain: () => string | Promise<string> = () => '',
): Promise<T> {
  const deadline = Date.now() + patienceMs;
  for (;;) {
    const result = await ask();
    if (result !== null && result !== undefined && result !== false) return result;
    if (Date.now() >= deadline) assert.fail([`timeout: ${what}`, await explain()].join('\n').trim());
    await sleep(20);
  }
}
