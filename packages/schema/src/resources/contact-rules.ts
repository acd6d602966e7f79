/** Rules of contacts: their derived names, and the fields that must not be missing. */

import type { Fault } from '../problem.ts';
import { comparisonKey } from '../validation/formats.ts';
import { findRepeated } from '../validation/repeated.ts';
import { displayName } from '../values/name.ts';
import { checkPhones, checkPrimary, completePhones } from './contact-details.ts';
import type { contacts } from './contacts.ts';
import type { RecordRules } from './record-rules.ts';
import { type ValuesOf, withChanges } from './stored-values.ts';

type ContactValues = ValuesOf<typeof contacts>;

export const contactRules: RecordRules<typeof contacts> = {
  derive: (values, country) =>
    withChanges(values, {
      phones: completePhones(values.phones, country),
      displayName: nameOf(values),
    }),
  check: (values) => [
    ...checkKnown(values),
    ...checkPhones(values.phones),
    ...checkPrimary('emails', values.emails),
    ...checkPrimary('companies', values.companies),
    ...checkAddresses(values),
    ...checkCompanies(values),
  ],
};

/** The name of a contact in lists; empty for a contact without any, which `check` rejects. */
export function nameOf(values: ContactValues): string {
  return displayName(values) ?? '';
}

function checkKnown({ displayName }: ContactValues): Fault[] {
  if (displayName !== '') return [];
  const detail = 'A contact requires a name, an e-mail address or a phone number.';
  return [{ pointer: '/firstName', code: 'required', detail }];
}

function checkAddresses({ emails }: ContactValues): Fault[] {
  const compared = emails.map(({ address }, index) => ({
    value: comparisonKey('email-address', address, null) ?? address,
    pointer: `/emails/${index}/address`,
  }));
  return findRepeated(compared, () => 'The list has this address already.');
}

function checkCompanies({ companies }: ContactValues): Fault[] {
  const compared = companies.map(({ companyId }, index) => ({
    value: companyId,
    pointer: `/companies/${index}/companyId`,
  }));
  return findRepeated(compared, () => 'The list has this company already.');
}
