/** Links by mail, through a real SMTP server. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { after, before, test } from 'node:test';
import { SMTPServer } from 'smtp-server';
import { givePassword, type TestAccount, TestBrowser } from '../support/browser-client.ts';
import { createMember } from '../support/identities.ts';
import { expectProblem } from '../support/refusals.ts';
import { startTestServer } from '../support/server.ts';
import { until } from '../support/until.ts';

interface Received {
  readonly from: string;
  readonly to: readonly string[];
  readonly text: string;
}

const received: Received[] = [];
const smtp = new SMTPServer({
  disabledCommands: ['STARTTLS'],
  onAuth: ({ username, password }, _session, done) =>
    username === 'trellis' && password === 'let me in'
      ? done(null, { user: 'trellis' })
      : done(new Error('who are you?')),
  onData(stream, { envelope }, done) {
    const chunks: Buffer[] = [];
    stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    stream.on('end', () => {
      received.push({
        from: envelope.mailFrom === false ? '' : envelope.mailFrom.address,
        to: envelope.rcptTo.map(({ address }) => address),
        text: Buffer.concat(chunks).toString(),
      });
      done();
    });
  },
});
const listening = smtp.listen(0, '127.0.0.1');
await once(listening, 'listening');
const address = listening.address();
const port = address !== null && typeof address === 'object' ? address.port : 0;
const server = await startTestServer({
  signIn: {
    mail: {
      smtpUrl: `smtp://trellis:let%20me%20in@127.0.0.1:${port}`,
      from: 'Trellis <noreply@example.com>',
    },
  },
});
const { auth, worker } = server.database;
let account: TestAccount;
before(async () => {
  account = await givePassword(auth, await createMember(worker, server.organization, 'EDITOR'));
});
after(async () => {
  await server.close();
  await new Promise<void>((resolve) => smtp.close(resolve));
});

test('a link for a new password is mailed to the account, and answers the same for every address', async () => {
  const browser = new TestBrowser(server);
  assert.equal((await browser.get('/auth/methods')).json.mail, true);
  const unknown = await browser.post('/auth/password-resets', { email: 'nobody@example.com' });
  const known = await browser.post('/auth/password-resets', { email: account.email.toUpperCase() });
  for (const response of [unknown, known]) {
    assert.equal(response.status, 202);
    assert.equal(response.text, '');
  }
  await until('the mail has come', async () => received.length > 0);
  const [mail] = received;
  assert.equal(mail?.from, 'noreply@example.com');
  assert.deepEqual(mail?.to, [account.email]);
  // Quoted-printable breaks long lines.
  const text = mail?.text.replaceAll('=\r\n', '') ?? '';
  const [, link = ''] = /\/console\/reset#([0-9A-Za-z]{43})/.exec(text) ?? [];
  const password = 'eleven wooden bridges';
  const reset = await browser.post('/auth/password-resets/redeem', { link, password });
  assert.equal(reset.status, 204, reset.text);
  assert.equal((await browser.post('/auth/password', { email: account.email, password })).status, 200);
  assert.equal(received.length, 1, 'nobody else was written to');
});

test('one address is not flooded, and nobody hears of it', async () => {
  const before = received.length;
  const browser = new TestBrowser(server);
  for (let index = 0; index < 10; index += 1) {
    assert.equal((await browser.post('/auth/password-resets', { email: account.email })).status, 202);
  }
  const last = await givePassword(auth, await createMember(worker, server.organization, 'VIEWER'));
  await browser.post('/auth/password-resets', { email: last.email });
  await until('the last mail has come', async () => received.some(({ to }) => to.includes(last.email)));
  const toOne = received.slice(before).filter(({ to }) => to.includes(account.email));
  assert.ok(toOne.length <= 2, `${toOne.length} mails`);
});

test('what is no address is refused by nobody, and mails nobody', async () => {
  const before = received.length;
  const browser = new TestBrowser(server);
  for (const email of ['nobody', `${account.email}, other@example.com`, `<${account.email}>`]) {
    assert.equal((await browser.post('/auth/password-resets', { email })).status, 202, email);
  }
  expectProblem(await browser.post('/auth/password-resets', { email: '' }), 422, 'validation_failed');
  assert.equal(received.length, before);
});
