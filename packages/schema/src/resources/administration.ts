/**
 * What administration changes, as far as events tell of it: the first part of an event's type, the table, and the prefix of
 * ids. A member has the id of its user, and a session is a token of the console. None of them has an address in the API.
 */
export const administrativeSubjects = {
  organization: { table: 'organizations', idPrefix: 'org' },
  member: { table: 'memberships', idPrefix: 'user' },
  client: { table: 'clients', idPrefix: 'client' },
  token: { table: 'tokens', idPrefix: 'token' },
  session: { table: 'tokens', idPrefix: 'ses' },
} as const;

export type AdministrativeSubject = keyof typeof administrativeSubjects;

/** The prefix of the ids of a subject; undefined for one that administration does not change. */
export function administrativePrefix(subjectType: string): string | undefined {
  return Object.entries(administrativeSubjects).find(([name]) => name === subjectType)?.[1].idPrefix;
}
