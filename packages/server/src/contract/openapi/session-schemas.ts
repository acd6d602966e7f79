/** The schemas of sessions, which are no resource. */
import { limits } from '@trellis/schema/resources/limits.ts';
import type { JsonSchema } from '@trellis/schema/validation/body-schemas.ts';
import { reference, type Schemas } from './record-schemas.ts';

const example = {
  id: 'ses_01h455vb4pex5vsknk084sn02q',
  userId: 'user_01h455vb4pex5vsknk084sn02q',
  device: 'Firefox on Linux',
  methods: ['PASSWORD', 'TOTP'],
  authenticatedAt: '2026-03-01T09:00:00.000Z',
  lastUsedAt: '2026-03-01T09:30:00.000Z',
  expiresAt: '2026-03-02T09:00:00.000Z',
  createdAt: '2026-03-01T09:00:00.000Z',
  current: true,
};

const described: Readonly<Record<keyof typeof example, JsonSchema>> = {
  id: { type: 'string', description: 'Id of the session.' },
  userId: { type: 'string', description: 'Who is signed in.' },
  device: {
    type: 'string',
    maxLength: 200,
    description: 'Browser and system, as the browser names them; empty if it names none.',
  },
  methods: {
    type: 'array',
    items: {
      type: 'string',
      enum: ['PASSWORD', 'TOTP', 'RECOVERY_CODE', 'PASSKEY', 'EXTERNAL', 'LINK'],
    },
    description: 'How the person signed in.',
  },
  authenticatedAt: { type: 'string', format: 'date-time', description: 'When that was proven last.' },
  lastUsedAt: {
    type: 'string',
    format: 'date-time',
    description: 'When the person last did something with it, as the page has told.',
  },
  expiresAt: { type: 'string', format: 'date-time', description: 'When it ends, used or not.' },
  createdAt: { type: 'string', format: 'date-time', description: 'When it was opened in this organization.' },
  current: { type: 'boolean', description: 'Whether it is the session of this request.' },
};

/** The schemas by name. */
export function sessionSchemas(): Schemas {
  const names = Object.keys(example) as (keyof typeof example)[];
  return {
    Session: {
      type: 'object',
      description: 'A session: a browser in which somebody is signed in, as far as this organization goes.',
      properties: Object.fromEntries(
        names.map((name) => [name, { ...described[name], examples: [example[name]] }]),
      ),
      required: names,
      examples: [example],
    },
    SessionList: {
      type: 'object',
      description: 'One page of sessions.',
      properties: {
        items: {
          type: 'array',
          description: 'The page.',
          items: reference('Session'),
          maxItems: limits.listPageSize.max,
          examples: [[example]],
        },
        pageInfo: reference('PageInfo'),
      },
      required: ['items', 'pageInfo'],
      examples: [{ items: [example], pageInfo: { nextCursor: null, hasNextPage: false } }],
    },
  };
}
