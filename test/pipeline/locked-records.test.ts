/** A write that waits for another one of its record decides on the record as the other one has left it. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { decodeId } from '@trellis/schema/values/ids.ts';
import { AdminClient } from '../support/admin-client.ts';
import { type CallOptions, startTestServer, type TestResponse, type TestServer } from '../support/server.ts';
import { until } from '../support/until.ts';
import { create } from '../support/writes.ts';

let server: TestServer;
before(async () => {
  // The write waits for the lock until a busy machine has seen that it does.
  server = await startTestServer({ statementTimeoutMs: 60_000 });
});
after(() => server.close());

/** Sends a PATCH of a new site while another transaction changes the row, which commits once the PATCH waits. */
async function patchBehind(key: string, change: string, options: CallOptions): Promise<TestResponse> {
  const { id } = await create(server, '/v1/sites', { name: 'Before', key });
  const client = await AdminClient.open(server.database);
  try {
    await client.query('BEGIN');
    await client.query(`${change} WHERE id = $1`, [decodeId('site', id)]);
    const patched = server.call('PATCH', `/v1/sites/${id}`, options);
    await until('the PATCH waits', async () => (await client.countWaiting()) > 0);
    await client.query('COMMIT');
    return await patched;
  } finally {
    await client.end();
  }
}

const rename = `UPDATE trellis.sites SET name = 'Meanwhile', version = version + 1`;

test('the change of the other one is kept', async () => {
  const { status, json } = await patchBehind('kept', rename, { body: { timezone: 'Europe/Berlin' } });
  assert.equal(status, 200);
  assert.deepEqual([json.name, json.timezone, json.version], ['Meanwhile', 'Europe/Berlin', 3]);
});

test('a version that the other one has replaced is refused', async () => {
  const options = { body: { name: 'Late' }, headers: { 'if-match': '"1"' } };
  assert.equal((await patchBehind('replaced', rename, options)).status, 412);
});

test('a record that the other one has deleted is not found', async () => {
  const options = { body: { name: 'Late' } };
  assert.equal((await patchBehind('deleted', 'DELETE FROM trellis.sites', options)).status, 404);
});
