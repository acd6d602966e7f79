/** Routes by which people accept invitations. */
import {
  acceptSignedIn,
  acceptWithNewAccount,
  describeInvitation,
} from '../../../administration/invitations/accept.ts';
import type { SignInContext } from '../context.ts';
import { answerSignIn, attemptOf } from './answer.ts';
import { type AuthRoute, textOf } from './route.ts';

export function invitationRoutes(context: SignInContext): AuthRoute[] {
  return [
    {
      operationId: 'readInvitation',
      method: 'POST',
      path: '/auth/invitations/read',
      tag: 'Invitations',
      summary: 'Read what a link invites to',
      description: 'Spends nothing, and does not tell whether the address has an account.',
      access: 'anyone',
      body: 'InvitationLink',
      success: { status: 200, description: 'The invitation.', body: 'OpenInvitation' },
      problems: ['link_invalid'],
      handle: async (call) => ({ body: await describeInvitation(context.auth, textOf(call, 'link')) }),
    },
    {
      operationId: 'acceptInvitationWithNewAccount',
      method: 'POST',
      path: '/auth/invitations/accept-with-new-account',
      tag: 'Invitations',
      summary: 'Accept an invitation with a new account',
      description:
        'Makes an account with the address of the invitation, makes it a member, and signs in. Who has an account signs in to it and accepts then: `conflict`. The link stays good if the password is refused; of many calls at the same time one succeeds.',
      access: 'anyone',
      body: 'NewAccount',
      success: { status: 200, description: 'The sign-in.', body: 'SignInResult' },
      problems: ['link_invalid', 'conflict'],
      handle: async (call) => {
        const wanted = {
          link: textOf(call, 'link'),
          name: textOf(call, 'name'),
          password: textOf(call, 'password'),
        };
        const result = await acceptWithNewAccount(context, wanted, attemptOf(call));
        return answerSignIn(context, call, result);
      },
    },
    {
      operationId: 'acceptInvitation',
      method: 'POST',
      path: '/auth/invitations/accept',
      tag: 'Invitations',
      summary: 'Accept an invitation',
      description:
        'Makes the person of the session a member. The invitation must be for the address of their account: `permission_denied` otherwise. `conflict` where they are a member already. By the link that was mailed, an account that was made by an invitation whose link somebody else was shown is claimed: its password, other factors, sessions and tokens are removed, except this session.',
      access: 'session',
      body: 'InvitationLink',
      success: { status: 204, description: 'You are a member.', body: null },
      problems: ['link_invalid', 'permission_denied', 'conflict'],
      handle: async (call) => {
        await acceptSignedIn(context, call, textOf(call, 'link'));
        return { body: null };
      },
    },
  ];
}
