/** The schedule of retries: that of the specification, which a receiver can extend but not shorten. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { maxRetryAfterMs, nextDelayMs, parseRetryAfter } from '@trellis/server/features/webhooks/schedule.ts';

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
/** The delays after each of the ten attempts except the last. */
const delays = [
  5 * second,
  5 * minute,
  30 * minute,
  2 * hour,
  5 * hour,
  10 * hour,
  14 * hour,
  20 * hour,
  24 * hour,
];

test('after each failure the next attempt is 5 s, 5 m, 30 m, 2 h, 5 h, 10 h, 14 h, 20 h, 24 h later, and then there is none', () => {
  for (const [index, delay] of delays.entries()) assert.equal(nextDelayMs(index + 1, null, 0.5), delay);
  assert.equal(nextDelayMs(10, null, 0.5), null);
  assert.equal(nextDelayMs(11, null, 0.5), null);
});

test('jitter changes a delay by at most a fifth, in both directions', () => {
  for (const [index, delay] of delays.entries()) {
    assert.equal(nextDelayMs(index + 1, null, 0), delay * 0.8);
    assert.equal(nextDelayMs(index + 1, null, 1), delay * 1.2);
  }
  const drawn = Array.from({ length: 200 }, () => nextDelayMs(2, null) ?? Number.NaN);
  assert.ok(drawn.every((delay) => delay >= 4 * minute && delay <= 6 * minute));
  assert.ok(Math.min(...drawn) < 5 * minute && Math.max(...drawn) > 5 * minute);
});

test('a receiver can request a longer delay of up to a day, but not a shorter one', () => {
  assert.equal(nextDelayMs(1, 2 * minute, 0.5), 2 * minute);
  assert.equal(nextDelayMs(1, 0, 0.5), 5 * second);
  assert.equal(nextDelayMs(4, second, 0.5), 2 * hour);
  assert.equal(nextDelayMs(1, 365 * 24 * hour, 0.5), maxRetryAfterMs);
  assert.equal(maxRetryAfterMs, 24 * hour);
  assert.equal(nextDelayMs(10, minute, 0.5), null);
});

test('Retry-After is seconds or a date', () => {
  const now = Date.UTC(2026, 10, 21, 12, 0, 0);
  assert.equal(parseRetryAfter('120', now), 120 * second);
  assert.equal(parseRetryAfter(' 0 ', now), 0);
  assert.equal(parseRetryAfter('Sat, 21 Nov 2026 12:01:00 GMT', now), minute);
  assert.equal(parseRetryAfter('Saturday, 21-Nov-26 12:01:00 GMT', now), minute);
  assert.equal(parseRetryAfter('Sat Nov 21 12:01:00 2026', now), minute);
  assert.equal(parseRetryAfter('Sat, 21 Nov 2026 11:00:00 GMT', now), 0);
});

test('any other Retry-After is ignored', () => {
  for (const text of [
    undefined,
    '',
    '-1',
    '1.5',
    '1e3',
    '12345678901',
    'soon',
    '2026-11-21',
    'Sat',
    'Satan, 666',
  ])
    assert.equal(parseRetryAfter(text, 0), null, String(text));
});
