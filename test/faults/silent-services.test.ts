/**
 * Servers that accept a connection and then say nothing: of mail, of external accounts, NATS and Redis. Nothing waits for them for longer than
 * the table of waits in docs/operations.md says. Object stores and receivers of webhooks are in the tests of theirs.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { after, before, test } from 'node:test';
import { Problem } from '@trellis/schema/problem.ts';
import { NatsSink } from '@trellis/server/adapters/nats/nats-sink.ts';
import { RedisCounts } from '@trellis/server/adapters/redis/redis-counts.ts';
import { ExternalProvider } from '@trellis/server/features/sign-in/external.ts';
import { Mailer } from '@trellis/server/features/sign-in/mail.ts';
import { countRunningTime } from '../support/running-time.ts';

const sockets = new Set<Socket>();
const silent = createServer((socket) => {
  sockets.add(socket);
  socket.on('error', () => undefined);
  // What is sent is read, and nothing is said.
  socket.resume();
});
let place: string;
before(async () => {
  await once(silent.listen(0, '127.0.0.1'), 'listening');
  place = `127.0.0.1:${(silent.address() as AddressInfo).port}`;
});
after(async () => {
  for (const socket of sockets) socket.destroy();
  silent.close();
  await once(silent, 'close');
});

/** Fails when this process runs for longer until work is rejected. @returns what it was rejected with */
async function rejectedWithin(seconds: number, work: () => Promise<unknown>): Promise<unknown> {
  const stop = countRunningTime();
  let failure: unknown;
  await assert
    .rejects(work, (error) => {
      failure = error;
      return true;
    })
    .finally(() => {
      const took = stop();
      assert.ok(took < seconds, `${took} s`);
    });
  return failure;
}

test('none of them is waited for longer than documented', async () => {
  const mailer = new Mailer({ smtpUrl: `smtp://${place}`, from: 'noreply@example.com' }, []);
  const provider = new ExternalProvider({
    issuer: `http://${place}`,
    clientId: 'trellis',
    clientSecret: 'secret',
    name: 'Silent',
  });
  const nats = new NatsSink({
    servers: { addresses: [place], tls: false, login: {} },
    credentialsFile: null,
    stream: 'trellis',
    subjectPrefix: 'trellis',
    keepMs: 1_000,
  });
  const message = { to: 'ada@example.com', subject: 'Hello', text: 'Hello' };
  const [mail, external, events, counts] = await Promise.all([
    rejectedWithin(12, () => mailer.send(message)),
    rejectedWithin(12, () => provider.begin('http://localhost', false)),
    rejectedWithin(4, () => nats.open()),
    rejectedWithin(4, () => RedisCounts.check(`redis://${place}`)),
  ]);
  assert.match(String(mail), /the mail server did not take a message \(ETIMEDOUT/);
  assert.doesNotMatch(String(mail), /ada/);
  assert.ok(external instanceof Problem && external.code === 'external_unavailable');
  assert.match(String(events), /NATS at 127\.0\.0\.1:\d+ cannot be used/);
  assert.match(String(counts), /no response within 2000 ms/);
  assert.ok(sockets.size >= 4, 'all of them were connected to');
});
