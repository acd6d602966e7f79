/**
 * Reads e-mail addresses, phone numbers and domains, of records and of search queries, so that a query in one notation
 * finds a record in another.
 */

import type { Phone } from '@trellis/schema/resources/contact-details.ts';
import { normalizeDomain } from '@trellis/schema/values/domain-name.ts';
import { normalizeEmail } from '@trellis/schema/values/email.ts';
import { parsePhoneQuery } from '@trellis/schema/values/phone.ts';
import type { SearchForms } from '../../kernel/pipeline/model.ts';

/** Shortest part of a number that a search finds, in digits. */
const shortestPart = 3;

/** Search forms of an e-mail address: as mail servers write it. */
export function emailForms(address: string): SearchForms {
  const email = normalizeEmail(address) ?? address;
  return { words: [email], texts: [email] };
}

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
  return name === null ? { words: [], texts: [] } : { words: [name], texts: [name] };
}
