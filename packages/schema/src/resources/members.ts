/** Declaration of members: the people and programs of an organization, each with a role. A member has the id of its user. */
import { choice, flag, instant, nullable, readOnly, reference, text } from './fields.ts';
import { memberGrants } from './grants.ts';
import { defineOrganizationResource } from './resource.ts';
import { updatedSince } from './shapes.ts';

/** People, and programs. */
const memberKinds = ['PERSON', 'SERVICE'] as const;
export type MemberKind = (typeof memberKinds)[number];

export const members = defineOrganizationResource({
  name: 'members',
  singular: 'member',
  title: { singular: 'Member', plural: 'Members' },
  german: {
    singular: 'Mitglied',
    plural: 'Mitglieder',
    fields: {
      responsibleUserId: 'Verantwortliche Person',
      hasMfa: 'Zweiter Faktor',
      lastSeenAt: 'Zuletzt aktiv',
    },
    values: {
      PERSON: 'Person',
      SERVICE: 'Dienstmitglied',
      ACCOUNT_DISABLED: 'Konto gesperrt',
      ACCOUNT_ENABLED: 'Konto entsperrt',
      PASSWORD_CHANGED: 'Passwort geändert',
      FACTOR_ADDED: 'Anmeldemethode hinzugefügt',
      FACTOR_REPLACED: 'Anmeldemethode ersetzt',
      FACTOR_REMOVED: 'Anmeldemethode entfernt',
      LINK_REDEEMED: 'Link eingelöst',
    },
  },
  description:
    'A user who is a member of the organization, with a role. A member has the id of the user, by which records refer to people (`ownerUserId`, `createdBy`). A service member is a program: it does not sign in, acts by its tokens only, and a person is responsible for it.',
  idPrefix: 'user',
  path: '/members',
  scope: 'members',
  changeRight: 'manage',
  grants: memberGrants,
  exampleFields: ['name', 'roleId', 'responsibleUserId'],
  refusals: { create: ['quota_reached'], update: ['last_owner'], delete: ['last_owner'] },
  creation: 'It is a service member: people are invited instead, and accept it.',
  furtherRights: 'People change their own names; the name of a service member can be changed here.',
  removal:
    'The tokens and sessions of the user in this organization are revoked, as are the tokens that the user has made for service members. A member who is responsible for a service member cannot be removed until somebody else is (`in_use`).',
  table: 'memberships',
  history: false,
  events: {
    password_changed: 'The user set a new password, which applies in all organizations.',
    factor_added: 'The user added a passkey, or connected an account at the sign-in provider.',
    factor_replaced: 'The user set up an authenticator app, or created new recovery codes.',
    factor_removed: 'The user removed a means of signing in.',
    account_disabled:
      'An operator has disabled the user in the whole installation: their tokens and sessions are refused.',
    account_enabled: 'An operator has enabled the user again.',
    link_redeemed: 'The user signed in or set a new password with a link.',
  },
  fields: {
    name: text({
      max: 120,
      format: 'name',
      required: true,
      searchable: 'A',
      description: 'Name of the person or of the program.',
      example: 'Nightly import',
    }),
    email: readOnly(
      nullable(
        text({
          max: 254,
          searchable: 'B',
          description: 'E-mail address of the person; null for a service member.',
          example: 'ada@example.com',
        }),
      ),
    ),
    kind: readOnly(
      choice(memberKinds, {
        default: 'PERSON',
        description: 'PERSON: signs in. SERVICE: a program that acts with tokens only.',
        example: 'SERVICE',
      }),
    ),
    responsibleUserId: nullable(
      reference('users', {
        description:
          'The person who is responsible for a service member; by default the caller. Null for a person.',
        example: 'user_01h455vb4pex5vsknk084sn02q',
      }),
    ),
    roleId: reference('roles', {
      required: true,
      description: 'The role of the member, which says what the member may do.',
      example: 'role_00000000000000000000000003',
    }),
    status: choice(['ACTIVE', 'DISABLED'], {
      isStatus: true,
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
    kind: {
      kind: 'choice',
      field: 'kind',
      values: memberKinds,
      description: 'Members of this kind.',
      example: 'SERVICE',
    },
    responsibleUserId: {
      kind: 'reference',
      field: 'responsibleUserId',
      description: 'The service members that this person is responsible for.',
      example: 'user_01h455vb4pex5vsknk084sn02q',
    },
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
    updatedSince,
  },
  searchSources: ['members'],
  searchCursor: true,
});
