/** Operations by which people sign in. */
import { Problem } from '@trellis/schema/problem.ts';
import { describeAccount, findAccount } from '../accounts.ts';
import { makeChallenge, spendChallenge } from '../challenges.ts';
import type { SignInContext } from '../context.ts';
import { checkMayAdd } from '../credential-change.ts';
import { connectIdentity, type ExternalProvider, type ExternalRequest, findOwner } from '../external.ts';
import { beginPasskeySignIn, listPasskeys, verifyPasskey } from '../passkeys.ts';
import { mailResetLink, resetPassword } from '../password-reset.ts';
import { invalidSession, signInFailed } from '../refusals.ts';
import { describeSession } from '../sessions.ts';
import {
  logged,
  type SignInResult,
  signInByLink,
  signInByPassword,
  signInBySecondFactor,
  signInOwner,
} from '../sign-in.ts';
import { codeOf } from './code.ts';
import { type AuthCall, type AuthOperation, type AuthResponse, textOf } from './operation.ts';
import { attemptOf, respondToSignIn } from './respond.ts';
import { describeBody } from './schemas.ts';

const common = { tag: 'Sign-in', pathParameters: [], queryParameters: [], body: null, problems: [] } as const;

export function signInOperations(context: SignInContext): AuthOperation[] {
  const { auth, cookie } = context;

  const respond = (call: AuthCall, result: SignInResult) => respondToSignIn(context, call, result);

  return [
    {
      ...common,
      operationId: 'readSignInMethods',
      method: 'GET',
      path: '/auth/methods',
      summary: 'Read the sign-in methods of this server',
      description: 'What a sign-in page needs to know.',
      access: 'anyone',
      success: { status: 200, description: 'The methods.', schemaName: 'SignInMethods' },
      handle: async () => ({
        body: { external: context.external?.name ?? null, mail: context.mailer !== null },
      }),
    },
    {
      ...common,
      operationId: 'signInByPassword',
      method: 'POST',
      path: '/auth/password',
      summary: 'Sign in by password',
      description:
        'Responds in the same way, and in the same time, to a wrong password and an unknown address. Further failures make the next attempt wait longer.',
      access: 'anyone',
      body: describeBody('PasswordSignIn'),
      success: { status: 200, description: 'The sign-in.', schemaName: 'SignInResult' },
      problems: ['sign_in_failed'],
      handle: async (call) => {
        const credentials = { email: textOf(call, 'email'), password: textOf(call, 'password') };
        return respond(call, await signInByPassword(context, credentials, attemptOf(call)));
      },
    },
    {
      ...common,
      operationId: 'signInBySecondFactor',
      method: 'POST',
      path: '/auth/second-factor',
      summary: 'Complete a sign-in by a second factor',
      description: 'Accepts a code of the authenticator app, or a recovery code, which works once.',
      access: 'anyone',
      body: describeBody('SecondFactor'),
      success: { status: 200, description: 'The sign-in.', schemaName: 'SignInResult' },
      problems: ['sign_in_failed', 'challenge_invalid'],
      handle: async (call) => {
        const challenge = textOf(call, 'challenge');
        return respond(call, await signInBySecondFactor(context, challenge, codeOf(call), attemptOf(call)));
      },
    },
    {
      ...common,
      operationId: 'beginPasskeySignIn',
      method: 'POST',
      path: '/auth/passkeys/begin',
      summary: 'Begin to sign in by passkey',
      description:
        "Returns the options for the browser's authenticator, for signing in or confirming an identity.",
      access: 'anyone',
      success: { status: 200, description: 'The options.', schemaName: 'PasskeyQuestion' },
      handle: async () => ({ body: await beginPasskeySignIn(context) }),
    },
    {
      ...common,
      operationId: 'signInByPasskey',
      method: 'POST',
      path: '/auth/passkeys/finish',
      summary: 'Sign in by passkey',
      description: 'A passkey counts as two factors: no code is required.',
      access: 'anyone',
      body: describeBody('PasskeySignIn'),
      success: { status: 200, description: 'The sign-in.', schemaName: 'SignInResult' },
      problems: ['sign_in_failed', 'challenge_invalid'],
      handle: async (call) => {
        const attempt = attemptOf(call);
        const about = logged('PASSKEY', attempt, null);
        // Signatures cannot be guessed, so passkeys have no delay, and failed passwords do not delay them.
        const result = await context.failed.watch(about, async () => {
          const owner = await verifyPasskey(context, textOf(call, 'challenge'), call.rawBody.response);
          const proof = { method: 'PASSKEY', isMultiFactor: true } as const;
          return signInOwner(context, owner, proof, attempt);
        });
        return respond(call, result);
      },
    },
    {
      ...common,
      operationId: 'beginExternalSignIn',
      method: 'POST',
      path: '/auth/external/begin',
      summary: 'Begin to sign in by an account at the provider',
      description:
        'The provider sends the browser back to `/console/external`. With the purpose `CONNECT`, the account is connected with the user who is signed in, which requires a sign-in within the last 2 minutes unless it is the first factor. With `STEP_UP` the provider verifies the user again, and the session is renewed. Both require the header `Trellis-User`.',
      access: 'anyone',
      body: describeBody('ExternalBegin'),
      success: { status: 200, description: 'The address to open.', schemaName: 'ExternalQuestion' },
      problems: [
        'session_invalid',
        'wrong_user',
        'insufficient_user_authentication',
        'external_unavailable',
        'not_found',
      ],
      handle: async (call) => {
        const provider = providerOf(context);
        const { purpose } = call.body;
        const session = purpose === 'SIGN_IN' ? null : call.current?.session;
        if (session === undefined) throw invalidSession();
        if (session !== null) call.checkUser();
        if (session !== null && purpose === 'CONNECT') await checkMayAdd(auth, session);
        const { url, request } = await provider.begin(cookie.origin(), purpose === 'STEP_UP');
        const staySignedIn = session?.isKeptSignedIn ?? call.body.staySignedIn === true;
        const challenge = await makeChallenge(auth, 'EXTERNAL', {
          userId: session?.userId ?? null,
          data: { request, purpose, staySignedIn },
        });
        return { body: { challenge, authorizationUrl: url } };
      },
    },
    {
      ...common,
      operationId: 'finishExternalSignIn',
      method: 'POST',
      path: '/auth/external/callback',
      summary: 'Sign in by an account at the provider, or connect it',
      description:
        'Accepts the query that the provider sent the browser back with. An account at the provider that is not connected cannot sign in, whatever its e-mail address.',
      access: 'anyone',
      body: describeBody('ExternalCallback'),
      success: { status: 200, description: 'The sign-in.', schemaName: 'SignInResult' },
      problems: [
        'sign_in_failed',
        'session_invalid',
        'challenge_invalid',
        'external_unavailable',
        'not_found',
        'conflict',
      ],
      handle: async (call) => {
        const provider = providerOf(context);
        return context.failed.watch(logged('EXTERNAL', call, null), async () => {
          const begun = await spendChallenge(auth, 'EXTERNAL', textOf(call, 'challenge'));
          const identity = await provider.finish(
            begun.data.request as ExternalRequest,
            textOf(call, 'query'),
          );
          const { userId, data } = begun;
          if (userId !== null && data.purpose !== 'STEP_UP') return connect(context, call, userId, identity);
          if (userId !== null && call.current?.session.userId !== userId) throw invalidSession();
          const owner = await findOwner(auth, identity);
          if (owner === null)
            throw signInFailed('No account here is connected with the one at the provider.');
          if (userId !== null && owner.userId !== userId) {
            throw signInFailed('The account at the provider is somebody else’s.');
          }
          const { isMultiFactor, authenticatedAtMs: provenAtMs } = identity;
          // As `proveAgain`: who has a passkey gives no single factor.
          if (userId !== null && !isMultiFactor && (await listPasskeys(auth, userId)).length > 0) {
            throw signInFailed('You have a passkey: prove with it who you are.');
          }
          const proof = { method: 'EXTERNAL', isMultiFactor, provenAtMs } as const;
          const attempt = { ...attemptOf(call), staySignedIn: data.staySignedIn === true };
          return respond(call, await signInOwner(context, owner, proof, attempt));
        });
      },
    },
    {
      ...common,
      operationId: 'redeemLink',
      method: 'POST',
      path: '/auth/links/redeem',
      summary: 'Sign in by a link',
      description: 'A link works once: of several concurrent calls one succeeds.',
      access: 'anyone',
      body: describeBody('LinkRedemption'),
      success: { status: 200, description: 'The sign-in.', schemaName: 'SignInResult' },
      problems: ['link_invalid'],
      handle: async (call) =>
        respond(call, await signInByLink(context, textOf(call, 'link'), attemptOf(call))),
    },
    {
      ...common,
      operationId: 'requestPasswordReset',
      method: 'POST',
      path: '/auth/password-resets',
      summary: 'Request a link to set a new password',
      description:
        'The link is mailed if the account exists and mail is set up; the response is the same in any case.',
      access: 'anyone',
      body: describeBody('PasswordResetRequest'),
      success: { status: 202, description: 'Accepted.', schemaName: null },
      handle: async (call) => {
        call.later(() => mailResetLink(context, textOf(call, 'email'), call));
        return { body: null };
      },
    },
    {
      ...common,
      operationId: 'resetPassword',
      method: 'POST',
      path: '/auth/password-resets/redeem',
      summary: 'Set a new password by a link',
      description:
        'Ends all sessions of the user and opens none: a second factor is required at the next sign-in as before. The link remains valid if the password is rejected.',
      access: 'anyone',
      body: describeBody('PasswordReset'),
      success: { status: 204, description: 'Set.', schemaName: null },
      problems: ['link_invalid'],
      handle: async (call) => {
        const wanted = { link: textOf(call, 'link'), password: textOf(call, 'password') };
        const { userId } = await resetPassword(context, wanted, call);
        return { body: null, knownFor: userId };
      },
    },
  ];
}

/** Connects an external account with the user who started the connection, and who must still be signed in. */
async function connect(
  { auth }: SignInContext,
  call: AuthCall,
  userId: string,
  identity: Parameters<typeof connectIdentity>[2],
): Promise<AuthResponse> {
  const account = await findAccount(auth, userId);
  const { current, requestId } = call;
  if (account === null || current?.session.userId !== userId) throw invalidSession();
  await connectIdentity(auth, { current, requestId }, identity);
  const session = describeSession(current.session);
  return { body: { status: 'SIGNED_IN', user: describeAccount(account), session } };
}

function providerOf({ external }: SignInContext): ExternalProvider {
  if (external === null) throw new Problem('not_found', 'No provider is set up on this server.');
  return external;
}
