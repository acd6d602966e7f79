/**
 * The accounts of an imported organization. An account belongs to a person, who may be a member of other organizations here: an
 * account that exists is neither changed nor given anything that acts for it, and becomes a member as if an operator had added it.
 */
import { normalizeAddress } from '@trellis/schema/values/address.ts';
import { newUuid } from '@trellis/schema/values/ids.ts';
import { codePointLength, findForbiddenCharacter } from '@trellis/schema/values/text.ts';
import type { OwnerSession } from '../../../kernel/database/owner-session.ts';
import { textArray, uuidArray } from '../../../kernel/database/values.ts';
import { isOrganizationId } from '../../../kernel/objects/object-store.ts';
import { BackupError } from '../errors.ts';
import { AccountIds, type Row, readRows } from './rows.ts';

/** They are kept in memory. */
const maxAccounts = 100_000;
const pageSize = 1_000;
const maxNameLength = 120;

/** An account of the archive. Ids are uuids. */
export interface ArchivedAccount {
  readonly id: string;
  /** Null for a service member. */
  readonly email: string | null;
  /** The form in which accounts are looked up. */
  readonly normalized: string | null;
  readonly name: string;
  readonly status: 'ACTIVE' | 'DISABLED';
  readonly isAddressProven: boolean;
  /** The organization that a service member belongs to; null for a person. */
  readonly serviceOf: string | null;
}

/** Where the accounts of the archive are here. */
export interface MatchedAccounts {
  readonly ids: AccountIds;
  /** What is created, with its id here. */
  readonly made: readonly ArchivedAccount[];
  /** What exists already: id and address. */
  readonly found: ReadonlyMap<string, string>;
}

/**
 * Reads the rows of `users`, with the columns that an export has.
 * @throws BackupError for rows that no export has
 */
export async function readAccounts(
  source: AsyncIterable<Buffer>,
  organizationId: string,
): Promise<ArchivedAccount[]> {
  const accounts: ArchivedAccount[] = [];
  for await (const row of readRows(source)) {
    if (accounts.length === maxAccounts) {
      throw new BackupError(`The export has more than ${maxAccounts} accounts.`);
    }
    accounts.push(readAccount(row, organizationId));
  }
  const isUnique = (values: readonly (string | null)[]) => new Set(values).size === values.length;
  const addresses = accounts.flatMap(({ normalized }) => normalized ?? []);
  if (!isUnique(accounts.map(({ id }) => id)) || !isUnique(addresses)) {
    throw new BackupError('The export has an account twice.');
  }
  return accounts;
}

function readAccount(row: Row, organizationId: string): ArchivedAccount {
  const [id, email = null, normalized = null, name, status, proven, serviceOf = null] = row;
  const isPerson = serviceOf === null && email !== null && normalizeAddress(email) === normalized;
  const isService = serviceOf === organizationId && email === null && normalized === null;
  if (
    row.length !== 7 ||
    typeof id !== 'string' ||
    !isOrganizationId(id) ||
    !(isPerson || isService) ||
    typeof name !== 'string' ||
    !isName(name) ||
    (status !== 'ACTIVE' && status !== 'DISABLED') ||
    (proven !== 't' && proven !== 'f')
  ) {
    throw new BackupError(
      'The export has an account that is not the one of a person or of a service member.',
    );
  }
  return { id, email, normalized, name, status, isAddressProven: proven === 't', serviceOf };
}

function isName(name: string): boolean {
  const length = codePointLength(name);
  return length > 0 && length <= maxNameLength && findForbiddenCharacter(name) === -1;
}

/**
 * Finds out which accounts exist here. People are recognized by their addresses. An id that another account has here is replaced.
 * @throws BackupError for an account here whose address is not proven: whoever prepared it would become a member
 */
export async function matchAccounts(
  session: OwnerSession,
  accounts: readonly ArchivedAccount[],
): Promise<MatchedAccounts> {
  const changed = new Map<string, string>();
  const found = new Map<string, string>();
  const made: ArchivedAccount[] = [];
  for (let start = 0; start < accounts.length; start += pageSize) {
    const page = accounts.slice(start, start + pageSize);
    const known = await session.rows(
      `SELECT id, email_normalized, address_proven FROM trellis.users WHERE id = ANY ($1) OR email_normalized = ANY ($2)`,
      [uuidArray(page.map(({ id }) => id)), textArray(page.flatMap(({ normalized }) => normalized ?? []))],
    );
    const isTaken = new Set(known.map(([id]) => id));
    const byAddress = new Map(known.map(([id, normalized, proven]) => [normalized, { id, proven }]));
    for (const account of page) {
      const own = account.normalized === null ? undefined : byAddress.get(account.normalized);
      if (own?.id) {
        if (own.proven !== 't') throw unproven(account.email ?? '');
        found.set(own.id, account.email ?? '');
        if (own.id !== account.id) changed.set(account.id, own.id);
        continue;
      }
      const id = isTaken.has(account.id) ? newUuid() : account.id;
      if (id !== account.id) changed.set(account.id, id);
      made.push({ ...account, id });
    }
  }
  return { ids: new AccountIds(changed), made, found };
}

function unproven(email: string): BackupError {
  return new BackupError(
    `The account of ${email} here was made by an invitation, and its address is not proven: somebody else may have prepared it. ` +
      `They have to sign in once with a link that is sent to this address; "trellis user sign-in-link ${email}" makes one.`,
  );
}

/** Creates the accounts that are missing. Those of people have no password and no second factor. */
export async function makeAccounts(session: OwnerSession, made: readonly ArchivedAccount[]): Promise<void> {
  for (let start = 0; start < made.length; start += pageSize) {
    await session.rows(
      `INSERT INTO trellis.users (id, email, email_normalized, name, status, address_proven, service_of)
       SELECT id, email, normalized, name, status, "isAddressProven", "serviceOf" FROM json_to_recordset($1) AS r
         (id uuid, email text, normalized text, name text, status text, "isAddressProven" boolean, "serviceOf" uuid)`,
      [JSON.stringify(made.slice(start, start + pageSize))],
    );
  }
}
