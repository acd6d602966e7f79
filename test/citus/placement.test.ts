/** Where an organization is on a prepared Citus cluster (see support/citus.ts), and how it gets elsewhere while it is written. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  isolateOrganization,
  moveOrganization,
  type Placed,
  type Placement,
  readPlacement,
} from '@trellis/server/database/distribution/placement.ts';
import { readDistribution } from '@trellis/server/database/distribution/status.ts';
import { type Relay, startRelay } from '@trellis/server/events/relay.ts';
import { citusNodes, runOn, withoutCitus } from '../support/citus.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { unprotectedShards } from '../support/shards.ts';
import { until } from '../support/until.ts';
import { type OpenDatabase, openDistributed } from '../support/workplaces.ts';

describe('an organization that is written on a distributed database', { skip: withoutCitus }, () => {
  let scene: Scene;
  before(async () => {
    scene = await Scene.open();
  });
  after(() => scene?.close());

  for (const [name, change] of [
    ['moves to another server', async () => moveOrganization(scene.placed, await scene.elsewhere())],
    ['gets a shard of its own where it is', () => isolateOrganization(scene.placed)],
    ['moves back with its shard', async () => moveOrganization(scene.placed, await scene.elsewhere())],
  ] as const)
    test(`it ${name}, and no write or event is lost or doubled`, async (context) => {
      const { server: before } = await readPlacement(scene.placed);
      const placement = await scene.whileWritten(context, change);
      assert.equal(placement.isChanged, true);
      assert.equal(placement.server !== before, name.startsWith('moves'));
    });

  test('one that shares its shard gets a shard on another server, and no write or event is lost or doubled', async (context) => {
    // In another database, because this one is alone already.
    const other = await Scene.open();
    try {
      const target = await other.elsewhere();
      const placement = await other.whileWritten(context, () => isolateOrganization(other.placed, target));
      assert.deepEqual([placement.isAlone, placement.isChanged, placement.server], [true, true, target]);
      await other.checkProtected();
    } finally {
      await other.close();
    }
  });

  test('a move that is interrupted leaves all as it was, and can be repeated', async () => {
    const { placed } = scene;
    const target = await scene.elsewhere();
    const { server: own } = await readPlacement(placed);
    const moving = assert.rejects(moveOrganization(placed, target));
    await until('the move is ended', async () => {
      const ended = await runOn(
        scene.server.database.adminUrl,
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'SELECT citus_move_shard_placement%'`,
      );
      return ended.length > 0;
    });
    await moving;
    assert.equal((await readPlacement(placed)).server, own);
    await scene.checkProtected();
    assert.equal((await moveOrganization(placed, target)).server, target);
  });

  test('what is so already changes nothing, and what does not exist says so', async () => {
    const { placed } = scene;
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

  test('no shard on any server is left without forced row-level security, or with other policies', () =>
    scene.checkProtected());
});

/** A server on a distributed database with a relay, and its organization. */
class Scene {
  readonly server: TestServer;
  readonly placed: Placed;
  private readonly work: OpenDatabase;
  private readonly relay: Relay;
  /** Servers for data. */
  private readonly servers: readonly string[];
  /** Of all books that were acknowledged. */
  private readonly titles: string[] = [];

  private constructor(server: TestServer, work: OpenDatabase, key: string, servers: readonly string[]) {
    const { adminUrl, name } = server.database;
    this.server = server;
    this.work = work;
    this.servers = servers;
    this.placed = { adminUrl, database: name, key, log: () => undefined };
    this.relay = startRelay({
      database: work.worker,
      places: () => work.workplaces.list(),
      log: () => undefined,
      timing: { pollMs: 50 },
    });
  }

  static async open(): Promise<Scene> {
    const server = await startTestServer({ distributed: true });
    const { worker } = server.database;
    const [found] = await worker.run('SELECT key FROM trellis.organizations WHERE id = $1', [
      server.organization.id,
    ]);
    const servers = ((await readDistribution(worker)) ?? []).filter(({ role }) => role === 'worker');
    const names = servers.map((one) => one.server);
    return new Scene(server, await openDistributed(server.database), found?.[0] ?? '', names);
  }

