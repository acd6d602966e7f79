/** Rules of contacts: their derived names, the fields that must not be missing, and the texts by which they are found. */

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
  mergeForms,
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
      ...findRepeated(emailTable.entries(values), () => 'The list has this address already.'),
      ...findRepeated(companyTable.entries(values), () => 'The list has this company already.'),
    ];
  },
  recordForms: (values) =>
    mergeForms([
      // First and last name are two fields, but a search for a person has both.
      { words: [], texts: [nameOf(values)] },
      ...emailsOf(values).map(({ address }) => emailForms(address)),
      ...phonesOf(values).map(phoneForms),
    ]),
  queryForms,
};

/** Removes a deleted company from a contact's values. */
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
  // `check` refuses a contact without any of these.
  return name ?? '';
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

function checkKnown(values: Values): Fault[] {
  if (values.displayName !== '') return [];
  const detail = 'A contact needs a name, an e-mail address or a phone number.';
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
