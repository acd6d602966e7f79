/** Declaration of the organization that a token belongs to: the one record of its kind that a caller sees. */
import { choice, choices, flag, integer, nullable, readOnly, text } from './fields.ts';
import { ownerGrants } from './grants.ts';
import { defineOrganizationResource, modules } from './resource.ts';

export const organizations = defineOrganizationResource({
  name: 'organizations',
  singular: 'organization',
  title: { singular: 'Organization', plural: 'Organizations' },
  german: {
    singular: 'Organisation',
    plural: 'Organisationen',
    fields: {
      defaultCountry: 'Standardland',
      modules: 'Module',
      mfaRequired: 'Zwei Faktoren erforderlich',
      historyDays: 'Verlauf in Tagen',
    },
    values: {
      cms: 'Inhalte',
      publishing: 'Verlag',
      knowledge: 'Wissen',
      crm: 'Kunden',
      visitors: 'Besucher',
    },
  },
  description: 'The organization of the token, with what is switched on for all its members.',
  idPrefix: 'org',
  path: '/organization',
  single: true,
  scope: 'organization:manage',
  label: 'the organization',
  operations: ['read', 'update'],
  grants: ownerGrants,
  table: 'organizations',
  fields: {
    key: readOnly(text({ max: 63, description: 'Short name, by which operators call it.', example: 'acme' })),
    name: text({
      max: 120,
      format: 'name',
      required: true,
      description: 'Display name.',
      example: 'Acme Publishing',
    }),
    defaultCountry: nullable(
      text({
        max: 100,
        format: 'country',
        description:
          'Country of phone numbers that are written without one, by code (ISO 3166-1) or name; two letters are stored.',
        example: 'DE',
      }),
    ),
    modules: choices(modules, {
      description:
        'The parts of the product that are switched on. What belongs to another one gets 403 `module_disabled`, and stays stored.',
      example: [...modules],
    }),
    mfaRequired: flag({
      default: false,
      description: 'Whether a session needs two factors to enter the organization. Bearer tokens do not.',
      example: true,
    }),
    historyDays: integer({
      min: 1,
      max: 3_650,
      default: 365,
      description:
        'For how many days the history of records is kept; at least as long as Idempotency-Keys are. What is older is deleted within a day.',
      example: 365,
    }),
    status: choice(['ACTIVE', 'SUSPENDED'], {
      isStatus: true,
      default: 'ACTIVE',
      description:
        'All calls of a SUSPENDED organization are refused, this one included: only an operator makes it ACTIVE again.',
      example: 'ACTIVE',
    }),
  },
  titleField: 'name',
  exampleFields: ['name', 'defaultCountry'],
  unique: {},
  filters: {},
  searchSources: ['organizations'],
  searchCursor: false,
});
