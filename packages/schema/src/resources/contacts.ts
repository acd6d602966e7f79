/** Declaration of contacts: people that the organization knows, with the ways to reach them. */

import { contactColumns } from './contact-columns.ts';
import { choice, flag, list, locale, nullable, readOnly, text } from './fields.ts';
import { contentGrants } from './grants.ts';
import { reachLists } from './import.ts';
import { stageValues } from './reach-columns.ts';
import { defineResource, type RecordOf } from './resource.ts';
import {
  addresses,
  furtherDetails,
  idOf,
  isPrimary,
  labels,
  line,
  optional,
  owner,
  phones,
  updatedSince,
} from './shapes.ts';
import { Type } from './type.ts';

/** Lifecycle stages of a person or company, from first interest to customer. */
export const lifecycleStages = [
  'SUBSCRIBER',
  'LEAD',
  'QUALIFIED',
  'OPPORTUNITY',
  'CUSTOMER',
  'EVANGELIST',
  'OTHER',
] as const;
const leadStatuses = ['NEW', 'OPEN', 'IN_PROGRESS', 'UNQUALIFIED', 'CONVERTED'] as const;

const email = Type.Object(
  {
    address: Type.String({
      minLength: 3,
      maxLength: 254,
      format: 'email-address',
      description: 'Address as typed. Letter case and the script of the domain are ignored in comparisons.',
      examples: ['ada@example.com'],
    }),
    label: optional(line(64), 'Label of the address.', 'work'),
    isPrimary,
  },
  {
    additionalProperties: false,
    description: 'One e-mail address.',
    examples: [{ address: 'ada@example.com', label: 'work' }],
  },
);

const association = Type.Object(
  {
    companyId: idOf('companies', 'The company.', 'com'),
    role: optional(line(120), 'Role of the person in the company.', 'Head of research'),
    isPrimary,
  },
  {
    additionalProperties: false,
    description: 'One company.',
    examples: [{ companyId: 'com_01h455vb4pex5vsknk084sn02q', role: 'Head of research' }],
  },
);

