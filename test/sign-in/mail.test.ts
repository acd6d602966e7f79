/** Links by mail, through a real SMTP server. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { givePassword, type TestAccount, TestBrowser } from '../support/browser-client.ts';
import { createMember } from '../support/identities.ts';
import { startMailServer } from '../support/mail-server.ts';
import { expectProblem } from '../support/refusals.ts';
import { startTestServer } from '../support/server.ts';
import { until } from '../support/until.ts';

const mail = await startMailServer({ user: 'trellis', password: 'let me in' });
const { received } = mail;
const server = await startTestServer({ signIn: { mail: mail.settings } });
const { auth, worker } = server.database;
let account: TestAccount;
before(async () => {
  account = await givePassword(auth, await createMember(worker, server.organization, 'EDITOR'));
});
after(async () => {
  await server.close();
  await mail.close();
});

test('a link for a new password is mailed to the account, and responds in the same way for every address', async () => {
  const browser = new TestBrowser(server);
  assert.equal((await browser.get('/auth/methods')).json.mail, true);
  const unknown = await browser.post('/auth/password-resets', { email: 'nobody@example.com' });
  const known = await browser.post('/auth/password-resets', { email: account.email.toUpperCase() });
  for (const response of [unknown, known]) {
    assert.equal(response.status, 202);
    assert.equal(response.text, '');
  }
  await until('the mail has come', async () => received.length > 0);
  const [first] = received;
  assert.equal(first?.from, 'noreply@example.com');
  assert.deepEqual(first?.to, [account.email]);
  const [, link = ''] = /\/console\/reset#([0-9A-Za-z]{43})/.exec(first?.text ?? '') ?? [];
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
