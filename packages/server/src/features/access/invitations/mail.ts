/** The mail with a link of an invitation. */

import { type Row, type Statement, type Step, step } from '../../../kernel/database/batch.ts';
import type { Message } from '../../../kernel/http/context.ts';

const readInvited: Statement = {
  name: 'read_invitation_to_mail',
  text: `SELECT i.email, o.name, u.name FROM trellis.invitations i JOIN trellis.organizations o ON o.id = i.organization_id
    JOIN trellis.users u ON u.id = i.sent_by
    WHERE i.organization_id = $1 AND i.id = $2 AND i.status = 'PENDING'`,
};

/** Reads what `invitationMessage` says. @param id uuid of the invitation */
export function invitedStep(organizationId: string, id: string): Step {
  return step(readInvited, [organizationId, id]);
}

/** The message to who is invited, from the row of `invitedStep`. */
export function invitationMessage([email, organization, sender]: Row, link: string): Message {
  return {
    to: email ?? '',
    subject: `Invitation to ${organization}`,
    text: `${sender} invites you to become a member of ${organization} on Trellis, with this address: ${email}.\n\nOpen this page within seven days:\n\n${link}\n\nIf you do not know what this is about, nothing needs to be done.\n`,
  };
}
