/** Why: people are found by whatever is known of them, and no address leads to two of them. */

import type { Fault } from '@trellis/schema/problem.ts';
import { findRepeated } from '@trellis/schema/validation/faults.ts';
import type { Values } from '@trellis/schema/validation/values.ts';
import { normalizeEmail } from '@trellis/schema/values/email.ts';
import { displayName } from '@trellis/schema/values/name.ts';
import type { Rules } from '../../pipeline/model.ts';
import type { SideTable } from '../../pipeline/storage.ts';
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
import { labelTable } from '../labels.ts';

interface Email {
  readonly address: string;
  readonly isPrimary: boolean;
}
interface Association {
  readonly companyId: string;
  readonly isPrimary: boolean;
}

export const contactEmails: SideTable = {
  table: 'contact_emails',
  column: 'email',
  type: 'text',
  unique: { constraint: 'contact_emails_key', field: 'emails' },
  entries: (values) =>
    emailsOf(values).map(({ address }, index) => ({
      value: normalizeEmail(address) ?? address,
      pointer: `/emails/${index}/address`,
    })),
};

export const contactPhones: SideTable = {
  table: 'contact_phones',
  column: 'e164',
  type: 'text',
  unique: null,
  entries: (values) =>
    phonesOf(values).flatMap(({ e164 }, index) =>
      e164 === null ? [] : [{ value: e164, pointer: `/phones/${index}/number` }],
    ),
};

export const contactTags = labelTable('contact_tags');

export const contactCompanies: SideTable = {
  table: 'contact_companies',
  column: 'company_id',
  type: 'uuid',
  unique: null,
  entries: (values) =>
    companiesOf(values).map(({ companyId }, index) => ({
      value: companyId,
      pointer: `/companies/${index}/companyId`,
    })),
};

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
      ...findRepeated(contactEmails.entries(values), () => 'This address is there already.'),
      ...findRepeated(contactCompanies.entries(values), () => 'This company is there already.'),
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
