/** What the client tells the server that its reads must see: its own writes, and everything for a moment after it cannot know them. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ApiClient } from '@trellis/client/api-client.ts';
import { ReadAfter } from '@trellis/client/read-after.ts';

const path = '/v1/sites';

/** A client of a server that responds to writes with what is set, with a clock that is moved by hand. */
function fakeClient() {
  const sent: (string | null)[] = [];
  const state = { now: 0, position: 'p1' as string | null, status: 200, writes: 0 };
  const client = new ApiClient({
    baseUrl: 'http://server',
    token: 'token',
    attempts: 1,
    clock: () => state.now,
    onWrite: () => {
      state.writes += 1;
    },
    fetch: async (_url, { method, headers }) => {
      const isRead = method === 'GET';
      if (isRead) sent.push(new Headers(headers).get('trellis-read-after'));
      if (!isRead && state.status === 0) throw new TypeError('the connection broke');
      return new Response('{}', {
        status: isRead ? 200 : state.status,
        headers: isRead || state.position === null ? {} : { 'trellis-read-after': state.position },
      });
    },
  });
  const read = async () => {
    await client.request({ method: 'GET', path });
    return sent.at(-1);
  };
  const write = (position: string | null, status = 200) => {
    state.position = position;
    state.status = status;
    return client.request({ method: 'POST', path, body: {} }).catch(() => undefined);
  };
  return { client, state, read, write };
}

test('reads of a client that has just begun see everything, later ones nothing in particular', async () => {
  const { state, read } = fakeClient();
  assert.equal(await read(), 'now');
  state.now = 2_999;
  assert.equal(await read(), 'now');
  state.now = 3_000;
  assert.equal(await read(), 'none');
});

test('reads see the writes of the last three seconds', async () => {
  const { state, read, write } = fakeClient();
  state.now = 10_000;
  await write('p1');
  assert.equal(await read(), 'p1');
  state.now = 12_000;
  await write('p2');
  assert.equal(await read(), 'p1, p2');
  state.now = 13_000;
  assert.equal(await read(), 'p2');
  state.now = 15_000;
  assert.equal(await read(), 'none');
  assert.equal(state.writes, 2);
});

test('reads see everything after a write whose position is not known', async () => {
  for (const [position, status] of [
    ['now', 200],
    [null, 200],
    ['p1', 503],
    ['p1', 0],
  ] as const) {
    const { state, read, write } = fakeClient();
    state.now = 10_000;
    await write(position, status);
    assert.equal(await read(), 'now');
    assert.equal(state.writes, 1);
    // A later one whose position is known does not say what the first one has written.
    await write('p2');
    assert.equal(await read(), 'now');
    state.now = 13_000;
    assert.equal(await read(), 'none');
  }
});

test('of more writes than the server accepts, reads see everything', () => {
  let now = 10_000;
  const readAfter = new ReadAfter(() => now);
  now += 3_000;
  for (let number = 1; number <= 8; number += 1) readAfter.noteWrite(`p${number}`);
  assert.equal(readAfter.header(), 'p1, p2, p3, p4, p5, p6, p7, p8');
  readAfter.noteWrite('p9');
  assert.equal(readAfter.header(), 'now');
});

test('what others have changed is seen once it is noted', async () => {
  const { client, state, read } = fakeClient();
  state.now = 10_000;
  assert.equal(await read(), 'none');
  client.noteChange();
  assert.equal(await read(), 'now');
});
