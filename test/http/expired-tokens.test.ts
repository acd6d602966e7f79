/**
 * Tests of expired tokens: they are refused from their expiry on, for reads too, although cached state may be two
 * seconds old.
 */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { AdminClient } from '../support/admin-client.ts';
import { createToken } from '../support/identities.ts';
import { expectProblem } from '../support/refusals.ts';
import { startTestServer } from '../support/server.ts';

const server = await startTestServer();
const { worker } = server.database;
after(() => server.close());

test('a read is refused as soon as its token has expired', async (t) => {
  const { token, id } = await createToken(worker, server.organization, server.ownerId, {
    audiences: ['api', 'sandbox'],
  });
  // The first read of a server takes longest.
  assert.equal((await server.call('GET', '/v1/sites')).status, 200);
  const client = await AdminClient.open(server.database);
  t.after(() => client.end());
  await client.query(
    `UPDATE trellis.tokens SET expires_at = clock_timestamp() + interval '1.2 seconds' WHERE id = $1`,
    [id],
  );
  const remaining = async () => {
    const { rows } = await client.query<{ left: string }>(
      'SELECT extract(epoch FROM expires_at - clock_timestamp()) AS left FROM trellis.tokens WHERE id = $1',
      [id],
    );
    return Number(rows[0]?.left);
  };
  const read = () => server.call('GET', '/v1/sites', { token });
  // From here on the server remembers the token as valid, for longer than it is.
  assert.equal((await read()).status, 200);
  assert.ok((await remaining()) > 0, 'the machine is too slow to see it');
  for (let left = await remaining(); left > 0; left = await remaining()) await sleep(left * 1_000);
  expectProblem(await read(), 401, 'token_invalid');
  assert.equal((await server.call('GET', '/sandbox/plants', { token })).status, 401);
});
