/** The display name of a contact. A contact may have no name, but lists, search results and events need one. */

/** The parts of a contact that can serve as its name; `isPrimary` marks at most one of each list. */
export interface Nameable {
  readonly firstName: string | null;
  readonly lastName: string | null;
  readonly emails: readonly { readonly address: string; readonly isPrimary?: boolean }[];
  readonly phones: readonly { readonly number: string; readonly isPrimary?: boolean }[];
}

/**
 * The first and last name; without them the primary email address; without one the primary phone number as typed. If none
 * is marked as primary, the first one is used.
 *
 * @returns null when the contact has none of these.
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
