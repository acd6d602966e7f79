/** Normalization of the e-mail addresses that identify accounts. */
import { removeInvisible } from './invisible.ts';
import { codePointLength } from './text.ts';

/** The canonical form of an e-mail address, equal for its spellings; null for an invalid address. */
export function normalizeAddress(email: string): string | null {
  const [, local = '', domain = ''] = /^([^\s@]{1,64})@([^\s@]{1,255})$/.exec(removeInvisible(email)) ?? [];
  const host = URL.parse(`http://${domain}`)?.hostname ?? '';
  if (local === '' || !host.includes('.') || codePointLength(email) > 254) return null;
  return `${local.toLowerCase()}@${host}`;
}
