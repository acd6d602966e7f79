/** Declaration of members: the users of an organization, each with a role. A member has the id of its user. */
import { choice, flag, instant, nullable, readOnly, reference, text } from './fields.ts';
import { memberGrants } from './grants.ts';
import { defineOrganizationResource, type RecordOf } from './resource.ts';

export const members = defineOrganizationResource({
  name: 'members',
  singular: 'member',
  title: { singular: 'Member', plural: 'Members' },
  description:
    'A user who is a member of the organization, with a role. A member has the id of the user, by which records refer to people (`ownerUserId`, `createdBy`).',
  idPrefix: 'user',
  path: '/members',
  scope: 'members',
  changeRight: 'manage',
  operations: ['list', 'read', 'update', 'delete', 'search'],
  grants: memberGrants,
  exampleFields: ['roleId', 'status'],
  refusals: { update: ['last_owner'], delete: ['last_owner'] },
  removal: 'The tokens and sessions of the user in this organization are revoked.',
  table: 'memberships',
  events: {
    password_changed: 'The user has set a new password, for all organizations.',
    factor_added: 'The user has added a passkey or an account elsewhere to sign in with.',
    factor_replaced: 'The user has set up an authenticator app, or has made new recovery codes.',
    factor_removed: 'The user has removed something to sign in with.',
    account_disabled:
      'An operator has disabled the user in the whole installation: their tokens and sessions are refused.',
    account_enabled: 'An operator has enabled the user again.',
    link_redeemed: 'The user has signed in, or has set a new password, by a link.',
  },
  fields: {
    name: readOnly(
      text({ max: 120, searchable: 'A', description: 'Name of the user.', example: 'Ada Lovelace' }),
    ),
    email: readOnly(
      text({
        max: 254,
        searchable: 'B',
        description: 'E-mail address of the user.',
        example: 'ada@example.com',
      }),
    ),
    roleId: reference('roles', {
      required: true,
      description: 'The role of the member, which says what the member may do.',
      example: 'role_00000000000000000000000003',
    }),
    status: choice(['ACTIVE', 'DISABLED'], {
      default: 'ACTIVE',
      description: 'The tokens and sessions of a DISABLED member are refused.',
      example: 'ACTIVE',
    }),
    lastSeenAt: readOnly(
      nullable(
        instant({
          description:
            'When a token or session of the member was last used in this organization, accurate within a minute. It does not change the version.',
          example: '2026-03-01T09:00:00.000Z',
        }),
      ),
    ),
    hasMfa: readOnly(
      flag({
        default: false,
        description:
          'Whether the user has a passkey or an authenticator app. It does not change the version.',
        example: true,
      }),
    ),
  },
  titleField: 'name',
  unique: {},
  filters: {
    roleId: {
      kind: 'reference',
      field: 'roleId',
      description: 'Members with this role.',
      example: 'role_00000000000000000000000003',
    },
    status: {
      kind: 'choice',
      field: 'status',
      values: ['ACTIVE', 'DISABLED'],
      description: 'Members with this status.',
      example: 'ACTIVE',
    },
    updatedSince: {
      kind: 'since',
      field: 'updatedAt',
      description: 'Changed at or after this instant.',
      example: '2026-01-01T00:00:00Z',
    },
  },
  searchSources: ['members'],
  searchCursor: true,
});

export type Member = RecordOf<typeof members>;
