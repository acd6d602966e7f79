/** Contacts and companies. */
import { companies } from '@trellis/schema/resources/companies.ts';
import { contacts } from '@trellis/schema/resources/contacts.ts';
import type { Feature } from '../../kernel/feature.ts';
import { extend } from '../../kernel/pipeline/extensions.ts';
import { createCompanyRules } from './companies/rules.ts';
import { contactRules } from './contacts/rules.ts';

export const crmFeature: Feature = {
  name: 'crm',
  extensions: [
    extend(contacts, { rules: contactRules }),
    extend(companies, { rules: (modelNamed) => createCompanyRules(modelNamed(contacts.name)) }),
  ],
};
