/** Forwarding to a real NATS JetStream: all events, once, in order, despite kills, stops and changed settings. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, afterEach, before, beforeEach, test } from 'node:test';
import type { StreamConfig } from '@nats-io/jetstream';
import { nanos } from '@nats-io/transport-node';
import { encodeId } from '@trellis/schema/values/ids.ts';
import { NatsSink } from '@trellis/server/adapters/nats/nats-sink.ts';
import { readNatsServers } from '@trellis/server/kernel/config/values.ts';
import { toCloudEvent } from '@trellis/server/kernel/events/cloud-event.ts';
import {
  type Forwarder,
  type ForwarderOptions,
  startForwarder,
} from '@trellis/server/kernel/events/forwarder.ts';
import { acquireLease, LeaseLostError, releaseLease } from '@trellis/server/kernel/events/lease.ts';
import type { Relay } from '@trellis/server/kernel/events/relay.ts';
import { dropOldEventPartitions } from '@trellis/server/kernel/events/retention.ts';
import { moveSinkCursors } from '@trellis/server/kernel/events/sink-cursors.ts';
import pg from 'pg';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { createSite, readWholeLog, writeSite } from '../support/events.ts';
import { createOrganization } from '../support/identities.ts';
import {
  createNatsServer,
  findNatsServer,
  type NatsTestServer,
  readMessages,
  type Stored,
  withStreams,
} from '../support/nats-server.ts';
import { startTestRelay } from '../support/relay.ts';
import { killRelayProcesses, type RelayProcess, startForwarderProcess } from '../support/relay-processes.ts';
import { until } from '../support/until.ts';

const origin = 'https://api.example.com';
const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

const found = await findNatsServer();
if ('missing' in found) {
  test('events are forwarded to NATS JetStream', { skip: found.missing }, () => undefined);
} else {
  tryAgainst(found.program);
}

function tryAgainst(program: string): void {
  // Keeps a cluster of this file's own running between the databases of the tests.
  let anchor: TestDatabase;
  let database: TestDatabase;
  let nats: NatsTestServer;
  let relay: Relay;
  let organization = '';
  let site = '';
  const forwarders: Forwarder[] = [];
  let said: { message: string; detail: Record<string, unknown> }[] = [];

  before(async () => {
    anchor = await createTestDatabase();
  });
  after(() => anchor.drop());

  beforeEach(async () => {
    said = [];
    database = await createTestDatabase();
    nats = await createNatsServer(program);
    relay = startTestRelay(database);
    organization = (await createOrganization(database.worker, randomUUID())).id;
    site = await createSite(database.api, organization);
  });
  afterEach(async () => {
    await killRelayProcesses();
    await Promise.all(forwarders.splice(0).map((forwarder) => forwarder.stop()));
    await relay.stop();
    await nats.remove();
    await database.drop();
  });

  function start(options: Partial<ForwarderOptions> & { url?: string } = {}): Forwarder {
    const { url = nats.url, timing, ...rest } = options;
    const sink = new NatsSink({
      servers: readNatsServers(url),
      credentialsFile: null,
      stream: 'trellis',
      subjectPrefix: 'trellis',
      keepMs: 3_600_000,
    });
    const forwarder = startForwarder({
      database: database.worker,
      sink,
      origin,
      log: (message, detail) => said.push({ message, detail }),
      timing: { standbyMs: 50, pollMs: 20, firstBackoffMs: 20, lastBackoffMs: 100, ...timing },
      ...rest,
    });
    forwarders.push(forwarder);
    return forwarder;
  }

  /** Waits for a failure whose reason has these words. */
  async function failsWith(words: string): Promise<void> {
    await until(`it fails with "${words}"`, () =>
      said.some(({ detail }) => String(detail.reason).includes(words)),
    );
  }

  async function write(count: number, owner = organization, what = site): Promise<void> {
    for (let written = 0; written < count; written += 1) {
      await writeSite(database.api, owner, what);
      relay.nudge();
    }
  }

  const streamConfig = () => withStreams(nats, async (streams) => (await streams.info('trellis')).config);
  const readStream = () => readMessages(nats, 'trellis');
  const countStored = async () => (await readStream()).length;
  const readCursors = () => database.worker.run('SELECT position FROM trellis.event_sink_cursors');

  /** The organization's events in the stream. */
  const ofOrganization = (stored: readonly Stored[], owner: string) =>
    stored.filter(({ subject }) => subject.startsWith(`trellis.${encodeId('org', owner)}.`));

  /** Waits until the stream has the events of the organizations' logs: so many of each, once, in order. */
  async function expectForwarded(counts: Readonly<Record<string, number>>): Promise<Stored[]> {
    const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
    await until(`${total} events are in the stream`, async () => (await countStored()) >= total);
    await until('the cursors are at the end', async () => {
      const rows = await database.worker.run('SELECT sum(position) FROM trellis.event_sink_cursors');
      return Number(rows[0]?.[0]) === total;
    });
    const stored = await readStream();
    assert.equal(stored.length, total);
    for (const [owner, count] of Object.entries(counts)) {
      const log = await readWholeLog(database.api, owner);
      assert.deepEqual(
        log.map(({ position }) => position),
        upTo(count),
      );
      assert.deepEqual(
        ofOrganization(stored, owner).map(({ event }) => event),
        log.map((event) => toCloudEvent(event, origin)),
      );
    }
    return stored;
  }

  test('every committed event of concurrent writers is in the stream once, in order per organization', async () => {
    await nats.start();
    const other = (await createOrganization(database.worker, randomUUID())).id;
    const sites = await Promise.all(
      upTo(6).map(async (number) => {
        const owner = number % 3 === 0 ? other : organization;
        return { owner, id: await createSite(database.api, owner) };
      }),
    );
    start({ sizes: { eventsOfEach: 7 } });
    await Promise.all([
      ...sites.map(({ owner, id }) => write(20, owner, id)),
      ...sites.map(({ owner, id }) => writeSite(database.api, owner, id, { rollBack: true })),
    ]);
    const stored = await expectForwarded({ [organization]: 80, [other]: 40 });
    for (const { subject, messageId, contentType, event } of stored) {
      const owner = event.source.slice(`${origin}/v1/organizations/`.length);
      assert.equal(subject, `trellis.${owner}.${event.data.version === 1 ? 'site.created' : 'site.updated'}`);
      assert.equal(messageId, event.id);
      assert.match(event.id, /^evt_/);
      assert.equal(contentType, 'application/cloudevents+json');
    }
    const config = await streamConfig();
    assert.deepEqual(config.subjects, ['trellis.>']);
    assert.equal(config.max_age, nanos(3_600_000));
    assert.equal(config.duplicate_window, nanos(600_000));
    assert.deepEqual(
      said.map(({ message }) => message),
      ['This process is the forwarder of events to NATS'],
    );
  });

  test('after a forwarder dies before recording an acknowledgement, events are sent again and stored once', async () => {
    await nats.start();
    await write(12);
    let sent = 0;
    for (let deaths = 0; deaths < 2; deaths += 1) {
      const dying = startForwarderProcess(database, nats.url, {
        leaseMs: 200,
        mishap: 'SIGKILL',
      });
      await dying.ended();
      sent += sentBy(dying);
      assert.deepEqual(await readCursors(), []);
    }
    assert.ok(sent > 12, `only ${sent} events were sent, so none of them twice`);
    startForwarderProcess(database, nats.url);
    await expectForwarded({ [organization]: 12 });
  });

  test('forwarders killed at any moment under load lose nothing, duplicate nothing and keep the order', async () => {
    await nats.start();
    let writing = true;
    let written = 0;
    const writer = (async () => {
      while (writing) {
        await write(1);
        written += 1;
      }
    })();
    try {
      for (let kills = 0; kills < 5; kills += 1) {
        const forwarder = startForwarderProcess(database, nats.url, { leaseMs: 200 });
        const least = 1 + Math.floor(Math.random() * 20);
        await until('it has sent some events', () => sentBy(forwarder) >= least);
        await forwarder.end('SIGKILL');
      }
    } finally {
      writing = false;
      await writer;
    }
    startForwarderProcess(database, nats.url);
    await expectForwarded({ [organization]: written });
  });

  test('one of two forwarders works; one that was frozen after sending changes nothing when it resumes', async () => {
    await nats.start();
    await write(3);
    const first = startForwarderProcess(database, nats.url, { mishap: 'SIGSTOP' });
    const term = await first.leads();
    await until('it has sent', () => sentBy(first) > 0);
    const second = startForwarderProcess(database, nats.url);
    assert.equal(await second.leads(), term + 1);
    await write(20);
    await expectForwarded({ [organization]: 23 });
    first.signal('SIGCONT');
    await first.says('Another process is the forwarder of events to NATS now');
    await write(2);
    await expectForwarded({ [organization]: 25 });
    assert.equal(first.said.filter(({ message }) => message === 'sent').length, 1);
    await second.end('SIGTERM');
    assert.equal(await first.leads(2), term + 2);
  });

  test('cursors are not moved under an old term', async () => {
    const old = await acquireLease(database.worker, 'events to nats', 'old', 1_000);
    assert.ok(old);
    await releaseLease(database.worker, old);
    const current = await acquireLease(database.worker, 'events to nats', 'new', 3_600_000);
    assert.ok(current);
    await moveSinkCursors(database.worker, current, 'nats trellis', [
      { organizationId: organization, position: 5 },
    ]);
    await assert.rejects(
      moveSinkCursors(database.worker, old, 'nats trellis', [{ organizationId: organization, position: 3 }]),
      LeaseLostError,
    );
    assert.deepEqual(await readCursors(), [['5']]);
  });

  test('after the NATS server was unreachable, it has everything', async () => {
    start();
    await write(3);
    await failsWith(`NATS at 127.0.0.1:${nats.port} cannot be used: connection refused`);
    await nats.start();
    await expectForwarded({ [organization]: 3 });
    await write(40);
    await nats.stop();
    await write(5);
    await nats.start();
    await expectForwarded({ [organization]: 48 });
  });

  test('a refused login and a server without JetStream are reported and retried', async () => {
    await nats.start({ jetstream: false, words: ['--user', 'trellis', '--pass', 's3cret'] });
    await write(3);
    const wrong = start({ url: nats.url.replace('//', '//trellis:wr0ng@') });
    await failsWith('Authorization Violation');
    await wrong.stop();
    start({ url: nats.url.replace('//', '//trellis:s3cret@') });
    await failsWith('JetStream is not enabled there');
    await nats.stop();
    await nats.start();
    await expectForwarded({ [organization]: 3 });
    assert.doesNotMatch(JSON.stringify(said), /wr0ng|s3cret/);
  });

  test('an existing stream is used unchanged, and refused events are sent when it has room', async () => {
    await nats.start();
    const config: Partial<StreamConfig> & { name: string } = {
      name: 'trellis',
      subjects: ['before.>', 'trellis.>'],
      storage: 'memory',
      max_msgs: 2,
      discard: 'new',
      duplicate_window: nanos(30_000),
    };
    const made: StreamConfig = await withStreams(nats, async (streams) => (await streams.add(config)).config);
    await write(4);
    start();
    await failsWith('maximum messages exceeded');
    assert.deepEqual(await streamConfig(), made);
    assert.equal(await countStored(), 2);
    await until('what it took is noted', async () => (await readCursors())[0]?.[0] === '2');
    await withStreams(nats, (streams) => streams.update('trellis', { max_msgs: 100 }));
    await expectForwarded({ [organization]: 4 });
  });

  test('events deleted from the log before they could be forwarded are counted in a warning', async () => {
    await nats.start();
    const forwarder = start();
    await write(2);
    await expectForwarded({ [organization]: 2 });
    await forwarder.stop();
    await write(5);
    await until('all are logged', async () => (await readWholeLog(database.api, organization)).length === 7);
    await dropUpTo(5);
    said = [];
    start();
    await until('the rest is in the stream', async () => (await countStored()) === 4);
    const positions = (await readStream()).map(({ event }) => Number(event.sequence));
    assert.deepEqual(positions, [1, 2, 6, 7]);
    const warning = await until('it is told', () => said.find(({ message }) => message.includes('deleted')));
    assert.deepEqual(warning.detail, { organization: encodeId('org', organization), events: 3 });
  });

  test('a nudge starts forwarding at once, and a long backlog does not delay other organizations', async () => {
    await nats.start();
    const other = (await createOrganization(database.worker, randomUUID())).id;
    const itsSite = await createSite(database.api, other);
    await write(9);
    await write(2, other, itsSite);
    await until('all are logged', async () => (await readWholeLog(database.api, other)).length === 2);
    const forwarder = start({ timing: { pollMs: 3_600_000 }, sizes: { organizations: 1, eventsOfEach: 2 } });
    const stored = await expectForwarded({ [organization]: 9, [other]: 2 });
    const last = (owner: string) =>
      stored.findLastIndex(({ subject }) => subject.startsWith(`trellis.${encodeId('org', owner)}.`));
    assert.ok(last(other) < 4, 'it came in its turn');
    await write(1);
    await until('it is logged', async () => (await readWholeLog(database.api, organization)).length === 10);
    forwarder.nudge();
    await expectForwarded({ [organization]: 10, [other]: 2 });
  });

  /** Lets time pass for the first events of the organization: their week is over, and dropped. */
  async function dropUpTo(position: number): Promise<void> {
    const admin = new pg.Client({ connectionString: database.adminUrl });
    await admin.connect();
    try {
      await admin.query(`CREATE TABLE trellis.events_old PARTITION OF trellis.events
        FOR VALUES FROM ('2020-01-06T00:00:00Z') TO ('2020-01-13T00:00:00Z')`);
      await admin.query('ALTER TABLE trellis.events_old OWNER TO trellis_owner');
      await admin.query(
        `UPDATE trellis.events SET logged_at = '2020-01-07T00:00:00Z' WHERE organization_id = $1 AND position <= $2`,
        [organization, position],
      );
    } finally {
      await admin.end();
    }
    assert.deepEqual(await dropOldEventPartitions(database.worker, 90), ['events_old']);
  }
}

/** The number of acknowledged events of a process. */
function sentBy({ said }: RelayProcess): number {
  return said.reduce((sum, { message, events }) => (message === 'sent' ? sum + Number(events) : sum), 0);
}
