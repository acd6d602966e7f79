/** The schemas of invitations that no field of theirs says: the record with its link. */
import { invitations } from '@trellis/schema/resources/invitations.ts';
import { type Schemas, text, withMember } from '../../http/schemas.ts';
import { recordSchemas } from './record-schemas.ts';

/** The schemas by name. */
export function invitationSchemas(): Schemas {
  const { Invitation: record = {} } = recordSchemas(invitations);
  const link = text(
    'The link, for who is invited and nobody else.',
    'https://cms.example.com/console/invitation#q7Jd0sLz2mXc9VbN4kTyR8wEu1HgFa5PoQi3ZxCvB6n',
    { format: 'uri', maxLength: 2_100 },
  );
  const description = 'An invitation with its link, which is shown only once.';
  return { InvitationWithLink: withMember(record, description, 'link', link) };
}
