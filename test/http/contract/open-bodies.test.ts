/** The limits on contents that are being sent. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Readable } from 'node:stream';
import { type TestContext, test } from 'node:test';
import { Problem, type ProblemCode } from '@trellis/schema/problem.ts';
import { limitsOfMembers, limitsOfPublic, OpenBodies } from '@trellis/server/kernel/http/open-bodies.ts';
import { FairQueue } from '@trellis/server/kernel/lib/fair-queue.ts';

const open = async () => new Readable({ read: () => undefined });
const large = 1_000_000;
const isRefusal = (code: ProblemCode) => (error: unknown) => error instanceof Problem && error.code === code;
const isOverloaded = isRefusal('overloaded');

/** The contents of public readers, by network. */
function openPublic() {
  const bodies = new OpenBodies(limitsOfPublic, new FairQueue());
  return async (network: string, opens = open) => {
    const body = await bodies.open({ owners: [network], turnsOf: 'unauthenticated' }, large, opens);
    return body instanceof Readable ? body : assert.fail('a stream');
  };
}

/** The contents of members, by token and organization. */
function openOfMembers() {
  const bodies = new OpenBodies(limitsOfMembers, new FairQueue());
  return async (token: string, organization: string, opens = open) => {
    const reader = { owners: [token, organization], turnsOf: organization };
    const body = await bodies.open(reader, large, opens);
    return body instanceof Readable ? body : assert.fail('a stream');
  };
}

function clock(context: TestContext) {
  const time = { now: 0 };
  context.mock.method(performance, 'now', () => time.now);
  return time;
}

test('a network has at most 16 large contents open, all together 40, and each that is closed makes room', async () => {
  const take = openPublic();
  const ofFirst = await Promise.all(Array.from({ length: 16 }, () => take('first')));
  await assert.rejects(take('first'), isOverloaded);
  for (let count = 0; count < 24; count += 1) await take(count < 12 ? 'second' : 'third');
  await assert.rejects(take('fourth'), isOverloaded);
  const [one] = ofFirst;
  assert.ok(one !== undefined);
  const closed = once(one, 'close');
  one.destroy();
  await closed;
  await take('fourth');
  await assert.rejects(take('first'), isOverloaded);
});

test('a reader that has taken longer than a second makes room: of the network that is full, or of the one that has most', async (context) => {
  const time = clock(context);
  const take = openPublic();
  const openAll = (network: string, count: number) =>
    Promise.all(Array.from({ length: count }, () => take(network)));
  const first = await openAll('first', 16);
  const second = await openAll('second', 12);
  time.now = 999;
  await assert.rejects(take('first'), isOverloaded);
  time.now = 1_001;
  await openAll('first', 3);
  assert.deepEqual(
    [...first.keys()].filter((index) => first[index]?.destroyed),
    [0, 1, 2],
  );
  await openAll('third', 12);
  await openAll('fourth', 4);
  assert.deepEqual(
    [...first.keys()].filter((index) => first[index]?.destroyed),
    [0, 1, 2, 3, 4, 5, 6],
  );
  assert.equal(second.filter(({ destroyed }) => destroyed).length, 0);
});

test('a content that cannot be opened takes no place', async () => {
  const take = openPublic();
  const fail = () => take('first', () => Promise.reject(new Error('gone')));
  for (let count = 0; count < 50; count += 1) await assert.rejects(fail(), /gone/);
  await take('first');
});

test('a small content is read at once, and its place is free whatever becomes of the response', async () => {
  const bodies = new OpenBodies(limitsOfPublic, new FairQueue());
  const reader = { owners: ['first'], turnsOf: 'unauthenticated' };
  const read = () => bodies.open(reader, 5, async () => Readable.from([Buffer.from('small')]));
  const all = await Promise.all(Array.from({ length: 100 }, read));
  assert.deepEqual([...new Set(all.map(String))], ['small']);
});

test('of members, a token has 16 large contents, an organization 32, and the process has 128', async (context) => {
  const time = clock(context);
  const take = openOfMembers();
  const openAll = (token: string, organization: string, count: number) =>
    Promise.all(Array.from({ length: count }, () => take(token, organization)));
  await openAll('a1', 'a', 16);
  await assert.rejects(take('a1', 'a'), isRefusal('rate_limited'));
  await openAll('a2', 'a', 16);
  await assert.rejects(take('a3', 'a'), isRefusal('rate_limited'));
  for (const organization of 'bcd') {
    await openAll(`${organization}1`, organization, 16);
    await openAll(`${organization}2`, organization, 16);
  }
  await assert.rejects(take('e1', 'e'), isOverloaded);
  // Readers that have stopped make room.
  time.now = 10_000;
  await take('e1', 'e');
});

test('a member who reads slowly goes on while others have stopped', async (context) => {
  const time = clock(context);
  const take = openOfMembers();
  const endless = async () => new Readable({ read: (size) => Buffer.alloc(size), highWaterMark: 1 });
  const opened = [];
  for (let count = 0; count < 16; count += 1) opened.push(await take('a', 'a', endless));
  time.now = 20_000;
  // Its next piece is asked for.
  opened[0]?.read(0);
  await take('a', 'a');
  assert.deepEqual([opened[0]?.destroyed, opened[1]?.destroyed, opened[2]?.destroyed], [false, true, false]);
});

test('each piece waits for a turn of the organization', async () => {
  const turns = new FairQueue();
  const bodies = new OpenBodies(limitsOfMembers, turns);
  const charged: string[] = [];
  const enter = turns.enter.bind(turns);
  turns.enter = (organization) => {
    charged.push(organization);
    return enter(organization);
  };
  const pieces = Array.from({ length: 5 }, (_, index) => Buffer.from(String(index)));
  const body = await bodies.open({ owners: ['token', 'org'], turnsOf: 'org' }, large, async () =>
    Readable.from(pieces),
  );
  const read: string[] = [];
  assert.ok(body instanceof Readable);
  for await (const piece of body) read.push(String(piece));
  assert.deepEqual(read, ['0', '1', '2', '3', '4']);
  assert.deepEqual(charged, Array.from({ length: 5 }).fill('org'));
});
