/**
 * Which tables an export of one organization has. Each table of the schema is listed here, either with what is special about
 * its rows, or with the reason why it is left out, unless a resource declares it; `test/organization/tables.test.ts` compares the lists with the database.
 */

import { resources } from '@trellis/schema/resources/index.ts';
import { tablesOf } from '@trellis/schema/resources/resource.ts';
import type { CopiedTable } from '../../../kernel/database/tables.ts';
import { assertOrganizationId } from '../../../kernel/objects/object-store.ts';
import { BackupError } from '../errors.ts';

/** What is special about the rows of a table; the other ones are all that belong to the organization, as they are. */
interface MovedTable {
  /** SQL: rows that no export has; an import refuses them. */
  readonly refused?: string;
  /** SQL: the only rows that are moved if the organization goes on being served where it comes from. */
  readonly rowsOfCopy?: string;
  /** SQL: values that replace those of columns. */
  readonly values?: Readonly<Record<string, string>>;
  /** The same, if the organization goes on being served where it comes from. */
  readonly valuesOfCopy?: Readonly<Record<string, string>>;
  /** SQL: selects the rows from other tables, by the organization `$1`. */
  readonly from?: string;
  /** The only columns that are moved. */
  readonly columns?: readonly string[];
}

/** SQL: the accounts of an organization: its members, and the programs that are or were. */
const accounts = `SELECT m.user_id FROM trellis.memberships m WHERE m.organization_id = $1
  UNION SELECT s.id FROM trellis.users s WHERE s.service_of = $1`;

/** SQL: whether a stored response has a secret that is sealed under a key of the installation. */
const hasSealed = `(body LIKE '%"secret":"%' OR body LIKE '%"link":"%')`;

const ofAccounts =
  'It belongs to a person, who sets it up anew in the other installation: an account may serve other organizations.';
const ofSearch = 'The other installation writes it anew, from the records.';

/** The tables that are left out, with the reason. */
export const leftTables: Readonly<Record<string, string>> = {
  passwords: ofAccounts,
  totp_secrets: ofAccounts,
  recovery_codes: ofAccounts,
  passkeys: ofAccounts,
  external_identities: ofAccounts,
  credential_versions: ofAccounts,
  sessions: 'People sign in anew.',
  sign_in_links: 'People sign in anew.',
  sign_in_challenges: 'People sign in anew.',
  sign_in_delays: 'Attempts are counted in each installation.',
  invitations:
    'Links lead to the address of the installation, and the accounts that accepted them may be of nobody who is still a member.',
  search_records: ofSearch,
  search_bodies: ofSearch,
  search_readers: ofSearch,
  event_sink_cursors: 'A sink belongs to its installation, which forwards what happens from then on.',
  extraction_turns: 'Turns of the processes of an installation.',
  leases: 'Leases of the processes of an installation.',
};

const ofResources = resources.flatMap(tablesOf).filter((name) => !Object.hasOwn(leftTables, name));

