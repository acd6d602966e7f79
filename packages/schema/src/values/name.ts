/** Why: a contact may have no name, and lists, search results and events still need something to call it by. */

/** Of a contact, what it can be called by; `isPrimary` marks at most one of each list. */
export interface Nameable {
  readonly firstName: string | null;
  readonly lastName: string | null;
  readonly emails: readonly { readonly address: string; readonly isPrimary?: boolean }[];
  readonly phones: readonly { readonly number: string; readonly isPrimary?: boolean }[];
}

/**
 * The first and last name; without either the primary e-mail address, without that the primary phone number as typed.
 * Where none is marked as primary the first is taken.
 *
 * @returns null when there is none of them.
 */
export function displayName(contact: Nameable): string | null {
  const parts = [contact.firstName, contact.lastName].filter((part) => part !== null && part !== '');
  if (parts.length > 0) {
    return parts.join(' ');
  }
  return primaryOf(contact.emails)?.address ?? primaryOf(contact.phones)?.number ?? null;
}

function primaryOf<Item extends { readonly isPrimary?: boolean }>(items: readonly Item[]): Item | undefined {
  return items.find((item) => item.isPrimary) ?? items[0];
}
