/** Declaration of companies, which contacts belong to. A company is recognized by its domains. */

import { lifecycleStages } from './contacts.ts';
import { choice, integer, nullable, object, reference, strings, text } from './fields.ts';
import { contentGrants } from './grants.ts';
import { reachLists, websiteColumns } from './import.ts';
import { reachColumns, stageValues } from './reach-columns.ts';
import { defineResource, type RecordOf } from './resource.ts';
import { addresses, furtherDetails, labels, money, owner, phones, updatedSince } from './shapes.ts';

export const companies = defineResource({
  name: 'companies',
  singular: 'company',
  title: { singular: 'Company', plural: 'Companies' },
  german: {
    singular: 'Firma',
    plural: 'Firmen',
    fields: {
      industry: 'Branche',
      employeeCount: 'Beschäftigte',
      annualRevenue: 'Jahresumsatz',
      parentCompanyId: 'Muttergesellschaft',
      domain: 'Domain',
    },
  },
  description: 'An organization that contacts belong to.',
  module: 'crm',
  idPrefix: 'com',
  path: '/crm/companies',
  scope: 'crm.companies',
  grants: contentGrants,
  label: 'CRM companies',
  parent: null,
  table: 'companies',
  fields: {
    name: text({
      max: 255,
      format: 'name',
      required: true,
      searchable: 'A',
      description: 'Name.',
      example: 'Example Ltd',
    }),
    domains: strings({
      max: 20,
      item: { max: 2_000, format: 'domain-name' },
      searchable: 'B',
      help: {
        en: 'Such as example.com. A domain belongs to one company only.',
        de: 'Zum Beispiel example.com. Eine Domain gehört nur zu einer Firma.',
      },
      description: 'Domains, unique; links are accepted, the domain without www. is stored.',
      example: ['example.com'],
    }),
    websiteUrl: nullable(
      text({ max: 2_000, format: 'http-url', description: 'Website.', example: 'https://www.example.com/' }),
    ),
    industry: nullable(text({ max: 120, description: 'Industry.', example: 'Software' })),
    employeeCount: nullable(
      integer({ min: 0, max: 10_000_000, description: 'Number of employees.', example: 120 }),
    ),
    annualRevenue: nullable(object(money)),
    parentCompanyId: nullable(
      reference('companies', {
        description: 'The parent company. A company cannot be its own ancestor.',
        example: 'com_01h455vb4pex5vsknk084sn02q',
      }),
    ),
    phones,
    addresses,
    ownerUserId: owner,
    tags: labels,
    lifecycleStage: nullable(
      choice(lifecycleStages, {
        description: 'Lifecycle stage.',
        example: 'CUSTOMER',
      }),
    ),
    description: nullable(
      text({
        max: 10_000,
        searchable: 'D',
        help: { en: 'What the company does.', de: 'Was die Firma macht.' },
        description: 'What it does.',
        example: 'Makes examples.',
      }),
    ),
  },
  sections: [
    { title: { en: 'Company', de: 'Firma' }, fields: ['name', 'domains', 'websiteUrl', 'description'] },
    { title: { en: 'Contact details', de: 'Kontaktdaten' }, fields: ['phones', 'addresses'] },
    { title: { en: 'Relationship', de: 'Beziehung' }, fields: ['lifecycleStage', 'ownerUserId', 'tags'] },
    {
      title: { en: 'Key data', de: 'Eckdaten' },
      fields: ['industry', 'employeeCount', 'annualRevenue', 'parentCompanyId'],
    },
    furtherDetails('externalId'),
  ],
  sideTables: {
    company_domains: { column: 'domain', values: ['domains'], unique: 'company_domains_key' },
    company_tags: { column: 'tag', values: ['tags'] },
  },
  titleField: 'name',
  unique: {},
  matching: ['domain'],
  filters: {
    ownerUserId: {
      kind: 'reference',
      field: 'ownerUserId',
      description: 'Companies that this member owns.',
      example: 'user_01h455vb4pex5vsknk084sn02q',
    },
    parentCompanyId: {
      kind: 'reference',
      field: 'parentCompanyId',
      description: 'Direct subsidiaries of this company.',
      example: 'com_01h455vb4pex5vsknk084sn02q',
    },
    tag: {
      kind: 'via',
      table: 'company_tags',
      format: 'label',
      description: 'Companies with this label.',
      example: 'partner',
    },
    lifecycleStage: {
      kind: 'choice',
      field: 'lifecycleStage',
      values: lifecycleStages,
      description: 'Lifecycle stage.',
      example: 'CUSTOMER',
    },
    domain: {
      kind: 'via',
      table: 'company_domains',
      format: 'domain-name',
      description: 'The company with this domain.',
      example: 'example.com',
    },
    updatedSince,
  },
  removal:
    'Contacts that name the company no longer do: each of them gets a new version, and an event `contact.updated`.',
  searchSources: ['companies'],
  searchCursor: true,
  import: {
    columns: [
      {
        to: 'name',
        names: [
          'name',
          'company',
          'company name',
          'organization',
          'organisation',
          'account name',
          'associated company',
          'firma',
          'firmenname',
          'unternehmen',
        ],
      },
      {
        to: 'domains',
        names: [
          'domains',
          'domain',
          'domain name',
          'website domain',
          'company domain name',
          'company domain',
        ],
      },
      websiteColumns,
      { to: 'industry', names: ['industry', 'sector', 'branch'] },
      {
        to: 'employeeCount',
        names: [
          'employee count',
          'employees',
          'number of employees',
          'headcount',
          'mitarbeiter',
          'mitarbeiterzahl',
        ],
      },
      {
        to: 'annualRevenue.amount',
        names: ['annual revenue', 'revenue', 'turnover', 'jahresumsatz', 'umsatz'],
      },
      { to: 'annualRevenue.currency', names: ['currency', 'revenue currency', 'währung'] },
      ...reachColumns,
    ],
    values: {
      ...stageValues,
      CUSTOMER: ['customer - direct', 'customer - channel'],
    },
    identity: [['domains'], ['name']],
    unique: { domains: 'domain' },
    lists: { domains: { identifiedByFirst: true }, ...reachLists },
  },
});

export type Company = RecordOf<typeof companies>;
