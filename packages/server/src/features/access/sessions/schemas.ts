/** The schemas of sessions, which are not a resource. */
import { limits } from '@trellis/schema/resources/limits.ts';
import {
  exampleId,
  flag,
  instant,
  object,
  pageSchema,
  reference,
  type Schemas,
  text,
} from '../../../kernel/http/schemas.ts';

const session = object(
  'A session: a browser in which somebody is signed in, as far as this organization goes.',
  {
    id: text('Id of the session.', exampleId('ses')),
    userId: text('Who is signed in.', exampleId('user')),
    device: text(
      'Browser and system, as the browser names them; empty if it names none.',
      'Firefox on Linux',
      { maxLength: 200 },
    ),
    methods: {
      type: 'array',
      items: {
        type: 'string',
        enum: ['PASSWORD', 'TOTP', 'RECOVERY_CODE', 'PASSKEY', 'EXTERNAL', 'LINK'],
      },
      description: 'How the person signed in.',
      examples: [['PASSWORD', 'TOTP']],
    },
    authenticatedAt: instant('When that was proven last.'),
    lastUsedAt: instant(
      'When the person last did something with it, as reported by the page.',
      '2026-03-01T09:30:00.000Z',
    ),
    expiresAt: instant('When it ends, used or not.', '2026-03-02T09:00:00.000Z'),
    createdAt: instant('When it was opened in this organization.'),
    current: flag('Whether it is the session of this request.', true),
  },
);

/** The schemas by name. */
export function sessionSchemas(): Schemas {
  return {
    Session: session,
    SessionList: pageSchema(
      'One page of sessions.',
      reference('Session'),
      session.examples ?? [],
      limits.listPageSize.max,
    ),
  };
}
