/** Routes of who is signed in: the session, a fresh proof, the organizations, and the end. */
import { Problem } from '@trellis/schema/problem.ts';
import { decodeId } from '@trellis/schema/values/ids.ts';
import { accountKey, describeAccount, findAccount } from '../accounts.ts';
import type { SignInContext } from '../context.ts';
import { enterOrganization, listOrganizations } from '../enter-organization.ts';
import { invalidSession } from '../refusals.ts';
import { deriveKey } from '../secrets.ts';
import {
  describeSession,
  endSession,
  listSessions,
  noteUseOfSession,
  renewSessionSecret,
} from '../sessions.ts';
import { logged } from '../sign-in.ts';
import { proveAgain } from './proofs.ts';
import type { AuthRoute } from './route.ts';

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
      tellsUser: true,
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
      operationId: 'readStorageKey',
      method: 'GET',
      path: '/auth/storage-key',
      tag: 'Session',
      summary: 'Read the key of what you store in a browser',
      description:
        'With it the console seals what it stores in a browser, so that only you can read it there and nobody else can write it. It is the same in all your sessions, before and after changes of your factors. Keep it in memory alone.',
      access: 'session',
      body: null,
      success: { status: 200, description: 'The key.', body: 'StorageKey' },
      problems: [],
      handle: async ({ current: { session } }) => ({
        body: { key: deriveKey(context.browserStorageKey, `user ${session.userId}`).toString('base64') },
      }),
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
      operationId: 'noteUse',
      method: 'POST',
      path: '/auth/session/use',
      tag: 'Session',
      summary: 'Tell that the person has done something',
      description:
        'For a page in which a key was pressed or a pointer used. Nothing else keeps a session from becoming idle: pages read and retry by themselves, too.',
      access: 'session',
      body: null,
      success: { status: 204, description: 'The session is used.', body: null },
      problems: [],
      handle: async ({ current: { session } }) => {
        await noteUseOfSession(auth, session);
        return { body: null };
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
        'By the strongest that is set up: a passkey (`challenge` and `response`), or the password, together with a code of the authenticator app if there is one. The cookie is renewed; the old one is worth nothing from then on.',
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
            proveAgain(context, call, account),
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
        'From then on the cookie opens `/v1` for requests that name the organization in `Trellis-Organization` and you in `Trellis-User`, with the rights of your role there; with `Trellis-Session-Scopes: drafts` as well, for those of them that are needed to save drafts, and no more. Again is no error.',
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
