/** What commands that run until they are ended listen for. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { outputClosed, stopForClosedOutput, stopOnSignals } from '@trellis/server/commands/stop-signal.ts';

test('a command stops when the reader of its output has gone, and only while it runs', () => {
  assert.equal(stopForClosedOutput(), false);
  {
    using signals = stopOnSignals();
    assert.equal(stopForClosedOutput(), true);
    assert.equal(signals.signal.reason, outputClosed);
  }
  assert.equal(stopForClosedOutput(), false);
});

test('writing to a closed connection still does not end the process afterwards', {
  skip: process.platform === 'linux' ? false : 'only Linux shows which signals a process ignores',
}, () => {
  {
    using _signals = stopOnSignals();
  }
  const [, ignored = ''] = /^SigIgn:\s*(\w+)$/m.exec(readFileSync('/proc/self/status', 'utf8')) ?? [];
  const SIGPIPE = 13;
  assert.equal((BigInt(`0x${ignored}`) >> BigInt(SIGPIPE - 1)) & 1n, 1n, 'SIGPIPE is ignored');
});
