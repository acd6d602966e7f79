/** A session ends when the person has done nothing for a while, whatever the pages do meanwhile. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { encodeId } from '@trellis/schema/values/ids.ts';
import { givePassword, type TestAccount, TestBrowser } from '../support/browser-client.ts';
import { createMember, createOrganization, joinOrganization } from '../support/identities.ts';
import { expectProblem } from '../support/refusals.ts';
import { startTestServer } from '../support/server.ts';
import { makeOlder } from '../support/sign-in-age.ts';
import { until } from '../support/until.ts';

const idleSeconds = 3_600;
const server = await startTestServer({ signIn: { idleSeconds }, streamLifetimeMs: 120_000 });
const { auth, worker } = server.database;
let account: TestAccount;
before(async () => {
  account = await givePassword(auth, await createMember(worker, server.organization, 'OWNER'));
});
after(() => server.close());

async function signIn(): Promise<TestBrowser> {
  const browser = new TestBrowser(server);
  await browser.signIn(account);
  return browser;
}

/** Lets a part of the idle time pass since the person did something. */
function pass(part: number): Promise<void> {
  return makeOlder(server.database, 'last_used_at', Math.round(part * idleSeconds));
}

/** Everything that an untouched page does: it reads, follows, enters, retries and saves by itself. */
async function actByItself(browser: TestBrowser): Promise<void> {
  const organization = encodeId('org', server.organization.id);
  await browser.get('/auth/session');
  await browser.get('/auth/factors');
  await browser.post(`/auth/organizations/${organization}/enter`);
  await browser.get('/v1/me');
  await browser.get('/v1/sites');
  const drafts = { headers: { 'trellis-session-scopes': 'drafts' } };
  await browser.get('/v1/sites', drafts);
  await browser.post('/v1/sites', { key: `k-${crypto.randomUUID()}`, name: 'Site', defaultLocale: 'en' });
}

test('nothing that a page does by itself keeps a session', async () => {
  const browser = await signIn();
  const stream = await fetch(`${server.url}/v1/events/stream`, {
    headers: {
      cookie: browser.cookie ?? '',
      'sec-fetch-site': 'same-origin',
      'trellis-organization': encodeId('org', server.organization.id),
      'trellis-user': encodeId('user', account.userId),
    },
  });
  assert.equal(stream.status, 200);
  let hasEnded = false;
  const end = () => {
    hasEnded = true;
  };
  void (stream.body ?? new ReadableStream()).pipeTo(new WritableStream()).then(end, end);
  for (let round = 0; round < 3; round += 1) {
    await actByItself(browser);
    await pass(0.3);
  }
  await actByItself(browser);
  assert.equal((await browser.get('/auth/session')).status, 200, 'not idle yet');
  assert.equal(hasEnded, false);
  await pass(0.1);
  expectProblem(await browser.get('/auth/session'), 401, 'session_invalid');
  expectProblem(await browser.post('/auth/session/use'), 401, 'session_invalid', 'too late');
  const site = { key: 'late', name: 'Late', defaultLocale: 'en' };
  expectProblem(await browser.post('/v1/sites', site), 401, 'token_invalid');
  // Rights are read again every two seconds.
  await until('the stream ends', () => hasEnded);
});

test('what the person does keeps it, in all organizations that were entered', async () => {
  const browser = await signIn();
  const second = await createOrganization(worker, 'second');
  await joinOrganization(worker, second.id, account.userId, 'OWNER');
  await browser.enter(second.id);
  for (let round = 0; round < 3; round += 1) {
    await pass(0.75);
    assert.equal((await browser.post('/auth/session/use')).status, 204);
  }
  assert.equal((await browser.get('/auth/session')).status, 200);
  for (const id of [server.organization.id, second.id]) {
    browser.organizationId = id;
    assert.equal((await browser.get('/v1/me')).status, 200, id);
  }
});

test('an organization that is entered later is as idle as the session', async () => {
  const browser = await signIn();
  await pass(0.75);
  await browser.enter(server.organization.id);
  await pass(0.375);
  expectProblem(await browser.get('/v1/me'), 401, 'token_invalid');
});

test('a step-up is something that the person does', async () => {
  const browser = await signIn();
  await pass(0.75);
  const { password } = account;
  assert.equal((await browser.post('/auth/session/step-up', { password })).status, 200);
  await pass(0.5);
  assert.equal((await browser.get('/v1/me')).status, 200);
});
