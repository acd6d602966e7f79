/** Operations that set up a person's sign-in methods. The required proof: `credential-change.ts`. */
import { Problem } from '@trellis/schema/problem.ts';
import { decodeId } from '@trellis/schema/values/ids.ts';
import { idParameter } from '../../../kernel/http/resource-parameters.ts';
import { type Account, findAccount } from '../accounts.ts';
import type { SignInContext } from '../context.ts';
import { disconnectIdentity } from '../external.ts';
import {
  beginTotp,
  confirmTotp,
  describeFactors,
  describePasskey,
  removeAuthenticatorApp,
  replaceRecoveryCodes,
} from '../factors.ts';
import { beginEnrolment, finishEnrolment, removePasskey } from '../passkeys.ts';
import { invalidSession } from '../refusals.ts';
import { setPassword } from '../set-password.ts';
import { type AuthOperation, type SignedInCall, textOf } from './operation.ts';
import { proveForNewPassword } from './proofs.ts';
import { describeBody } from './schemas.ts';

const common = { tag: 'Factors', pathParameters: [], queryParameters: [], body: null, problems: [] } as const;

export function factorOperations(context: SignInContext): AuthOperation[] {
  const { auth } = context;

  async function accountOf({ current }: SignedInCall): Promise<Account> {
    const account = await findAccount(auth, current.session.userId);
    if (account === null) throw invalidSession();
    return account;
  }

  return [
    {
      ...common,
      operationId: 'readFactors',
      method: 'GET',
      path: '/auth/factors',
      summary: 'List your factors',
      description: 'Nothing in the response can be used to sign in.',
      access: 'session',
      success: { status: 200, description: 'The factors.', schemaName: 'Factors' },
      handle: async (call) => ({ body: await describeFactors(context, await accountOf(call)) }),
    },
    {
      ...common,
      operationId: 'setPassword',
      method: 'PUT',
      path: '/auth/factors/password',
      summary: 'Set your password',
      description:
        'If you have a password, give it as `currentPassword`, or a passkey (`challenge` and `response`), unless you signed in by a link because you lost it. Ends your other sessions.',
      access: 'recent',
      body: describeBody('NewPassword'),
      success: { status: 204, description: 'Set.', schemaName: null },
      problems: ['sign_in_failed', 'challenge_invalid'],
      handle: async (call) => {
        const account = await accountOf(call);
        await proveForNewPassword(context, call, account);
        await setPassword(context, account, textOf(call, 'password'), call);
        return { body: null, knownFor: account.userId };
      },
    },
    {
      ...common,
      operationId: 'beginTotp',
      method: 'POST',
      path: '/auth/factors/totp',
      summary: 'Begin to set up an authenticator app',
      description: 'Nothing changes before a code of the app is confirmed.',
      access: 'recent',
      success: { status: 200, description: 'The secret, shown once.', schemaName: 'TotpSecret' },
      handle: async (call) => ({ body: await beginTotp(context, await accountOf(call)) }),
    },
    {
      ...common,
      operationId: 'confirmTotp',
      method: 'POST',
      path: '/auth/factors/totp/confirm',
      summary: 'Set up an authenticator app',
      description:
        'Replaces an earlier one. From then on its codes are required after the password. Returns ten recovery codes, which replace all earlier ones. Ends your other sessions.',
      access: 'recent',
      body: describeBody('TotpConfirmation'),
      success: { status: 200, description: 'The recovery codes, shown once.', schemaName: 'RecoveryCodes' },
      problems: ['challenge_invalid'],
      handle: async (call) => {
        const attempt = { challenge: textOf(call, 'challenge'), code: textOf(call, 'code') };
        const recoveryCodes = await confirmTotp(context, call, attempt);
        return { body: { recoveryCodes }, knownFor: call.current.session.userId };
      },
    },
    {
      ...common,
      operationId: 'removeTotp',
      method: 'DELETE',
      path: '/auth/factors/totp',
      summary: 'Remove the authenticator app',
      description:
        'Removes its recovery codes as well, and ends your other sessions. Removing it again is not an error.',
      access: 'recent',
      success: { status: 204, description: 'Removed.', schemaName: null },
      handle: async (call) => {
        await removeAuthenticatorApp(context, call);
        return { body: null, knownFor: call.current.session.userId };
      },
    },
    {
      ...common,
      operationId: 'replaceRecoveryCodes',
      method: 'POST',
      path: '/auth/factors/recovery-codes',
      summary: 'Make new recovery codes',
      description: 'They replace all earlier ones. Ends your other sessions.',
      access: 'recent',
      success: { status: 200, description: 'The recovery codes, shown once.', schemaName: 'RecoveryCodes' },
      handle: async (call) => ({
        body: { recoveryCodes: await replaceRecoveryCodes(context, call) },
        knownFor: call.current.session.userId,
      }),
    },
    {
      ...common,
      operationId: 'beginPasskeyEnrolment',
      method: 'POST',
      path: '/auth/factors/passkeys/begin',
      summary: 'Begin to add a passkey',
      description: "Returns the options for the browser's authenticator.",
      access: 'newFactor',
      success: { status: 200, description: 'The options.', schemaName: 'PasskeyQuestion' },
      problems: ['quota_reached'],
      handle: async (call) => ({ body: await beginEnrolment(context, await accountOf(call)) }),
    },
    {
      ...common,
      operationId: 'createPasskey',
      method: 'POST',
      path: '/auth/factors/passkeys',
      summary: 'Add a passkey',
      description: 'Stores the credential that an authenticator created.',
      access: 'recent',
      body: describeBody('PasskeyEnrolment'),
      success: { status: 201, description: 'The passkey.', schemaName: 'Passkey' },
      problems: ['challenge_invalid'],
      handle: async (call) => {
        const made = await finishEnrolment(context, call, {
          challenge: textOf(call, 'challenge'),
          response: call.rawBody.response,
          name: textOf(call, 'name'),
        });
        return { body: describePasskey(made) };
      },
    },
    {
      ...common,
      operationId: 'removePasskey',
      method: 'DELETE',
      path: '/auth/factors/passkeys/{passkeyId}',
      pathParameters: [idParameter('passkeyId', 'passkeys', 'pk', 'Id, as lists show it.')],
      summary: 'Remove a passkey',
      description: 'It can no longer be used to sign in. Ends your other sessions.',
      access: 'recent',
      success: { status: 204, description: 'Removed.', schemaName: null },
      problems: ['not_found'],
      handle: async (call) => {
        const id = decodeId('pk', call.params.passkeyId ?? '');
        if (id === null || !(await removePasskey(context, call, id))) throw new Problem('not_found');
        return { body: null, knownFor: call.current.session.userId };
      },
    },
    {
      ...common,
      operationId: 'disconnectExternal',
      method: 'DELETE',
      path: '/auth/factors/external/{externalId}',
      pathParameters: [idParameter('externalId', 'identities', 'ext', 'Id, as lists show it.')],
      summary: 'Disconnect an account at the provider',
      description: 'It can no longer be used to sign in. Ends your other sessions.',
      access: 'recent',
      success: { status: 204, description: 'Disconnected.', schemaName: null },
      problems: ['not_found'],
      handle: async (call) => {
        const id = decodeId('ext', call.params.externalId ?? '');
        if (id === null || !(await disconnectIdentity(auth, call, id))) {
          throw new Problem('not_found');
        }
        return { body: null, knownFor: call.current.session.userId };
      },
    },
  ];
}
