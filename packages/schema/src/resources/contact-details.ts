/** Rules of the e-mail addresses, phone numbers and companies of contacts and companies. */

import type { Fault } from '../problem.ts';
import { phoneFaults, readPhone } from '../values/phone.ts';
import type { phones } from './shapes.ts';
import type { StoredValue } from './stored-values.ts';

/** A stored phone number. `e164` is null for a number that only its country can dial; a record with a number without it is rejected. */
export type Phone = StoredValue<typeof phones>[number];

/**
 * Adds the international form of every phone number. A stored number keeps its international form when the organization's
 * country changes.
 * @param country the organization's, ISO 3166-1; undefined where it is not known: numbers that need it are not rejected
 */
export function completePhones(given: readonly Phone[], country: string | null | undefined): Phone[] {
  return given.map((phone) => {
    if (phone.e164 !== undefined) return phone;
    const region = phone.country ?? country;
    const { e164, fault } = readPhone(phone.number, region ?? null);
    return fault === null || (fault === 'country' && region === undefined) ? { ...phone, e164 } : phone;
  });
}

/** Why a phone number without a country is rejected, to people. */
export const unreadPhone = phoneFaults.country;

/** Finds phone numbers that cannot be read, and primary ones after the first. */
export function checkPhones(given: readonly Phone[]): Fault[] {
  const unread = given.flatMap(({ number, country, e164 }, index): Fault[] => {
    if (e164 !== undefined) return [];
    // Without the organization's country: other faults do not depend on it.
    const fault = readPhone(number, country ?? null).fault ?? 'country';
    return [{ pointer: `/phones/${index}/number`, code: 'phone', detail: phoneFaults[fault] }];
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
