/** The schema of the response to "who calls". */

import type { Field } from '@trellis/schema/resources/fields.ts';
import { members } from '@trellis/schema/resources/members.ts';
import { organizations } from '@trellis/schema/resources/organizations.ts';
import { modules } from '@trellis/schema/resources/resource.ts';
import { roles } from '@trellis/schema/resources/roles.ts';
import { type JsonSchema, orNull } from '@trellis/schema/validation/body-schemas.ts';
import { responseSchema } from '../../kernel/contract/openapi/field-schemas.ts';
import { exampleRecord } from '../../kernel/contract/openapi/record-schemas.ts';
import {
  flag,
  idSchema,
  instant,
  integer,
  list,
  object,
  oneOf,
  type Schemas,
  text,
} from '../../kernel/http/schemas.ts';
import { audiences } from '../../kernel/identity/actor.ts';

function schemaOf({ schema }: Field): JsonSchema {
  return responseSchema(schema as JsonSchema);
}

const atMost = { maxItems: 1_000 };
const exampleRole = exampleRecord(roles);

/** The components of the operation `getMe`. */
export function meSchemas(): Schemas {
  const country = schemaOf(organizations.fields.defaultCountry);
  const grants = schemaOf(roles.fields.grants);
  return {
    Me: object('Who calls: what the token belongs to, and what it may do.', {
      organization: object('The organization of the token.', {
        id: idSchema('org', 'Id of the organization.'),
        key: text('Short name of the organization.', 'acme'),
        name: text('Display name of the organization.', 'Acme Publishing'),
        defaultCountry: orNull(country),
        mfaRequired: flag('Whether sessions need two factors.', false),
      }),
      user: object('The user of the token.', {
        id: idSchema('user', 'Id of the user.'),
        name: text('Name of the user.', 'Ada Lovelace'),
        email: orNull(text('E-mail address of the user; null for a service member.', 'ada@example.com')),
        kind: schemaOf(members.fields.kind),
        responsibleUserId: orNull(
          idSchema('user', 'The person who is responsible for a service member; null for a person.'),
        ),
      }),
      client: object('The application that the token belongs to.', {
        id: idSchema('client', 'Id of the client.'),
        name: text('Name of the client.', 'Website'),
        kind: oneOf('What kind of application it is.', 'SERVER', ['SERVER', 'CONSOLE', 'CLI', 'BROWSER']),
      }),
      role: object('The role of the user in the organization.', {
        id: idSchema('role', 'Id of the role.'),
        key: text('Key of the role.', 'newsroom'),
        name: text('Display name of the role.', 'Newsroom'),
        builtIn: flag('Whether the role is built in.', false),
        grants: { ...grants, description: 'What the role permits.', examples: [exampleRole.grants] },
      }),
      tokenId: idSchema('token', 'Id of the token.'),
      resources: list(
        'The interfaces that the token is for (RFC 8707).',
        { type: 'string', enum: [...audiences] },
        atMost,
        ['api'],
      ),
      scopes: list('The scopes of the token.', { type: 'string' }, atMost, ['articles:read']),
      modules: list('The modules that are switched on.', { type: 'string', enum: [...modules] }, atMost, [
        'cms',
      ]),
      expiresAt: orNull(instant('When the token expires; null if never.')),
      trashSeconds: integer(
        'How long deleted records are kept in the trash, in seconds; 0: not at all.',
        2_592_000,
      ),
      signIn: orNull(
        object('How the person of a session signed in; null for a bearer token.', {
          authenticatedAt: instant('When the person last proved who they are.'),
          methods: list(
            'By which methods.',
            { type: 'string', enum: ['PASSWORD', 'TOTP', 'RECOVERY_CODE', 'PASSKEY', 'EXTERNAL', 'LINK'] },
            atMost,
            ['PASSWORD', 'TOTP'],
          ),
          multiFactor: flag('Whether with two factors.', true),
        }),
      ),
    }),
  };
}
