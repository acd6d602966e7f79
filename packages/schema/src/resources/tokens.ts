/** Declaration of tokens. A token's rights are fixed when it is created; only its name can be changed. */
import { choices, flag, instant, integer, nullable, readOnly, reference, strings, text } from './fields.ts';
import { managementGrants } from './grants.ts';
import { defineOrganizationResource } from './resource.ts';

/** The interfaces that a token may be for (RFC 8707): `{base}/v1` and `{base}/sandbox`. */
export const tokenResources = ['api', 'sandbox'] as const;

/** For how long a token that was replaced may still be accepted, in seconds. */
export const longestOverlapSeconds = 86_400;

export const tokens = defineOrganizationResource({
  name: 'tokens',
  singular: 'token',
  title: { singular: 'Token', plural: 'Tokens' },
  german: {
    singular: 'Token',
    plural: 'Tokens',
    fields: {
      clientId: 'Anwendung',
      lifetimeDays: 'Gültig (Tage)',
      neverExpires: 'Läuft nie ab',
      start: 'Anfang',
      scopes: 'Berechtigungen',
      resources: 'Schnittstellen',
      lastUsedAt: 'Zuletzt verwendet',
    },
    values: { api: 'API' },
  },
  description:
    'A bearer token. It acts for a user, within the role of the user and the scopes of the token. People make tokens for themselves, and with `members:manage` for service members. A token never permits more than its creator may do, and a token for a service member is refused while its creator may do less than the role of the service member permits. Tokens of sessions are not listed here, nor are revoked ones.',
  idPrefix: 'token',
  path: '/tokens',
  scope: 'tokens:manage',
  ownOperations: ['create'],
  actions: {
    rotateToken: {
      path: 'rotate',
      summary: 'Replace a token',
      description:
        'Makes a token with the same user, client, scopes, resources and lifetime, under an id of its own. It is the `secret` in this response, and never shown again. The old token is accepted for `overlapSeconds` more, unless it expires before.',
      right: 'create',
      input: {
        schemaName: 'TokenRotationCreate',
        fields: {
          overlapSeconds: integer({
            min: 0,
            max: longestOverlapSeconds,
            default: longestOverlapSeconds,
            description: 'For how long the old token is still accepted; a day unless given.',
            example: 3_600,
          }),
        },
        presentation: {
          overlapSeconds: {
            label: { en: 'Keep the old one for', de: 'Das alte gilt noch' },
            values: [
              { value: longestOverlapSeconds, label: { en: 'one day', de: 'einen Tag' } },
              { value: 3_600, label: { en: 'one hour', de: 'eine Stunde' } },
              { value: 0, label: { en: 'not at all', de: 'gar nicht' } },
            ],
          },
        },
      },
      returns: 'secret',
      response: 'The new token.',
      texts: {
        label: { en: 'Replace', de: 'Erneuern' },
        title: { en: 'Replace {name}?', de: '{name} erneuern?' },
        about: {
          en: 'You get a new token with the same rights. The old one keeps working for a while, so that you can switch without downtime.',
          de: 'Sie erhalten ein neues Token mit denselben Rechten. Das alte gilt noch eine Weile, damit Sie es ohne Ausfall austauschen können.',
        },
      },
    },
  },
  grants: managementGrants,
  creation: 'The token is the `secret` in this response, and never shown again.',
  secret: {
    member: 'secret',
    field: text({
      max: 70,
      pattern: '^trl_pat_[0-9A-Za-z]{30}[0-9a-z]{26}[0-9A-Za-z]{6}$',
      description: 'The token. Store it where only the client can read it.',
      example: ['trl_pat', 'example0example0example0exampl01h455vb4pex5vsknk084sn02q000000'].join('_'),
    }),
  },
  removal: 'The token is refused from the next write on, and within two seconds for reads.',
  table: 'tokens',
  history: false,
  fields: {
    name: text({
      max: 120,
      format: 'name',
      required: true,
      searchable: 'A',
      description: 'What the token is for.',
      example: 'Nightly import',
    }),
    clientId: reference('clients', {
      required: true,
      description: 'The client that the token belongs to. Not of the kind BROWSER or CONSOLE.',
      example: 'client_01h455vb4pex5vsknk084sn02q',
    }),
    userId: reference('users', {
      description:
        'The member that the token acts for: the caller, who is meant unless given, or a service member.',
      example: 'user_01h455vb4pex5vsknk084sn02q',
    }),
    scopes: {
      ...strings({
        max: 100,
        item: { max: 64 },
        required: true,
        description: 'What the token may do, as far as the role of the user permits it.',
        example: ['tokens:manage'],
      }),
      kind: 'texts' as const,
    },
    resources: choices(tokenResources, {
      description: 'The interfaces that the token is for; `api` unless given.',
      example: ['api'],
    }),
    lifetimeDays: integer({
      min: 1,
      max: 365,
      default: 90,
      description: 'Days from its creation until the token expires.',
      example: 90,
    }),
    neverExpires: flag({
      default: false,
      description: 'Whether the token never expires, whatever `lifetimeDays` says.',
      example: false,
    }),
    expiresAt: readOnly(
      nullable(
        instant({
          description: 'When the token expires; null: never.',
          example: '2026-05-30T09:00:00.000Z',
        }),
      ),
    ),
    lastUsedAt: readOnly(
      nullable(
        instant({
          description:
            'When the token was last used, accurate within a minute. It does not change the version.',
          example: '2026-03-01T09:00:00.000Z',
        }),
      ),
    ),
    start: readOnly(
      nullable(
        text({
          max: 12,
          description:
            'The first characters of the token, to recognize it; null for one made before they were kept.',
          example: 'trl_pat_4f8K',
        }),
      ),
    ),
  },
  furtherRights: 'Only the name can be changed.',
  titleField: 'name',
  unique: {},
  filters: {
    clientId: {
      kind: 'reference',
      field: 'clientId',
      description: 'Tokens of this client.',
      example: 'client_01h455vb4pex5vsknk084sn02q',
    },
    userId: {
      kind: 'reference',
      field: 'userId',
      description: 'Tokens that act for this user.',
      example: 'user_01h455vb4pex5vsknk084sn02q',
    },
    updatedSince: {
      kind: 'bound',
      bound: 'gte',
      field: 'updatedAt',
      description: 'Made or replaced at or after this instant.',
      example: '2026-01-01T00:00:00Z',
    },
  },
  searchSources: ['tokens'],
  searchCursor: true,
});