  /** A server where the organization is not. */
  async elsewhere(): Promise<string> {
    const { server: own } = await readPlacement(this.placed);
    return this.servers.find((one) => one !== own) ?? '';
  }

  /** Makes a change while books are created, and compares them and their events with what was acknowledged. */
  async whileWritten(context: TestContext, change: () => Promise<Placement>): Promise<Placement> {
    const writers = new Writers(this.server, this.titles);
    await writers.proceed();
    const placement = await change();
    await writers.proceed();
    await writers.stop();
    await this.checkWritten();
    context.diagnostic(writers.report());
    return placement;
  }

  private async checkWritten(): Promise<void> {
    const { adminUrl, worker } = this.server.database;
    const stored = await runOn(adminUrl, `SELECT title FROM trellis.books ORDER BY 1`);
    assert.deepEqual(
      stored.map(({ title }) => title),
      this.titles.sort(),
    );
    await until('the outbox is empty', async () => {
      return (await worker.run('SELECT FROM trellis.outbox LIMIT 1')).length === 0;
    });
    const count = this.titles.length;
    const events = await runOn(
      adminUrl,
      `SELECT count(*)::integer AS count, count(DISTINCT subject_id)::integer AS books FROM trellis.events WHERE type = 'book.created'`,
    );
    assert.deepEqual(events, [{ count, books: count }]);
    const gaps = await runOn(
      adminUrl,
      `SELECT max(position) - count(*) AS gaps FROM trellis.events WHERE organization_id = '${this.server.organization.id}'`,
    );
    assert.deepEqual(gaps, [{ gaps: '0' }]);
  }

  async checkProtected(): Promise<void> {
    for (const url of citusNodes(this.server.database.name)) {
      const left = await runOn(url, 'SET citus.override_table_visibility = off', unprotectedShards);
      assert.deepEqual(left, [], url);
    }
  }

  async close(): Promise<void> {
    await this.relay.stop();
    await this.work.close();
    await this.server.close();
  }
}

/** Requests that create books until they are stopped. What is refused is repeated under its key, as clients do. */
class Writers {
  private readonly server: TestServer;
  private readonly titles: string[];
  private readonly running: Promise<void>[];
  private isEnding = false;
  private refused = 0;
  private longestMs = 0;

  /** @param titles gets those of the books that are acknowledged */
  constructor(server: TestServer, titles: string[]) {
    this.server = server;
    this.titles = titles;
    this.running = Array.from({ length: 3 }, () => this.write());
  }

  private async write(): Promise<void> {
    while (!this.isEnding) {
      const key = randomUUID();
      const began = performance.now();
      let id = '';
      for (let attempt = 0; ; attempt += 1) {
        const { status, text, json } = await this.server.call('POST', '/v1/books', {
          body: { title: key },
          key,
        });
        if (status === 201) {
          id = json.id;
          break;
        }
        assert.ok(status === 503 && attempt < 300, `${status} ${text}`);
        this.refused += 1;
        await sleep(200);
      }
      this.longestMs = Math.max(this.longestMs, performance.now() - began);
      this.titles.push(key);
      const read = await this.server.call('GET', `/v1/books/${id}`);
      assert.deepEqual([read.status, read.json.title], [200, key], read.text);
    }
  }

  /** Waits until some more are written. */
  async proceed(): Promise<void> {
    const before = this.titles.length;
    while (this.titles.length < before + 10) await Promise.race([sleep(50), ...this.running]);
  }

  async stop(): Promise<void> {
    this.isEnding = true;
    await Promise.all(this.running);
  }

  report(): string {
    return `${this.titles.length} books; the longest write took ${Math.round(this.longestMs)} ms, and ${this.refused} requests were repeated`;
  }
}
