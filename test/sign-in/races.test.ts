/** What was proven before a change of factors opens no session after it, in whichever order they get to the database. */
import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { Problem } from '@trellis/schema/problem.ts';
import { newUuid } from '@trellis/schema/values/ids.ts';

import { findAccount } from '@trellis/server/features/sign-in/accounts.ts';
import type { HashOwner } from '@trellis/server/features/sign-in/attempt-subjects.ts';
import { createSignInContext, type SignInContext } from '@trellis/server/features/sign-in/context.ts';
import type { ChangeRequester } from '@trellis/server/features/sign-in/credential-change.ts';
import { enterOrganization } from '@trellis/server/features/sign-in/enter-organization.ts';
import { disconnectIdentity, findOwner } from '@trellis/server/features/sign-in/external.ts';
import { PasswordHasher } from '@trellis/server/features/sign-in/passwords.ts';
import { endSession, findSession } from '@trellis/server/features/sign-in/sessions.ts';
import { setPassword } from '@trellis/server/features/sign-in/set-password.ts';
import {
  type Attempt,
  type SignInResult,
  signInByPassword,
  signInBySecondFactor,
  signInOwner,
} from '@trellis/server/features/sign-in/sign-in.ts';
import { SessionCookie } from '@trellis/server/kernel/identity/session-cookie.ts';
import { Secret, TOTP } from 'otpauth';
import { pino } from 'pino';
import { givePassword, type TestAccount } from '../support/browser-client.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { createMember, createOrganization, type TestOrganization } from '../support/identities.ts';
import { amount } from '../support/soak.ts';

let database: TestDatabase;
let organization: TestOrganization;
let account: TestAccount;
/** Called once a password was found to be right, before a session is opened. */
let afterVerification: () => Promise<void> = async () => undefined;

class PausingHasher extends PasswordHasher {
  override async verify<T extends { readonly passwordHash: string | null }>(
    password: string,
    owner: HashOwner,
    findHash: () => Promise<T | null>,
  ): Promise<T | null> {
    const found = await super.verify(password, owner, findHash);
    await afterVerification();
    return found;
  }
}

let context: SignInContext;
before(async () => {
  database = await createTestDatabase({ poolSize: 8 });
  organization = await createOrganization(database.worker, 'acme');
  const key = Buffer.alloc(32, 1);
  const cookie = new SessionCookie(key, () => 'https://trellis.test');
  const settings = { idleSeconds: 3_600, callsPerNetwork: 0, mail: null, external: null };
  const made = createSignInContext(database.auth, cookie, key, settings, pino({ level: 'silent' }));
  context = { ...made, hasher: new PausingHasher() };
});
after(() => database.drop());
beforeEach(async () => {
  afterVerification = async () => undefined;
  account = await givePassword(database.auth, await createMember(database.worker, organization, 'EDITOR'));
});

let networks = 0;
function attempt(): Attempt {
  networks += 1;
  return {
    network: `network ${networks}`,
    browser: null,
    device: '',
    staySignedIn: false,
    requestId: newUuid(),
  };
}

async function openOf(result: SignInResult): Promise<ChangeRequester> {
  assert.ok('opened' in result, 'a second factor was asked for');
  await enterOrganization(database.auth, result.opened, organization.id, newUuid());
  return { current: result.opened, requestId: newUuid() };
}

async function signIn(password = account.password): Promise<ChangeRequester> {
  return openOf(await signInByPassword(context, { email: account.email, password }, attempt()));
}

async function changePassword(by: ChangeRequester, password: string): Promise<void> {
  const found = await findAccount(database.auth, account.userId);
  assert.ok(found);
  await setPassword(context, found, password, by);
}

/** Sessions and session tokens of the person that are in force. */
async function inForce(): Promise<string[]> {
  const rows = await database.auth.run(
    `SELECT id::text FROM trellis.sessions WHERE user_id = $1 AND ended_at IS NULL
     UNION ALL SELECT DISTINCT session_id::text FROM trellis.tokens WHERE user_id = $1 AND revoked_at IS NULL`,
    [account.userId],
  );
  return [...new Set(rows.map(([id]) => id ?? ''))];
}

