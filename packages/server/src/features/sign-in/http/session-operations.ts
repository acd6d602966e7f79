/** Operations of who is signed in: the session, a fresh proof, the organizations, and the end. */
import { Problem } from '@trellis/schema/problem.ts';
import { decodeId } from '@trellis/schema/values/ids.ts';
import { idParameter } from '../../../kernel/http/resource-parameters.ts';
import { deriveKey } from '../../../kernel/identity/secrets.ts';
import { accountKey, describeAccount, findAccount } from '../accounts.ts';
import type { SignInContext } from '../context.ts';
import { enterOrganization, listOrganizations } from '../enter-organization.ts';
import { invalidSession } from '../refusals.ts';
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
      summary: 'Read the current session',
      description: 'Returns the session of the cookie with its user.',
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
      summary: 'Read the key for browser storage',
      description:
        'The console encrypts what it stores in the browser with this key, so that only you can read and write it. The key is the same in all your sessions and does not change with your factors. Keep it in memory only.',
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
      success: { status: 204, description: 'Signed out.', schemaName: null },
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
      summary: 'Report activity',
      description:
        'Reports that a person pressed a key or used a pointer in a page. Only this keeps a session from becoming idle, because pages also send requests by themselves.',
      access: 'session',
      success: { status: 204, description: 'Recorded.', schemaName: null },
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
      description: 'Your active sessions in all organizations, newest first.',
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
      summary: 'End one of your sessions',
      description:
        'Ends it in all organizations, for example after the loss of a computer: from the next write, and within two seconds for reads.',
      access: 'recent',
      success: { status: 204, description: 'Ended.', schemaName: null },
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
      summary: 'Confirm your identity',
      description:
        'Requires the strongest proof that is set up: a passkey (`challenge` and `response`), or the password, together with a code of the authenticator app if there is one. The cookie is replaced; the old one is no longer valid.',
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
      description: 'The active organizations that you are a member of.',
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
        'From then on the cookie is valid for requests to `/v1` that name the organization in `Trellis-Organization` and you in `Trellis-User`, with the rights of your role there; with `Trellis-Session-Scopes: drafts`, only with the rights that saving drafts needs. Entering again is not an error.',
      access: 'session',
      success: { status: 204, description: 'Entered.', schemaName: null },
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
