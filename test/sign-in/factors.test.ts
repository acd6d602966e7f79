/** Setting factors up, and signing in with two of them. */
import assert from 'node:assert/strict';
import { after, beforeEach, test } from 'node:test';
import { Secret, TOTP } from 'otpauth';
import { givePassword, type TestAccount, TestBrowser } from '../support/browser-client.ts';
import { createMember, createOrganization, joinOrganization } from '../support/identities.ts';
import { expectChallenge, expectProblem } from '../support/refusals.ts';
import { startTestServer, type TestResponse } from '../support/server.ts';
import { makeOlder } from '../support/sign-in-age.ts';

const server = await startTestServer();
const { auth, worker } = server.database;
after(() => server.close());

let account: TestAccount;
let browser: TestBrowser;
beforeEach(async () => {
  account = await givePassword(auth, await createMember(worker, server.organization, 'EDITOR'));
  browser = new TestBrowser(server);
  await browser.signIn(account);
});

/** The code that an authenticator app shows now; it is taken for half a minute more. */
function codeOf(secret: string): string {
  return new TOTP({ secret: Secret.fromBase32(secret) }).generate();
}

/** Has the server forget which codes it has seen: the next one is half a minute away. */
async function forgetCodes(): Promise<void> {
  await auth.run('UPDATE trellis.totp_secrets SET last_step = 0 WHERE user_id = $1', [account.userId]);
}

/** Sets an authenticator app up. */
async function setUpTotp(): Promise<{ secret: string; recoveryCodes: string[] }> {
  const begun = await browser.post('/auth/factors/totp');
  const { challenge, secret } = begun.json;
  const confirmed = await browser.post('/auth/factors/totp/confirm', { challenge, code: codeOf(secret) });
  assert.equal(confirmed.status, 200, confirmed.text);
  await forgetCodes();
  return { secret, recoveryCodes: confirmed.json.recoveryCodes };
}

/** Gives the password, in another browser, and returns it with the challenge for the second factor. */
async function givePasswordOnly(): Promise<{ other: TestBrowser; challenge: string }> {
  const other = new TestBrowser(server);
  const { email, password } = account;
  const { json, text } = await other.post('/auth/password', { email, password });
  assert.equal(json.status, 'SECOND_FACTOR_REQUIRED', text);
  assert.equal(other.cookie, null);
  return { other, challenge: json.challenge };
}

test('an authenticator app is asked for after the password, and each code is taken once', async () => {
  const begun = await browser.post('/auth/factors/totp');
  assert.match(begun.json.uri, /^otpauth:\/\/totp\/Trellis:/);
  const { challenge: enrolment, secret } = begun.json;
  expectProblem(
    await browser.post('/auth/factors/totp/confirm', { challenge: enrolment, code: '000000' }),
    422,
    'validation_failed',
  );
  const { email, password } = account;
  assert.equal(
    (await new TestBrowser(server).post('/auth/password', { email, password })).json.status,
    'SIGNED_IN',
  );
  const enrolled = codeOf(secret);
  assert.equal(
    (await browser.post('/auth/factors/totp/confirm', { challenge: enrolment, code: enrolled })).status,
    200,
  );
  expectProblem(
    await browser.post('/auth/factors/totp/confirm', { challenge: enrolment, code: codeOf(secret) }),
    410,
    'challenge_invalid',
  );

  const { other, challenge } = await givePasswordOnly();
  expectProblem(
    await other.post('/auth/second-factor', { challenge, code: enrolled }),
    401,
    'sign_in_failed',
    'used before',
  );
  expectProblem(await other.post('/auth/second-factor', { challenge }), 422, 'validation_failed');
  await forgetCodes();
  const code = codeOf(secret);
  const signedIn = await other.post('/auth/second-factor', { challenge, code });
  assert.deepEqual(signedIn.json.session?.methods, ['PASSWORD', 'TOTP'], signedIn.text);
  assert.equal(signedIn.json.session.multiFactor, true);
  expectProblem(await other.post('/auth/second-factor', { challenge, code }), 410, 'challenge_invalid');
  const again = await givePasswordOnly();
  const replayed = await again.other.post('/auth/second-factor', { challenge: again.challenge, code });
  expectProblem(replayed, 401, 'sign_in_failed', 'a code that has signed in');
});

test('of many who send one code at the same time one is signed in', async () => {
  const { secret } = await setUpTotp();
  const { challenge } = await givePasswordOnly();
  const code = codeOf(secret);
  const responses = await Promise.all(
    Array.from({ length: 5 }, () => new TestBrowser(server).post('/auth/second-factor', { challenge, code })),
  );
  assert.equal(responses.filter(({ status }) => status === 200).length, 1);
});

