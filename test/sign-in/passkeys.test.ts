/** Passkeys, with Chromium's virtual authenticator on pages of a real server. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { encodeId } from '@trellis/schema/values/ids.ts';
import type { BrowserContext, CDPSession, Page } from 'playwright-core';
import { givePassword, type TestAccount } from '../support/browser-client.ts';
import { launchChromium } from '../support/chromium.ts';
import { type Json, startTestServer } from '../support/server.ts';

const server = await startTestServer();
const origin = `http://localhost:${new URL(server.url).port}`;
const chromium = await launchChromium();
let account: TestAccount;
let context: BrowserContext;
let page: Page;
let devtools: CDPSession;
let authenticatorId = '';

before(async () => {
  account = await givePassword(server.database.auth, server.ownerId);
  // What the page of a probe may not do, those of the console may.
  context = await chromium.newContext({ bypassCSP: true });
  page = await context.newPage();
  // A page of the server that lets scripts be run in it.
  await page.goto(`${origin}/healthz`);
  devtools = await context.newCDPSession(page);
  await devtools.send('WebAuthn.enable');
  ({ authenticatorId } = await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  }));
});
after(async () => {
  await chromium.close();
  await server.close();
});

/** Calls the server from the page, as our pages will. */
function call(method: string, path: string, body?: unknown): Promise<{ status: number; json: Json }> {
  return page.evaluate(
    async ([how, where, sent, user]) => {
      const response = await fetch(String(where), {
        method: String(how),
        headers: {
          'trellis-user': String(user),
          ...(sent === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(sent === undefined ? {} : { body: JSON.stringify(sent) }),
      });
      const text = await response.text();
      return { status: response.status, json: text === '' ? null : JSON.parse(text) };
    },
    [method, path, body, encodeId('user', account.userId)],
  );
}

/** Has the browser ask its authenticator, and returns the credential as JSON. */
function ask(kind: 'create' | 'get', options: Json): Promise<Json> {
  return page.evaluate(
    async ([how, asked]) => {
      const scope: Json = globalThis;
      const { PublicKeyCredential, navigator } = scope;
      const credential =
        how === 'create'
          ? await navigator.credentials.create({
              publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(asked),
            })
          : await navigator.credentials.get({
              publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(asked),
            });
      return credential.toJSON();
    },
    [kind, options] as const,
  );
}

async function signInByPasskey(): Promise<{ status: number; json: Json }> {
  const begun = await call('POST', '/auth/passkeys/begin');
  const response = await ask('get', begun.json.options);
  return call('POST', '/auth/passkeys/finish', { challenge: begun.json.challenge, response });
}

test('a passkey is made, and signs in without address and password as two factors', async () => {
  const { email, password } = account;
  assert.equal((await call('POST', '/auth/password', { email, password })).status, 200);
  const begun = await call('POST', '/auth/factors/passkeys/begin');
  assert.equal(begun.status, 200, JSON.stringify(begun.json));
  const response = await ask('create', begun.json.options);
  const enrolment = { challenge: begun.json.challenge, response, name: 'Laptop' };
  const made = await call('POST', '/auth/factors/passkeys', enrolment);
  assert.equal(made.status, 201, JSON.stringify(made.json));
  assert.equal(made.json.name, 'Laptop');
  assert.equal((await call('POST', '/auth/factors/passkeys', enrolment)).json.code, 'challenge_invalid');
  assert.equal((await call('DELETE', '/auth/session')).status, 204);

  const signedIn = await signInByPasskey();
  assert.equal(signedIn.status, 200, JSON.stringify(signedIn.json));
  assert.equal(signedIn.json.user.email, email);
  assert.deepEqual(signedIn.json.session.methods, ['PASSKEY']);
  assert.equal(signedIn.json.session.multiFactor, true);
  const cookies = await context.cookies();
  assert.deepEqual(
    cookies.map(({ httpOnly, sameSite, path }) => ({ httpOnly, sameSite, path })),
    // The session, and what the browser is known by.
    Array(2).fill({ httpOnly: true, sameSite: 'Strict', path: '/' }),
  );
});

test('a passkey is a step-up', async () => {
  const begun = await call('POST', '/auth/passkeys/begin');
  const response = await ask('get', begun.json.options);
  const stepped = await call('POST', '/auth/session/step-up', { challenge: begun.json.challenge, response });
  assert.equal(stepped.status, 200, JSON.stringify(stepped.json));
});

test('a response is taken once, for its own question, and not if it was changed', async () => {
  const first = await call('POST', '/auth/passkeys/begin');
  const second = await call('POST', '/auth/passkeys/begin');
  const response = await ask('get', first.json.options);
  const crossed = await call('POST', '/auth/passkeys/finish', { challenge: second.json.challenge, response });
  assert.equal(crossed.json.code, 'sign_in_failed');
  const forged = structuredClone(response);
  forged.response.signature = response.response.authenticatorData;
  const third = await call('POST', '/auth/passkeys/begin');
  const signed = await ask('get', third.json.options);
  const changed = { ...signed, response: { ...signed.response, signature: forged.response.signature } };
  const refused = await call('POST', '/auth/passkeys/finish', {
    challenge: third.json.challenge,
    response: changed,
  });
  assert.equal(refused.json.code, 'sign_in_failed');
  for (const nonsense of [{}, { id: 'x' }, { id: response.id, response: {} }]) {
    const { challenge } = (await call('POST', '/auth/passkeys/begin')).json;
    const { status } = await call('POST', '/auth/passkeys/finish', { challenge, response: nonsense });
    assert.equal(status, 401);
  }
  const again = await call('POST', '/auth/passkeys/finish', { challenge: first.json.challenge, response });
  assert.equal(again.status, 200, JSON.stringify(again.json));
  const spent = await call('POST', '/auth/passkeys/finish', { challenge: first.json.challenge, response });
  assert.equal(spent.json.code, 'challenge_invalid');
});

test('a user who was not verified is not signed in', async () => {
  await devtools.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: false });
  await assert.rejects(signInByPasskey());
  await devtools.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: true });
});

test('a passkey that was removed signs nobody in', async () => {
  const factors = await call('GET', '/auth/factors');
  const [passkey] = factors.json.passkeys;
  assert.ok(passkey.lastUsedAt);
  assert.equal((await call('DELETE', `/auth/factors/passkeys/${passkey.id}`)).status, 204);
  assert.equal((await signInByPasskey()).json.code, 'sign_in_failed');
});

test('a page of another origin can do nothing with the cookie', async () => {
  await call('POST', '/auth/password', { email: account.email, password: account.password });
  const elsewhere = await context.newPage();
  await elsewhere.goto(`${server.url}/healthz`);
  const outcome = await elsewhere.evaluate(async (target) => {
    const response = await fetch(`${target}/auth/session`, { credentials: 'include' }).catch((error) =>
      String(error),
    );
    return typeof response === 'string' ? 'refused' : response.status;
  }, origin);
  assert.equal(outcome, 'refused');
});
