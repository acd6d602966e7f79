/** Browsers that have signed in before: unknown browsers that fail do not hold them up, from whatever network. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { givePassword, type TestAccount, TestBrowser } from '../support/browser-client.ts';
import { createMember } from '../support/identities.ts';
import { startMailServer } from '../support/mail-server.ts';
import { expectProblem } from '../support/refusals.ts';
import { startTestServer } from '../support/server.ts';
import { until } from '../support/until.ts';

const mail = await startMailServer();
const logged: string[] = [];
const server = await startTestServer({
  signIn: { mail: mail.settings },
  trustedProxies: '127.0.0.1',
  log: (line) => logged.push(line),
});
after(async () => {
  await server.close();
  await mail.close();
});

let networks = 0;
/** A browser in a network that nobody has come from. */
function newBrowser(): TestBrowser {
  networks += 1;
  return new TestBrowser(server, `10.${networks >> 8}.${networks & 255}.7`);
}

async function newAccount(): Promise<TestAccount> {
  const { auth, worker } = server.database;
  return givePassword(auth, await createMember(worker, server.organization, 'EDITOR'));
}

async function statusOf(browser: TestBrowser, { email, password }: Pick<TestAccount, 'email' | 'password'>) {
  return (await browser.post('/auth/password', { email, password })).status;
}

/** Unknown browsers fail from ever new networks until the account has to wait for all that are not known. */
async function floodFromEverywhere({ email }: TestAccount): Promise<void> {
  const { auth } = server.database;
  await auth.run('DELETE FROM trellis.sign_in_delays');
  const fail = () => newBrowser().post('/auth/password', { email, password: 'not the password' });
  await fail();
  // As if there had been many: of the three counts, only that of the account is looked at from another network.
  await auth.run('UPDATE trellis.sign_in_delays SET failures = 150, updated_at = clock_timestamp()');
  await fail();
  await auth.run(
    `UPDATE trellis.sign_in_delays SET blocked_until = blocked_until + interval '1 hour' WHERE failures > 100`,
  );
}

test('four wrong passwords a second from one network keep nobody out: neither elsewhere, nor in a browser there that has signed in before', async () => {
  const owner = await newAccount();
  const atWork = new TestBrowser(server, '192.0.2.5');
  assert.equal(await statusOf(atWork, owner), 200);
  const unknown = new TestBrowser(server, '192.0.2.66');
  const statuses: number[] = [];
  for (let second = 0; second < 8; second += 1) {
    for (let attempt = 0; attempt < 4; attempt += 1) {
      await unknown.post('/auth/password', { email: owner.email, password: 'not the password' });
      await sleep(50);
    }
    atWork.cookie = null;
    statuses.push(await statusOf(atWork, owner), await statusOf(newBrowser(), owner));
  }
  assert.deepEqual(statuses, Array(16).fill(200));
  // On a slow machine the last wait may be over.
  await unknown.post('/auth/password', { email: owner.email, password: 'not the password' });
  expectProblem(await unknown.post('/auth/password', credentialsOf(owner)), 429, 'rate_limited');
});

function credentialsOf({ email, password }: TestAccount) {
  return { email, password };
}

test('the cookie is for this host, read by no script and kept for a year, and survives signing out', async () => {
  const owner = await newAccount();
  const response = await server.call('POST', '/auth/password', {
    token: null,
    key: null,
    headers: { 'sec-fetch-site': 'same-origin' },
    body: credentialsOf(owner),
  });
  const cookie = response.headers.getSetCookie().find((text) => text.includes('trellis_browser')) ?? '';
  assert.match(
    cookie,
    /^trellis_browser_[0-9a-f]{8}=0\.\d+\.[0-9A-Za-z]{16}\.[\w-]{43}; Max-Age=31536000; Path=\/; HttpOnly; Secure; SameSite=Strict$|^trellis_browser_[0-9a-f]{8}=0\.\d+\.[0-9A-Za-z]{16}\.[\w-]{43}; Max-Age=31536000; Path=\/; HttpOnly; SameSite=Strict$/,
  );
  assert.ok(!cookie.includes(owner.email));
  const browser = newBrowser();
  await browser.signIn(owner);
  const { knownBy } = browser;
  assert.equal((await browser.call('DELETE', '/auth/session')).status, 204);
  assert.equal(browser.knownBy, knownBy);
  assert.equal(browser.cookie, null);
});

test('a reset lets somebody in whom unknown browsers everywhere hold up, and their browser is known from then on', async () => {
  const owner = await newAccount();
  await floodFromEverywhere(owner);
  const browser = newBrowser();
  expectProblem(await browser.post('/auth/password', credentialsOf(owner)), 429, 'rate_limited');
  assert.equal((await browser.post('/auth/password-resets', { email: owner.email })).status, 202);
  const link = await mail.lastLink(owner.email);
  const password = 'eleven wooden bridges';
  assert.equal((await browser.post('/auth/password-resets/redeem', { link, password })).status, 204);
  assert.equal(await statusOf(newBrowser(), { ...owner, password }), 200, 'the failures are forgotten');
  await floodFromEverywhere(owner);
  assert.equal(await statusOf(newBrowser(), { ...owner, password }), 429);
  assert.equal(await statusOf(browser, { ...owner, password }), 200, 'the browser of the reset is known');
});

test('a change of the password makes all browsers unknown but the one that it was changed in', async () => {
  const owner = await newAccount();
  const [here, elsewhere] = [newBrowser(), newBrowser()];
  await elsewhere.signIn(owner);
  await here.signIn(owner);
  const password = 'nine silver kettles';
  const body = { password, currentPassword: owner.password };
  const changed = await here.call('PUT', '/auth/factors/password', body);
  assert.equal(changed.status, 204, changed.text);
  await floodFromEverywhere(owner);
  assert.equal(await statusOf(elsewhere, { ...owner, password }), 429);
  assert.equal(await statusOf(here, { ...owner, password }), 200);
});

test('unknown browsers that ask for links keep them from nobody else', async () => {
  const owner = await newAccount();
  const unknown = new TestBrowser(server, '198.51.100.9');
  for (let attempt = 0; attempt < 20; attempt += 1) {
    await unknown.post('/auth/password-resets', { email: owner.email });
  }
  const before = mail.received.filter(({ to }) => to.includes(owner.email)).length;
  assert.ok(before <= 3, `${before} mails`);
  await newBrowser().post('/auth/password-resets', { email: owner.email });
  await until('the owner has a link of their own', async () => {
    return mail.received.filter(({ to }) => to.includes(owner.email)).length > before;
  });
});

test('the log names nobody whose mail was refused', async () => {
  const { worker } = server.database;
  const owner = await newAccount();
  const email = `refused-${owner.userId}@example.com`;
  await worker.run('UPDATE trellis.users SET email = $2, email_normalized = $2 WHERE id = $1', [
    owner.userId,
    email,
  ]);
  logged.length = 0;
  assert.equal((await newBrowser().post('/auth/password-resets', { email })).status, 202);
  const line = await until('the refusal is logged', async () =>
    logged.find((text) => text.includes('did not take a message')),
  );
  assert.match(line, /EENVELOPE, 550, RCPT TO/);
  assert.doesNotMatch(logged.join('\n'), /refused-|@example/);
});
