/** Routes of who is signed in: the session, a fresh proof, the organizations, and the end. */
import { Problem } from '@trellis/schema/problem.ts';
import { decodeId } from '@trellis/schema/values/ids.ts';
import { type Account, accountKey, describeAccount, findAccount } from '../accounts.ts';
import { hashOwnerOf } from '../attempt-subjects.ts';
import type { SignInContext } from '../context.ts';
import type { DelaySubject } from '../delays.ts';
import { enterOrganization, listOrganizations } from '../enter-organization.ts';
import { type Proof, proofOf } from '../methods.ts';
import { verifyPasskey } from '../passkeys.ts';
import { invalidSession, signInFailed } from '../refusals.ts';
import { describeSession, endSession, listSessions, renewSessionSecret } from '../sessions.ts';
import { logged, proveByCode } from '../sign-in.ts';
import { type AuthRoute, optionalTextOf, type SignedInCall } from './route.ts';

export function sessionRoutes(context: SignInContext): AuthRoute[] {
  const { auth } = context;
  return [
    {
      operationId: 'readSession',
      method: 'GET',
      path: '/auth/session',
      tag: 'Session',
      summary: 'Read who is signed in',
      description: 'The session of the cookie, and its person.',
      access: 'session',
      body: null,
      success: { status: 200, description: 'The session.', body: 'SignedIn' },
      problems: [],
      handle: async ({ current: { session } }) => {
        const account = await findAccount(auth, session.userId);
        if (account === null) throw invalidSession();
        return { body: { user: describeAccount(account), session: describeSession(session) } };
      },
    },
    {
      operationId: 'signOut',
      method: 'DELETE',
      path: '/auth/session',
      tag: 'Session',
      summary: 'Sign out',
      description:
        'Ends the session in all organizations, from the next write and within two seconds for reads.',
      access: 'session',
      body: null,
      success: { status: 204, description: 'You are signed out.', body: null },
      problems: [],
      handle: async ({ current, requestId }) => {
        await endSession(auth, current.session, requestId);
        return { body: null, cookie: 'clear' };
      },
    },
    {
      operationId: 'listOwnSessions',
      method: 'GET',
      path: '/auth/sessions',
      tag: 'Session',
      summary: 'List your sessions',
      description: 'Those that are in force, in all organizations, the newest first.',
      access: 'session',
      body: null,
      success: { status: 200, description: 'The sessions.', body: 'OwnSessions' },
      problems: [],
      handle: async ({ current: { session } }) => ({
        body: { items: (await listSessions(auth, session.userId)).map(describeSession) },
      }),
    },
    {
      operationId: 'endOwnSession',
      method: 'DELETE',
      path: '/auth/sessions/{sessionId}',
      tag: 'Session',
      summary: 'End a session of yours',
      description:
        'Ends it in all organizations, from the next write and within two seconds for reads, such as that of a computer that is lost.',
      access: 'recent',
      body: null,
      success: { status: 204, description: 'It is ended.', body: null },
      problems: ['not_found'],
      handle: async ({ current: { session }, params, requestId }) => {
        const id = decodeId('ses', params.sessionId ?? '');
        const ended = id !== null && (await endSession(auth, { id, userId: session.userId }, requestId));
        if (!ended) throw new Problem('not_found');
        return id === session.id ? { body: null, cookie: 'clear' } : { body: null };
      },
    },
    {
      operationId: 'stepUp',
      method: 'POST',
      path: '/auth/session/step-up',
      tag: 'Session',
      summary: 'Prove once more who you are',
      description:
        'By exactly one of the password, a code of the authenticator app, or a passkey (`challenge` and `response`). The cookie is renewed; the old one is worth nothing from then on.',
      access: 'session',
      body: 'StepUp',
      success: { status: 200, description: 'The session, renewed.', body: 'SignedIn' },
      problems: ['sign_in_failed', 'challenge_invalid'],
      handle: async (call) => {
        const account = await findAccount(auth, call.current.session.userId);
        if (account === null) throw invalidSession();
        const renewed = await renewSessionSecret(
          auth,
          call.current,
          await context.failed.watch(logged('STEP_UP', call, accountKey(account.email)), () =>
            prove(context, call, account),
          ),
          call.requestId,
        );
        return {
          body: { user: describeAccount(account), session: describeSession(renewed.session) },
          cookie: { secret: renewed.secret, keep: renewed.session.isKeptSignedIn },
        };
      },
    },
    {
      operationId: 'listEnterableOrganizations',
      method: 'GET',
      path: '/auth/organizations',
      tag: 'Session',
      summary: 'List the organizations that you may enter',
      description: 'Those that you are a member of and that are active.',
      access: 'session',
      body: null,
      success: { status: 200, description: 'The organizations.', body: 'Organizations' },
      problems: [],
      handle: async ({ current }) => ({ body: { items: await listOrganizations(auth, current.session) } }),
    },
    {
      operationId: 'enterOrganization',
      method: 'POST',
      path: '/auth/organizations/{organizationId}/enter',
      tag: 'Session',
      summary: 'Enter an organization',
      description:
        'From then on the cookie opens `/v1` for requests that name the organization in `Trellis-Organization`, with the rights of your role there; with `Trellis-Session-Scopes: drafts` as well, for those of them that are needed to save drafts, and no more. Again is no error; it also takes the session out of its idleness there.',
      access: 'session',
      body: null,
      success: { status: 204, description: 'You are in.', body: null },
      problems: ['not_found', 'insufficient_user_authentication'],
      handle: async ({ current, params, requestId }) => {
        const organizationId = decodeId('org', params.organizationId ?? '');
        if (organizationId === null) throw new Problem('not_found');
        await enterOrganization(auth, current, organizationId, requestId);
        return { body: null };
      },
    },
  ];
}

/** Checks the one proof of a step-up. @throws Problem validation_failed, sign_in_failed, challenge_invalid, rate_limited */
async function prove(context: SignInContext, call: SignedInCall, account: Account): Promise<Proof> {
  const { id, userId } = call.current.session;
  // By session: what others fail at, or another session of the person, does not hold up who is signed in.
  const subjects: DelaySubject[] = [{ kind: 'stepUp', value: id }];
  const [password, code, challenge] = ['password', 'code', 'challenge'].map((name) =>
    optionalTextOf(call, name),
  );
  const given = [password, code, challenge].filter((value) => value !== null);
  if (given.length !== 1) {
    const detail = 'Give exactly one of password, code, or challenge with response.';
    throw new Problem('validation_failed', undefined, { errors: [{ pointer: '', code: 'one_of', detail }] });
  }
  if (password != null) return provePassword(context, account, password, subjects);
  if (code != null) return proveByCode(context, userId, { code }, subjects);
  const owner = await verifyPasskey(context, challenge ?? '', call.rawBody.response);
  if (owner.userId !== userId) throw signInFailed('The passkey is somebody else’s.');
  return { method: 'PASSKEY', isMultiFactor: true };
}

async function provePassword(
  { auth, hasher, delays }: SignInContext,
  account: Account,
  password: string,
  subjects: readonly DelaySubject[],
): Promise<Proof> {
  const found = await hasher.verify(password, hashOwnerOf(account), async () => {
    await delays.take(subjects);
    return findAccount(auth, account.userId);
  });
  if (found === null) throw signInFailed('The password is wrong.');
  await delays.succeed(subjects);
  return proofOf('PASSWORD');
}
