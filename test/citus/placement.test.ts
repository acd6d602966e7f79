/** Where an organization is on a prepared Citus cluster (see support/citus.ts), and how it gets elsewhere while it is written. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  isolateOrganization,
  moveOrganization,
  type Placed,
  readPlacement,
} from '@trellis/server/database/distribution/placement.ts';
import { readDistribution } from '@trellis/server/database/distribution/status.ts';
import { type Relay, startRelay } from '@trellis/server/events/relay.ts';
import { citusNodes, runOn, withoutCitus } from '../support/citus.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { until } from '../support/until.ts';
import { openDistributed, type WorkDatabase } from '../support/workplaces.ts';

/** What a change of the placement leaves on no server: a table of shards without forced row-level security, or with other policies than its table. */
const unprotected = `
  WITH shards AS (
    SELECT c.oid, c.relname AS name, c.relrowsecurity AND c.relforcerowsecurity AS forced, regexp_replace(c.relname, '_\\d+$', '') AS original
    FROM pg_class c WHERE c.relnamespace = 'trellis'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition AND c.relname ~ '_\\d{6,}$')
  SELECT name FROM shards s JOIN pg_class t ON t.relnamespace = 'trellis'::regnamespace AND t.relname = s.original
  WHERE NOT forced OR (SELECT array_agg((polname, polcmd, polpermissive, polroles) ORDER BY polname)::text FROM pg_policy WHERE polrelid = s.oid)
    IS DISTINCT FROM (SELECT array_agg((polname, polcmd, polpermissive, polroles) ORDER BY polname)::text FROM pg_policy WHERE polrelid = t.oid)`;

