/** Declaration of invitations: links with which people become members of the organization. */
import type { Fault } from '../problem.ts';
import { normalizeAddress } from '../values/address.ts';
import { choice, instant, nullable, readOnly, reference, text } from './fields.ts';
import { invitationGrants } from './grants.ts';
import type { RecordRules } from './record-rules.ts';
import { defineOrganizationResource } from './resource.ts';
import { updatedSince } from './shapes.ts';

/** What has become of an invitation. EXPIRED is not stored: it follows from `expiresAt`. */
const invitationStatuses = ['PENDING', 'ACCEPTED', 'REVOKED', 'EXPIRED'] as const;

const linkIs =
  'The `link` in this response is never shown again. Where the server sends mail, a link is mailed to the address as well.';

export const invitations = defineOrganizationResource({
  name: 'invitations',
  singular: 'invitation',
  title: { singular: 'Invitation', plural: 'Invitations' },
  german: {
    singular: 'Einladung',
    plural: 'Einladungen',
    values: {
      REVOKED: 'Widerrufen',
      RESENT: 'Erneut gesendet',
      PENDING: 'Offen',
      ACCEPTED: 'Angenommen',
      EXPIRED: 'Abgelaufen',
    },
  },
  description:
    'An invitation to become a member with a role. Its link can be used once, within seven days, and only while the member who sent it could still send it. Who has an account already accepts it signed in to that account; anybody else makes one with it.',
  idPrefix: 'inv',
  path: '/invitations',
  scope: 'members:manage',
  operations: ['list', 'create', 'read', 'delete', 'search'],
  ownOperations: ['create', 'delete'],
  actions: {
    resendInvitation: {
      path: 'resend',
      summary: 'Send an invitation again',
      description: `Makes a new link for an invitation that is pending or has expired, valid for seven days. The link that was shown before is refused; all mails of an invitation contain the same link. ${linkIs}`,
      right: 'create',
      returns: 'secret',
      response: 'The invitation, with its new link.',
      problems: ['invalid_transition', 'conflict', 'quota_reached'],
      offered: { status: ['PENDING', 'EXPIRED'] },
      texts: { label: { en: 'New link', de: 'Neuer Link' } },
    },
  },
  grants: invitationGrants,
  refusals: { create: ['quota_reached'] },
  creation: `${linkIs} An address that is already a member or already invited is a \`conflict\`.`,
  secret: {
    member: 'link',
    field: text({
      max: 2_100,
      format: 'uri',
      description: 'The link, for who is invited and nobody else.',
      example: 'https://cms.example.com/console/invitation#q7Jd0sLz2mXc9VbN4kTyR8wEu1HgFa5PoQi3ZxCvB6n',
    }),
    texts: {
      title: { en: '{name} is invited', de: '{name} ist eingeladen' },
      about: {
        en: 'Send this link to them. Anyone who opens it can join.',
        de: 'Senden Sie diesen Link an die eingeladene Person. Wer ihn öffnet, kann beitreten.',
      },
      once: {
        en: 'It will not be shown again. It works once and expires in seven days.',
        de: 'Er wird nicht noch einmal angezeigt, gilt nur einmal und läuft nach sieben Tagen ab.',
      },
      copy: { en: 'Copy link', de: 'Link kopieren' },
      done: { en: 'Done', de: 'Fertig' },
    },
  },
  table: 'invitations',
  events: {
    resent: 'An invitation got a new link and seven more days.',
    accepted: 'An invitation was accepted: there is a new member.',
    revoked: 'An invitation was revoked: its link is refused.',
  },
  fields: {
    email: text({
      max: 254,
      required: true,
      searchable: 'A',
      format: 'email-address',
      description: 'E-mail address of the invited person. The account with this address becomes a member.',
      example: 'grace@example.com',
    }),
    roleId: reference('roles', {
      required: true,
      description: 'The role of the new member. It cannot permit more than the role of the caller.',
      example: 'role_00000000000000000000000003',
    }),
    status: readOnly(
      choice(invitationStatuses, {
        isStatus: true,
        default: 'PENDING',
        description:
          'PENDING until it is ACCEPTED or REVOKED, or EXPIRED after `expiresAt`, which does not change the version.',
        example: 'PENDING',
      }),
    ),
    expiresAt: readOnly(
      instant({
        description: 'When the link expires: seven days after it was made or made anew.',
        example: '2026-03-08T09:00:00.000Z',
      }),
    ),
    userId: readOnly(
      nullable(
        reference('users', {
          description: 'Who has accepted it, also if they have left since; null until then.',
          example: 'user_01h455vb4pex5vsknk084sn02q',
        }),
      ),
    ),
  },
  titleField: 'email',
  unique: {},
  filters: {
    status: {
      kind: 'choice',
      field: 'status',
      values: invitationStatuses,
      description: 'Invitations with this status.',
      example: 'PENDING',
    },
    roleId: {
      kind: 'reference',
      field: 'roleId',
      description: 'Invitations to this role.',
      example: 'role_00000000000000000000000003',
    },
    updatedSince,
  },
  searchSources: ['invitations'],
  searchCursor: true,
});

/** Rules of invitations: the address is one that an account can have. */
export const invitationRules: RecordRules<typeof invitations> = {
  check: ({ email }): Fault[] =>
    normalizeAddress(email) === null
      ? [{ pointer: '/email', code: 'format', detail: 'Must be an e-mail address that an account can have.' }]
      : [],
};
