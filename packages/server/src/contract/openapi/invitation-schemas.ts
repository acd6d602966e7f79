/** The schemas of invitations that no field of theirs says: the record with its link. */
import { invitations } from '@trellis/schema/resources/invitations.ts';
import type { JsonSchema } from '@trellis/schema/validation/body-schemas.ts';
import { recordSchemas, type Schemas } from './record-schemas.ts';

/** The schemas by name. */
export function invitationSchemas(): Schemas {
  const { Invitation: record = {} } = recordSchemas(invitations);
  const link: JsonSchema = {
    type: 'string',
    format: 'uri',
    maxLength: 2_100,
    description: 'The link, for who is invited and nobody else.',
    examples: ['https://cms.example.com/console/invitation#q7Jd0sLz2mXc9VbN4kTyR8wEu1HgFa5PoQi3ZxCvB6n'],
  };
  const example = { ...(record.examples?.[0] as object), link: link.examples?.[0] };
  return {
    InvitationWithLink: {
      ...record,
      description: 'An invitation with its link, which is shown only once.',
      properties: { ...record.properties, link },
      required: [...(record.required ?? []), 'link'],
      examples: [example],
    },
  };
}