describe('an organization that is written on a distributed database', { skip: withoutCitus }, () => {
  let server: TestServer;
  let work: WorkDatabase;
  let relay: Relay;
  let placed: Placed;
  let servers: readonly string[];

  before(async () => {
    server = await startTestServer({ distributed: true });
    const { database, organization } = server;
    work = await openDistributed(database);
    relay = startRelay({
      database: work.worker,
      places: () => work.workplaces.list(),
      log: () => undefined,
      timing: { pollMs: 50 },
    });
    const [found] = await database.worker.run('SELECT key FROM trellis.organizations WHERE id = $1', [
      organization.id,
    ]);
    placed = { adminUrl: database.adminUrl, database: database.name, key: found?.[0] ?? '' };
    servers = ((await readDistribution(database.worker)) ?? [])
      .filter(({ role }) => role === 'worker')
      .map((one) => one.server);
  });
  after(async () => {
    await relay?.stop();
    await work?.close();
    await server?.close();
  });

  const elsewhere = async () => {
    const { server: own } = await readPlacement(placed);
    return servers.find((one) => one !== own) ?? '';
  };

  for (const [name, change] of [
    ['moves to another server', async () => moveOrganization(placed, await elsewhere())],
    ['gets a shard of its own where it is', () => isolateOrganization(placed)],
    ['moves back with its shard', async () => moveOrganization(placed, await elsewhere())],
  ] as const)
    test(`it ${name}, and no write or event is lost or doubled`, async (context) => {
      const writers = new Writers(server);
      await writers.proceed();
      const { server: before } = await readPlacement(placed);
      const placement = await change();
      assert.equal(placement.isChanged, true);
      assert.equal(placement.server !== before, name.startsWith('moves'));
      await writers.proceed();
      await checkWritten(await writers.stop());
      context.diagnostic(writers.report());
    });

  test('one that shares its shard gets a shard on another server, and no write or event is lost or doubled', async (context) => {
    // Another server and database, because this one is alone already.
    const other = await startTestServer({ distributed: true });
    try {
      const [found] = await other.database.worker.run('SELECT key FROM trellis.organizations WHERE id = $1', [
        other.organization.id,
      ]);
      const { adminUrl, name } = other.database;
      const its = { adminUrl, database: name, key: found?.[0] ?? '' };
      const { server: own } = await readPlacement(its);
      const writers = new Writers(other);
      await writers.proceed();
      const placement = await isolateOrganization(its, servers.find((one) => one !== own) ?? '');
      assert.deepEqual(
        [placement.isAlone, placement.isChanged, placement.server !== own],
        [true, true, true],
      );
      await writers.proceed();
      const written = await writers.stop();
      const stored = await runOn(adminUrl, `SELECT title FROM trellis.books ORDER BY 1`);
      assert.deepEqual(
        stored.map(({ title }) => title),
        written,
      );
      context.diagnostic(writers.report());
    } finally {
      await other.close();
    }
  });

  test('a move that is interrupted leaves all as it was, and can be repeated', async () => {
    const target = await elsewhere();
    const { server: own } = await readPlacement(placed);
    const moving = assert.rejects(moveOrganization(placed, target));
    const { adminUrl } = server.database;
    await until('the move is ended', async () => {
      const ended = await runOn(
        adminUrl,
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'SELECT citus_move_shard_placement%'`,
      );
      return ended.length > 0;
    });
    await moving;
    assert.equal((await readPlacement(placed)).server, own);
    await checkProtected();
    assert.equal((await moveOrganization(placed, target)).server, target);
  });

  test('what is so already changes nothing, and what does not exist says so', async () => {
    const { server: own } = await readPlacement(placed);
    assert.equal((await moveOrganization(placed, own)).isChanged, false);
    assert.equal((await isolateOrganization(placed)).isChanged, false);
    await assert.rejects(
      moveOrganization(placed, 'nowhere:1'),
      /nowhere:1 is no server for data; there are /,
    );
    await assert.rejects(
      moveOrganization({ ...placed, key: 'nobody' }, own),
      /no organization with the key nobody/,
    );
  });

  test(
    'no shard on any server is left without forced row-level security, or with other policies',
    checkProtected,
  );

  async function checkProtected(): Promise<void> {
    for (const url of citusNodes(server.database.name)) {
      const left = await runOn(url, 'SET citus.override_table_visibility = off', unprotected);
      assert.deepEqual(left, [], url);
    }
  }

  async function checkWritten(titles: readonly string[]): Promise<void> {
    const { adminUrl, worker } = server.database;
    const stored = await runOn(adminUrl, `SELECT title FROM trellis.books ORDER BY 1`);
    assert.deepEqual(
      stored.map(({ title }) => title),
      titles,
    );
    await until(
      'the outbox is empty',
      async () => (await worker.run('SELECT FROM trellis.outbox LIMIT 1')).length === 0,
    );
    const events = await runOn(
      adminUrl,
      `SELECT count(*)::integer AS count, count(DISTINCT subject_id)::integer AS books FROM trellis.events WHERE type = 'book.created'`,
    );
    assert.deepEqual(events, [{ count: titles.length, books: titles.length }]);
    const gaps = await runOn(
      adminUrl,
      `SELECT max(position) - count(*) AS gaps FROM trellis.events WHERE organization_id = '${server.organization.id}'`,
    );
    assert.deepEqual(gaps, [{ gaps: '0' }]);
  }
});

/** The titles of all books that were acknowledged in a database. */
const acknowledged = new WeakMap<TestServer, string[]>();

/** Requests that create books until they are stopped. What is refused is repeated under its key, as clients do. */
class Writers {
  private readonly server: TestServer;
  private readonly titles: string[];
  private readonly running: Promise<void>[];
  private isEnding = false;
  private refused = 0;
  private longestMs = 0;

  constructor(server: TestServer) {
    this.server = server;
    this.titles = acknowledged.get(server) ?? [];
    acknowledged.set(server, this.titles);
    this.running = Array.from({ length: 3 }, () => this.write());
  }

  private async write(): Promise<void> {
    while (!this.isEnding) {
      const key = randomUUID();
      const began = performance.now();
      for (let attempt = 0; ; attempt += 1) {
        const { status, text } = await this.server.call('POST', '/v1/books', { body: { title: key }, key });
        if (status === 201) break;
        assert.ok(status === 503 && attempt < 300, `${status} ${text}`);
        this.refused += 1;
        await sleep(200);
      }
      this.longestMs = Math.max(this.longestMs, performance.now() - began);
      this.titles.push(key);
    }
  }

  /** Waits until some more are written. */
  async proceed(): Promise<void> {
    const before = this.titles.length;
    while (this.titles.length < before + 10) await Promise.race([sleep(50), ...this.running]);
  }

  /** @returns the titles of all books of the server, sorted */
  async stop(): Promise<readonly string[]> {
    this.isEnding = true;
    await Promise.all(this.running);
    return this.titles.sort();
  }

  report(): string {
    return `${this.titles.length} books; the longest write took ${Math.round(this.longestMs)} ms, and ${this.refused} requests were repeated`;
  }
}
