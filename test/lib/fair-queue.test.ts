/** Turns on the event loop under the test's own clock: their order, and who has to wait. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FairQueue, type LoopClock, unauthenticated } from '@trellis/server/kernel/lib/fair-queue.ts';

/** A loop in which time passes only during work, or when nothing is left to do. */
class TestLoop implements LoopClock {
  private time = 0;
  private readonly turnEnds: (() => void)[] = [];
  private readonly iterations: (() => void)[] = [];
  private readonly timers: { readonly atMs: number; readonly callback: () => void }[] = [];

  now(): number {
    return this.time;
  }

  afterTurn(callback: () => void): void {
    this.turnEnds.push(callback);
  }

  nextIteration(callback: () => void): void {
    this.iterations.push(callback);
  }

  later(callback: () => void, milliseconds: number): void {
    this.timers.push({ atMs: this.time + milliseconds, callback });
  }

  /** Works for so many ms. */
  work(milliseconds: number): void {
    this.time += milliseconds;
  }

  /** Lets promises run on, and ends the turns that were begun. */
  async endTurn(): Promise<void> {
    for (;;) {
      await new Promise<void>((resolve) => setImmediate(resolve));
      const ended = this.turnEnds.splice(0);
      if (ended.length === 0) return;
      for (const callback of ended) callback();
    }
  }

  /** Looks for input and output, as the loop does between its callbacks. */
  async iterate(): Promise<void> {
    for (const timer of this.timers.splice(0)) {
      if (timer.atMs <= this.time) timer.callback();
      else this.timers.push(timer);
    }
    for (const callback of this.iterations.splice(0)) callback();
    await this.endTurn();
  }
}

/** A loop, its turns, and requests that work for a time when their turn comes; `done` has them in order. */
function createLoop() {
  const loop = new TestLoop();
  const turns = new FairQueue(loop);
  const done: string[] = [];
  const work = async (organization: string, milliseconds: number) => {
    const turn = turns.enter(organization);
    if (turn !== undefined) await turn;
    loop.work(milliseconds);
    done.push(organization);
  };
  /** A request arrives: it has a separate turn, at once or later. */
  const request = async (organization: string, milliseconds: number) => {
    void work(organization, milliseconds);
    await loop.endTurn();
  };
  return { loop, turns, done, request };
}

test('no turn waits while there is little to do', async () => {
  const { loop, turns } = createLoop();
  for (let number = 0; number < 100; number += 1) {
    assert.equal(turns.enter('a'), undefined);
    loop.work(0.01);
    await loop.endTurn();
  }
});

test('turns between two polls for input take no more than a slice', async () => {
  const { loop, done, request } = createLoop();
  for (let number = 0; number < 40; number += 1) await request('a', 1);
  const counts = [done.length];
  for (let iteration = 0; iteration < 8; iteration += 1) {
    await loop.iterate();
    counts.push(done.length);
  }
  assert.deepEqual(counts, [5, 10, 15, 20, 25, 30, 35, 40, 40]);
});

test('the organization that used the least is next, however many turns of another one wait', async () => {
  const { loop, done, request } = createLoop();
  for (let number = 0; number < 50; number += 1) await request('hostile', 20);
  await request('other', 1);
  assert.deepEqual(done, ['hostile']);
  await loop.iterate();
  assert.deepEqual(done, ['hostile', 'other', 'hostile']);
});

test('waiting turns are not overtaken forever', async () => {
  const { loop, done, request } = createLoop();
  await request('a', 6);
  await request('a', 6);
  for (let number = 0; number < 3; number += 1) {
    await loop.iterate();
    await request(`other ${number}`, 6);
  }
  assert.deepEqual(done.slice(0, 2), ['a', 'a']);
});

test('beside others, an organization that uses much time pauses for as long as it worked', async () => {
  const { loop, turns, done, request } = createLoop();
  await request('hostile', 400);
  await loop.iterate();
  assert.equal(turns.isHeavy('hostile'), true);
  // Alone, it continues at once.
  await request('hostile', 10);
  await loop.iterate();
  await request('other', 1);
  assert.deepEqual(done, ['hostile', 'hostile', 'other']);
  await loop.iterate();
  await request('hostile', 10);
  await loop.iterate();
  assert.equal(done.length, 3);
  // Others continue meanwhile.
  await request('other', 1);
  assert.deepEqual(done.slice(3), ['other']);
  // Ten milliseconds after its last turn, of which two have passed.
  loop.work(7);
  await loop.iterate();
  await loop.iterate();
  assert.equal(done.length, 4);
  loop.work(1);
  await loop.iterate();
  await loop.iterate();
  assert.deepEqual(done.slice(4), ['hostile']);
});

for (const [who, pauseMs] of [
  ['an organization', 10],
  [unauthenticated, 30],
] as const) {
  test(`beside others, ${who} that worked for 10 ms pauses for ${pauseMs} ms`, async () => {
    const { loop, done, request } = createLoop();
    await request(who, 400);
    await loop.iterate();
    await request(who, 10);
    await loop.iterate();
    await request('other', 0);
    await loop.iterate();
    await request(who, 10);
    const before = done.length;
    loop.work(pauseMs - 1);
    for (let iteration = 0; iteration < 3; iteration += 1) await loop.iterate();
    assert.equal(done.length, before);
    loop.work(1);
    for (let iteration = 0; iteration < 3; iteration += 1) await loop.iterate();
    assert.deepEqual(done.slice(before), [who]);
  });
}

test('heavy use is determined by comparison, and decays', async () => {
  const { loop, turns, request } = createLoop();
  await request('hostile', 2_000);
  await loop.iterate();
  await request('other', 300);
  await loop.iterate();
  assert.equal(turns.isHeavy('hostile'), true);
  assert.equal(turns.isHeavy('other'), false);
  assert.equal(turns.isOtherHeavy('other'), true);
  assert.equal(turns.isOtherHeavy('hostile'), false);
  assert.equal(turns.isOtherHeavy('unknown'), true);
  loop.work(10_000);
  assert.equal(turns.isOtherHeavy('other'), false);
  assert.equal(turns.isHeavy('hostile'), false);
});

test('reports how long an organization has waited', async () => {
  const { loop, turns, request } = createLoop();
  await request('hostile', 30);
  await request('hostile', 30);
  loop.work(500);
  assert.equal(turns.waitedMs('hostile'), 500);
  assert.equal(turns.waitedMs('other'), 0);
  await loop.iterate();
  assert.equal(turns.waitedMs('hostile'), 0);
});

test("the process's clock charges everything a turn does before the next poll for input", async () => {
  const turns = new FairQueue();
  const nextIteration = () => new Promise((resolve) => setImmediate(resolve));
  const block = (milliseconds: number) => {
    const end = performance.now() + milliseconds;
    while (performance.now() < end);
  };
  turns.enter('hostile');
  block(200);
  await Promise.resolve();
  // Still the same turn: no input was waited for.
  block(200);
  await nextIteration();
  assert.equal(turns.isHeavy('hostile'), true);
  // Work between turns is not counted.
  block(300);
  turns.enter('other');
  await nextIteration();
  assert.equal(turns.isHeavy('other'), false);
});