export const contacts = defineResource({
  name: 'contacts',
  singular: 'contact',
  title: { singular: 'Contact', plural: 'Contacts' },
  german: {
    singular: 'Kontakt',
    plural: 'Kontakte',
    fields: {
      firstName: 'Vorname',
      lastName: 'Nachname',
      displayName: 'Anzeigename',
      jobTitle: 'Position',
      emails: 'E-Mails',
      address: 'Adresse',
      companies: 'Firmen',
      companyId: 'Firma',
      leadStatus: 'Lead-Status',
      source: 'Quelle',
      notes: 'Notizen',
      doNotContact: 'Nicht kontaktieren',
      phone: 'Telefon',
    },
    values: {
      NEW: 'Neu',
      IN_PROGRESS: 'In Arbeit',
      UNQUALIFIED: 'Nicht qualifiziert',
      CONVERTED: 'Konvertiert',
    },
  },
  description: 'A person with at least a name, an e-mail address or a phone number.',
  module: 'crm',
  idPrefix: 'con',
  path: '/crm/contacts',
  scope: 'crm.contacts',
  grants: contentGrants,
  label: 'CRM contacts',
  parent: null,
  table: 'contacts',
  fields: {
    firstName: nullable(
      text({ max: 100, format: 'name', searchable: 'A', description: 'First name.', example: 'Ada' }),
    ),
    lastName: nullable(
      text({ max: 100, format: 'name', searchable: 'A', description: 'Last name.', example: 'Lovelace' }),
    ),
    displayName: readOnly(
      text({
        max: 300,
        description:
          'First and last name; without them the primary e-mail address, or the primary phone number.',
        example: 'Ada Lovelace',
      }),
    ),
    jobTitle: nullable(text({ max: 150, searchable: 'B', description: 'Job title.', example: 'Analyst' })),
    emails: list(email, {
      itemName: { en: 'E-mail', de: 'E-Mail' },
      max: 20,
      searchable: 'B',
      searchableMember: 'address',
      help: {
        en: 'An address belongs to one contact only.',
        de: 'Eine Adresse gehört nur zu einem Kontakt.',
      },
      description: 'E-mail addresses in order. Two contacts cannot have the same address.',
      example: [{ address: 'ada@example.com', label: 'work' }],
    }),
    phones,
    addresses,
    timezone: nullable(
      text({ max: 64, format: 'timezone', description: 'IANA time zone.', example: 'Europe/London' }),
    ),
    locale: nullable(
      locale({
        help: {
          en: 'Write to the person in this language.',
          de: 'In dieser Sprache schreiben Sie der Person.',
        },
        description: 'Preferred language (BCP 47).',
        example: 'en-GB',
      }),
    ),
    companies: list(association, {
      itemName: { en: 'Company', de: 'Firma' },
      max: 20,
      description: 'Companies that the person belongs to, each at most once.',
      example: [{ companyId: 'com_01h455vb4pex5vsknk084sn02q', role: 'Head of research' }],
    }),
    lifecycleStage: nullable(choice(lifecycleStages, { description: 'Lifecycle stage.', example: 'LEAD' })),
    leadStatus: nullable(
      choice(leadStatuses, { isStatus: true, description: 'Status of the lead.', example: 'OPEN' }),
    ),
    ownerUserId: owner,
    tags: labels,
    source: nullable(
      text({
        max: 120,
        help: {
          en: 'How you met, such as “trade fair”.',
          de: 'Wie Sie sich kennengelernt haben, zum Beispiel „Messe“.',
        },
        description: 'Where the contact comes from.',
        example: 'trade fair',
      }),
    ),
    notes: nullable(text({ max: 10_000, description: 'Notes.', example: 'Prefers to be called.' })),
    doNotContact: flag({
      default: false,
      help: { en: 'The person has asked for it.', de: 'Die Person hat darum gebeten.' },
      description: 'Whether the person asked not to be contacted.',
      example: false,
    }),
  },
  sections: [
    { title: { en: 'Person', de: 'Person' }, fields: ['firstName', 'lastName', 'jobTitle', 'companies'] },
    {
      title: { en: 'Contact details', de: 'Kontaktdaten' },
      fields: ['emails', 'phones', 'addresses', 'doNotContact'],
    },
    {
      title: { en: 'Relationship', de: 'Beziehung' },
      fields: ['lifecycleStage', 'leadStatus', 'ownerUserId', 'tags', 'source', 'notes'],
    },
    furtherDetails('locale', 'timezone', 'externalId'),
  ],
  sideTables: {
    contact_emails: { column: 'email', values: ['emails.address'], unique: 'contact_emails_key' },
    contact_phones: { column: 'e164', values: ['phones.e164'] },
    contact_tags: { column: 'tag', values: ['tags'] },
    contact_companies: { column: 'company_id', values: ['companies.companyId'], onDelete: 'remove' },
  },
  titleField: 'displayName',
  unique: {},
  matching: ['email'],
  filters: {
    ownerUserId: {
      kind: 'reference',
      field: 'ownerUserId',
      description: 'Contacts that this member owns.',
      example: 'user_01h455vb4pex5vsknk084sn02q',
    },
    companyId: {
      kind: 'via',
      table: 'contact_companies',
      description: 'Contacts of this company.',
      example: 'com_01h455vb4pex5vsknk084sn02q',
    },
    tag: {
      kind: 'via',
      table: 'contact_tags',
      format: 'label',
      description: 'Contacts with this label.',
      example: 'newsletter',
    },
    lifecycleStage: {
      kind: 'choice',
      field: 'lifecycleStage',
      values: lifecycleStages,
      isIndexed: true,
      description: 'Lifecycle stage.',
      example: 'LEAD',
    },
    leadStatus: {
      kind: 'choice',
      field: 'leadStatus',
      values: leadStatuses,
      isIndexed: true,
      description: 'Status of the lead.',
      example: 'OPEN',
    },
    email: {
      kind: 'via',
      table: 'contact_emails',
      format: 'email-address',
      description: 'The contact with this e-mail address.',
      example: 'ada@example.com',
    },
    phone: {
      kind: 'via',
      table: 'contact_phones',
      format: 'phone',
      description: 'Contacts with this phone number, in any notation.',
      example: '+49 30 1234567',
    },
    updatedSince,
  },
  searchSources: ['contacts'],
  searchCursor: true,
  import: {
    columns: contactColumns,
    optOut: 'doNotContact',
    values: {
      ...stageValues,
      NEW: ['open - not contacted', 'not contacted'],
      OPEN: ['open deal', 'attempted to contact'],
      IN_PROGRESS: ['connected', 'working', 'working - contacted', 'contacted'],
      UNQUALIFIED: ['bad timing', 'closed - not converted', 'closed - unqualified', 'nurturing'],
      CONVERTED: ['closed - converted', 'qualified - converted'],
    },
    identity: [['emails'], ['firstName', 'lastName', 'phones']],
    namesakes: [['firstName', 'lastName'], ['phones'], ['lastName'], ['firstName']],
    unique: { 'emails.address': 'e-mail address' },
    lists: {
      emails: { main: 'address', split: 'items', identifiedByFirst: true },
      companies: { main: 'name', split: 'records', identifiedBy: ['companyId'] },
      ...reachLists,
    },
    lookups: { 'companies.name': { resource: 'companies', field: 'companies.companyId' } },
    computed: [
      {
        rule: 'full-name',
        from: 'fullName',
        to: ['firstName', 'lastName'],
        description: 'First and last name in one.',
      },
      {
        rule: 'permission',
        from: 'acceptsMarketing',
        to: ['doNotContact'],
        description: 'Whether the person agreed to be written to; a no sets doNotContact.',
      },
    ],
  },
});

export type Contact = RecordOf<typeof contacts>;
