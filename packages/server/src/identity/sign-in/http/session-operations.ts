/** Operations of who is signed in: the session, a fresh proof, the organizations, and the end. */
import { Problem } from '@trellis/schema/problem.ts';
import { decodeId } from '@trellis/schema/values/ids.ts';
import { idParameter } from '../../../http/resource-parameters.ts';
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
import type { AuthOperation } from './operation.ts';
import { proveAgain } from './proofs.ts';
import { describeBody } from './schemas.ts';

const common = { tag: 'Session', pathParameters: [], queryParameters: [], body: null, problems: [] } as const;

export function sessionOperations(context: SignInContext): AuthOperation[] {
  const { auth } = context;
  return [
    {
      ...common,
      operationId: 'readSession',
      method: 'GET',
      path: '/auth/session',
      summary: 'Read who is signed in',
      description: 'The session of the cookie, and its person.',
      access: 'session',
      tellsUser: true,
      success: { status: 200, description: 'The session.', schemaName: 'SignedIn' },
      handle: async ({ current: { session } }) => {
        const account = await findAccount(auth, session.userId);
        if (account === null) throw invalidSession();
        return { body: { user: describeAccount(account), session: describeSession(session) } };
      },
    },
    {
      ...common,
      operationId: 'readStorageKey',
      method: 'GET',
      path: '/auth/storage-key',
      summary: 'Read the key of what you store in a browser',
      description:
        'With it the console seals what it stores in a browser, so that only you can read it there and nobody else can write it. It is the same in all your sessions, before and after changes of your factors. Keep it in memory alone.',
      access: 'session',
      success: { status: 200, description: 'The key.', schemaName: 'StorageKey' },
      handle: async ({ current: { session } }) => ({
        body: { key: deriveKey(context.browserStorageKey, `user ${session.userId}`).toString('base64') },
      }),
    },
    {
      ...common,
      operationId: 'signOut',
      method: 'DELETE',
      path: '/auth/session',
      summary: 'Sign out',
      description:
        'Ends the session in all organizations, from the next write and within two seconds for reads.',
      access: 'session',
      success: { status: 204, description: 'You are signed out.', schemaName: null },
      handle: async ({ current, requestId }) => {
        await endSession(auth, current.session, requestId);
        return { body: null, cookie: 'clear' };
      },
    },
    {
      ...common,
      operationId: 'noteUse',
      method: 'POST',
      path: '/auth/session/use',
      summary: 'Tell that the person has done something',
      description:
        'For a page in which a key was pressed or a pointer used. Nothing else keeps a session from becoming idle: pages read and retry by themselves, too.',
      access: 'session',
      success: { status: 204, description: 'The session is used.', schemaName: null },
      handle: async ({ current: { session } }) => {
        await noteUseOfSession(auth, session);
        return { body: null };
      },
    },
    {
      ...common,
      operationId: 'listOwnSessions',
      method: 'GET',
      path: '/auth/sessions',
      summary: 'List your sessions',
      description: 'Those that are in force, in all organizations, the newest first.',
      access: 'session',
      success: { status: 200, description: 'The sessions.', schemaName: 'OwnSessions' },
      handle: async ({ current: { session } }) => ({
        body: { items: (await listSessions(auth, session.userId)).map(describeSession) },
      }),
    },
    {
      ...common,
      operationId: 'endOwnSession',
      method: 'DELETE',
      path: '/auth/sessions/{sessionId}',
      pathParameters: [idParameter('sessionId', 'sessions', 'ses', 'Id, as lists show it.')],
      summary: 'End a session of yours',
      description:
        'Ends it in all organizations, from the next write and within two seconds for reads, such as that of a computer that is lost.',
      access: 'recent',
      success: { status: 204, description: 'It is ended.', schemaName: null },
      problems: ['not_found'],
      handle: async ({ current: { session }, params, requestId }) => {
        const id = decodeId('ses', params.sessionId ?? '');
        const ended = id !== null && (await endSession(auth, { id, userId: session.userId }, requestId));
        if (!ended) throw new Problem('not_found');
        return id === session.id ? { body: null, cookie: 'clear' } : { body: null };
      },
    },
    {
      ...common,
      operationId: 'stepUp',
      method: 'POST',
      path: '/auth/session/step-up',
      summary: 'Prove once more who you are',
      description:
        'By the strongest that is set up: a passkey (`challenge` and `response`), or the password, together with a code of the authenticator app if there is one. The cookie is renewed; the old one is worth nothing from then on.',
      access: 'session',
      body: describeBody('StepUp'),
      success: { status: 200, description: 'The session, renewed.', schemaName: 'SignedIn' },
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
      ...common,
      operationId: 'listEnterableOrganizations',
      method: 'GET',
      path: '/auth/organizations',
      summary: 'List the organizations that you may enter',
      description: 'Those that you are a member of and that are active.',
      access: 'session',
      success: { status: 200, description: 'The organizations.', schemaName: 'Organizations' },
      handle: async ({ current }) => ({ body: { items: await listOrganizations(auth, current.session) } }),
    },
    {
      ...common,
      operationId: 'enterOrganization',
      method: 'POST',
      path: '/auth/organizations/{organizationId}/enter',
      pathParameters: [idParameter('organizationId', 'organizations', 'org', 'Id, as lists show it.')],
      summary: 'Enter an organization',
      description:
        'From then on the cookie opens `/v1` for requests that name the organization in `Trellis-Organization` and you in `Trellis-User`, with the rights of your role there; with `Trellis-Session-Scopes: drafts` as well, for those of them that are needed to save drafts, and no more. Again is no error.',
      access: 'session',
      success: { status: 204, description: 'You are in.', schemaName: null },
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
