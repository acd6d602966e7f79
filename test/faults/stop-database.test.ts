/**
 * Repeated immediate stops of the database (SIGQUIT, no shutdown checkpoint) under writes that are retried. Its supervisor
 * restarts it. The server stays up, responds with 503 in the meantime, and recovers by itself.
 */
import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type EmbeddedDatabase, startEmbedded } from '@trellis/embedded-postgres/embedded.ts';
import { Database } from '@trellis/server/kernel/database/database.ts';
import { migrate } from '@trellis/server/kernel/database/migrate.ts';
import { makeRolePasswords, type RoleUrls, setUpDatabase } from '@trellis/server/kernel/database/setup.ts';
import { makeDataDirectory } from '../support/folders.ts';
import { createMember, createOrganization, createToken } from '../support/identities.ts';
import { KillableServer } from '../support/killable-server.ts';
import { chooseSeed, seededNumbers } from '../support/seed.ts';
import { amount } from '../support/soak.ts';
import { until } from '../support/until.ts';
import { checkAccounts, checkReplays, startWorkload } from '../support/workload.ts';

const stops = amount(3, 20);
let dataDirectory: string;
let cluster: EmbeddedDatabase;
let urls: RoleUrls;
let server: KillableServer;
let token: string;

function open(url: string): Database {
  return new Database({
    url,
    poolSize: 1,
    prepare: false,
    acquireTimeoutMs: 5_000,
    applicationName: 'trellis fault test',
    log: () => undefined,
  });
}

before(async () => {
  dataDirectory = await makeDataDirectory('stop');
  const binaries = process.env.TRELLIS_TEST_BINARIES;
  cluster = await startEmbedded({
    dataDirectory,
    log: () => undefined,
    ...(binaries === undefined ? {} : { binaries }),
  });
  urls = await setUpDatabase(cluster.adminUrl(), 'trellis', makeRolePasswords());
  await migrate(urls.owner, () => undefined);
  const worker = open(urls.worker);
  const organization = await createOrganization(worker, 'faults');
  const owner = await createMember(worker, organization, 'OWNER');
  token = (await createToken(worker, organization, owner)).token;
  await worker.close();
  server = await KillableServer.create(urls.api);
  await server.start();
});
after(async () => {
  await server.kill();
  await cluster.stop('immediate');
  await rm(dataDirectory, { recursive: true, force: true });
});

/** Waits until the server reads from the database again; fails when it does not within 10 s. */
async function untilReady(): Promise<void> {
  for (let attempt = 0; attempt < 200; attempt += 1) {
    const response = await fetch(`${server.url}/readyz`).catch(() => null);
    if (response?.status === 200) return;
    await sleep(50);
  }
  assert.fail('the server did not recover from the stop of its database');
}

test(`${stops} immediate stops of the database under concurrent writes`, async (context) => {
  const random = seededNumbers(chooseSeed(context));
  const site = await fetch(`${server.url}/v1/sites`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'idempotency-key': 'site',
      'content-type': 'application/json',
    },
    body: JSON.stringify({ name: 'Faults', key: 'faults' }),
  });
  const { id } = (await site.json()) as { id: string };
  const workload = startWorkload(context, server.url, token, id, 8);
  for (let stop = 0; stop < stops; stop += 1) {
    await sleep(100 + random() * 300);
    const { pid } = cluster;
    process.kill(pid, 'SIGQUIT');
    await until('the database is restarted', () => cluster.pid !== pid);
    await untilReady();
  }
  const result = await workload.finish();
  context.diagnostic(
    `${result.acknowledged.length} writes acknowledged, ${result.retries} retried, ${result.replays} replayed`,
  );
  const worker = open(urls.worker);
  const admin = open(cluster.adminUrl('trellis'));
  try {
    await checkAccounts(worker, admin, result);
  } finally {
    await worker.close();
    await admin.close();
  }
  await checkReplays(server.url, token, result, 200);
});
