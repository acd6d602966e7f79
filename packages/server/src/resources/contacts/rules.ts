/** Rules of contacts: what they are called, what must be known of them, and by what they are found. */

import type { Fault } from '@trellis/schema/problem.ts';
import { contacts } from '@trellis/schema/resources/contacts.ts';
import { findRepeated } from '@trellis/schema/validation/faults.ts';
import type { Values } from '@trellis/schema/validation/values.ts';
import { displayName } from '@trellis/schema/values/name.ts';
import type { Rules } from '../../pipeline/model.ts';
import { sideTableOf } from '../../pipeline/side-tables.ts';
import {
  checkPhones,
  checkPrimary,
  completePhones,
  emailForms,
  joinForms,
  type Phone,
  phoneForms,
  queryForms,
} from '../crm.ts';

interface Email {
  readonly address: string;
  readonly isPrimary: boolean;
}
interface Association {
  readonly companyId: string;
  readonly isPrimary: boolean;
}

const emailTable = sideTableOf(contacts, 'contact_emails');
const companyTable = sideTableOf(contacts, 'contact_companies');

export const contactRules: Rules = {
  derive(values, context) {
    const complete = completePhones(values, context.actor.country);
    return { ...complete, displayName: nameOf(complete) };
  },
  check(values) {
    return [
      ...checkKnown(values),
      ...checkPhones(values),
      ...checkPrimary('emails', emailsOf(values)),
      ...checkPrimary('companies', companiesOf(values)),
      ...findRepeated(emailTable.entries(values), () => 'This address is there already.'),
      ...findRepeated(companyTable.entries(values), () => 'This company is there already.'),
    ];
  },
  recordForms: (values) =>
    joinForms([
      // First and last name are two fields, and who looks for somebody types both.
      { words: [], texts: [nameOf(values)] },
      ...emailsOf(values).map(({ address }) => emailForms(address)),
      ...phonesOf(values).map(phoneForms),
    ]),
  queryForms,
};

/** The contact's values without a company, as when that is deleted. */
export function withoutCompany(values: Values, companyId: string): Values {
  return { ...values, companies: companiesOf(values).filter((company) => company.companyId !== companyId) };
}

function nameOf(values: Values): string {
  const name = displayName({
    firstName: textOf(values.firstName),
    lastName: textOf(values.lastName),
    emails: emailsOf(values),
    phones: phonesOf(values),
  });
  // Nothing is known: `check` refuses it.
  return name ?? '';
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

function checkKnown(values: Values): Fault[] {
  if (values.displayName !== '') return [];
  const detail = 'At least one of a name, an e-mail address and a phone number is needed.';
  return [{ pointer: '/firstName', code: 'required', detail }];
}

function emailsOf({ emails }: Values): readonly Email[] {
  return emails as readonly Email[];
}

function phonesOf({ phones }: Values): readonly Phone[] {
  return phones as readonly Phone[];
}

function companiesOf({ companies }: Values): readonly Association[] {
  return companies as readonly Association[];
}