/** The tables that are moved. */
export const movedTables: Readonly<Record<string, MovedTable>> = {
  ...Object.fromEntries(ofResources.map((name) => [name, {}])),
  // It begins suspended: nothing is sent and nobody calls it before the operator says so.
  organizations: { values: { status: `'SUSPENDED'` }, refused: `status <> 'SUSPENDED'` },
  // Accounts belong to people, and not to the organization. Only what its members see of each other is moved.
  users: {
    columns: ['id', 'email', 'email_normalized', 'name', 'status', 'address_proven', 'service_of'],
    from: `SELECT * FROM trellis.users WHERE id IN (${accounts})`,
  },
  // Sessions are rows of this table, too; and those of former members are revoked.
  tokens: {
    from: `SELECT * FROM trellis.tokens WHERE organization_id = $1 AND session_id IS NULL AND user_id IN (${accounts})`,
    refused: 'session_id IS NOT NULL',
  },
  publishable_keys: {},
  publishable_key_origins: {},

  article_files: {},
  magazine_issns: {},
  issue_files: {},
  knowledge_pages: {},
  picture_renditions: {},
  plants: {},
  visitors: {},
  identifications: {},
  trash: {},
  trash_versions: {},

  events: {},
  event_positions: {},
  // What is not in the log yet gets its position where the organization is imported.
  outbox: {},
  // Leases are those of processes.
  timers: { values: { available_at: 'due_at', attempts: '0' } },
  extraction_jobs: { values: { attempts: '0' } },

  // What waits is sent by the installation that goes on, which is only one.
  webhook_endpoints: { valuesOfCopy: { status: `'DISABLED'` } },
  webhook_subscriptions: { valuesOfCopy: { enabled: 'false' } },
  webhook_deliveries: { rowsOfCopy: `status <> 'PENDING'`, values: { leased_until: 'NULL' } },
  webhook_attempts: {
    rowsOfCopy: `EXISTS (SELECT FROM trellis.webhook_deliveries d WHERE d.organization_id = t.organization_id
      AND d.endpoint_id = t.endpoint_id AND d.event_id = t.event_id AND d.status <> 'PENDING')`,
  },
  // So that a retry finds that its write has been made. A secret in one could not be opened.
  idempotency_keys: { values: { body: `CASE WHEN NOT ${hasSealed} THEN body END` } },
  changes: {},
  erasures: {},

  // Search entries are written anew: one job for each record that has some.
  search_marks: {
    from: `SELECT organization_id, type, record_id, parent_id, 1 AS number,
        date_trunc('second', statement_timestamp()) AS available_at, 0 AS attempts
      FROM (SELECT organization_id, type, record_id, parent_id FROM trellis.search_records WHERE organization_id = $1
        UNION SELECT organization_id, type, record_id, parent_id FROM trellis.search_marks WHERE organization_id = $1) r`,
  },
};

/** A table of an export. */
export interface OrganizationTable extends CopiedTable {
  /** Selects the columns of the rows that are moved. */
  readonly query: string;
  /** SQL: which rows an import refuses; null: none. */
  readonly refused: string | null;
}

/**
 * The tables of an export, in an order in which they can be filled.
 * @param tables all of the database
 * @param organizationId uuid
 * @param isCopy whether the organization goes on being served where it comes from
 * @throws BackupError for a table that is not listed
 */
export function organizationTables(
  tables: readonly CopiedTable[],
  organizationId: string,
  isCopy: boolean,
): OrganizationTable[] {
  assertOrganizationId(organizationId);
  return tables.flatMap((table) => {
    const moved = Object.hasOwn(movedTables, table.name) ? movedTables[table.name] : undefined;
    if (moved !== undefined) return [describe(table, moved, organizationId, isCopy)];
    if (Object.hasOwn(leftTables, table.name)) return [];
    throw new BackupError(
      `It is not said whether the table ${table.name} is a part of an organization's export.`,
    );
  });
}

function describe(
  { name, columns: all }: CopiedTable,
  moved: MovedTable,
  organizationId: string,
  isCopy: boolean,
): OrganizationTable {
  const columns = moved.columns ?? all;
  const values = { ...moved.values, ...(isCopy ? moved.valuesOfCopy : {}) };
  const list = columns.map((column) => `${values[column] ?? `t."${column}"`} AS "${column}"`).join(', ');
  const own = name === 'organizations' ? 'id' : 'organization_id';
  const from = moved.from ?? `SELECT * FROM trellis."${name}" WHERE ${own} = $1`;
  const where = isCopy && moved.rowsOfCopy !== undefined ? ` WHERE ${moved.rowsOfCopy}` : '';
  const query = `SELECT ${list} FROM (${from}) t${where}`.replaceAll('$1', `'${organizationId}'::uuid`);
  return { name, columns, query, refused: moved.refused ?? null };
}
