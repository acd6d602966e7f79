/** Rules of the e-mail addresses, phone numbers and companies of contacts and companies. */

import type { Fault } from '../problem.ts';
import { parsePhone } from '../values/phone.ts';
import type { phones } from './shapes.ts';
import type { StoredValue } from './stored-values.ts';

/** A stored phone number. `e164` is null when the number cannot be read; such a record is refused. */
export type Phone = StoredValue<typeof phones>[number];

/**
 * Adds the international form of every phone number. A stored number keeps its international form when the organization's
 * country changes.
 * @param country the organization's, ISO 3166-1; undefined where it is not known: numbers that need it get no international form
 */
export function completePhones(given: readonly Phone[], country: string | null | undefined): Phone[] {
  return given.map((phone) => {
    const region = phone.country ?? country;
    const e164 = phone.e164 ?? parsePhone(phone.number, region ?? null);
    return e164 === null && region === undefined ? phone : { ...phone, e164 };
  });
}

/** Why a phone number is rejected, to people. */
export const unreadPhone =
  'Not a valid phone number. Begin it with + and the country code, or give its country.';

/** Finds phone numbers that cannot be read, and primary ones after the first. */
export function checkPhones(given: readonly Phone[]): Fault[] {
  const unread = given.flatMap(({ e164 }, index): Fault[] => {
    if (e164 !== null) return [];
    return [{ pointer: `/phones/${index}/number`, code: 'phone', detail: unreadPhone }];
  });
  return [...unread, ...checkPrimary('phones', given)];
}

/** Finds every primary item after the first. */
export function checkPrimary(field: string, items: readonly { readonly isPrimary: boolean }[]): Fault[] {
  const first = items.findIndex(({ isPrimary }) => isPrimary);
  return items.flatMap(({ isPrimary }, index) => {
    if (!isPrimary || index === first) return [];
    const detail = `Item ${first} is already primary; only one item can be.`;
    return [{ pointer: `/${field}/${index}/isPrimary`, code: 'repeated', detail }];
  });
}
