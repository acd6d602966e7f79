/** The tabs of a browser share one stream of events, and the next tab continues where the one with the connection ended. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { EventStreamOptions } from '@trellis/client/event-stream.ts';
import type { Event } from '@trellis/client/generated/types.ts';
import { SharedEvents } from '@trellis/console/live/shared-events.ts';
import { until } from '../../support/until.ts';

/** A log whose cursor is the number of the last event; each connection is a stream of its own. */
class TestLog {
  readonly connections: EventStreamOptions['from'][] = [];
  private readonly log: Event[] = [];

  add(subject: string): void {
    this.log.push({ subject } as Event);
  }

  open({ from, signal, onConnect }: EventStreamOptions) {
    this.connections.push(from);
    const { log } = this;
    let cursor = typeof from === 'object' ? Number(from.cursor) : log.length;
    return {
      get cursor() {
        return String(cursor);
      },
      async *[Symbol.asyncIterator]() {
        onConnect?.();
        while (signal?.aborted !== true) {
          const event = log[cursor];
          if (event === undefined) {
            await new Promise((resolve) => setTimeout(resolve, 5));
            continue;
          }
          cursor += 1;
          yield event;
        }
      },
    };
  }
}

function openTab(log: TestLog, owner: string) {
  const closing = new AbortController();
  const shared = new SharedEvents({ events: (options) => log.open(options), owner, locks: navigator.locks });
  const seen: string[] = [];
  const ended = (async () => {
    for await (const { subject } of shared.events({ from: 'latest', signal: closing.signal }))
      seen.push(subject);
  })();
  return {
    seen,
    close: async () => {
      closing.abort();
      await ended;
    },
  };
}

test('tabs share a connection, and none misses or repeats an event when that of the connection is closed', async () => {
  const log = new TestLog();
  const owner = crypto.randomUUID();
  log.add('before');
  const first = openTab(log, owner);
  await until('it is connected', () => log.connections.length === 1);
  const second = openTab(log, owner);
  log.add('one');
  log.add('two');
  await until('both have them', () => first.seen.length === 2 && second.seen.length === 2);
  assert.deepEqual(log.connections, ['latest']);
  await first.close();
  log.add('three');
  await until('the second continues', () => second.seen.length === 3);
  assert.deepEqual(
    [first.seen, second.seen],
    [
      ['one', 'two'],
      ['one', 'two', 'three'],
    ],
  );
  assert.deepEqual(log.connections, ['latest', { cursor: '3' }]);
  await second.close();
});