function refused(work: Promise<unknown>, code: string): Promise<void> {
  return assert.rejects(work, (error) => error instanceof Problem && error.code === code);
}

test('a password that is changed while it is being checked opens no session', async () => {
  const own = await signIn();
  afterVerification = async () => {
    afterVerification = async () => undefined;
    await changePassword(own, 'nine quiet harbours');
  };
  await refused(signIn(), 'sign_in_failed');
  assert.deepEqual(await inForce(), [own.current.session.id]);
});

test('of sign-ins by the old password at the same time as its change none leaves a session', async () => {
  for (let round = 0; round < amount(3, 30); round += 1) {
    await database.auth.run('DELETE FROM trellis.sign_in_delays');
    const own = await signIn();
    const old = account.password;
    const password = `harbour number ${newUuid()}`;
    const [changed, ...attempts] = await Promise.allSettled([
      changePassword(own, password),
      ...Array.from({ length: 6 }, () => signIn(old)),
    ]);
    account = { ...account, password: changed.status === 'fulfilled' ? password : old };
    for (const settled of attempts) {
      // Opened before the change and ended by it, even before the organization was entered; or not opened; or not looked at.
      if (settled.status === 'rejected') assert.ok(settled.reason instanceof Problem, String(settled.reason));
    }
    if (changed.status === 'rejected') {
      assert.ok(changed.reason instanceof Problem && changed.reason.code === 'overloaded');
      continue;
    }
    assert.deepEqual(await inForce(), [own.current.session.id], `round ${round}`);
    await endSession(database.auth, own.current.session, newUuid());
  }
});

test('a first factor that is changed is no first half of a sign-in any more', async () => {
  const own = await signIn();
  const secret = new Secret({ size: 20 });
  const sealed = context.sealer.seal(secret.base32, account.userId);
  await database.auth.run(
    'INSERT INTO trellis.totp_secrets (user_id, sealed_secret, last_step) VALUES ($1, $2, 0)',
    [account.userId, sealed],
  );
  const { email, password } = account;
  const half = await signInByPassword(context, { email, password }, attempt());
  assert.ok('challenge' in half);
  await changePassword(own, 'nine quiet harbours');
  const code = { code: new TOTP({ secret }).generate() };
  await refused(signInBySecondFactor(context, half.challenge, code, attempt()), 'sign_in_failed');
  assert.deepEqual(await inForce(), [own.current.session.id]);
});

test('an account elsewhere that is disconnected after it was found opens no session', async () => {
  const own = await signIn();
  const identity = {
    issuer: 'https://issuer.example',
    subject: newUuid(),
    isMultiFactor: false,
    authenticatedAtMs: Date.now(),
  };
  const id = newUuid();
  await database.auth.run(
    'INSERT INTO trellis.external_identities (id, issuer, subject, user_id) VALUES ($1, $2, $3, $4)',
    [id, identity.issuer, identity.subject, account.userId],
  );
  const owner = await findOwner(database.auth, identity);
  assert.ok(owner);
  assert.equal(await disconnectIdentity(database.auth, own, id), true);
  const proof = { method: 'EXTERNAL', isMultiFactor: false, authenticatedAtMs: Date.now() } as const;
  await refused(signInOwner(context, owner, proof, attempt()), 'sign_in_failed');
});

test('a session that has ended changes nothing any more, whatever it had begun', async () => {
  const stolen = await signIn();
  const own = await signIn();
  await changePassword(own, 'nine quiet harbours');
  await refused(changePassword(stolen, 'of the thief, quite long'), 'session_invalid');
  await refused(disconnectIdentity(database.auth, stolen, newUuid()), 'session_invalid');
  await refused(
    enterOrganization(database.auth, stolen.current, organization.id, newUuid()),
    'session_invalid',
  );
  assert.equal(await findSession(database.auth, stolen.current.secret), null);
  assert.deepEqual(await inForce(), [own.current.session.id]);
});
