/**
 * No gaps: sixteen writers whose transactions commit in any order, some held open, some rolled back, and readers that
 * follow the log from their cursors all along.
 */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, test } from 'node:test';
import { Arrivals } from '@trellis/server/kernel/events/arrivals.ts';
import { readLog } from '@trellis/server/kernel/events/log.ts';
import type { LoggedEvent } from '@trellis/server/kernel/events/logged-event.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { countWaiting, createSite, everybodyIn, writeSite } from '../support/events.ts';
import { createOrganization } from '../support/identities.ts';
import { startTestRelay } from '../support/relay.ts';
import { chooseSeed, seededNumbers } from '../support/seed.ts';
import { amount } from '../support/soak.ts';

const seconds = amount(6, 60);
const writerCount = 16;
const siteCount = 24;
const rolledBack = 'rolled back';
/** Timeout for the last event after the last write, in ms. Only a lost event takes so long. */
const patienceMs = 60_000;

let database: TestDatabase;
before(async () => {
  database = await createTestDatabase({ poolSize: writerCount + 2 });
});
after(() => database.drop());

/** The state of one site: two numbers, however long the test runs. Its committed versions are 1 to `committed`. */
interface Account {
  readonly owner: string;
  readonly site: string;
  committed: number;
  seen: number;
}

test('readers get every committed event of sixteen writers once, in order, and none that was rolled back', async (context) => {
  const random = seededNumbers(chooseSeed(context));
  const owners = await Promise.all(
    [1, 2].map(async () => (await createOrganization(database.worker, randomUUID())).id),
  );
  const accounts = await Promise.all(
    Array.from({ length: siteCount }, async (_, index): Promise<Account> => {
      const owner = owners[index % 3 === 0 ? 1 : 0] ?? '';
      return { owner, site: await createSite(database.api, owner), committed: 0, seen: 0 };
    }),
  );
  const bySite = new Map(accounts.map((account) => [account.site, account]));
  const arrivals = new Arrivals();
  const relay = startTestRelay(database, {
    log: (message, detail) => context.diagnostic(`${message} ${JSON.stringify(detail)}`),
    logged: (organizationIds) => arrivals.notify(organizationIds),
    // Small batches: most boundaries between them fall among transactions that overlap.
    sizes: { batch: 20, readAhead: 100 },
  });
  const counts = { committed: 0, rolledBack: 0, heldOpen: 0, pages: 0 };
  const ending = new AbortController();
  let writtenAt: number | null = null;

  async function write(): Promise<void> {
    while (!ending.signal.aborted) {
      const account = accounts[Math.floor(random() * accounts.length)];
      assert.ok(account);
      const rollBack = random() < 0.05;
      const openMs = random() < 0.2 ? random() * 60 : 0;
      const requestId = rollBack ? rolledBack : 'committed';
      const options = { requestId, rollBack, openMs };
      const version = await writeSite(database.api, account.owner, account.site, options);
      if (openMs > 0) counts.heldOpen += 1;
      if (rollBack) {
        counts.rolledBack += 1;
      } else {
        counts.committed += 1;
        // Another writer of this site may have finished first.
        account.committed = Math.max(account.committed, version);
      }
    }
  }

  function take(owner: string, event: LoggedEvent): void {
    const account = bySite.get(event.subjectId);
    assert.ok(account, `event of an unknown record at ${event.position}`);
    assert.equal(event.organizationId, owner);
    assert.equal(account.owner, owner);
    assert.notEqual(event.requestId, rolledBack);
    // The next version of its record: none missed and none repeated.
    assert.equal(event.subjectVersion, account.seen + 1, `version of ${account.site} at ${event.position}`);
    account.seen += 1;
  }

  async function read(owner: string): Promise<void> {
    for (let from = 0; ; ) {
      const finished = writtenAt !== null && (await countWaiting(database.worker)) === 0;
      const page = await readLog(database.api, everybodyIn(owner), { from, limit: 50 });
      counts.pages += 1;
      assert.equal(page.missed, false);
      for (const [index, event] of page.events.entries()) {
        assert.equal(event.position, from + 1 + index, 'positions are dense');
        take(owner, event);
      }
      from = page.next;
      if (page.more) continue;
      if (finished) return;
      assert.ok(writtenAt === null || Date.now() < writtenAt + patienceMs, 'events are left in the outbox');
      await arrivals.wait(owner, 100);
    }
  }

  const timer = setTimeout(() => ending.abort(), seconds * 1_000);
  try {
    const readers = owners.map(read);
    const writers = Array.from({ length: writerCount }, write);
    // A reader that finds a fault ends the test at once.
    await Promise.race([Promise.all(writers), Promise.all(readers)]);
    writtenAt = Date.now();
    await Promise.all(readers);
  } finally {
    clearTimeout(timer);
    ending.abort();
    await relay.stop();
  }

  context.diagnostic(`${seconds} s, ${writerCount} writers: ${JSON.stringify(counts)}`);
  assert.ok(counts.committed > 100 && counts.rolledBack > 0 && counts.heldOpen > 0, 'the writers wrote');
  for (const { site, committed, seen } of accounts) assert.equal(seen, committed, `events of ${site}`);
  assert.equal(
    accounts.reduce((sum, { seen }) => sum + seen, 0),
    counts.committed,
  );
});
