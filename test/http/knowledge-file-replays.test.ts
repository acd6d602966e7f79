/**
 * Tests of replays about knowledge files: a caller who can no longer see a file does not see it in the stored response
 * either.
 */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { encodeId } from '@trellis/schema/values/ids.ts';
import { essence } from '../support/fixtures.ts';
import { createMember, createToken } from '../support/identities.ts';
import { startTestServer, type TestResponse } from '../support/server.ts';

const server = await startTestServer();
after(() => server.close());
const { worker } = server.database;
const adaId = await createMember(worker, server.organization, 'EDITOR');
const benId = await createMember(worker, server.organization, 'EDITOR');
const { token: ada } = await createToken(worker, server.organization, adaId);
const { token: ben } = await createToken(worker, server.organization, benId);

test('a retry returns nothing of a file that is hidden or deleted by then', async () => {
  const key = 'retried';
  const body = { name: 'secret', visibility: 'ORGANIZATION', description: 'numbat' };
  const created = await server.call('POST', '/v1/knowledge-files', { token: ada, key, body });
  const path = `/v1/knowledge-files/${created.json.id}`;
  const content = Buffer.from('numbats eat termites');
  const requests: (() => Promise<TestResponse>)[] = [
    () => server.call('POST', '/v1/knowledge-files', { token: ada, key, body }),
    () => server.call('PATCH', path, { token: ada, key: 'renamed', body: { name: 'Secret' } }),
    () =>
      server.call('PUT', `${path}/content`, {
        token: ada,
        key: 'uploaded',
        rawBody: content,
        headers: { 'content-type': 'text/plain' },
      }),
    () =>
      server.call('PATCH', path, {
        token: ada,
        key: 'given',
        body: { ownerUserId: encodeId('user', benId) },
      }),
  ];
  const first: string[] = [];
  for (const request of requests) first.push((await request()).text);
  const retry = () => Promise.all(requests.map((request) => request()));
  const expectFirst = (responses: readonly TestResponse[]) => {
    for (const { headers } of responses) assert.equal(headers.get('idempotent-replayed'), 'true');
    assert.deepEqual(
      responses.map(({ text }) => text),
      first,
    );
  };
  expectFirst(await retry());
  await server.call('PATCH', path, { token: ben, body: { visibility: 'PRIVATE' } });
  const expectGone = (responses: readonly TestResponse[]) => {
    for (const response of responses) {
      assert.equal(response.status, 404, response.text);
      assert.equal(response.json.code, 'not_found');
      assert.doesNotMatch(response.text, /numbat|secret/i);
    }
  };
  const hidden = await retry();
  expectGone(hidden);
  const removal = () => server.call('DELETE', path, { token: ben, key: 'removed' });
  assert.equal((await removal()).status, 204);
  // The file is checked before the bytes and the key: an upload to a deleted file is 404 under any key.
  requests.splice(2, 1);
  hidden.splice(2, 1);
  const deleted = await retry();
  expectGone(deleted);
  // The response does not show whether the file is hidden or deleted.
  assert.deepEqual(deleted.map(essence), hidden.map(essence));
  assert.equal((await removal()).headers.get('idempotent-replayed'), 'true');
});
