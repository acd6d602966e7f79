/** Repeated kills of the server under writes that are retried: no write is lost or repeated. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createKilledOrganization } from '../support/killed-organization.ts';
import { chooseSeed, seededNumbers } from '../support/seed.ts';
import { amount } from '../support/soak.ts';
import { checkAccounts, checkReplays, startWorkload } from '../support/workload.ts';

const kills = amount(10, 100);
const { database, admin, server, token, close } = await createKilledOrganization('faults');
after(close);

test(`kill -9 of the server ${kills} times under concurrent writes`, async (context) => {
  const random = seededNumbers(chooseSeed(context));
  await server.start();
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
  for (let kill = 0; kill < kills; kill += 1) {
    // From no request yet to many at every stage. Every other server first completes some writes, however slow the
    // machine, since kills before any work would prove nothing.
    const done = workload.acknowledged();
    while (kill % 2 === 1 && workload.acknowledged() < done + 8) await sleep(5);
    await sleep(random() * 150);
    await server.kill();
    await server.start();
  }
  const result = await workload.finish();
  context.diagnostic(
    `${result.acknowledged.length} writes acknowledged, ${result.retries} retried, ${result.replays} replayed`,
  );
  assert.ok(result.acknowledged.length >= 4 * kills, 'too few writes');
  assert.ok(result.retries > 0, 'no kill interrupted a request, so nothing was tested');
  await checkAccounts(database.worker, admin, result);
  await checkReplays(server.url, token, result, 200);
});
