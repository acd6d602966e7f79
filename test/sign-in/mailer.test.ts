/** Further attempts to send mail. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { after, before, test } from 'node:test';
import { Mailer } from '@trellis/server/features/sign-in/mail.ts';
import { type MailServer, startMailServer } from '../support/mail-server.ts';
import { until } from '../support/until.ts';

let server: MailServer;
before(async () => {
  server = await startMailServer();
});
after(() => server.close());

const messageTo = (to: string) => ({ to, subject: 'Hello', text: 'Hello' });
const arrived = (to: string) => server.received.filter((mail) => mail.to.includes(to)).length;

test('what a server does not take for the moment is sent again, once', async () => {
  const to = 'ada@example.com';
  const mailer = new Mailer(server.settings, [50, 50, 50]);
  let sending: Promise<void> | undefined;
  await server.refuseDuring(async (refused) => {
    sending = mailer.send(messageTo(to));
    await until('two attempts were refused', async () => refused() >= 2);
  });
  await sending;
  assert.equal(arrived(to), 1);
});

test('attempts end after the last pause, when the refusal is final, and when the mailer stops', async () => {
  await server.refuseDuring(async (refused) => {
    await assert.rejects(new Mailer(server.settings, [1, 1]).send(messageTo('ben@example.com')), /450/);
    assert.equal(refused(), 3);
    const stopped = new Mailer(server.settings, [600_000]);
    const sending = assert.rejects(stopped.send(messageTo('cleo@example.com')), /450/);
    await until('the first attempt was refused', async () => refused() === 4);
    stopped.stop();
    await sending;
  });
  await assert.rejects(
    new Mailer(server.settings, [600_000]).send(messageTo('refused-dora@example.com')),
    /550/,
  );
});

test('a server that breaks the connection is tried again', async () => {
  let connections = 0;
  const breaking = createServer((socket) => {
    connections += 1;
    socket.destroy();
  });
  await once(breaking.listen(0, '127.0.0.1'), 'listening');
  const { port } = breaking.address() as AddressInfo;
  const mailer = new Mailer({ ...server.settings, smtpUrl: `smtp://127.0.0.1:${port}` }, [1, 1]);
  await assert.rejects(mailer.send(messageTo('eve@example.com')), /did not take a message/);
  assert.equal(connections, 3);
  breaking.close();
});
