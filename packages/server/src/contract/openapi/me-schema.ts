/** The schema of the answer to "who calls". */

import type { Field } from '@trellis/schema/resources/fields.ts';
import { members } from '@trellis/schema/resources/members.ts';
import { organizations } from '@trellis/schema/resources/organizations.ts';
import { modules } from '@trellis/schema/resources/resource.ts';
import { roles } from '@trellis/schema/resources/roles.ts';
import { type JsonSchema, orNull } from '@trellis/schema/validation/body-schemas.ts';
import { audiences } from '../../identity/actor.ts';
import { exampleOf, responseSchema } from './field-schemas.ts';
import { exampleRecord, idSchema, type Schemas } from './record-schemas.ts';

/** An object whose members are all there. */
function closed(description: string, properties: Schemas): JsonSchema {
  return {
    type: 'object',
    description,
    properties,
    required: Object.keys(properties),
    examples: [exampleOf(Object.entries(properties))],
  };
}

function text(description: string, example: string): JsonSchema {
  return { type: 'string', description, examples: [example] };
}

function instant(description: string): JsonSchema {
  return { type: 'string', format: 'date-time', description, examples: ['2026-03-01T09:00:00.000Z'] };
}

function list(description: string, items: JsonSchema, example: readonly unknown[]): JsonSchema {
  return { type: 'array', description, items, maxItems: 1_000, examples: [example] };
}

function schemaOf({ schema }: Field): JsonSchema {
  return responseSchema(schema as JsonSchema);
}

const exampleRole = exampleRecord(roles);

/** The components of the operation `getMe`. */
export function meSchemas(): Schemas {
  const country = schemaOf(organizations.fields.defaultCountry);
  const grants = schemaOf(roles.fields.grants);
  return {
    Me: closed('Who calls: what the token belongs to, and what it may do.', {
      organization: closed('The organization of the token.', {
        id: idSchema('org', 'Id of the organization.'),
        key: text('Short name of the organization.', 'acme'),
        name: text('Display name of the organization.', 'Acme Publishing'),
        defaultCountry: orNull(country),
        mfaRequired: {
          type: 'boolean',
          description: 'Whether sessions need two factors.',
          examples: [false],
        },
      }),
      user: closed('The user of the token.', {
        id: idSchema('user', 'Id of the user.'),
        name: text('Name of the user.', 'Ada Lovelace'),
        email: orNull(text('E-mail address of the user; null for a service member.', 'ada@example.com')),
        kind: schemaOf(members.fields.kind),
        responsibleUserId: orNull(idSchema('user', 'Who answers for a service member; null for a person.')),
      }),
      client: closed('The application that the token belongs to.', {
        id: idSchema('client', 'Id of the client.'),
        name: text('Name of the client.', 'Website'),
        kind: {
          type: 'string',
          enum: ['SERVER', 'CONSOLE', 'CLI', 'BROWSER'],
          description: 'What kind of application it is.',
          examples: ['SERVER'],
        },
      }),
      role: closed('The role of the user in the organization.', {
        id: idSchema('role', 'Id of the role.'),
        key: text('Key of the role.', 'newsroom'),
        name: text('Display name of the role.', 'Newsroom'),
        builtIn: { type: 'boolean', description: 'Whether the role is built in.', examples: [false] },
        grants: { ...grants, description: 'What the role permits.', examples: [exampleRole.grants] },
      }),
      tokenId: idSchema('token', 'Id of the token.'),
      resources: list(
        'The interfaces that the token is for (RFC 8707).',
        { type: 'string', enum: [...audiences] },
        ['api'],
      ),
      scopes: list('The scopes of the token.', { type: 'string' }, ['articles:read']),
      modules: list('The modules that are switched on.', { type: 'string', enum: [...modules] }, ['cms']),
      expiresAt: orNull(instant('When the token expires; null if never.')),
      signIn: orNull(
        closed('How the person of a session signed in; null for a bearer token.', {
          authenticatedAt: instant('When the person last proved who they are.'),
          methods: list(
            'By which methods.',
            { type: 'string', enum: ['PASSWORD', 'TOTP', 'RECOVERY_CODE', 'PASSKEY', 'EXTERNAL', 'LINK'] },
            ['PASSWORD', 'TOTP'],
          ),
          multiFactor: {
            type: 'boolean',
            description: 'Whether with two factors.',
            examples: [true],
          },
        }),
      ),
    }),
  };
}
