/** Relays in separate processes: one works at a time, and killing or freezing it at the worst moment harms nothing. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, afterEach, before, beforeEach, test } from 'node:test';
import {
  acquireLease,
  type Lease,
  LeaseLostError,
  releaseLease,
  renewLease,
} from '@trellis/server/kernel/events/lease.ts';
import type { LoggedEvent } from '@trellis/server/kernel/events/logged-event.ts';
import { moveToEventLog, readOutbox } from '@trellis/server/kernel/events/outbox.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { countWaiting, createSite, readWholeLog, writeSite } from '../support/events.ts';
import { createOrganization } from '../support/identities.ts';
import { killRelayProcesses, type RelayProcess, startRelayProcess } from '../support/relay-processes.ts';
import { until } from '../support/until.ts';

let database: TestDatabase;
let organization = '';
let site = '';

beforeEach(async () => {
  database = await createTestDatabase();
  organization = (await createOrganization(database.worker, randomUUID())).id;
  site = await createSite(database.api, organization);
});
afterEach(async () => {
  await killRelayProcesses();
  await database.drop();
});

// Keeps a cluster of this file's own running between the databases of the tests.
let anchor: TestDatabase;
before(async () => {
  anchor = await createTestDatabase();
});
after(() => anchor.drop());

async function write(count: number): Promise<void> {
  for (let written = 0; written < count; written += 1) await writeSite(database.api, organization, site);
}

const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

/** Waits until a number of versions of the site are logged: each once, numbered without gaps, in order. */
async function expectLogged(count: number): Promise<void> {
  const events: LoggedEvent[] = await until(`${count} events are logged`, async () => {
    const found = await readWholeLog(database.api, organization);
    return found.length >= count && (await countWaiting(database.worker)) === 0 && found;
  });
  assert.deepEqual(
    events.map(({ position, subjectVersion }) => [position, subjectVersion]),
    upTo(count).map((number) => [number, number]),
  );
}

const batchesOf = (relay: RelayProcess) => relay.said.filter(({ message }) => message === 'moving').length;

test('one of two relays works, and the other takes over when it is killed', async () => {
  const first = startRelayProcess(database, { leaseMs: 4_000 });
  const term = await first.leads();
  const second = startRelayProcess(database, { leaseMs: 4_000 });
  for (const round of upTo(20)) {
    await write(1);
    await expectLogged(round);
  }
  assert.ok(batchesOf(first) > 0);
  assert.deepEqual(second.said, []);
  await first.end('SIGKILL');
  await write(5);
  await expectLogged(25);
  assert.equal(await second.leads(), term + 1);
});

test('a frozen relay is replaced, and changes nothing when it resumes', async () => {
  const first = startRelayProcess(database);
  const term = await first.leads();
  await write(1);
  await expectLogged(1);
  const second = startRelayProcess(database);
  first.signal('SIGSTOP');
  assert.equal(await second.leads(), term + 1);
  await write(3);
  await expectLogged(4);
  first.signal('SIGCONT');
  await write(3);
  await first.says('Another process is the relay now');
  await write(3);
  await expectLogged(10);
  assert.equal(batchesOf(first), 1);
  // After it resumes, it can lead again.
  await second.end('SIGKILL');
  assert.equal(await first.leads(2), term + 2);
});

test('a relay that freezes inside its transaction does not keep the lease', async () => {
  await write(3);
  const first = startRelayProcess(database, { mishap: 'SIGSTOP' });
  const term = await first.leads();
  await first.says('moving');
  const second = startRelayProcess(database);
  assert.equal(await second.leads(), term + 1);
  await expectLogged(3);
  first.signal('SIGCONT');
  await first.says('Another process is the relay now');
  await write(3);
  await expectLogged(6);
  assert.equal(batchesOf(first), 1);
});

test('a relay that dies inside its transaction loses nothing', async () => {
  await write(3);
  for (let deaths = 0; deaths < 2; deaths += 1) {
    const dying = startRelayProcess(database, { leaseMs: 200, mishap: 'SIGKILL' });
    await dying.ended();
    assert.equal(batchesOf(dying), 1);
    assert.equal(await countWaiting(database.worker), 3);
    assert.deepEqual(await readWholeLog(database.api, organization), []);
  }
  startRelayProcess(database);
  await expectLogged(3);
});

test('relays killed at any moment under load lose nothing and duplicate nothing', async () => {
  let writing = true;
  let written = 0;
  const writer = (async () => {
    while (writing) {
      await write(1);
      written += 1;
    }
  })();
  try {
    for (let kills = 0; kills < 6; kills += 1) {
      const relay = startRelayProcess(database, { leaseMs: 200 });
      const batches = 1 + Math.floor(Math.random() * 5);
      await until('it has moved some batches', () => batchesOf(relay) >= batches);
      await relay.end('SIGKILL');
    }
  } finally {
    writing = false;
    await writer;
  }
  startRelayProcess(database);
  await expectLogged(written);
});

test('a relay that is stopped releases its lease and exits cleanly', async () => {
  const relay = startRelayProcess(database, { leaseMs: 3_600_000 });
  const term = await relay.leads();
  assert.equal(await relay.end('SIGTERM'), 0);
  const next = await acquireLease(database.worker, 'relay', 'test', 1_000);
  assert.equal(next?.term, term + 1);
});

/** A lease that another process has acquired in the meantime. */
async function loseLease(): Promise<Lease> {
  const old = await acquireLease(database.worker, 'relay', 'old', 1_000);
  assert.ok(old);
  await releaseLease(database.worker, old);
  const taken = await acquireLease(database.worker, 'relay', 'new', 3_600_000);
  assert.equal(taken?.term, old.term + 1);
  return old;
}

test('a batch under an old term is refused completely, even when it was read in time', async () => {
  await write(2);
  const waiting = await readOutbox(database.worker, 10);
  const old = await loseLease();
  let handed = 0;
  await assert.rejects(
    moveToEventLog(database.worker, old, waiting, () => {
      handed += 1;
      return [];
    }),
    LeaseLostError,
  );
  await assert.rejects(renewLease(database.worker, old), LeaseLostError);
  assert.equal(handed, 0);
  assert.deepEqual(await readOutbox(database.worker, 10), waiting);
  assert.deepEqual(await readWholeLog(database.api, organization), []);
});

test('a lease in use cannot be acquired, and an expired one can be renewed until another process acquires it', async () => {
  const lease = await acquireLease(database.worker, 'relay', 'first', 3_600_000);
  assert.ok(lease);
  assert.equal(await acquireLease(database.worker, 'relay', 'second', 1_000), null);
  await renewLease(database.worker, { ...lease, durationMs: 0 });
  await renewLease(database.worker, lease);
  assert.equal(await acquireLease(database.worker, 'relay', 'second', 1_000), null);
});
