/** Several schedulers with the same timers, killed at any moment: each change is made exactly once. */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { AdminClient } from '../support/admin-client.ts';
import { environmentFor } from '../support/process-database.ts';
import { chooseSeed, seededNumbers } from '../support/seed.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { amount } from '../support/soak.ts';
import { until } from '../support/until.ts';
import { create } from '../support/writes.ts';

const script = fileURLToPath(new URL('../support/scheduler-process.ts', import.meta.url));
const nodes = 3;
const kills = amount(4, 20);
const count = amount(100, 600);

let server: TestServer;
const children = new Set<ChildProcess>();

before(async () => {
  server = await startTestServer();
});
after(async () => {
  await Promise.all([...children].map(kill));
  await server.close();
});

async function start(): Promise<ChildProcess> {
  const child = spawn(process.execPath, [script], {
    env: { ...process.env, ...environmentFor(server.database) },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.add(child);
  assert.ok(child.stdout);
  await once(child.stdout, 'data');
  return child;
}

async function kill(child: ChildProcess): Promise<void> {
  children.delete(child);
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
}

/** The number of articles by the number of their publication events. */
async function published(): Promise<Map<number, number>> {
  const rows = await server.database.worker.run(
    `SELECT times, count(*) FROM (
       SELECT count(*) AS times FROM trellis.outbox WHERE type = 'article.published' GROUP BY subject_id) t
     GROUP BY times`,
  );
  return new Map(rows.map(([times, articles]) => [Number(times), Number(articles)]));
}

test(`${count} articles are published once each by ${nodes} nodes of which ${kills} are killed`, async (context) => {
  const random = seededNumbers(chooseSeed(context));
  const { id } = await create(server, '/v1/sites', { name: 'Site', key: 'site' });
  const path = `/v1/sites/${id}/articles`;
  const scheduledFor = new Date(Date.now() + 3_600_000).toISOString();
  for (let index = 0; index < count; index += 1) {
    const made = await server.call('POST', path, { body: { versionData: { title: `Article ${index}` } } });
    const body = { versionData: { status: 'SCHEDULED', scheduledFor } };
    assert.equal((await server.call('PATCH', `${path}/${made.json.id}`, { body })).status, 200);
  }
  const pool = await Promise.all(Array.from({ length: nodes }, start));
  // The timers become due over a few seconds, so that every kill happens while nodes are working.
  const client = await AdminClient.open(server.database);
  await client.query(`UPDATE trellis.timers
    SET due_at = clock_timestamp(), available_at = clock_timestamp() + random() * interval '${kills * 0.3} seconds'`);
  await client.end();
  for (let done = 0; done < kills; done += 1) {
    await sleep(random() * 200);
    const victim = pool.shift();
    assert.ok(victim);
    await kill(victim);
    pool.push(await start());
  }
  await until('nothing is left to do', async () => {
    const [row] = await server.database.worker.run('SELECT count(*) FROM trellis.timers');
    return row?.[0] === '0';
  });
  assert.deepEqual(await published(), new Map([[1, count]]));
  const [failed] = await server.database.worker.run(
    "SELECT count(*) FROM trellis.outbox WHERE type = 'article.schedule_failed'",
  );
  assert.equal(failed?.[0], '0');
});
