/** A server with settings for NATS forwards the events of its feed, with only the documented permissions on NATS. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { encodeId } from '@trellis/schema/values/ids.ts';
import { createTestDatabase } from '../support/database.ts';
import { createMember, createOrganization, createToken } from '../support/identities.ts';
import { createNatsServer, findNatsServer, readMessages } from '../support/nats-server.ts';
import { runProgram, settingsOf, startServing } from '../support/program.ts';
import { until } from '../support/until.ts';

/** Exactly the permissions in docs/events-to-nats.md. */
const natsConfiguration = `
  authorization { users: [
    { user: tester, password: looks }
    { user: trellis, password: "s3cret/", permissions: {
      publish: ["content.live.>", "$JS.API.STREAM.INFO.content", "$JS.API.STREAM.CREATE.content"], subscribe: ["_INBOX.>"] } }
  ] }`;
const tester = { user: 'tester', pass: 'looks' };

const found = await findNatsServer();

test('a server forwards its events to the stream that its settings name', {
  skip: 'missing' in found && found.missing,
}, async () => {
  assert.ok('program' in found);
  const folder = await mkdtemp(join(tmpdir(), 'trellis-nats-'));
  const database = await createTestDatabase();
  const nats = await createNatsServer(found.program);
  try {
    const file = join(folder, 'nats.conf');
    await writeFile(file, natsConfiguration);
    await nats.start({ words: ['-c', file] });
    const organization = await createOrganization(database.worker, randomUUID());
    const owner = await createMember(database.worker, organization, 'OWNER');
    const { token } = await createToken(database.worker, organization, owner);
    const server = await startServing(['--port', '0', '--data-dir', folder], {
      ...settingsOf(database),
      TRELLIS_NATS_URL: `nats://trellis:s3cret%2F@127.0.0.1:${nats.port}`,
      TRELLIS_NATS_STREAM: 'content',
      TRELLIS_NATS_SUBJECT_PREFIX: 'content.live',
    });
    try {
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
      // The server refuses calls on a busy machine; they are retried.
      const created = await until('the server takes the call', async () => {
        const response = await fetch(`${server.url}/v1/sites`, {
          method: 'POST',
          headers: { ...headers, 'idempotency-key': 'site-1' },
          body: JSON.stringify({ name: 'Site', key: 'site', defaultLocale: 'en' }),
        });
        return response.status !== 503 && response;
      });
      assert.equal(created.status, 201, await created.text());
      const [stored, ...more] = await until('the event is in the stream', async () => {
        const messages = await readMessages(nats, 'content', tester);
        return messages.length > 0 && messages;
      });
      const feed = await fetch(`${server.url}/v1/events?from=earliest`, { headers });
      assert.deepEqual([stored?.event, ...more], JSON.parse(await feed.text()).items);
      assert.equal(stored?.subject, `content.live.${encodeId('org', organization.id)}.site.created`);
    } finally {
      assert.equal(await server.end('SIGTERM'), 0);
    }
  } finally {
    await nats.remove();
    await database.drop();
    await rm(folder, { recursive: true, force: true });
  }
});

test('invalid settings for NATS are reported without passwords', async () => {
  const { code, stderr } = await runProgram(['serve'], {
    TRELLIS_NATS_URL: 'nats://trellis:s3cret@a:4222,tls://b',
    TRELLIS_NATS_STREAM: 'a.b',
    TRELLIS_NATS_SUBJECT_PREFIX: 'trellis.>',
  });
  assert.notEqual(code, 0);
  assert.match(stderr, /TRELLIS_NATS_URL must be all nats:\/\/ or all tls:\/\//);
  assert.match(stderr, /TRELLIS_NATS_STREAM must be letters/);
  assert.match(stderr, /TRELLIS_NATS_SUBJECT_PREFIX must be words/);
  assert.doesNotMatch(stderr, /s3cret/);
});
