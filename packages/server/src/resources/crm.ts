/**
 * Reads e-mail addresses, phone numbers and domains, of records and of search queries, so that a query in one notation
 * finds a record in another.
 */

import type { Phone } from '@trellis/schema/resources/contact-details.ts';
import { normalizeDomain } from '@trellis/schema/values/domain-name.ts';
import { normalizeEmail } from '@trellis/schema/values/email.ts';
import { parsePhoneQuery } from '@trellis/schema/values/phone.ts';
import type { SearchForms } from '../pipeline/model.ts';

/** Shortest part of a number that a search finds, in digits. */
const shortestPart = 3;

/** Search forms of an e-mail address: the whole, its domain, and any run of the parts between its signs. */
export function emailForms(address: string): SearchForms {
  const email = normalizeEmail(address) ?? address;
  const domain = email.slice(email.lastIndexOf('@') + 1);
  const runs = [email, address.toLowerCase()].map(separateParts);
  return { words: [email, ...runs, ...domainForms(domain).words], texts: [email] };
}

/** Search forms of a domain: the whole, its parent domains, and the parts between dots. */
export function domainForms(domain: string): SearchForms {
  const labels = domain.split('.');
  const parents = labels.slice(0, -1).map((_, index) => labels.slice(index).join('.'));
  return { words: [...parents, separateParts(domain)], texts: [domain] };
}

/** Splits a name into its parts as consecutive words, which a query with several parts matches as a phrase. */
function separateParts(name: string): string {
  return name.replace(/[^\p{L}\p{N}\p{M}]+/gu, ' ').trim();
}

/** One word; with a sign of addresses and domains inside, it may be a part of one. */
const partOfName = /^[^\s"-][^\s"]*$/u;
const nameSign = /[@._+]/;

/** Search forms of a phone number: all its suffixes as words, so that a prefix search finds any run of its digits. */
export function phoneForms({ e164 }: Phone): SearchForms {
  const digits = (e164 ?? '').replace('+', '');
  const ends = Array.from({ length: Math.max(0, digits.length - shortestPart + 1) }, (_, start) =>
    digits.slice(start),
  );
  return { words: ends, texts: [digits] };
}

/** Merges search forms without duplicates. */
export function mergeForms(forms: readonly SearchForms[]): SearchForms {
  return {
    words: [...new Set(forms.flatMap(({ words }) => words))],
    texts: [...new Set(forms.flatMap(({ texts }) => texts))],
  };
}

/** Search forms of a query that is (the beginning of) an e-mail address, a part of a phone number, a domain or a link. */
export function queryForms(query: string, country: string | null): SearchForms {
  // A minus sign excludes the word.
  if (query.trimStart().startsWith('-')) return { words: [], texts: [] };
  const phones = parsePhoneQuery(query, country);
  if (phones.length > 0) return { words: phones, texts: phones };
  const name = normalizeEmail(query) ?? (/[.:/]/.test(query) ? normalizeDomain(query) : null);
  if (name !== null) return { words: [name], texts: [name] };
  const isPart = partOfName.test(query) && nameSign.test(query);
  return { words: isPart ? [separateParts(query)].filter((part) => part !== '') : [], texts: [] };
}
