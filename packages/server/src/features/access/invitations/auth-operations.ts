/** Operations by which people accept invitations. */

import type { SignInContext } from '../../sign-in/context.ts';
import { type AuthOperation, textOf } from '../../sign-in/http/operation.ts';
import { attemptOf, respondToSignIn } from '../../sign-in/http/respond.ts';
import { describeBody } from '../../sign-in/http/schemas.ts';
import { acceptSignedIn, acceptWithNewAccount, describeInvitation } from './accept.ts';

const common = {
  tag: 'Invitations',
  pathParameters: [],
  queryParameters: [],
  body: null,
  problems: [],
} as const;

export function invitationOperations(context: SignInContext): AuthOperation[] {
  return [
    {
      ...common,
      operationId: 'readInvitation',
      method: 'POST',
      path: '/auth/invitations/read',
      summary: 'Read an invitation by its link',
      description: 'Does not use the link, and does not reveal whether the address has an account.',
      access: 'anyone',
      body: describeBody('InvitationLink'),
      success: { status: 200, description: 'The invitation.', schemaName: 'OpenInvitation' },
      problems: ['link_invalid'],
      handle: async (call) => ({ body: await describeInvitation(context.auth, textOf(call, 'link')) }),
    },
    {
      ...common,
      operationId: 'acceptInvitationWithNewAccount',
      method: 'POST',
      path: '/auth/invitations/accept-with-new-account',
      summary: 'Accept an invitation with a new account',
      description:
        'Creates an account with the address of the invitation, makes it a member, and signs in. If the address already has an account, the response is `conflict`: sign in to it and accept the invitation then. The link remains valid if the password is rejected. Of several concurrent calls one succeeds.',
      access: 'anyone',
      body: describeBody('NewAccount'),
      success: { status: 200, description: 'The sign-in.', schemaName: 'SignInResult' },
      problems: ['link_invalid', 'conflict'],
      handle: async (call) => {
        const wanted = {
          link: textOf(call, 'link'),
          name: textOf(call, 'name'),
          password: textOf(call, 'password'),
        };
        const result = await acceptWithNewAccount(context, wanted, attemptOf(call));
        return respondToSignIn(context, call, result);
      },
    },
    {
      ...common,
      operationId: 'acceptInvitation',
      method: 'POST',
      path: '/auth/invitations/accept',
      summary: 'Accept an invitation',
      description:
        'Makes the person of the session a member. The invitation must be for the address of their account: `permission_denied` otherwise. `conflict` where they are a member already. By the link that was mailed, an account that was made by an invitation whose link somebody else was shown is claimed: its password, other factors, sessions and tokens are removed, except this session.',
      access: 'session',
      body: describeBody('InvitationLink'),
      success: { status: 204, description: 'Accepted.', schemaName: null },
      problems: ['link_invalid', 'permission_denied', 'conflict'],
      handle: async (call) => {
        await acceptSignedIn(context, call, textOf(call, 'link'));
        return { body: null };
      },
    },
  ];
}