test('each of ten recovery codes signs in once, however it is typed', async () => {
  const { recoveryCodes } = await setUpTotp();
  assert.equal(new Set(recoveryCodes).size, 10);
  const [first = '', second = ''] = recoveryCodes;
  const one = await givePasswordOnly();
  const signedIn = await one.other.post('/auth/second-factor', {
    challenge: one.challenge,
    recoveryCode: ` ${first} `,
  });
  assert.deepEqual(signedIn.json.session?.methods, ['PASSWORD', 'RECOVERY_CODE'], signedIn.text);
  const two = await givePasswordOnly();
  const used = await two.other.post('/auth/second-factor', { challenge: two.challenge, recoveryCode: first });
  expectProblem(used, 401, 'sign_in_failed');
  assert.equal((await browser.get('/auth/factors')).json.recoveryCodesLeft, 9);
  const replaced = await browser.post('/auth/factors/recovery-codes');
  assert.equal(replaced.json.recoveryCodes.length, 10);
  const gone = await two.other.post('/auth/second-factor', {
    challenge: two.challenge,
    recoveryCode: second,
  });
  expectProblem(gone, 401, 'sign_in_failed');
  const stored = await auth.run('SELECT encode(hash, $1) FROM trellis.recovery_codes', ['escape']);
  for (const code of [...recoveryCodes, ...replaced.json.recoveryCodes]) {
    assert.ok(!JSON.stringify(stored).includes(code.replaceAll('-', '')));
  }
});

test('without the app only the password is asked for again', async () => {
  await setUpTotp();
  assert.equal((await browser.call('DELETE', '/auth/factors/totp')).status, 204);
  const { email, password } = account;
  assert.equal(
    (await new TestBrowser(server).post('/auth/password', { email, password })).json.status,
    'SIGNED_IN',
  );
  assert.equal((await browser.get('/auth/factors')).json.recoveryCodesLeft, 0);
});

test('a new password ends the other sessions, and has to be one that is not guessed first', async () => {
  const other = new TestBrowser(server);
  await other.signIn(account);
  const [organization] = await auth.run('SELECT name FROM trellis.organizations WHERE id = $1', [
    server.organization.id,
  ]);
  let currentPassword = account.password;
  const set = (password: string) =>
    browser.call('PUT', '/auth/factors/password', { password, currentPassword });
  for (const password of [
    'short',
    'twelve chars'.slice(0, 11),
    'a'.repeat(1_025),
    'aaaaaaaaaaaaaaaa',
    'password1234',
    'PASSWORD1234!',
    'dragondragon',
    '1qaz2wsx3edc',
    `${'x'.repeat(1_000)}yz`,
    account.email,
    `${organization?.[0]}-2026!`,
  ]) {
    expectProblem(await set(password), 422, 'validation_failed', password.slice(0, 40));
  }
  for (const password of [
    'twelve chars',
    '173648291047',
    'ünïcödé pässwörd 🎺',
    '  spaces stay  ',
    `${'gravel otter mint '.repeat(56)}yz`,
  ]) {
    const done = await set(password);
    assert.equal(done.status, 204, `${password.slice(0, 40)}: ${done.text}`);
    currentPassword = password;
    const { email } = account;
    const signedIn = await new TestBrowser(server).post('/auth/password', { email, password });
    assert.equal(signedIn.status, 200, signedIn.text);
    expectProblem(
      await new TestBrowser(server).post('/auth/password', { email, password: `${password} ` }),
      401,
      'sign_in_failed',
    );
  }
  expectProblem(await other.get('/auth/session'), 401, 'session_invalid');
  assert.equal((await browser.get('/auth/session')).status, 200);
});

test('a new password takes the present one, or a passkey, however recent the sign-in is', async () => {
  const set = (proof: object) =>
    browser.call('PUT', '/auth/factors/password', { password: 'nine quiet harbours', ...proof });
  const missing = await set({});
  expectProblem(missing, 422, 'validation_failed');
  assert.equal(missing.json.errors[0].pointer, '/currentPassword');
  expectProblem(await set({ currentPassword: 'not this one' }), 401, 'sign_in_failed');
  expectProblem(await set({ currentPassword: '' }), 401, 'sign_in_failed');
  expectProblem(await set({ challenge: 'a'.repeat(43), response: { id: 'x' } }), 410, 'challenge_invalid');
  const { email, password } = account;
  assert.equal((await new TestBrowser(server).post('/auth/password', { email, password })).status, 200);
  assert.equal((await set({ currentPassword: password })).status, 204);
});

