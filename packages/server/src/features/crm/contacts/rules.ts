/** Search forms of contacts, and what the deletion of a company does to them. */

import { nameOf } from '@trellis/schema/resources/contact-rules.ts';
import type { contacts } from '@trellis/schema/resources/contacts.ts';
import { type ValuesOf, withChanges } from '@trellis/schema/resources/stored-values.ts';
import type { Rules } from '../../../kernel/pipeline/model.ts';
import { emailForms, mergeForms, phoneForms, queryForms } from '../search-forms.ts';

type ContactValues = ValuesOf<typeof contacts>;

export const contactRules: Rules<typeof contacts> = {
  recordForms: (values) =>
    mergeForms([
      // First and last name are two fields, but a search for a person has both.
      { words: [], texts: [nameOf(values)] },
      ...values.emails.map(({ address }) => emailForms(address)),
      ...values.phones.map(phoneForms),
    ]),
  queryForms,
};

/** Removes a deleted company from a contact's values. */
export function withoutCompany(values: ContactValues, deletedId: string): ContactValues {
  return withChanges(values, {
    companies: values.companies.filter(({ companyId }) => companyId !== deletedId),
  });
}
