/**
 * The contacts and companies of the demo. They cannot be reached by mistake: characters of the demo's books at example
 * domains (RFC 2606), with phone numbers reserved for films and books.
 */
import type { Company } from '@trellis/schema/resources/companies.ts';
import type { Contact } from '@trellis/schema/resources/contacts.ts';
import type { DemoApi, Given } from './api.ts';

/** `above` is the key of the parent company, which comes earlier in the list. */
const companies: readonly { key: string; above: string | null; company: Given<Company> }[] = [
  {
    key: 'group',
    above: null,
    company: {
      name: 'Example Harbour Group',
      domains: ['example.com'],
      websiteUrl: 'https://www.example.com/',
      industry: 'Publishing',
      employeeCount: 240,
      annualRevenue: { amount: '38500000', currency: 'GBP' },
      phones: [{ number: '+44 20 7946 0100', label: 'switchboard', isPrimary: true }],
      addresses: [{ street: '1 Example Quay', city: 'London', country: 'GB' }],
      tags: ['publisher'],
      lifecycleStage: 'CUSTOMER',
      description: 'Owns several small publishers and leaves them alone.',
    },
  },
  {
    key: 'lantern',
    above: 'group',
    company: {
      name: 'Example Lantern Books',
      domains: ['books.example.com'],
      industry: 'Publishing',
      employeeCount: 18,
      phones: [{ number: '+44 20 7946 0120', isPrimary: true }],
      tags: ['publisher'],
      lifecycleStage: 'CUSTOMER',
      description: 'Classics in small editions.',
    },
  },
  {
    key: 'printer',
    above: null,
    company: {
      name: 'Musterdruck GmbH',
      domains: ['example.net'],
      websiteUrl: 'https://www.example.net/',
      industry: 'Printing',
      employeeCount: 65,
      phones: [{ number: '030 23125 000', country: 'DE', isPrimary: true }],
      addresses: [{ street: 'Musterstraße 12', city: 'Berlin', postalCode: '10115', country: 'DE' }],
      tags: ['supplier'],
      lifecycleStage: 'OTHER',
      description: 'Prints on recycled paper.',
    },
  },
];

/** `at` names the companies of a contact, the primary one first. */
const contacts: readonly { contact: Given<Contact>; at: readonly { company: string; role: string }[] }[] = [
  {
    contact: {
      externalId: 'demo-contact-elizabeth-bennet',
      firstName: 'Elizabeth',
      lastName: 'Bennet',
      jobTitle: 'Commissioning editor',
      emails: [{ address: 'elizabeth.bennet@books.example.com', label: 'work', isPrimary: true }],
      phones: [{ number: '+44 20 7946 0123', label: 'work', isPrimary: true }],
      timezone: 'Europe/London',
      locale: 'en-GB',
      lifecycleStage: 'CUSTOMER',
      tags: ['newsletter', 'classics'],
      source: 'book fair',
      notes: 'First impressions are not her last word.',
    },
    at: [
      { company: 'lantern', role: 'Editor' },
      { company: 'group', role: 'Member of the works council' },
    ],
  },
  {
    contact: {
      externalId: 'demo-contact-charlotte-lucas',
      firstName: 'Charlotte',
      lastName: 'Lucas',
      jobTitle: 'Head of finance',
      emails: [{ address: 'charlotte.lucas@example.com', label: 'work', isPrimary: true }],
      phones: [{ number: '020 7946 0456', country: 'GB', isPrimary: true }],
      locale: 'en-GB',
      lifecycleStage: 'OPPORTUNITY',
      leadStatus: 'IN_PROGRESS',
      source: 'referral',
    },
    at: [{ company: 'group', role: 'Head of finance' }],
  },
  {
    contact: {
      externalId: 'demo-contact-gregor-samsa',
      firstName: 'Gregor',
      lastName: 'Samsa',
      jobTitle: 'Travelling salesman',
      emails: [
        { address: 'gregor.samsa@example.net', label: 'work', isPrimary: true },
        { address: 'samsa@example.org', label: 'home' },
      ],
      // Without a country: the organization's default applies.
      phones: [{ number: '030 23125-042', label: 'work', isPrimary: true }],
      addresses: [{ city: 'Berlin', country: 'DE' }],
      timezone: 'Europe/Berlin',
      locale: 'de',
      lifecycleStage: 'OTHER',
      tags: ['supplier'],
      notes: 'Has not come to work lately.',
    },
    at: [{ company: 'printer', role: 'Sales' }],
  },
  {
    contact: {
      externalId: 'demo-contact-robert-walton',
      firstName: 'Robert',
      lastName: 'Walton',
      jobTitle: 'Foreign rights',
      emails: [{ address: 'robert.walton@books.example.com', isPrimary: true }],
      phones: [{ number: '(202) 555-0143', country: 'US', label: 'mobile', isPrimary: true }],
      timezone: 'America/New_York',
      locale: 'en-US',
      lifecycleStage: 'LEAD',
      leadStatus: 'NEW',
      tags: ['newsletter'],
    },
    at: [{ company: 'lantern', role: 'Foreign rights' }],
  },
  {
    contact: {
      externalId: 'demo-contact-mary-bennet',
      firstName: 'Mary',
      lastName: 'Bennet',
      emails: [{ address: 'mary.bennet@example.org', isPrimary: true }],
      lifecycleStage: 'SUBSCRIBER',
      doNotContact: true,
    },
    at: [],
  },
];

/** Creates the companies and contacts. */
export async function seedCrm(api: DemoApi): Promise<void> {
  const companyIds = new Map<string, string>();
  for (const { key, above, company } of companies) {
    const parentCompanyId = above === null ? null : companyIds.get(above);
    const body = { externalId: `demo-company-${key}`, ...company, parentCompanyId };
    companyIds.set(key, await api.create('/crm/companies', body));
  }
  for (const { contact, at } of contacts) {
    const associations = at.map(({ company, role }, index) => ({
      companyId: companyIds.get(company),
      role,
      isPrimary: index === 0,
    }));
    await api.create('/crm/contacts', { ...contact, companies: associations });
  }
}