/** Makes the sign-in of the browser so many minutes old. */
function age(minutes: number): Promise<void> {
  return makeOlder(server.database, 'authenticated_at', minutes * 60, account.userId);
}

function expectStepUp(response: TestResponse): void {
  expectProblem(response, 401, 'insufficient_user_authentication');
  expectChallenge(response, /error="insufficient_user_authentication", max_age="900"/);
}

test('what concerns factors needs a sign-in of the last 15 minutes, which a step-up is', async () => {
  const { secret } = await setUpTotp();
  await age(16);
  expectStepUp(await browser.call('PUT', '/auth/factors/password', { password: 'nine quiet harbours' }));
  expectStepUp(await browser.call('DELETE', '/auth/factors/totp'));
  assert.equal((await browser.get('/auth/factors')).status, 200);
  expectProblem(await browser.post('/auth/session/step-up', {}), 422, 'validation_failed');
  const { password } = account;
  // One of two factors is not the strongest proof that there is.
  for (const fewer of [{ password }, { code: codeOf(secret) }])
    expectProblem(await browser.post('/auth/session/step-up', fewer), 422, 'validation_failed');
  for (const wrong of [
    { password: 'not this one', code: codeOf(secret) },
    { password, code: '000000' },
  ]) {
    expectProblem(await browser.post('/auth/session/step-up', wrong), 401, 'sign_in_failed');
  }
  expectStepUp(await browser.call('DELETE', '/auth/factors/totp'));
  const stepped = await browser.post('/auth/session/step-up', { password, code: codeOf(secret) });
  assert.equal(stepped.json.session?.multiFactor, true, stepped.text);
  assert.equal((await browser.call('DELETE', '/auth/factors/totp')).status, 204);
});

test('a new passkey beside other factors needs a sign-in of the last 2 minutes', async () => {
  const begin = () => browser.post('/auth/factors/passkeys/begin');
  assert.equal((await begin()).status, 200);
  await age(3);
  const refused = await begin();
  expectProblem(refused, 401, 'insufficient_user_authentication');
  expectChallenge(refused, /error="insufficient_user_authentication", max_age="120"/);
  const { password } = account;
  assert.equal((await browser.post('/auth/session/step-up', { password })).status, 200);
  assert.equal((await begin()).status, 200);
});

test('an operation that needs a fresh sign-in says so to sessions, and not to tokens', async () => {
  const owner = await givePassword(auth, await createMember(worker, server.organization, 'OWNER'));
  account = owner;
  browser = new TestBrowser(server);
  await browser.signIn(owner);
  const made = await server.call('POST', '/v1/webhook-endpoints', {
    body: { url: 'https://example.com/hook', eventTypes: ['article.created'] },
  });
  assert.equal(made.status, 201, made.text);
  const path = `/v1/webhook-endpoints/${made.json.id}/rotate-secret`;
  assert.equal((await browser.post(path)).status, 200);
  await age(16);
  expectStepUp(await browser.post(path));
  assert.equal((await server.call('POST', path)).status, 200);
  assert.equal((await browser.get('/v1/webhook-endpoints')).status, 200);
  assert.equal((await browser.post('/auth/session/step-up', { password: owner.password })).status, 200);
  assert.equal((await browser.post(path)).status, 200);
});

test('an organization that requires two factors is closed to sessions of one', async () => {
  const strict = await createOrganization(worker, 'strict');
  await joinOrganization(worker, strict.id, account.userId, 'EDITOR');
  await browser.enter(strict.id);
  const site = { key: 'a', name: 'A', defaultLocale: 'en' };
  await worker.run('UPDATE trellis.organizations SET mfa_required = true WHERE id = $1', [strict.id]);
  expectProblem(await browser.post('/v1/sites', site), 401, 'insufficient_user_authentication');
  const [listed] = (await browser.get('/auth/organizations')).json.items.filter(
    ({ key }: { key: string }) => key === 'strict',
  );
  assert.equal(listed.needsSecondFactor, true);
  const enter = `/auth/organizations/${listed.id}/enter`;
  expectProblem(await browser.post(enter), 401, 'insufficient_user_authentication');
  const { secret } = await setUpTotp();
  const { password } = account;
  const proofs = { password, code: codeOf(secret) };
  assert.equal((await browser.post('/auth/session/step-up', proofs)).status, 200);
  assert.equal((await browser.post(enter)).status, 204);
  const created = await browser.post('/v1/sites', site);
  // The role decides, not the session: an editor makes no sites.
  assert.ok([201, 403].includes(created.status), created.text);
});
