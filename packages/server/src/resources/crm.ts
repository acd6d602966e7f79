/**
 * Why: one way to read e-mail addresses, phone numbers and domains, for records and for what somebody searches for: in
 * whatever notation one is typed, it finds the other.
 */

import type { Fault } from '@trellis/schema/problem.ts';
import type { Values } from '@trellis/schema/validation/values.ts';
import { normalizeDomain } from '@trellis/schema/values/domain-name.ts';
import { normalizeEmail } from '@trellis/schema/values/email.ts';
import { parsePhone, parsePhoneQuery } from '@trellis/schema/values/phone.ts';
import type { SearchForms } from '../pipeline/model.ts';

/** A stored phone number. */
export interface Phone {
  readonly number: string;
  readonly country: string | null;
  readonly label: string | null;
  readonly isPrimary: boolean;
  /** Null only until the number is refused. */
  readonly e164: string | null;
}

/** A phone number as a body gives it, or as it was kept. */
type GivenPhone = Omit<Phone, 'e164'> & Partial<Pick<Phone, 'e164'>>;

/** Parts of a number that people remember it by have at least this many digits. */
const shortestPart = 3;

/**
 * The same values with the international form of every phone number. `country`: the organization's own, ISO 3166-1. A
 * number that was kept stays what it was read as: an organization that moves to another country moves nobody's phone.
 */
export function completePhones(values: Values, country: string | null): Values {
  const phones = (values.phones as readonly GivenPhone[]).map((phone) => ({
    ...phone,
    e164: phone.e164 ?? parsePhone(phone.number, phone.country ?? country),
  }));
  return { ...values, phones };
}

/** Faults of phone numbers that could not be read, and of more than one primary one. */
export function checkPhones(values: Values): Fault[] {
  const phones = values.phones as readonly Phone[];
  const unread = phones.flatMap(({ e164 }, index): Fault[] => {
    if (e164 !== null) return [];
    const detail =
      'Is no phone number of a known country. Begin it with + and the country code, or name its country.';
    return [{ pointer: `/phones/${index}/number`, code: 'phone', detail }];
  });
  return [...unread, ...checkPrimary('phones', phones)];
}

/** Faults of every primary item after the first. */
export function checkPrimary(field: string, items: readonly { readonly isPrimary: boolean }[]): Fault[] {
  const first = items.findIndex(({ isPrimary }) => isPrimary);
  return items.flatMap(({ isPrimary }, index) => {
    if (!isPrimary || index === first) return [];
    const detail = `Item ${first} is primary already; at most one is.`;
    return [{ pointer: `/${field}/${index}/isPrimary`, code: 'repeated', detail }];
  });
}

/** An address is found whole, by its domain, and by any run of the parts between dots, at sign and the like. */
export function emailForms(address: string): SearchForms {
  const email = normalizeEmail(address) ?? address;
  const domain = email.slice(email.lastIndexOf('@') + 1);
  const runs = [email, address.toLowerCase()].map(separateParts);
  return { words: [email, ...runs, ...domainForms(domain).words], texts: [email] };
}

/** A domain is found whole, by its parent domains, and by the parts between dots. */
export function domainForms(domain: string): SearchForms {
  const labels = domain.split('.');
  const parents = labels.slice(0, -1).map((_, index) => labels.slice(index).join('.'));
  return { words: [...parents, separateParts(domain)], texts: [domain] };
}

/** The parts of a name side by side: words in a row, which a query of several parts looks for in a row. */
function separateParts(name: string): string {
  return name.replace(/[^\p{L}\p{N}\p{M}]+/gu, ' ').trim();
}

/** One word with a sign inside that addresses and domains have: possibly a part of one. */
const partOfName = /^[^\s"-][^\s"]*$/u;
const nameSign = /[@._+]/;

/** A number is found by any run of its digits: every end of it is a word, and a query is the beginning of one. */
export function phoneForms({ e164 }: Phone): SearchForms {
  const digits = (e164 ?? '').replace('+', '');
  const ends = Array.from({ length: Math.max(0, digits.length - shortestPart + 1) }, (_, start) =>
    digits.slice(start),
  );
  return { words: ends, texts: [digits] };
}

/** All of them together, each once. */
export function joinForms(forms: readonly SearchForms[]): SearchForms {
  return {
    words: [...new Set(forms.flatMap(({ words }) => words))],
    texts: [...new Set(forms.flatMap(({ texts }) => texts))],
  };
}

/** What a query stands for when it is an e-mail address or the beginning of one, a part of a phone number, or a domain or a link. */
export function queryForms(query: string, country: string | null): SearchForms {
  // In a search it is what must not be there.
  if (query.trimStart().startsWith('-')) return { words: [], texts: [] };
  const phones = parsePhoneQuery(query, country);
  if (phones.length > 0) return { words: phones, texts: phones };
  const name = normalizeEmail(query) ?? (/[.:/]/.test(query) ? normalizeDomain(query) : null);
  if (name !== null) return { words: [name], texts: [name] };
  const isPart = partOfName.test(query) && nameSign.test(query);
  return { words: isPart ? [separateParts(query)].filter((part) => part !== '') : [], texts: [] };
}
